"""Facts about how everything ends: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from fact_examples import examples, no, yes
from histories import Story, condition, headed_story, story, time_of_day

from batchproof.judgement.facts import FactCall
from batchproof.judgement.facts.ends import at_rest, ends_as
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
    at_rest(),
    yes("nothing is there", story()),
    yes("complete", done().complete("a", succeeded=2)),
    no("not begun", job()),
    yes("all that it wants", job().pods("a-1", "a-2").status("a", active=2, **STARTED)),
    no("a pod is missing", job().pods("a-1").status("a", active=1, **STARTED)),
    no("not reported", job().pods("a-1", "a-2").status("a", active=1)),
    no("a finished pod is held", job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=2)),
    no("not all is counted", done().status("a", recorded=("a-1",))),
    no("nothing left to do", done().status("a", succeeded=2, **STARTED)),
    no("announced and not ended", done().status("a", "FailureTarget")),
    yes("suspended", job(suspend=True).status("a", SUSPENDED, succeeded=0)),
    no("not suspended yet", job(suspend=True).status("a")),
    no("being deleted", job().deleting("jobs", "a", "x/y")),
    yes("of another controller", job(managedBy="example.com/other")),
    no("its own, and no client has changed it"),
    headed_story(manager="example.com/ours").job("a", managedBy="example.com/ours"),
    yes("of the built-in controller", headed_story(manager="example.com/ours").job("a")),
    no("a pod that outlived its Job", job().pods("a-1").gone("jobs", "a")),
    yes("a work queue that runs dry"),
    job(completions=None)
    .pods("a-1", "a-2")
    .succeeds("a-1")
    .released("a-1")
    .status("a", succeeded=1, active=1, **STARTED),
    yes("the last index"),
    job(completionMode="Indexed")
    .pod("a-1", index=1)
    .status("a", succeeded=1, completedIndexes="0", active=1, **STARTED),
    no("a pod that has lost its labels"),
    job(**MATCHING).pods("a-1", "a-2").labelled("a-1").status("a", active=2, **STARTED),
    no("a pod to adopt"),
    job(**MATCHING, parallelism=0).pod("x", of=None).labelled("x", **LABELS).status("a", **STARTED),
    yes("all pods match"),
    job(**MATCHING)
    .pods("a-1", "a-2")
    .labelled("a-1", **LABELS)
    .labelled("a-2", **LABELS)
    .status("a", active=2, **STARTED),
    ends_as(end=END),
    yes("ends the same", done().complete("a", succeeded=2)),
    no("counted twice", done().complete("a", succeeded=3)),
    no("not at rest", job()),
    no("the Job is gone", story()),
)
def test_a_fact_about_the_end(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def test_what_differs_is_said() -> None:
    found = ends_as(end=END).of(done().complete("a", succeeded=3).seen)
    assert found.observed == "job/a: succeeded is 3, not 2"
