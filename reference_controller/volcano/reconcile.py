"""What is to be done next for one Volcano Job.

One stage per decision, as for a Job of Kubernetes: after each write the Job is looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reference_controller.decision import NOTHING, Decision
from reference_controller.volcano.actions import (
    CreateGroup,
    CreatePods,
    DeleteGroup,
    DeletePods,
    WriteStatus,
)
from reference_controller.volcano.api_json import pod_name
from reference_controller.volcano.phases import ENDINGS, LIVE, after_action, after_pods, by_policy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference_controller.volcano.actions import Action
    from reference_controller.volcano.objects import Group, Job, JobPod, Status, Task


@dataclass(frozen=True, slots=True)
class Observed:
    """A Job with its pods and its PodGroup.

    Attributes:
        command: the action of a Command that was taken away for this Job and is not carried out yet.
        expectations_met: the watch has shown every pod that this process created or deleted; before that,
            nothing is decided.
    """

    job: Job
    pods: tuple[JobPod, ...]
    group: Group | None
    command: str | None
    expectations_met: bool


def reconcile(observed: Observed) -> Decision[Action]:
    """Decide what to do next; nothing for a Job that is being deleted (VOL-027)."""
    job = observed.job
    if job.deleting or not observed.expectations_met:
        return NOTHING
    if not job.status.phase:
        return _write(_first(job))
    action = observed.command or by_policy(job, observed.pods)
    if action and (phase := after_action(job.status.phase, action)):
        return _write(_left(observed, phase))
    if job.status.phase in LIVE:
        return _live(observed)
    if job.status.phase == "Restarting" or job.status.phase in ENDINGS:
        return _leaving(observed)
    return _ended(observed)


def _first(job: Job) -> Status:
    """VOL-001: Pending, version 0."""
    return replace(job.status, phase="Pending", version=0)


def _live(observed: Observed) -> Decision[Action]:
    """VOL-002, VOL-004: first a PodGroup, then, once it is let in, the pods."""
    job = observed.job
    if observed.group is None:
        return Decision((CreateGroup(),))
    if observed.group.let_in and (missing := tuple(_missing(observed))):
        return Decision((CreatePods(missing),))
    status = _counted(job, observed.pods)
    status = replace(status, phase=after_pods(job, status))
    return NOTHING if status == job.status else _write(status)


def _missing(observed: Observed) -> Iterable[tuple[Task, int]]:
    """VOL-012: the pods that there should be and that are not there, also not as terminating ones."""
    names = {pod.name for pod in observed.pods}
    for task in observed.job.tasks:
        for index in range(task.replicas):
            if pod_name(observed.job, task.name, index) not in names:
                yield task, index


def _left(observed: Observed, phase: str) -> Status:
    """VOL-026: the Job is left in a new version, so that its old pods change nothing any more."""
    job = observed.job
    status = _counted(job, observed.pods)
    retries = job.status.retry_count + (phase == "Restarting")
    return replace(status, phase=phase, version=job.status.version + 1, retry_count=retries)


def _leaving(observed: Observed) -> Decision[Action]:
    """VOL-021, VOL-019: pods are taken away, with the PodGroup; then comes the phase after it."""
    job = observed.job
    restarts = job.status.phase == "Restarting"
    doomed = tuple(pod for pod in observed.pods if not pod.deleting and (restarts or not pod.finished))
    if doomed:
        return Decision((DeletePods(doomed),))
    if observed.group is not None:
        return Decision((DeleteGroup(),))
    status = _counted(job, observed.pods)
    if any(pod.deleting or not pod.finished for pod in observed.pods):
        return NOTHING if status == job.status else _write(status)
    if restarts:
        return _write(
            replace(status, phase="Failed" if job.status.retry_count >= job.max_retry else "Pending")
        )
    return _write(replace(status, phase=ENDINGS[job.status.phase]))


def _ended(observed: Observed) -> Decision[Action]:
    """VOL-024: what has ended stays so; pods that have not ended are deleted."""
    doomed = tuple(pod for pod in observed.pods if not pod.deleting and not pod.finished)
    return Decision((DeletePods(doomed),)) if doomed else NOTHING


def _counted(job: Job, pods: Iterable[JobPod]) -> Status:
    """VOL-025: the counts of the status are those of the pods."""
    pods = tuple(pods)
    there = [pod for pod in pods if not pod.deleting]
    return replace(
        job.status,
        pending=sum(pod.phase == "Pending" for pod in there),
        running=sum(pod.phase == "Running" for pod in there),
        succeeded=sum(pod.phase == "Succeeded" for pod in there),
        failed=sum(pod.phase == "Failed" for pod in there),
        terminating=sum(pod.deleting for pod in pods),
    )


def _write(status: Status) -> Decision[Action]:
    return Decision((WriteStatus(status),))
