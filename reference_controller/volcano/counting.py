"""The counts in the status of a Volcano Job."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from reference_controller.volcano.objects import Job, JobPod, Status

if TYPE_CHECKING:
    from collections.abc import Sequence


def counted(job: Job, pods: Sequence[JobPod]) -> Status:
    """VOL-025: the counts are those of the pods. VOL-050: with what has succeeded and is gone."""
    there = [pod for pod in pods if not pod.deleting]
    current = {(pod.task, pod.index) for pod in there if pod.phase == "Succeeded" and _current(job, pod)}
    wanted = {(task.name, index) for task, index in job.indexes}
    done = (job.status.done | current) & wanted
    tasks = Counter((pod.task, pod.phase) for pod in there)
    tasks.update((task, "Succeeded") for task, _ in done - current)
    phases: Counter[str] = Counter()
    for (_, phase), count in tasks.items():
        phases[phase] += count
    return replace(
        job.status,
        pending=phases["Pending"],
        running=phases["Running"],
        succeeded=phases["Succeeded"],
        failed=phases["Failed"],
        unknown=phases["Unknown"],
        terminating=sum(pod.deleting for pod in pods),
        tasks=tuple(sorted((task, phase, count) for (task, phase), count in tasks.items())),
        done=done,
    )


def _current(job: Job, pod: JobPod) -> bool:
    """Whether it was made in this version of the Job."""
    return pod.job_version == job.status.version
