"""What to report of gangs, pods and queues: GNG-015."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, NamedTuple

from reference_controller.objects.quantity import CPU
from reference_controller.scheduler.ledger import Ledger
from reference_controller.scheduler.objects import (
    FAILED,
    FINISHED,
    NOT_ENOUGH_PODS,
    NOT_ENOUGH_RESOURCES,
    OTHER_PRIORITY,
    PENDING,
    QUEUE_OVERUSED,
    RUNNING,
    SCHEDULED,
    UNKNOWN_QUEUE,
    Condition,
    GroupStatus,
    Pod,
    PodGroup,
    Queue,
    QueueStatus,
)
from reference_controller.scheduler.room import MEMORY, Site
from reference_controller.scheduler.snapshot import Gang, GangKey

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Wait(NamedTuple):
    """Why a gang or a pod gets no node now."""

    reason: str
    message: str


def no_group(gang: Gang) -> Wait:
    """GNG-022: the pods name a PodGroup that does not exist."""
    return Wait(NOT_ENOUGH_PODS, f"PodGroup {gang.key[1]} does not exist")


def no_queue(gang: Gang) -> Wait:
    """GNG-023: the PodGroup names a queue that does not exist."""
    return Wait(UNKNOWN_QUEUE, f"queue {gang.queue} does not exist")


def incomplete(gang: Gang) -> Wait:
    """GNG-001: pods are missing."""
    there = gang.assigned + len(gang.waiting)
    return Wait(NOT_ENOUGH_PODS, f"{there} pods of the {gang.min_member} that start together are there")


def mixed(gang: Gang) -> Wait:
    """GNG-059: its pods are not all of one priority."""
    return Wait(OTHER_PRIORITY, f"not all pods have the priority of PodGroup {gang.key[1]}")


def too_small(gang: Gang) -> Wait:
    """GNG-035: the cluster has less than the group asks for at least."""
    return Wait(NOT_ENOUGH_RESOURCES, f"the cluster has less than minResources of PodGroup {gang.key[1]}")


def no_room(gang: Gang, fitting: int) -> Wait:
    """GNG-002: there is room for too few."""
    return Wait(NOT_ENOUGH_RESOURCES, f"{fitting} pods fit of the {gang.needed} that must get a node at once")


def no_node(pod: Pod, site: Site) -> Wait:
    """One pod does not fit."""
    if pod.shape.unsupported:
        return Wait(NOT_ENOUGH_RESOURCES, f"this scheduler does not know {pod.shape.unsupported}")
    suitable, nodes = len(site.suitable(pod.shape)), len(site.nodes)
    return Wait(NOT_ENOUGH_RESOURCES, f"none of {nodes} nodes has room; {suitable} would suit the pod")


def over_share(gang: Gang) -> Wait:
    """GNG-025: the queue has its share, and others wait for theirs."""
    return Wait(QUEUE_OVERUSED, f"queue {gang.queue} has its share, and another waits for its own")


def group_status(gang: Gang, group: PodGroup, wait: Wait | None, now: float) -> GroupStatus:
    """The numbers of pods as the watch shows them, and whether the gang has been scheduled.

    A binding under way is reported when it has succeeded.
    """
    phases = [pod.phase for pod in gang.members]
    scheduled = sum(pod.finished or pod.node != "" for pod in gang.members)
    return GroupStatus(
        condition=_condition(group, scheduled, gang, wait, now),
        scheduled=scheduled,
        running=phases.count("Running"),
        succeeded=phases.count("Succeeded"),
        failed=phases.count("Failed"),
        phase=_phase(group, phases),
    )


def _phase(group: PodGroup, phases: Sequence[str]) -> str:
    """GNG-045: how far the gang is, by the phases of its pods.

    A gang that has ended stays so when its pods are gone. A complete one that does not run yet is reported
    as before, which spares a write.
    """
    least, told = group.min_member, group.status.phase
    succeeded, failed = phases.count("Succeeded"), phases.count("Failed")
    begun = succeeded + phases.count("Running")
    if told in {FINISHED, FAILED}:
        return told
    if succeeded >= least:
        return FINISHED
    if failed and begun + failed >= least:
        return FAILED
    if begun >= least:
        return RUNNING
    return PENDING if told == RUNNING or len(phases) < least else told


def _condition(
    group: PodGroup, scheduled: int, gang: Gang, wait: Wait | None, now: float
) -> Condition | None:
    """GNG-015: Scheduled is True, or False with a reason while pods wait or are missing from the start on."""
    old = group.status.condition
    if wait is not None and (gang.waiting or old is None or old.status == "False"):
        told = ("False", wait.reason, wait.message)
    elif scheduled >= group.min_member:
        told = ("True", SCHEDULED, f"the {group.min_member} pods that start together have a node")
    else:
        return old
    changed = old.changed if old is not None and old.status == told[0] else now
    return Condition(*told, changed=changed, generation=group.generation)


def queue_status(site: Site, ledger: Ledger, queue: Queue) -> QueueStatus:
    """GNG-024: what the queue is due and what it has, to be read by people."""
    columns = [(name, site.resources.index(name)) for name in (CPU, MEMORY)]
    return QueueStatus(
        tuple((name, floor(ledger.deserved[queue.name][column])) for name, column in columns),
        tuple((name, ledger.allocated[queue.name][column]) for name, column in columns),
    )


def reports(
    known: Sequence[Gang],
    gang_waits: Mapping[GangKey, Wait],
    pod_waits: Mapping[str, Wait],
    now: float,
) -> tuple[list[tuple[PodGroup, GroupStatus]], list[tuple[Pod, str]]]:
    """What differs from what is reported already of gangs, and of pods that wait.

    A pod that waits with its gang reports why the gang does.
    """
    groups: list[tuple[PodGroup, GroupStatus]] = []
    pods: list[tuple[Pod, str]] = []
    for gang in known:
        wait = gang_waits.get(gang.key)
        if gang.group is not None:
            status = group_status(gang, gang.group, wait, now)
            if status != gang.group.status:
                groups.append((gang.group, status))
        for pod in gang.waiting:
            told = pod_waits.get(pod.uid, wait)
            if told is not None and told.message != pod.unschedulable:
                pods.append((pod, told.message))
    return groups, pods
