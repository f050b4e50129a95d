"""Facts about pods that fail: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fact_examples import examples
from histories import Story, story, time_of_day

from batchproof.judgement.facts.failures import replaced_no_earlier
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

OWNER = [{"kind": "Job", "name": "a", "uid": "uid-a", "controller": True}]


def pod(history: Story, name: str, *, created: float, **status: Any) -> Story:
    metadata = {"ownerReferences": OWNER, "creationTimestamp": time_of_day(created)}
    return history.stores(PODS, name, {"metadata": metadata, "status": {"phase": "Pending", **status}})


def failed(history: Story, name: str, *, at: float) -> Story:
    """A pod has failed; its container tells when."""
    state = {"terminated": {"exitCode": 1, "finishedAt": time_of_day(at)}}
    return pod(history, name, created=0, phase="Failed", containerStatuses=[{"name": "main", "state": state}])


def unready(history: Story, name: str, *, at: float) -> Story:
    """A pod has failed; only its Ready condition tells when."""
    ready = {"type": "Ready", "status": "False", "lastTransitionTime": time_of_day(at)}
    return pod(history, name, created=0, phase="Failed", conditions=[ready])


def begun() -> Story:
    return pod(story().job("a"), "a-1", created=0)


TEN = replaced_no_earlier(job="a", delay=10)


@examples(
    [
        pytest.param(TEN, pod(failed(begun(), "a-1", at=5), "a-2", created=15), True, id="when it may"),
        pytest.param(TEN, pod(failed(begun(), "a-1", at=5), "a-2", created=14), False, id="a second early"),
        pytest.param(TEN, pod(unready(begun(), "a-1", at=5), "a-2", created=15), True, id="by its condition"),
        pytest.param(TEN, pod(unready(begun(), "a-1", at=5), "a-2", created=9), False, id="early by its condition"),
        pytest.param(TEN, failed(begun(), "a-1", at=5), False, id="no pod after it"),
        pytest.param(TEN, begun(), False, id="no failure"),
        pytest.param(
            TEN,
            pod(failed(pod(failed(begun(), "a-1", at=5), "a-2", created=15), "a-2", at=20), "a-3", created=25),
            False,
            id="the last failure counts",
        ),
    ]
)
def test_a_fact_about_failures(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
