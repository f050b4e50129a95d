"""Which tasks of a Volcano Job may begin: some wait for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.volcano.objects import Job, JobPod, Task

if TYPE_CHECKING:
    from collections.abc import Sequence


def may_begin(job: Job, task: Task, pods: Sequence[JobPod]) -> bool:
    """VOL-040: all tasks that it depends on run, or one of them where one is enough."""
    if not task.depends_on:
        return True
    run = [_runs(job, other, pods) for other in job.tasks if other.name in task.depends_on]
    return any(run) if task.any_of_them else all(run)


def _runs(job: Job, task: Task, pods: Sequence[JobPod]) -> bool:
    """VOL-040: as many of its pods as it needs are ready, or have succeeded.

    VOL-041: pods of this version of the Job, that is; old ones that still terminate say nothing.
    VOL-050: one that has succeeded and is gone is not made again, and counts.
    """
    current = {pod.index for pod in pods if pod.task == task.name and _counts(job, pod)}
    gone = {index for name, index in job.status.done if name == task.name}
    return len(current | gone) >= task.minimum


def _counts(job: Job, pod: JobPod) -> bool:
    is_up = pod.phase == "Succeeded" or (pod.phase == "Running" and pod.ready)
    return is_up and not pod.deleting and pod.job_version == job.status.version
