"""Invariants: the groups of gangs and what their status says, and what is bound in queues."""

from __future__ import annotations

from typing import Any

from histories import Story, story
from invariant_examples import Case, breaks, check, examples, keeps

from batchproof.ground.resources import PODS, WORKLOADS, Resource
from batchproof.judgement.history import Json
from batchproof.profiles.gang.objects import KUBE_BATCH_GROUPS, REFERENCE_GROUPS
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS

AREA = "GNG"
"""How the ids of the requirements begin that are judged here."""

OF_JOB = [{"kind": "Job", "name": "a", "uid": "uid-a", "controller": True}]


def reports(told: Story, of: Resource = PODGROUPS, minimum: int = 2, **status: Any) -> Story:
    """The group of gang a has this status; one record."""
    metadata = {"uid": "uid-group-a", "namespace": "bp"}
    return told.stores(of, "a", {"metadata": metadata, "spec": {"minMember": minimum}, "status": status})


def member(told: Story, name: str = "a-1", phase: str = "Running", namespace: str = "bp") -> Story:
    """A pod that names group a has this phase; one record."""
    metadata: Json = {"namespace": namespace, "annotations": {"scheduling.k8s.io/group-name": "a"}}
    return told.stores(PODS, name, {"metadata": metadata, "spec": {}, "status": {"phase": phase}})


def running(*names: str) -> Story:
    """Gang a has these pods, and they run; records 0 and on."""
    told = reports(story())
    for name in names:
        told = member(told, name)
    return told


def of_job(told: Story, of: Resource, name: str) -> Story:
    """The implementation makes something for Job a; three records."""
    return told.makes(of, name, {"metadata": {"ownerReferences": OF_JOB}, "spec": {}})


def pod_of_job(told: Story, name: str, group: str) -> Story:
    """The implementation makes a pod of Job a in a group; three records."""
    inside = {"schedulingGroup": {"podGroupName": group}} if group else {}
    return told.makes(PODS, name, {"metadata": {"ownerReferences": OF_JOB}, "spec": inside, "status": {}})


def queue(told: Story, name: str = "q", **limits: int) -> Story:
    """A queue is added; one record."""
    return told.act(f"adds queue {name} of weight 1", queue=name, weight=1, **limits)


def bound(told: Story, *names: str, of: str = "q", cpus: str = "1") -> Story:
    """Pods of a queue are created, and bound; two records each."""
    for name in names:
        told = told.member(name, of="", queue=of, cpus=cpus).bound("n", name)
    return told


@examples(
    "GNG-036",
    breaks("a group counts more running pods than there are", 2, "2", reports(running("a-1"), running=2)),
    breaks("a group counts a pod that runs as failed", 2, "1"),
    reports(member(reports(story(), KUBE_BATCH_GROUPS)), KUBE_BATCH_GROUPS, failed=1),
    "GNG-036, GNG-046",
    keeps("an old view counts a pod that is gone"),
    reports(running("a-1", "a-2").gone("pods", "a-2"), running=2),
    "GNG-046",
    breaks("a group counts a pod of another namespace", 3, "2"),
    reports(member(running("a-1"), "a-2", namespace="bp-elsewhere"), running=2),
    "GNG-045",
    breaks("a group is Running with one of two pods", 2, "1 were"),
    reports(member(reports(story(), REFERENCE_GROUPS)), REFERENCE_GROUPS, phase="Running"),
    breaks("a group waits no longer though it has no pods", 0, "0 were"),
    reports(story(), COSCHEDULING_GROUPS, phase="Scheduling"),
    keeps("one of the minimum runs, the other one has succeeded"),
    reports(
        reports(member(member(reports(story(), REFERENCE_GROUPS)), "a-2", "Succeeded"), REFERENCE_GROUPS),
        REFERENCE_GROUPS,
        phase="Running",
    ),
    keeps("a pod of the minimum has failed"),
    reports(
        member(member(reports(story(), COSCHEDULING_GROUPS)), "a-2", "Failed"),
        COSCHEDULING_GROUPS,
        phase="Failed",
    ),
    keeps("the minimum has been raised since"),
    reports(
        member(member(reports(story(), COSCHEDULING_GROUPS)), "a-2"),
        COSCHEDULING_GROUPS,
        minimum=3,
        phase="Running",
    ),
    "GNG-074",
    breaks("a pod of a Job is in no group", 6, "none"),
    pod_of_job(of_job(story().job("a"), NATIVE_GROUPS, "g"), "a-1", ""),
    "GNG-074, GNG-077",
    keeps("a pod in the PodGroup of its Job"),
    pod_of_job(of_job(of_job(story().job("a"), WORKLOADS, "w"), NATIVE_GROUPS, "g"), "a-1", "g"),
    "GNG-074",
    keeps("a pod of a Job that has no PodGroup", pod_of_job(story().job("a"), "a-1", "")),
    "GNG-077",
    breaks("a Job gets a second PodGroup", 6, "h too"),
    of_job(of_job(story().job("a"), NATIVE_GROUPS, "g"), NATIVE_GROUPS, "h"),
    breaks("a Job gets another Workload", 7, "v too"),
    of_job(of_job(story().job("a"), WORKLOADS, "w").removes(WORKLOADS, "w"), WORKLOADS, "v"),
    keeps("the PodGroup is made again once it is gone"),
    of_job(of_job(story().job("a"), NATIVE_GROUPS, "g").removes(NATIVE_GROUPS, "g"), NATIVE_GROUPS, "h"),
    "GNG-023",
    breaks("a pod is bound though its queue does not exist", 3, "p bound"),
    bound(queue(story().node("n"), "r"), "p"),
    "GNG-023, GNG-034",
    keeps("a pod that has ended needs no room in its queue"),
    bound(bound(queue(story().node("n"), capability=2), "p-1", "p-2").succeeds("p-1"), "p-3"),
    "GNG-034",
    breaks("a queue is given more than its capability", 7, "3 with p-3"),
    bound(queue(story().node("n"), capability=2), "p-1", "p-2", "p-3"),
    "GNG-089",
    breaks("another queue is given what is guaranteed to one", 4, "39 with p"),
    bound(queue(queue(story().node("n", "40"), guarantee=20), "r"), "p", of="r", cpus="39"),
    keeps("the others have what is not guaranteed"),
    bound(bound(queue(queue(story().node("n"), guarantee=2), "r"), "p"), "p-1", "p-2", of="r"),
    area=AREA,
)
def test_an_invariant_of_groups(case: Case) -> None:
    check(case)
