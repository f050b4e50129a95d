"""Invariants: the groups of gangs and what their status says, and what is bound in queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from histories import Story, story
from invariant_examples import assert_blameless, assert_broken

from batchproof.profiles.gang.objects import KUBE_BATCH_GROUPS, REFERENCE_GROUPS
from batchproof.profiles.shared.objects.coscheduling import COSCHEDULING_GROUPS
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.shared.objects.workloads import NATIVE_GROUPS
from batchproof.resources import PODS, WORKLOADS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.resources import Resource

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


BREAKS = [
    pytest.param(
        "GNG-036",
        reports(running("a-1"), running=2),
        *(2, "2"),
        id="a group counts more running pods than there are",
    ),
    pytest.param(
        "GNG-036",
        reports(member(reports(story(), KUBE_BATCH_GROUPS)), KUBE_BATCH_GROUPS, failed=1),
        *(2, "1"),
        id="a group counts a pod that runs as failed",
    ),
    pytest.param(
        "GNG-046",
        reports(member(running("a-1"), "a-2", namespace="bp-elsewhere"), running=2),
        *(3, "2"),
        id="a group counts a pod of another namespace",
    ),
    pytest.param(
        "GNG-045",
        reports(member(reports(story(), REFERENCE_GROUPS)), REFERENCE_GROUPS, phase="Running"),
        *(2, "1 were"),
        id="a group is Running with one of two pods",
    ),
    pytest.param(
        "GNG-045",
        reports(story(), COSCHEDULING_GROUPS, phase="Scheduling"),
        *(0, "0 were"),
        id="a group waits no longer though it has no pods",
    ),
    pytest.param(
        "GNG-074",
        pod_of_job(of_job(story().job("a"), NATIVE_GROUPS, "g"), "a-1", ""),
        *(6, "none"),
        id="a pod of a Job is in no group",
    ),
    pytest.param(
        "GNG-077",
        of_job(of_job(story().job("a"), NATIVE_GROUPS, "g"), NATIVE_GROUPS, "h"),
        *(6, "h too"),
        id="a Job gets a second PodGroup",
    ),
    pytest.param(
        "GNG-077",
        of_job(of_job(story().job("a"), WORKLOADS, "w").removes(WORKLOADS, "w"), WORKLOADS, "v"),
        *(7, "v too"),
        id="a Job gets another Workload",
    ),
    pytest.param(
        "GNG-023",
        bound(queue(story().node("n"), "r"), "p"),
        *(3, "p bound"),
        id="a pod is bound though its queue does not exist",
    ),
    pytest.param(
        "GNG-034",
        bound(queue(story().node("n"), capability=2), "p-1", "p-2", "p-3"),
        *(7, "3 with p-3"),
        id="a queue is given more than its capability",
    ),
    pytest.param(
        "GNG-089",
        bound(queue(queue(story().node("n", "40"), guarantee=20), "r"), "p", of="r", cpus="39"),
        *(4, "39 with p"),
        id="another queue is given what is guaranteed to one",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_groups_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed, AREA)


BLAMELESS = [
    pytest.param(
        reports(running("a-1", "a-2").gone("pods", "a-2"), running=2),
        id="GNG-036, GNG-046: an old view counts a pod that is gone",
    ),
    pytest.param(
        reports(
            reports(member(member(reports(story(), REFERENCE_GROUPS)), "a-2", "Succeeded"), REFERENCE_GROUPS),
            REFERENCE_GROUPS,
            phase="Running",
        ),
        id="GNG-045: one of the minimum runs, the other one has succeeded",
    ),
    pytest.param(
        reports(
            member(member(reports(story(), COSCHEDULING_GROUPS)), "a-2", "Failed"),
            COSCHEDULING_GROUPS,
            phase="Failed",
        ),
        id="GNG-045: a pod of the minimum has failed",
    ),
    pytest.param(
        reports(
            member(member(reports(story(), COSCHEDULING_GROUPS)), "a-2"),
            COSCHEDULING_GROUPS,
            minimum=3,
            phase="Running",
        ),
        id="GNG-045: the minimum has been raised since",
    ),
    pytest.param(
        pod_of_job(of_job(of_job(story().job("a"), WORKLOADS, "w"), NATIVE_GROUPS, "g"), "a-1", "g"),
        id="GNG-074, GNG-077: a pod in the PodGroup of its Job",
    ),
    pytest.param(pod_of_job(story().job("a"), "a-1", ""), id="GNG-074: a pod of a Job that has no PodGroup"),
    pytest.param(
        of_job(of_job(story().job("a"), NATIVE_GROUPS, "g").removes(NATIVE_GROUPS, "g"), NATIVE_GROUPS, "h"),
        id="GNG-077: the PodGroup is made again once it is gone",
    ),
    pytest.param(
        bound(
            bound(queue(story().node("n"), capability=2), "p-1", "p-2").succeeds("p-1"),
            "p-3",
        ),
        id="GNG-023, GNG-034: a pod that has ended needs no room in its queue",
    ),
    pytest.param(
        bound(bound(queue(queue(story().node("n"), guarantee=2), "r"), "p"), "p-1", "p-2", of="r"),
        id="GNG-089: the others have what is not guaranteed",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_groups_does_not_accuse(told: Story) -> None:
    assert_blameless(told, AREA)
