"""Facts about pods that fail: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, condition, story, time_of_day

from batchproof.labels import COMPLETION_INDEX
from batchproof.profiles.job.facts.failures import (
    failure_explained,
    failure_kept,
    index_replaced_no_earlier,
    job_has,
    reason_absent,
    replaced_no_earlier,
)
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

OWNER = [{"kind": "Job", "name": "a", "uid": "uid-a", "controller": True}]


def pod(history: Story, name: str, *, created: float, **status: Any) -> Story:
    """A pod as it is stored; ``a-0-x`` is of index 0."""
    index = {COMPLETION_INDEX: name.split("-")[1]}
    metadata = {"ownerReferences": OWNER, "creationTimestamp": time_of_day(created), "annotations": index}
    return history.stores(PODS, name, {"metadata": metadata, "status": {"phase": "Pending", **status}})


def failed(history: Story, name: str, *, at: float) -> Story:
    """A pod has failed; its container tells when."""
    state = {"terminated": {"exitCode": 1, "finishedAt": time_of_day(at)}}
    return pod(history, name, created=0, phase="Failed", containerStatuses=[{"name": "main", "state": state}])


def in_two_containers(history: Story, name: str, *at: float) -> Story:
    """A pod has failed; each of its containers has ended at another time."""
    states = [{"terminated": {"exitCode": 1, "finishedAt": time_of_day(one)}} for one in at]
    statuses = [{"name": f"c{number}", "state": state} for number, state in enumerate(states)]
    return pod(history, name, created=0, phase="Failed", containerStatuses=statuses)


def unready(history: Story, name: str, *, at: float) -> Story:
    """A pod has failed; only its Ready condition tells when."""
    ready = {"type": "Ready", "status": "False", "lastTransitionTime": time_of_day(at)}
    return pod(history, name, created=0, phase="Failed", conditions=[ready])


def begun() -> Story:
    return pod(story().job("a"), "a-1", created=0)


TEN = replaced_no_earlier(job="a", delay=10)
TEN_OF_INDEX = index_replaced_no_earlier(index=0, job="a", delay=10)

HAS = job_has(job="a", condition="FailureTarget", reason="PodFailurePolicy")
NOT_BY_RULE = reason_absent(job="a", reason="PodFailurePolicy")
WHY = failure_explained(job="a", words="with exit code 42")
KEPT = failure_kept(job="a")
WORDS = "Container main for pod ns/a-1 failed with exit code 42"
TARGET = condition("FailureTarget", "PodFailurePolicy", WORDS)
FAILED = condition("Failed", "PodFailurePolicy", WORDS)
OTHER = condition("FailureTarget", "PodFailurePolicy", "something failed")


@examples(
    [
        pytest.param(TEN, pod(failed(begun(), "a-1", at=5), "a-2", created=15), True, id="when it may"),
        pytest.param(TEN, pod(failed(begun(), "a-1", at=5), "a-2", created=14), False, id="a second early"),
        pytest.param(TEN, pod(unready(begun(), "a-1", at=5), "a-2", created=15), True, id="by its condition"),
        pytest.param(
            TEN, pod(unready(begun(), "a-1", at=5), "a-2", created=9), False, id="early by its condition"
        ),
        pytest.param(TEN, failed(begun(), "a-1", at=5), False, id="no pod after it"),
        pytest.param(TEN, begun(), False, id="no failure"),
        pytest.param(
            TEN,
            pod(
                failed(pod(failed(begun(), "a-1", at=5), "a-2", created=15), "a-2", at=20), "a-3", created=25
            ),
            False,
            id="the last failure counts",
        ),
        pytest.param(
            TEN_OF_INDEX,
            pod(pod(failed(begun(), "a-0-x", at=5), "a-1-x", created=6), "a-0-y", created=15),
            True,
            id="whatever other indexes do",
        ),
        pytest.param(
            TEN,
            failed(pod(failed(begun(), "a-1", at=5), "a-2", created=15), "a-1", at=5),
            True,
            id="whatever becomes of the pod that failed",
        ),
        pytest.param(
            TEN,
            pod(in_two_containers(begun(), "a-1", 5, 9), "a-2", created=15),
            False,
            id="a pod has ended when its last container has",
        ),
        pytest.param(
            TEN_OF_INDEX,
            pod(failed(begun(), "a-0-x", at=5), "a-0-y", created=9),
            False,
            id="an index too early",
        ),
        # what is told
        pytest.param(HAS, begun().status("a", TARGET), True, id="has the condition"),
        pytest.param(HAS, begun().status("a", condition("FailureTarget", "Other")), False, id="other reason"),
        pytest.param(HAS, begun(), False, id="no condition"),
        pytest.param(
            NOT_BY_RULE, begun().status("a", condition("Failed", "Other")), True, id="other reasons"
        ),
        pytest.param(NOT_BY_RULE, begun().status("a", TARGET), False, id="that reason"),
        pytest.param(NOT_BY_RULE, begun(), False, id="no reasons"),
        pytest.param(WHY, failed(begun(), "a-1", at=5).status("a", TARGET, FAILED), True, id="told which"),
        pytest.param(WHY, begun().status("a", TARGET, FAILED), False, id="that pod has not failed"),
        pytest.param(KEPT, begun().status("a", TARGET).status("a", TARGET, FAILED), True, id="same words"),
        pytest.param(KEPT, begun().status("a", OTHER).status("a", OTHER, FAILED), False, id="other words"),
    ]
)
def test_a_fact_about_failures(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
