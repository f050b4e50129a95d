"""How the TFJobs of a scenario end, what is left to do before, and what the API does not determine."""

from __future__ import annotations

from typing import Any

import pytest
from histories import Story, condition, story
from tables import params, table, when

from batchproof.ground.resources import PODS
from batchproof.judgement.ends import differences, ending, lacks_pods, undetermined, unrest
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.tfjob.objects import TFJOBS

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


RESTLESS = table(
    "",
    when("no TFJob", story()),
    "lacks pods",
    when("no pods yet", tfjob()),
    when("a pod is missing", pod(service(tfjob(), 0), 0)),
    "",
    when("all pods wait", whole(tfjob())),
    "a-worker-2, which is no replica",
    when("one pod too many", pod(whole(tfjob()), 2)),
    "has not a Service for each pod",
    when("no Services", pod(pod(tfjob(), 0), 1)),
    "reports other counts",
    when("nothing is reported", whole(tfjob(), "Running", "Running")),
    "",
    when("all is reported", reports(whole(tfjob(), "Running", "Running"), counts={"active": 2})),
    "reports other counts",
    when("a failure is not reported", reports(whole(tfjob(), "Running", "Failed"), counts={"active": 2})),
    "has pods that are being deleted",
    when("a pod is leaving", pod(whole(tfjob()), 1, deleting=True)),
    "",
    when("its PodGroup waits"),
    tfjob().stores(PODGROUPS, "a", {"metadata": OWNED, "status": {"phase": "Pending"}}),
    "lacks pods",
    when("its PodGroup is admitted"),
    tfjob().stores(PODGROUPS, "a", {"metadata": OWNED, "status": {"phase": "Inqueue"}}),
    "is not suspended yet",
    when("to be suspended", whole(tfjob(suspend=True))),
    "",
    when("suspended", tfjob("Suspended", suspend=True)),
    "is not suspended",
    when("a Service is left", service(tfjob("Suspended", suspend=True), 0)),
    "",
    when("failed, and keeps its pods", whole(tfjob("Failed"))),
    "a-worker-1 still to delete",
    when("a running pod to clean up", whole(tfjob("Failed", cleanPodPolicy="Running"), "Failed", "Running")),
    "",
    when("nothing to clean up", whole(tfjob("Succeeded", cleanPodPolicy="Running"), "Succeeded")),
    "a-worker-0 still to delete",
    when("a finished pod to clean up", whole(tfjob("Succeeded", cleanPodPolicy="All"), "Succeeded")),
)


@pytest.mark.parametrize(("told", "why"), params(RESTLESS))
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


OPEN = table(
    "",
    when("one has failed", whole(tfjob("Failed"), "Failed", "Running")),
    "succeed and fail",
    when("another has succeeded", whole(tfjob("Failed"), "Failed", "Succeeded")),
    "",
    when("and it has not ended", whole(tfjob(), "Failed", "Succeeded")),
    "activeDeadlineSeconds decides",
    when("a deadline", tfjob(activeDeadlineSeconds=3)),
    "ttlSecondsAfterFinished decides",
    when("a time to live", tfjob(ttlSecondsAfterFinished=0)),
    "backoffLimit decides",
    when("a bound of restarts", tfjob(backoffLimit=2)),
)


@pytest.mark.parametrize(("told", "why"), params(OPEN))
def test_what_time_or_order_decides_is_not_determined(told: Story, why: str) -> None:
    found = undetermined(told.seen)
    assert why in found
    assert bool(why) == bool(found)


ENDS = [*RESTLESS, *OPEN]
