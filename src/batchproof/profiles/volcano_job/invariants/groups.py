"""Invariants of Volcano's controllers: the PodGroups that they make, of Jobs and of other pods."""

from __future__ import annotations

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import in_words
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.objects.volcano import PodGroup
from batchproof.profiles.volcano_job.objects import VolcanoJob

_SCHEDULER = "volcano"
_GROUP = "scheduling.k8s.io/group-name"


@about("VOL-002", PodGroup)
def group_of_its_job(past: Past, change: ObjectChange[PodGroup]) -> Finding | None:
    """VOL-002: the PodGroup of a Job is created with its minimum, that of each task, its queue and labels."""
    group = change.now
    job = past.owner(VolcanoJob, group) if change.created and past.made(group) else None
    if not job or any(_asks(group, it) for it in past.specs(job)):
        return None
    return against(group, expected="what its Job asks for", observed=in_words(group.spec))


def _asks(group: PodGroup, job: VolcanoJob) -> bool:
    tasks = {
        task["name"]: task["minAvailable"]
        for task in job.spec.get("tasks") or []
        if task.get("minAvailable") is not None
    }
    labels = (job.metadata.get("labels") or {}).items()
    return (
        (group.spec.get("minMember") or 0) == job.min_available
        and group.spec.get("queue", "default") == job.queue
        and tasks.items() <= (group.spec.get("minTaskMember") or {}).items()
        and labels <= (group.metadata.get("labels") or {}).items()
    )


@about("VOL-003", PodGroup)
def resources_of_its_job(past: Past, change: ObjectChange[PodGroup]) -> Finding | None:
    """VOL-003: minResources are no more CPUs than all pods of the Job request, by some spec that it had."""
    group = change.now
    job = past.owner(VolcanoJob, group) if past.wrote(group) else None
    asked = (group.spec.get("minResources") or {}).get("cpu")
    if not job or asked is None:
        return None
    most = max(it.cpus for it in past.specs(job))
    if quantity(str(asked)) <= most:
        return None
    return against(group, expected=f"at most {most} CPUs", observed=f"{asked} CPUs")


def _of_a_pod(past: Past, change: ObjectChange[PodGroup]) -> bool:
    """The implementation creates a PodGroup that no Volcano Job controls."""
    return change.created and past.made(change.now) and not past.owner(VolcanoJob, change.now)


@about("VOL-059", PodGroup)
def group_of_a_pod_is_small(past: Past, change: ObjectChange[PodGroup]) -> Finding | None:
    """VOL-059: a PodGroup that is created for pods of no Job has minMember 1 and a controller."""
    group = change.now
    if not _of_a_pod(past, change) or (group.spec.get("minMember") == 1 and group.controller_uid):
        return None
    observed = f"{in_words(group.spec.get('minMember'))}, controlled by {in_words(group.controller)}"
    return against(group, expected="minMember 1, controlled by a pod or its controller", observed=observed)


@about("VOL-060", PodGroup)
def no_group_for_other_schedulers(past: Past, change: ObjectChange[PodGroup]) -> Finding | None:
    """VOL-060: no PodGroup is created whose controller is, or controls, only pods of other schedulers."""
    group = change.now
    if not _of_a_pod(past, change):
        return None
    pods = [it for it in (*past.all(Pod), *past.ever(Pod, group)) if _is_for(group, it)]
    if not pods or any(it.spec.get("schedulerName") == _SCHEDULER for it in pods):
        return None
    return against(group, expected="no PodGroup", observed=f"{group.name} for {pods[0].name}")


def _is_for(group: PodGroup, pod: Pod) -> bool:
    return group.controller_uid in {pod.uid, pod.controller_uid}


@about("VOL-061", PodGroup)
def one_group_a_controller(past: Past, change: ObjectChange[PodGroup]) -> Finding | None:
    """VOL-061: no second PodGroup is created for the pods of a controller, and none for one of them."""
    group = change.now
    if not _of_a_pod(past, change) or not group.controller_uid:
        return None
    there = [it.name for it in past.all(PodGroup) if it.controller_uid == group.controller_uid]
    its = past.standing(Pod, group.controller_uid)
    if not there and not (its and its.controller_uid):
        return None
    whose = f"{in_words(there)} is there" if there else f"for {its.name if its else ''} alone"
    return against(group, expected="one PodGroup, of the controller of the pods", observed=whose)
