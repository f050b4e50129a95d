"""How the conditions of a JobSet change, and which events report that."""

from __future__ import annotations

from dataclasses import replace

from reference_controller.jobset.actions import RecordEvent
from reference_controller.jobset.objects import (
    COMPLETED,
    FAILED,
    STARTUP_COMPLETED,
    STARTUP_IN_PROGRESS,
    SUSPENDED,
    Condition,
    Status,
)

_EXCLUSIVE = {STARTUP_IN_PROGRESS: STARTUP_COMPLETED, STARTUP_COMPLETED: STARTUP_IN_PROGRESS}
"""If the one is true, the other is not."""


def complete(status: Status, now: float) -> Status:
    """JST-015, JST-033: the JobSet has completed."""
    ended = with_condition(status, _new(COMPLETED, "AllJobsCompleted", "jobset completed successfully", now))
    return replace(ended, terminal_state=COMPLETED)


def fail(status: Status, reason: str, message: str, now: float) -> Status:
    """JST-033: the JobSet has failed."""
    return replace(with_condition(status, _new(FAILED, reason, message, now)), terminal_state=FAILED)


def suspend(status: Status, now: float) -> Status:
    """JST-028: the JobSet is suspended."""
    return with_condition(status, _new(SUSPENDED, "SuspendedJobs", "jobset is suspended", now))


def resume(status: Status, now: float) -> Status:
    """JST-029: the JobSet is not suspended any more; one that never was has no such condition."""
    resumed = _new(SUSPENDED, "ResumeJobs", "jobset is resumed", now)
    return with_condition(status, replace(resumed, true=False))


def starting(status: Status, now: float) -> Status:
    """JST-014: some replicated jobs wait for others to start."""
    message = "in order startup policy is in progress"
    return with_condition(status, _new(STARTUP_IN_PROGRESS, "InOrderStartupPolicyInProgress", message, now))


def started(status: Status, now: float) -> Status:
    """JST-014: all replicated jobs have started in order."""
    message = "in order startup policy has completed"
    return with_condition(status, _new(STARTUP_COMPLETED, "InOrderStartupPolicyCompleted", message, now))


def _new(kind: str, reason: str, message: str, now: float) -> Condition:
    return Condition(kind, true=True, reason=reason, message=message, since=float(int(now)))


def with_condition(status: Status, new: Condition) -> Status:
    """The status with this condition; one that says the same already stays as it is.

    A condition that is not true is not added, and one that becomes true makes its opposite false.
    """
    old = status.condition(new.type)
    if (old is None and not new.true) or (old is not None and old.true == new.true):
        return status
    opposite = _EXCLUSIVE.get(new.type) if new.true else None
    kept = [
        _turned(it, new) if it.type == opposite else it for it in status.conditions if it.type != new.type
    ]
    return replace(status, conditions=(*kept, new))


def _turned(condition: Condition, because: Condition) -> Condition:
    return replace(condition, true=False, since=because.since) if condition.true else condition


def events(old: Status, new: Status) -> tuple[RecordEvent, ...]:
    """One event for each condition that has become true, and for a JobSet that is resumed."""
    return tuple(
        RecordEvent("Warning" if it.type == FAILED else "Normal", it.reason, it.message)
        for it in new.conditions
        if it not in old.conditions and (it.true or it.type == SUSPENDED)
    )
