"""Facts about pods that fail: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import Any

from fact_examples import examples, no, yes
from histories import Story, condition, story, time_of_day

from batchproof.ground.resources import COMPLETION_INDEX, PODS
from batchproof.judgement.facts import FactCall
from batchproof.profiles.job.facts.failures import (
    failure_explained,
    failure_kept,
    index_replaced_no_earlier,
    job_has,
    reason_absent,
    replaced_no_earlier,
)

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

WORDS = "Container main for pod ns/a-1 failed with exit code 42"
TARGET = condition("FailureTarget", "PodFailurePolicy", WORDS)
FAILED = condition("Failed", "PodFailurePolicy", WORDS)
OTHER = condition("FailureTarget", "PodFailurePolicy", "something failed")


@examples(
    TEN,
    yes("when it may", pod(failed(begun(), "a-1", at=5), "a-2", created=15)),
    no("a second early", pod(failed(begun(), "a-1", at=5), "a-2", created=14)),
    yes("by its condition", pod(unready(begun(), "a-1", at=5), "a-2", created=15)),
    no("early by its condition", pod(unready(begun(), "a-1", at=5), "a-2", created=9)),
    no("no pod after it", failed(begun(), "a-1", at=5)),
    no("no failure", begun()),
    no("the last failure counts"),
    pod(failed(pod(failed(begun(), "a-1", at=5), "a-2", created=15), "a-2", at=20), "a-3", created=25),
    TEN_OF_INDEX,
    yes("whatever other indexes do"),
    pod(pod(failed(begun(), "a-0-x", at=5), "a-1-x", created=6), "a-0-y", created=15),
    TEN,
    yes("whatever becomes of the pod that failed"),
    failed(pod(failed(begun(), "a-1", at=5), "a-2", created=15), "a-1", at=5),
    no("a pod has ended when its last container has"),
    pod(in_two_containers(begun(), "a-1", 5, 9), "a-2", created=15),
    TEN_OF_INDEX,
    no("an index too early", pod(failed(begun(), "a-0-x", at=5), "a-0-y", created=9)),
    # what is told
    job_has(job="a", condition="FailureTarget", reason="PodFailurePolicy"),
    yes("has the condition", begun().status("a", TARGET)),
    no("other reason", begun().status("a", condition("FailureTarget", "Other"))),
    no("no condition", begun()),
    reason_absent(job="a", reason="PodFailurePolicy"),
    yes("other reasons", begun().status("a", condition("Failed", "Other"))),
    no("that reason", begun().status("a", TARGET)),
    no("no reasons", begun()),
    failure_explained(job="a", words="with exit code 42"),
    yes("told which", failed(begun(), "a-1", at=5).status("a", TARGET, FAILED)),
    no("that pod has not failed", begun().status("a", TARGET, FAILED)),
    failure_kept(job="a"),
    yes("same words", begun().status("a", TARGET).status("a", TARGET, FAILED)),
    no("other words", begun().status("a", OTHER).status("a", OTHER, FAILED)),
)
def test_a_fact_about_failures(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
