"""Facts about the pods of Jobs that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import Story, story

from batchproof.profiles.job.facts.orphans import left_free, none_left

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

A = {"job": "a"}


def outlived() -> Story:
    """A Job is gone, its two pods are there, and one of them is nobody's any more."""
    it = story().job("a").pods("a-1", "a-2").gone("jobs", "a")
    return it.owned("a-1", by=None).released("a-1")


@examples(
    [
        pytest.param(none_left(**A), story().job("a").pod("a-1").gone("pods", "a-1"), True, id="gone"),
        pytest.param(none_left(**A), outlived(), False, id="there, though nobody's"),
        pytest.param(none_left(**A), story().job("a").gone("jobs", "a"), False, id="there never was one"),
        pytest.param(left_free(**A, count=1), outlived(), True, id="free"),
        pytest.param(left_free(**A, count=2), outlived(), False, id="one is still held"),
        pytest.param(
            left_free(**A, count=2), outlived().owned("a-2", by=None), False, id="held by the finalizer alone"
        ),
        pytest.param(left_free(**A, count=2), outlived().released("a-2"), False, id="it has a controller"),
        pytest.param(
            left_free(**A, count=1), outlived().job("a").pod("a-3"), True, id="a Job of that name is back"
        ),
    ]
)
def test_a_fact_about_pods_that_are_left(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
