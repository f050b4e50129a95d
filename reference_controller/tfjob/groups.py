"""The PodGroup of a TFJob: by it a gang scheduler starts all replicas together, or none."""

from __future__ import annotations

from reference_controller.tfjob.actions import Action, CreateGroup, DeleteGroup, UpdateGroup
from reference_controller.tfjob.objects import GangScheduler, PodGroup, TFJob


def minimum(job: TFJob) -> int:
    """TFJ-044: how many pods begin together: minAvailable, or all."""
    return len(job.replicas) if job.min_available is None else job.min_available


def group_changes(job: TFJob, group: PodGroup | None) -> tuple[Action, ...]:
    """TFJ-044, TFJ-048: there is a PodGroup with the minimum; TFJ-049: else it is left alone."""
    if group is None:
        return (CreateGroup(),)
    return (UpdateGroup(group),) if group.minimum != minimum(job) and not group.deleting else ()


def group_end(group: PodGroup | None) -> tuple[Action, ...]:
    """TFJ-050: what has finished, or is suspended, has none."""
    return (DeleteGroup(group),) if group is not None and not group.deleting else ()


def held_up(gang: GangScheduler, group: PodGroup) -> bool:
    """TFJ-045: the scheduler has not let the PodGroup in yet."""
    return gang.admits and group.phase in {"", "Pending"}
