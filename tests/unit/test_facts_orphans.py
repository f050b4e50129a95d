"""Facts about the pods of Jobs that are gone."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.judgement.facts import FactCall
from batchproof.profiles.job.facts.orphans import left_free, none_left

A = {"job": "a"}


def outlived() -> Story:
    """A Job is gone, its two pods are there, and one of them has no owner any more."""
    it = story().job("a").pods("a-1", "a-2").gone("jobs", "a")
    return it.owned("a-1", by=None).released("a-1")


@examples(
    none_left(**A),
    yes("gone", story().job("a").pod("a-1").gone("pods", "a-1")),
    no("there, though without an owner", outlived()),
    no("there never was one", story().job("a").gone("jobs", "a")),
    left_free(**A, count=1),
    yes("free", outlived()),
    left_free(**A, count=2),
    no("one is still held", outlived()),
    no("held by the finalizer alone", outlived().owned("a-2", by=None)),
    no("it has a controller", outlived().released("a-2")),
    left_free(**A, count=1),
    yes("a Job of that name is back", outlived().job("a").pod("a-3")),
)
def test_a_fact_about_pods_that_are_left(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
