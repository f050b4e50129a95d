"""The phases of a Volcano Job as two tables: which one follows by an action, and which by its pods.

They are the table of docs/design/job-api.md ("Conditions and Phases") with the temporary phases in it that
came later; what they mean stands in volcano.sh/apis, pkg/apis/batch/v1alpha1/job.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.volcano.objects import Job, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LIVE = frozenset({"Pending", "Running"})
"""The phases in which pods are made."""

FINAL = frozenset({"Completed", "Failed", "Terminated"})
"""VOL-024: the phases that no action leads out of."""

_LEFT = {
    "RestartJob": "Restarting",
    "AbortJob": "Aborting",
    "TerminateJob": "Terminating",
    "CompleteJob": "Completing",
}
_RESUMED = {"ResumeJob": "Restarting"}
BY_ACTION: Mapping[str, Mapping[str, str]] = {
    "Pending": _LEFT,
    "Running": _LEFT,
    "Aborting": _RESUMED,
    "Aborted": _RESUMED,
}
"""VOL-019, VOL-021, VOL-022, VOL-023: the phase that follows when an action is carried out, by the phase."""


def after_action(phase: str, action: str) -> str | None:
    """The phase that an action leads to; None where it does nothing in this phase."""
    return BY_ACTION.get(phase, {}).get(action)


# -- what pods say


def started(job: Job, status: Status) -> bool:
    """VOL-014: as many pods as the minimum run, or have ended."""
    return status.running + status.succeeded + status.failed >= job.min_available


def enough_succeeded(job: Job, status: Status) -> bool:
    """VOL-017: as many have succeeded as the user says are enough, whatever the others do."""
    return bool(job.replicas) and job.min_success is not None and status.succeeded >= job.min_success


def too_few_succeeded(job: Job, status: Status) -> bool:
    """VOL-016, VOL-017: all have ended, and too few of them, or of those of a task, have succeeded."""
    if not ended(job, status):
        return False
    if job.min_success is not None or status.succeeded < job.min_available:
        return True
    succeeded = {task: count for task, phase, count in status.tasks if phase == "Succeeded"}
    by_task = job.min_available >= sum(task.minimum for task in job.tasks)
    return by_task and any(succeeded.get(task.name, 0) < task.minimum for task in job.tasks)


def ended(job: Job, status: Status) -> bool:
    """VOL-016: all pods have ended. VOL-018: of a Job that has none this says nothing."""
    return bool(job.replicas) and status.succeeded + status.failed == job.replicas


def fell_back(job: Job, status: Status) -> bool:
    """VOL-015: too many pods are Pending for the minimum to run."""
    return bool(job.replicas) and status.pending > job.replicas - job.min_available


def released(_: Job, status: Status) -> bool:
    """VOL-021: no pod is left that has not ended."""
    return not status.pending and not status.running and not status.terminating and not status.unknown


def given_up(job: Job, status: Status) -> bool:
    """VOL-019: there is none left, and it was tried as often as it may be."""
    return released(job, status) and status.retry_count >= job.max_retry


BY_PODS: Mapping[str, tuple[tuple[Callable[[Job, Status], bool], str], ...]] = {
    "Pending": ((started, "Running"),),
    "Running": (
        (enough_succeeded, "Completed"),
        (too_few_succeeded, "Failed"),
        (ended, "Completed"),
        (fell_back, "Pending"),
    ),
    "Restarting": ((given_up, "Failed"), (released, "Pending")),
    "Aborting": ((released, "Aborted"),),
    "Terminating": ((released, "Terminated"),),
    "Completing": ((released, "Completed"),),
}
"""The phase that follows by the counts of pods, by the phase: the first that holds."""


def after_pods(job: Job, status: Status) -> str:
    """The phase that the pods of a Job lead to; its own where they lead nowhere."""
    rules = BY_PODS.get(job.status.phase, ())
    return next((phase for says, phase in rules if says(job, status)), job.status.phase)


# -- what is kept


def keeps_ended(job: Job) -> bool:
    """VOL-019, VOL-020: a restart keeps no pod, but at the last retry those that have ended stay; so else."""
    return job.status.phase != "Restarting" or job.status.retry_count >= job.max_retry
