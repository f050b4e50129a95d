"""Which pods of a Volcano Job are to be made, and which are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.volcano.depends_on import may_begin
from reference_controller.volcano.objects import Job, JobPod, Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def missing(job: Job, pods: Sequence[JobPod]) -> Iterator[tuple[Task, int]]:
    """VOL-012: those that there should be and that are not there, also not as terminating ones.

    VOL-050: what has succeeded is not made again. VOL-040: some tasks wait for others.
    """
    there = {(pod.task, pod.index) for pod in pods} | job.status.done
    for task in job.tasks:
        if may_begin(job, task, pods):
            yield from ((task, index) for index in range(task.replicas) if (task.name, index) not in there)


def surplus(job: Job, pods: Sequence[JobPod]) -> Iterator[JobPod]:
    """VOL-046: those with the highest indexes, beyond what the task has replicas."""
    replicas = {task.name: task.replicas for task in job.tasks}
    for pod in sorted(pods, key=lambda pod: pod.index, reverse=True):
        if pod.index >= replicas.get(pod.task, 0) and not pod.deleting:
            yield pod
