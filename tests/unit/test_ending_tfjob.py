"""How the TFJobs of a scenario end, what is left to do before, and what the API does not determine."""

from __future__ import annotations

from typing import Any

import pytest
from histories import Story, condition, story

from batchproof.judgement.ends import differences, ending, lacks_pods, undetermined, unrest
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.resources import PODS

OWNED = {"ownerReferences": [{"uid": "uid-a", "controller": True}]}


def tfjob(*true: str, told: Story | None = None, workers: int = 2, **policy: Any) -> Story:
    """A TFJob of some Workers, with these conditions; nothing is reported of its pods."""
    return reports(told or story(), *true, workers=workers, **policy)


def reports(told: Story, *true: str, workers: int = 2, counts: Any = None, **policy: Any) -> Story:
    spec = {"runPolicy": policy, "tfReplicaSpecs": {"Worker": {"replicas": workers}}}
    status = {
        "conditions": [condition(kind) for kind in true],
        "replicaStatuses": {"Worker": counts or {}},
    }
    return told.stores(TFJOBS, "a", {"spec": spec, "status": status})


def pod(told: Story, index: int, phase: str = "Pending", *, deleting: bool = False) -> Story:
    metadata: dict[str, Any] = {**OWNED, "labels": {"training.kubeflow.org/replica-type": "worker"}}
    if deleting:
        metadata["deletionTimestamp"] = "now"
    return told.stores(PODS, f"a-worker-{index}", {"metadata": metadata, "status": {"phase": phase}})


def service(told: Story, index: int) -> Story:
    return told.stores(SERVICES, f"a-worker-{index}", {"metadata": OWNED})


def whole(told: Story, *phases: str) -> Story:
    """Each replica has a pod in one of these phases, and a Service."""
    for index, phase in enumerate(phases or ("Pending", "Pending")):
        pod(service(told, index), index, phase)
    return told


RESTLESS = [
    pytest.param(story(), "", id="no TFJob"),
    pytest.param(tfjob(), "lacks pods", id="no pods yet"),
    pytest.param(pod(service(tfjob(), 0), 0), "lacks pods", id="a pod is missing"),
    pytest.param(whole(tfjob()), "", id="all pods wait"),
    pytest.param(pod(whole(tfjob()), 2), "a-worker-2, which is no replica", id="one pod too many"),
    pytest.param(pod(pod(tfjob(), 0), 1), "has not a Service for each pod", id="no Services"),
    pytest.param(whole(tfjob(), "Running", "Running"), "reports other counts", id="nothing is reported"),
    pytest.param(
        reports(whole(tfjob(), "Running", "Running"), counts={"active": 2}), "", id="all is reported"
    ),
    pytest.param(
        reports(whole(tfjob(), "Running", "Failed"), counts={"active": 2}),
        "reports other counts",
        id="a failure is not reported",
    ),
    pytest.param(
        pod(whole(tfjob()), 1, deleting=True), "has pods that are being deleted", id="a pod is leaving"
    ),
    pytest.param(
        tfjob().stores(PODGROUPS, "a", {"metadata": OWNED, "status": {"phase": "Pending"}}),
        "",
        id="its PodGroup waits",
    ),
    pytest.param(
        tfjob().stores(PODGROUPS, "a", {"metadata": OWNED, "status": {"phase": "Inqueue"}}),
        "lacks pods",
        id="its PodGroup is admitted",
    ),
    pytest.param(whole(tfjob(suspend=True)), "is not suspended yet", id="to be suspended"),
    pytest.param(tfjob("Suspended", suspend=True), "", id="suspended"),
    pytest.param(service(tfjob("Suspended", suspend=True), 0), "is not suspended", id="a Service is left"),
    pytest.param(whole(tfjob("Failed")), "", id="failed, and keeps its pods"),
    pytest.param(
        whole(tfjob("Failed", cleanPodPolicy="Running"), "Failed", "Running"),
        "a-worker-1 still to delete",
        id="a running pod to clean up",
    ),
    pytest.param(
        whole(tfjob("Succeeded", cleanPodPolicy="Running"), "Succeeded"), "", id="nothing to clean up"
    ),
    pytest.param(
        whole(tfjob("Succeeded", cleanPodPolicy="All"), "Succeeded"),
        "a-worker-0 still to delete",
        id="a finished pod to clean up",
    ),
]


@pytest.mark.parametrize(("told", "why"), RESTLESS)
def test_what_a_tfjob_has_still_to_do(told: Story, why: str) -> None:
    found = unrest(told.seen)
    assert why in found
    assert bool(why) == bool(found)


def test_a_tfjob_ends_with_its_state_and_its_pods() -> None:
    told = reports(whole(tfjob(), "Running", "Succeeded"), counts={"active": 1, "succeeded": 1})
    assert {what: how for what, how in ending(told.seen).items() if "job" in what and what != "jobs"} == {
        "tfjobs": "a",
        "tfjob/a: state": "under way",
        "tfjob/a: worker replicas": "2",
        "tfjob/a: succeeded worker replicas": "1",
        "tfjob/a: failed worker replicas": "0",
        "tfjob/a: services": "2",
    }
    over = whole(tfjob("Failed"), "Failed", "Running")
    assert ending(over.seen)["tfjob/a: state"] == "Failed"
    assert ending(over.seen)["tfjob/a: unfinished pods"] == "1"


def test_a_tfjob_that_is_gone_is_missing_at_the_end() -> None:
    before = ending(whole(tfjob()).seen)
    assert "tfjobs is none, not a" in differences(before, ending(whole(tfjob()).removes(TFJOBS, "a").seen))
    assert not any("tfjob" in what for what in ending(story().job("a").seen))


@pytest.mark.parametrize(
    ("told", "lacks"), [(tfjob(), True), (whole(tfjob()), False), (tfjob("Failed"), False)]
)
def test_pods_are_missing_only_under_way(told: Story, lacks: bool) -> None:
    assert lacks_pods(told.seen) is lacks


OPEN = [
    pytest.param(whole(tfjob("Failed"), "Failed", "Running"), "", id="one has failed"),
    pytest.param(
        whole(tfjob("Failed"), "Failed", "Succeeded"), "succeed and fail", id="another has succeeded"
    ),
    pytest.param(whole(tfjob(), "Failed", "Succeeded"), "", id="and it has not ended"),
    pytest.param(tfjob(activeDeadlineSeconds=3), "activeDeadlineSeconds decides", id="a deadline"),
    pytest.param(tfjob(ttlSecondsAfterFinished=0), "ttlSecondsAfterFinished decides", id="a time to live"),
    pytest.param(tfjob(backoffLimit=2), "backoffLimit decides", id="a bound of restarts"),
]


@pytest.mark.parametrize(("told", "why"), OPEN)
def test_what_time_or_order_decides_is_not_determined(told: Story, why: str) -> None:
    found = undetermined(told.seen)
    assert why in found
    assert bool(why) == bool(found)


ENDS = [*RESTLESS, *OPEN]
