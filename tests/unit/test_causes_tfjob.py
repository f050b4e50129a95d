"""What a report says of a record that decides about a TFJob."""

from __future__ import annotations

from typing import Any

import pytest
from cause_examples import said, said_after
from histories import Story, headed_story, time_of_day

from batchproof.ground.resources import PODS, Resource
from batchproof.judgement.history import Json
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.tfjob.objects import TFJOBS

OWNER = {"kind": "TFJob", "name": "a", "uid": "uid-a", "controller": True}
SUSPENDED, KEPT, RUNNING_GO = {"suspend": True}, {"cleanPodPolicy": "None"}, {"cleanPodPolicy": "Running"}


def says(told: Story, *conditions: str, policy: Json | None = None, **counts: Json) -> Story:
    """A TFJob of 1 PS and 2 Workers has these conditions and counts; one record."""
    specs = {"PS": {"replicas": 1}, "Worker": {"replicas": 2}}
    listed = [{"type": kind, "status": "True", "reason": f"TFJob{kind}"} for kind in conditions]
    status = {"conditions": listed, "replicaStatuses": counts}
    return told.stores(
        TFJOBS, "a", {"spec": {"runPolicy": policy or {}, "tfReplicaSpecs": specs}, "status": status}
    )


def job(*conditions: str, policy: Json | None = None) -> Story:
    """A TFJob; record 1."""
    return says(headed_story(), *conditions, policy=policy)


def pod(told: Story, name: str, phase: str = "Pending", **metadata: Any) -> Story:
    """A pod of it is created, or becomes another; one record."""
    of = name.split("-")[1]
    labels = {"training.kubeflow.org/replica-type": of}
    of_it = {"ownerReferences": [OWNER], "labels": labels, **metadata}
    return told.stores(PODS, name, {"metadata": of_it, "status": {"phase": phase}})


def service(told: Story) -> Story:
    return told.stores(SERVICES, "a-ps-0", {"metadata": {"ownerReferences": [OWNER]}})


def pods(told: Story, *phases: str) -> Story:
    """A pod of the PS and one of each Worker, in these phases; a record each."""
    for name, phase in zip(("a-ps-0", "a-worker-0", "a-worker-1"), phases, strict=False):
        pod(told, name, phase)
    return told


def terminating(told: Story, name: str, phase: str) -> Story:
    return pod(told, name, phase, deletionTimestamp=time_of_day(1))


def removed(told: Story, name: str = "a-worker-0", resource: Resource = PODS) -> Story:
    return told.removes(resource, name)


HAD = "when it had 1 pod of PS (Running) and 2 pods of Worker (1 Running, 1 Succeeded)"
ONE_PS = "it had 1 pod of PS (Running) and no pods of Worker"
LIMIT = {"backoffLimit": 3}
SUCCEEDED = "TFJob a was Succeeded"
HALF = ("Running", "Running", "Succeeded")


