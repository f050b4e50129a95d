"""The PodGroup of a Volcano Job: what it asks the scheduler for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.volcano.min_resources import min_resources
from reference_controller.volcano.objects import Group, GroupSpec, Job

if TYPE_CHECKING:
    from collections.abc import Mapping


def group_spec(job: Job, priorities: Mapping[str, int]) -> GroupSpec:
    """VOL-002: the minimum of the Job and of each task, its queue and priority, what the minimum needs."""
    return GroupSpec(
        min_member=job.min_available,
        min_task_member={task.name: task.minimum for task in job.tasks},
        queue=job.queue,
        priority_class=job.priority_class,
        min_resources=min_resources(job, priorities),
    )


def outdated(group: Group, wanted: GroupSpec) -> bool:
    """VOL-046: whether the Job asks for something else now."""
    return group.spec != wanted
