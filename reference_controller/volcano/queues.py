"""What is to be done next for one queue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.decision import NOTHING, Decision
from reference_controller.volcano.actions import WriteQueueStatus
from reference_controller.volcano.objects import Group, Queue, QueueStatus

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class ObservedQueue:
    """A queue with its PodGroups, and the action of a Command that is not carried out yet."""

    queue: Queue
    groups: tuple[Group, ...]
    command: str | None


def reconcile_queue(observed: ObservedQueue) -> Decision[WriteQueueStatus]:
    """VOL-054: the status gives the state and the PodGroups."""
    queue = observed.queue
    status = QueueStatus(state(queue.state, observed.groups, observed.command), counts(observed.groups))
    if status == QueueStatus(queue.state, queue.counts):
        return NOTHING
    return Decision((WriteQueueStatus(status),))


def state(now: str, groups: Sequence[Group], command: str | None) -> str:
    """VOL-055: closed by a Command once it is empty, and opened by one; Open at first."""
    if command == "OpenQueue" or not now:
        return "Open"
    if command == "CloseQueue" or now in {"Closing", "Closed"}:
        return "Closing" if groups else "Closed"
    return now


def counts(groups: Sequence[Group]) -> tuple[tuple[str, int], ...]:
    """How many PodGroups are in each phase; one without a phase is Pending."""
    found = Counter((group.phase or "Pending").lower() for group in groups)
    return tuple(
        (phase, found[phase])
        for phase in ("pending", "inqueue", "running", "unknown", "completed")
        if found[phase]
    )
