"""One look at a Command."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.decision import NOTHING, Decision
from reference_controller.objects.api_json import deletion
from reference_controller.objects.identity import ObjectKey
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.loop import Sync
from reference_controller.runtime.volcano.known import Known
from reference_controller.volcano.objects import COMMANDS, Command


@dataclass(frozen=True, slots=True)
class TakeAway:
    """Delete a Command, then carry it out."""

    command: Command


class CommandSync(Sync[Command, TakeAway]):
    """One sync of one Command."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key
        self._taken = False

    async def observe(self) -> Command | None:
        """The Command; None once it was taken away."""
        return None if self._taken else self._of.command_index.get(self._key.uid)

    def reconcile(self, observed: Command, now: float) -> Decision[TakeAway]:  # noqa: ARG002 - no rule depends on time
        """VOL-036: at most once."""
        known = self._of.job_index.get(observed.target) or self._of.queue_index.get(observed.target)
        return Decision((TakeAway(observed),)) if known else NOTHING

    async def carry_out(self, action: TakeAway, observed: Command) -> None:
        """Delete it first: what is not deleted by us is applied by another process, or later (VOL-037)."""
        command = action.command
        try:
            await self._of.client.delete(COMMANDS.path(observed), deletion(observed.uid))
        except ApiError as error:
            if not error.not_found:
                raise
        else:
            if (job := self._of.job_index.get(command.target)) is not None:
                message = f"Start to execute command {command.action}, and clean it up"
                self._of.recorder.record(job, "Normal", "CommandIssued", message)
            self._of.ask(command.target, command.action)
        self._taken = True
