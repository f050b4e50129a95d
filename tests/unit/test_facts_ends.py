"""Facts about how everything ends: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import examples
from histories import Story, condition, headed_story, story, time_of_day

from batchproof.judgement.facts.ends import at_rest, ends_as

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

STARTED: Json = {"startTime": time_of_day(0)}
SUSPENDED = condition("Suspended", "JobSuspended", "Job suspended")

LABELS = {"app": "a"}
MATCHING: Json = {"selector": {"matchLabels": LABELS}}


def job(**spec: object) -> Story:
    return story().job("a", **({"completions": 2, "parallelism": 2} | spec))


def done() -> Story:
    return job().pods("a-1", "a-2").succeeds("a-1").succeeds("a-2").released("a-1").released("a-2")


END = {"jobs": "a", "job/a: state": "Complete", "job/a: succeeded": "2"}


@examples(
    [
        pytest.param(at_rest(), story(), True, id="nothing is there"),
        pytest.param(at_rest(), done().complete("a", succeeded=2), True, id="complete"),
        pytest.param(at_rest(), job(), False, id="not begun"),
        pytest.param(
            at_rest(), job().pods("a-1", "a-2").status("a", active=2, **STARTED), True, id="all that it wants"
        ),
        pytest.param(
            at_rest(), job().pods("a-1").status("a", active=1, **STARTED), False, id="a pod is missing"
        ),
        pytest.param(at_rest(), job().pods("a-1", "a-2").status("a", active=1), False, id="not reported"),
        pytest.param(
            at_rest(),
            job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=2),
            False,
            id="a finished pod is held",
        ),
        pytest.param(at_rest(), done().status("a", recorded=("a-1",)), False, id="not all is counted"),
        pytest.param(at_rest(), done().status("a", succeeded=2, **STARTED), False, id="nothing left to do"),
        pytest.param(at_rest(), done().status("a", "FailureTarget"), False, id="announced and not ended"),
        pytest.param(at_rest(), job(suspend=True).status("a", SUSPENDED, succeeded=0), True, id="suspended"),
        pytest.param(at_rest(), job(suspend=True).status("a"), False, id="not suspended yet"),
        pytest.param(at_rest(), job().deleting("jobs", "a", "x/y"), False, id="being deleted"),
        pytest.param(at_rest(), job(managedBy="example.com/other"), True, id="of another controller"),
        pytest.param(
            at_rest(),
            headed_story(manager="example.com/ours").job("a", managedBy="example.com/ours"),
            False,
            id="its own, and nobody has touched it",
        ),
        pytest.param(
            at_rest(),
            headed_story(manager="example.com/ours").job("a"),
            True,
            id="of the built-in controller",
        ),
        pytest.param(at_rest(), job().pods("a-1").gone("jobs", "a"), False, id="a pod that outlived its Job"),
        pytest.param(
            at_rest(),
            job(completions=None)
            .pods("a-1", "a-2")
            .succeeds("a-1")
            .released("a-1")
            .status("a", succeeded=1, active=1, **STARTED),
            True,
            id="a work queue that runs dry",
        ),
        pytest.param(
            at_rest(),
            job(completionMode="Indexed")
            .pod("a-1", index=1)
            .status("a", succeeded=1, completedIndexes="0", active=1, **STARTED),
            True,
            id="the last index",
        ),
        pytest.param(
            at_rest(),
            job(**MATCHING).pods("a-1", "a-2").labelled("a-1").status("a", active=2, **STARTED),
            False,
            id="a pod that has lost its labels",
        ),
        pytest.param(
            at_rest(),
            job(**MATCHING, parallelism=0).pod("x", of=None).labelled("x", **LABELS).status("a", **STARTED),
            False,
            id="a pod to adopt",
        ),
        pytest.param(
            at_rest(),
            job(**MATCHING)
            .pods("a-1", "a-2")
            .labelled("a-1", **LABELS)
            .labelled("a-2", **LABELS)
            .status("a", active=2, **STARTED),
            True,
            id="all pods match",
        ),
        pytest.param(ends_as(end=END), done().complete("a", succeeded=2), True, id="ends the same"),
        pytest.param(ends_as(end=END), done().complete("a", succeeded=3), False, id="counted twice"),
        pytest.param(ends_as(end=END), job(), False, id="not at rest"),
        pytest.param(ends_as(end=END), story(), False, id="the Job is gone"),
    ]
)
def test_a_fact_about_the_end(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def test_what_differs_is_said() -> None:
    found = ends_as(end=END).of(done().complete("a", succeeded=3).seen)
    assert found.observed == "job/a: succeeded is 3, not 2"
