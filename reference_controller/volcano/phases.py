"""The phases of a Volcano Job: which one follows, by its pods or by an action."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_controller.volcano.objects import Job, JobPod, Status

LIVE = frozenset({"Pending", "Running"})
ENDINGS = {"Aborting": "Aborted", "Terminating": "Terminated", "Completing": "Completed"}
"""The phases in which pods are taken away, with the phase that follows once none is left."""
_BY_ACTION = {"AbortJob": "Aborting", "TerminateJob": "Terminating", "CompleteJob": "Completing"}


def after_action(phase: str, action: str) -> str | None:
    """VOL-021: the phase that an action leads to; None where it does nothing in this phase."""
    if phase in LIVE:
        return "Restarting" if action == "RestartJob" else _BY_ACTION.get(action)
    if phase in {"Aborting", "Aborted"} and action == "ResumeJob":
        return "Restarting"
    return None


def by_policy(job: Job, pods: Sequence[JobPod]) -> str | None:
    """VOL-028: the action of the first policy that matches what became of the pods of this version."""
    current = [pod for pod in pods if pod.job_version == job.status.version and not pod.deleting]
    events = {"PodFailed"} if any(pod.phase == "Failed" for pod in current) else set()
    tasks = {task.name: task.replicas for task in job.tasks}
    for task, replicas in tasks.items():
        done = [pod for pod in current if pod.task == task and pod.phase == "Succeeded"]
        events |= {"TaskCompleted"} if replicas and len(done) == replicas else set()
    for policy in job.policies:
        if events and (policy.events & events or "*" in policy.events):
            return policy.action
    return None


def after_pods(job: Job, status: Status) -> str:
    """The phase that the pods of a Job in Pending or Running lead to."""
    replicas = sum(task.replicas for task in job.tasks)
    if job.status.phase == "Pending":
        return "Running" if started(job, status) else "Pending"
    if replicas and status.succeeded + status.failed == replicas:
        return _ended(job, status)
    if status.pending > replicas - job.min_available:
        return "Pending"
    return "Running"


def started(job: Job, status: Status) -> bool:
    """VOL-014: as many pods as the minimum run, or have run."""
    return status.running + status.succeeded + status.failed >= job.min_available


def _ended(job: Job, status: Status) -> str:
    """VOL-016: all pods have ended."""
    return "Completed" if status.succeeded >= job.min_available else "Failed"
