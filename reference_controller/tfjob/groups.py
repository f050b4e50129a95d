"""The PodGroup of a TFJob: by it a gang scheduler starts all replicas together, or none."""

from __future__ import annotations

from collections import Counter

from reference_controller.objects.quantity import requests_of
from reference_controller.tfjob.actions import Action, CreateGroup, DeleteGroup, UpdateGroup
from reference_controller.tfjob.objects import VOLCANO, GangScheduler, GroupSpec, PodGroup, TFJob


def minimum(job: TFJob) -> int:
    """TFJ-044: how many pods begin together: minAvailable, or all."""
    return len(job.replicas) if job.min_available is None else job.min_available


def least(job: TFJob) -> dict[str, int]:
    """TFJ-061, TFJ-062: what its pods need to begin, as the user says, or what they request."""
    if job.least is not None:
        return dict(job.least)
    needed: Counter[str] = Counter()
    left = minimum(job)
    for spec in job.specs:
        if (count := min(left, spec.replicas)) > 0:
            left -= count
            needed.update({name: count * units for name, units in requests_of(spec.template["spec"]).items()})
    return dict(needed)


def group_spec(job: TFJob, gang: GangScheduler) -> GroupSpec:
    """What the PodGroup requests; TFJ-057: Volcano's has a priority."""
    return GroupSpec(minimum(job), least(job), job.priority_class if gang is VOLCANO else "")


def group_changes(job: TFJob, gang: GangScheduler, group: PodGroup | None) -> tuple[Action, ...]:
    """TFJ-044, TFJ-048: there is a PodGroup that requests what it must; TFJ-049: else it is left alone."""
    if group is None:
        return (CreateGroup(),)
    wanted = group_spec(job, gang)
    return (UpdateGroup(group, wanted),) if group.spec != wanted and not group.deleting else ()


def group_end(group: PodGroup | None) -> tuple[Action, ...]:
    """TFJ-050: what has finished, or is suspended, has none."""
    return (DeleteGroup(group),) if group is not None and not group.deleting else ()


def held_up(gang: GangScheduler, group: PodGroup) -> bool:
    """TFJ-045: the scheduler has not let the PodGroup in yet."""
    return gang.admits and group.phase in {"", "Pending"}
