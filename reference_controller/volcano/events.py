"""What became of the pods and the PodGroup of a Volcano Job, as the events that policies speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reference_controller.volcano.objects import Group, Job, JobPod, Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Event(NamedTuple):
    """One event: of which task ("": of the Job), and with which exit code a pod has ended (0: with none)."""

    name: str
    task: str = ""
    exit_code: int = 0


def events(
    job: Job, pods: Sequence[JobPod], evicted: Sequence[JobPod], group: Group | None
) -> Iterator[Event]:
    """VOL-028: all that has happened in this version of the Job; VOL-026: older pods say nothing any more.

    VOL-035: it is read from what there is, so that nothing is missed that happened while it was down. Only
    that a pod was deleted has to be seen: those are `evicted`.
    """
    current = [pod for pod in pods if pod.job_version == job.status.version and not pod.deleting]
    for pod in current:
        if pod.phase == "Failed":
            yield Event("PodFailed", pod.task, _exit_code(pod))
    for pod in evicted:
        if pod.job_version == job.status.version:
            yield Event("PodEvicted", pod.task)
    for task in job.tasks:
        if task.replicas and _succeeded(job, task, current) == task.replicas:
            yield Event("TaskCompleted", task.name)
        if 0 <= task.max_retry <= _restarts(task, current):
            yield Event("TaskFailed", task.name)
    if group is not None and group.phase == "Unknown":
        yield Event("Unknown")


def _exit_code(pod: JobPod) -> int:
    """VOL-030: that of the first container."""
    codes = (container.exit_code for container in pod.containers if container.role == "main")
    return next(codes, None) or 0


def _succeeded(job: Job, task: Task, pods: Sequence[JobPod]) -> int:
    """VOL-034: with those that have succeeded before and are gone."""
    done = {index for name, index in job.status.done if name == task.name}
    return len(done | {pod.index for pod in pods if pod.task == task.name and pod.phase == "Succeeded"})


def _restarts(task: Task, pods: Sequence[JobPod]) -> int:
    """How often the containers of pods that have not ended were started again in place."""
    of_task = (pod for pod in pods if pod.task == task.name and not pod.finished)
    return sum(container.restarts for pod in of_task for container in pod.containers)
