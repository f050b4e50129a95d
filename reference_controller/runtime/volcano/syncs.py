"""One look each at a Volcano Job, a queue and a Command."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, assert_never

from reference_controller.decision import NOTHING, Decision
from reference_controller.objects.api_json import deletion
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.loop import Sync
from reference_controller.volcano import api_json
from reference_controller.volcano.actions import (
    Action,
    CreateGroup,
    CreatePods,
    DeleteGroup,
    DeletePods,
    WriteQueueStatus,
    WriteStatus,
)
from reference_controller.volcano.objects import COMMANDS, GROUPS, JOBS, QUEUES, Command
from reference_controller.volcano.queues import ObservedQueue, reconcile_queue
from reference_controller.volcano.reconcile import Observed, reconcile

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from reference_controller.objects.identity import ObjectKey
    from reference_controller.runtime.volcano.known import Known
    from reference_controller.volcano.objects import Job, Status


class JobSync(Sync[Observed, Action]):
    """One sync of one Job."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key

    async def observe(self) -> Observed | None:
        """The Job with all that belongs to it; None once it is gone, or after an error."""
        job = self._of.newest(self._key.uid)
        if job is None or self.errors:
            return None
        expectations = self._of.expectations[job.uid]
        expectations.expire(self._of.pods.seen)
        pods = tuple(self._of.owned_pods.owned_by(job.uid))
        return Observed(job, pods, self._of.group_of(job), self._of.asked.get(job.uid), expectations.met())

    def reconcile(self, observed: Observed, now: float) -> Decision[Action]:  # noqa: ARG002 - nothing depends on time
        """See `volcano.reconcile`."""
        if not observed.expectations_met:
            return Decision(requeue_after_s=self._of.expectations[observed.job.uid].expires_in_s())
        actions = reconcile(observed).actions
        if not actions:
            self._of.asked.pop(observed.job.uid, None)  # it changes nothing in this phase
        # What a status write made is known; of all else the watch has to show it before the next decision.
        return Decision(actions, final=not any(isinstance(action, WriteStatus) for action in actions))

    async def carry_out(self, action: Action, observed: Observed) -> None:
        """Make the write; the errors of pods are kept, and raised at the end of the sync."""
        job = observed.job
        match action:
            case WriteStatus(status):
                await self._write(job, status)
            case CreateGroup():
                await self._create_group(job)
            case DeleteGroup():
                if observed.group is not None:
                    path = GROUPS.path(observed.group)
                    await self._of.client.delete(path, deletion(observed.group.uid))
            case CreatePods(pods):
                bodies = [api_json.new_pod(job, task, index) for task, index in pods]
                await self._all([self._create(job, body) for body in bodies])
            case DeletePods(pods):
                expectations = self._of.expectations[job.uid]
                for pod in pods:
                    expectations.expect_deletion(pod.uid)
                await self._all([self._of.children.delete(job, pod, expectations) for pod in pods])
            case _:
                assert_never(action)

    async def _write(self, job: Job, status: Status) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        raw = await self._of.client.put(JOBS.path(job, "status"), api_json.with_status(job, status, now))
        self._of.written[job.uid] = api_json.read_job(raw)
        if status.phase != job.status.phase:
            self._of.asked.pop(job.uid, None)

    async def _create_group(self, job: Job) -> None:
        try:
            await self._of.client.post(GROUPS.of(job.namespace), api_json.new_group(job))
        except ApiError as error:
            if not error.already_exists:
                raise

    async def _create(self, job: Job, body: bytes) -> ApiError | None:
        """VOL-012: a pod that is there already is no error."""
        expectations = self._of.expectations[job.uid]
        expectations.expect_creations(1)
        error = await self._of.children.create(job, body, expectations)
        return None if error is not None and error.already_exists else error

    async def _all(self, writes: list[Coroutine[None, None, ApiError | None]]) -> None:
        self.errors += [error for error in await asyncio.gather(*writes) if error is not None]


class QueueSync(Sync[ObservedQueue, WriteQueueStatus]):
    """One sync of one queue."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key

    async def observe(self) -> ObservedQueue | None:
        """The queue with its PodGroups; None once it is gone."""
        queue = self._of.queue_index.get(self._key.uid)
        if queue is None:
            return None
        groups = tuple(self._of.groups_in(queue))
        return ObservedQueue(queue, groups, self._of.asked.get(queue.uid))

    def reconcile(self, observed: ObservedQueue, now: float) -> Decision[WriteQueueStatus]:  # noqa: ARG002
        """See `volcano.queues`."""
        decision = reconcile_queue(observed)
        return Decision(decision.actions, final=True)

    async def carry_out(self, action: WriteQueueStatus, observed: ObservedQueue) -> None:
        """Write the status."""
        queue = observed.queue
        body = api_json.with_queue_status(queue, action.status)
        await self._of.client.put(QUEUES.path(queue, "status"), body)
        self._of.asked.pop(queue.uid, None)


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

    def reconcile(self, observed: Command, now: float) -> Decision[TakeAway]:  # noqa: ARG002
        """VOL-036: at most once."""
        known = self._of.job_index.get(observed.target) or self._of.queue_index.get(observed.target)
        return Decision((TakeAway(observed),)) if known else NOTHING

    async def carry_out(self, action: TakeAway, observed: Command) -> None:
        """Delete it first: what is not deleted by us is carried out by somebody else, or later (VOL-037)."""
        try:
            await self._of.client.delete(COMMANDS.path(observed), deletion(observed.uid))
        except ApiError as error:
            if not error.not_found:
                raise
        else:
            self._of.ask(action.command.target, action.command.action)
        self._taken = True