@pytest.mark.parametrize(
    ("told", "effect"),
    [
        (says(pods(job(), *HALF), "Created", "Succeeded"), f"TFJob a became Created and Succeeded {HAD}."),
        (
            says(pods(job("Running"), *HALF), "Restarting"),
            f"TFJob a became Restarting and was no longer Running {HAD}.",
        ),
        (
            says(job("Running"), "Failed"),
            "TFJob a became Failed and was no longer Running when it had no pods.",
        ),
        (
            says(
                pods(job(policy=LIMIT), "Running").reports("a-ps-0", "Running", restartCount=2),
                "Failed",
                policy=LIMIT,
            ),
            f"TFJob a became Failed when {ONE_PS}, with 2 container restarts and backoffLimit 3.",
        ),
        (
            says(terminating(job("Running"), "a-ps-0", "Running"), "Running", "Failed"),
            "TFJob a became Failed when it had 1 pod of PS (terminating) and no pods of Worker.",
        ),
        (
            says(pods(job("Running"), *HALF), "Running", Worker={"succeeded": 2}),
            f"TFJob a reported Worker.succeeded=2 {HAD}.",
        ),
        (says(pods(job("Running"), *HALF), "Running"), ""),
        (
            removed(pods(job("Running"), "Running"), "a", TFJOBS),
            f"TFJob a was deleted while it was Running and {ONE_PS}.",
        ),
        (pod(job("Running"), "a-worker-0"), ""),  # one that it lacks is no cause of anything
        (
            pod(job("Running"), "a-worker-2"),
            "a-worker-2 was created when TFJob a had 2 replicas of Worker.",
        ),
        (
            pod(pod(pods(job(), "Running", "Running"), "a-worker-5"), "a-worker-1"),
            "a-worker-1 was created while 2 pods of Worker were active, of which TFJob a had 2 replicas.",
        ),
        (
            pod(job("Created", "Failed"), "a-worker-0"),
            "a-worker-0 was created when TFJob a was Failed already.",
        ),
        (
            pod(job(policy=SUSPENDED), "a-worker-0"),
            "a-worker-0 was created while TFJob a was suspended.",
        ),
        (service(job(policy=SUSPENDED)), "a-ps-0 was created while TFJob a was suspended."),
        (service(job()), ""),
        (
            removed(pods(job("Succeeded", policy=KEPT), *HALF)),
            f"a-worker-0 was deleted while it was Running and {SUCCEEDED} with cleanPodPolicy None.",
        ),
        (
            removed(service(job("Succeeded", policy=RUNNING_GO)), "a-ps-0", SERVICES),
            "",
        ),
        (
            removed(pods(job("Succeeded", policy=RUNNING_GO), *HALF), "a-worker-1"),
            f"a-worker-1 was deleted while it was Succeeded and {SUCCEEDED} with cleanPodPolicy Running.",
        ),
        (removed(pods(job("Succeeded", policy=RUNNING_GO), *HALF)), ""),
        (removed(pods(job("Succeeded", policy={"cleanPodPolicy": "All"}), *HALF)), ""),
        (removed(pods(job("Suspended", policy=SUSPENDED), *HALF)), ""),
        (
            terminating(pods(job("Created", "Running"), *HALF), "a-worker-0", "Running"),
            "a-worker-0 was deleted while it was Running and TFJob a was Created and Running.",
        ),
        (removed(terminating(pods(job("Running"), *HALF), "a-worker-0", "Running")), ""),  # said before
    ],
)
def test_the_record_that_decides_says_what_happened_to_a_tfjob(told: Story, effect: str) -> None:
    assert said(told) == effect


def test_what_arrives_late_but_happened_before_is_counted() -> None:
    told = says(pods(job("Running"), "Running", "Running", "Running"), "Succeeded")
    late = pod(pods(job("Running"), "Running", "Running", "Running"), "a-worker-1", "Succeeded")
    swapped = says(late, "Succeeded").swapped()
    assert said(told).endswith("2 pods of Worker (2 Running).")
    assert said(swapped, -2).endswith("2 pods of Worker (1 Running, 1 Succeeded).")


ONE_POD = "1 pod of PS (Running) and no pods of Worker"


@pytest.mark.parametrize(
    ("told", "expected", "effect"),
    [
        (
            says(pods(job("Created"), "Running"), "Created", "Running", PS={"active": 1}),
            "the TFJob is Failed",
            (
                f"TFJob a was Created and Running, reported PS.active=1, and had {ONE_POD}; the last change "
                "was tfjob/a MODIFIED, 5.0 s before."
            ),
        ),
        (
            pods(job(), "Running"),
            "the TFJob has 1 pod and as many services",
            (
                f"TFJob a was without a condition and had {ONE_POD}, and 0 services; the last change was "
                "pod/a-ps-0 ADDED, 5.0 s before."
            ),
        ),
        (
            job().removes(TFJOBS, "a"),
            "the TFJob still exists",
            "there was no TFJob; the last change was tfjob/a DELETED, 5.0 s before.",
        ),
    ],
)
def test_a_wait_in_vain_says_how_the_tfjob_was_at_its_end(told: Story, expected: str, effect: str) -> None:
    assert said_after(told, expected) == f"At the end of the wait of 6 s {effect}"
