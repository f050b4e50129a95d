"""Facts about whose a pod is: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, story

from batchproof.judgement.facts import FactCall
from batchproof.profiles.shared.facts.ownership import pod_belongs, pod_change_asked

OF_A = {"pod": "p", "job": "a"}


def made_by_a_user() -> Story:
    """A pod without an owner, beside a Job."""
    return story().job("a").pod("p", of=None)


@examples(
    pod_belongs(**OF_A),
    yes("adopted", made_by_a_user().owned("p", by="a")),
    no("without an owner", made_by_a_user()),
    no("another's", story().job("a").pod("p", of="b")),
    no("that of a Job of its name before", story().job("a").pod("p").gone("jobs", "a").job("a")),
    no("no such pod", story().job("a")),
    pod_change_asked(pod="p"),
    yes("asked", made_by_a_user().asks("patch", "pods", "p")),
    yes("asked in vain", made_by_a_user().asks("delete", "pods", "p").answered(409)),
    no("not it", made_by_a_user().asks("patch", "pods", "q")),
    yes("asked twice", made_by_a_user().asks("patch", "pods", "p").asks("delete", "pods", "p")),
    no("nothing asked", made_by_a_user()),
)
def test_a_fact_about_whose_a_pod_is(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds
