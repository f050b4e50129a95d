"""Invariants: each finished pod is counted once, and let go then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from histories import headed_story, story
from invariant_examples import (
    Case,
    both_recorded,
    breaks,
    check,
    examples,
    indexed,
    job,
    judged,
    keeps,
    recorded,
)

from batchproof.ground.resources import TRACKING_FINALIZER

if TYPE_CHECKING:
    from histories import Story

ENDED = ("FailureTarget", "Failed")


def deleted(*, by_the_implementation: bool = True) -> Story:
    """A pod of a Job that goes on is deleted while it is active, and has failed before it is released."""
    told = job().pod("a-1")
    told = told.write("delete", "pods", "a-1") if by_the_implementation else told
    return told.deleting("pods", "a-1").fails("a-1")


def with_rule(action: str) -> Story:
    """A Job whose podFailurePolicy has one rule."""
    rules = [{"action": action}]
    return story().job("a", parallelism=1, completions=1, podFailurePolicy={"rules": rules})


@examples(
    "FIN-001",
    breaks("a pod born bare", 1, "finalizers none", job().pod("a-1", tracked=False)),
    "FIN-004",
    breaks("a finished pod is released unrecorded", 5, "never held the UID of a-1"),
    job().pod("a-1").succeeds("a-1").released("a-1"),
    breaks("another pod was recorded than the one that is released", 7, "never held the UID of a-1"),
    job().pods("a-1", "a-2").succeeds("a-1").status("a", recorded=("a-2",)).released("a-1"),
    breaks(
        "another pod of an Indexed Job was recorded than the one that is released",
        7,
        "finalizer removed; the Job has",
    ),
    indexed()
    .pod("a-0", index=0)
    .pod("a-1", index=1)
    .succeeds("a-0")
    .status("a", recorded=("a-1",))
    .released("a-0"),
    breaks("a finished pod vanishes unrecorded", 5, "never held the UID of a-1"),
    job().pod("a-1").fails("a-1").write("delete", "pods", "a-1").gone("pods", "a-1"),
    breaks("a rule that ignores no failure excuses no release", 5, "never held the UID of a-1"),
    with_rule("FailJob").pod("a-1").fails("a-1").released("a-1"),
    breaks(
        "a pod that failed by itself is released unrecorded by a Job that has announced its success",
        6,
        "never held the UID of a-1",
    ),
    job().pod("a-1").fails("a-1").status("a", "SuccessCriteriaMet").released("a-1"),
    breaks("a pod that a user deleted is released unrecorded", 6, "never held the UID of a-1"),
    deleted(by_the_implementation=False).released("a-1"),
    breaks(
        "a pod that the implementation deleted when a user had is released unrecorded",
        8,
        "never held the UID of a-1",
    ),
    job().pod("a-1").deleting("pods", "a-1").write("delete", "pods", "a-1").fails("a-1").released("a-1"),
    breaks("a pod that a failing Job deletes is released unrecorded", 9, "never held the UID of a-1"),
    deleted().status("a", "FailureTarget").released("a-1"),
    breaks("another pod was deleted than the one that is released", 8, "never held the UID of a-1"),
    job().pods("a-1", "a-2").write("delete", "pods", "a-2").succeeds("a-1").released("a-1"),
    keeps("a rule may ignore the failure of the pod"),
    with_rule("Ignore").pod("a-1").fails("a-1").released("a-1"),
    "FIN-007",
    keeps("a success that another client removed, with its finalizer, need not count"),
    story()
    .job("a", parallelism=3, completions=3)
    .pods("a-1", "a-2", "a-3")
    .succeeds("a-1")
    .at(5)
    .gone("pods", "a-1")
    .pod("a-4")
    .succeeds("a-2")
    .succeeds("a-3")
    .succeeds("a-4")
    .at(30)
    .status("a", recorded=("a-2", "a-3", "a-4"))
    .released("a-2")
    .released("a-3")
    .released("a-4")
    .complete("a", succeeded=3),
    keeps("every success is counted", recorded().released("a-1").complete("a", succeeded=1)),
    "FIN-004",
    keeps("a surplus pod ends before it is released", deleted().released("a-1")),
    "FIN-009",
    keeps("many are recorded", job().status("a", recorded=tuple(f"{number:032}" for number in range(500)))),
    "FIN-007",
    keeps("a success at the very end"),
    recorded()
    .pod("a-2")
    .at(9)
    .succeeds("a-2")
    .status("a", recorded=("a-1", "a-2"))
    .released("a-1")
    .released("a-2")
    .complete("a", succeeded=2),
    keeps("a success of a pod that was being deleted"),
    job()
    .pod("a-1")
    .deleting("pods", "a-1")
    .succeeds("a-1")
    .status("a", recorded_failed=("a-1",))
    .released("a-1")
    .at(9)
    .status("a", "SuccessCriteriaMet", "Complete", failed=1, completionTime="t"),
    "FIN-004",
    keeps("the Job is finished and counts nothing more"),
    job().pod("o", of=None).status("a", *ENDED).owned("o", by="a").fails("o").released("o"),
    "FIN-020",
    keeps("a pod that came to a Job which was finished already"),
    job().pod("o", of=None).status("a", *ENDED).owned("o", by="a").status("a", *ENDED),
    "FIN-001",
    keeps("the Job is gone", job().gone("jobs", "a").pod("a-1", tracked=False)),
    "FIN-004",
    keeps("the UID is recorded first", recorded().released("a-1").status("a", succeeded=1)),
    keeps("a success of an Indexed Job is recorded by its UID"),
    indexed()
    .pod("a-0", index=0)
    .succeeds("a-0")
    .status("a", recorded=("a-0",))
    .released("a-0")
    .status("a", succeeded=1, completedIndexes="0"),
    "FIN-005",
    keeps("the pod is gone", recorded().gone("pods", "a-1").status("a", succeeded=1)),
    "FIN-004",
    keeps("the Job is being deleted", job().pod("a-1").succeeds("a-1").deleting("jobs", "a").released("a-1")),
    keeps("the Job is gone", job().pod("a-1").succeeds("a-1").gone("jobs", "a").released("a-1")),
    keeps("the Job has announced its success and needs the pod no more"),
    job().pod("a-1").status("a", "SuccessCriteriaMet").deleting("pods", "a-1").fails("a-1").released("a-1"),
    keeps("somebody else released the pod"),
    job().pod("a-1").succeeds("a-1").released("a-1", by_the_implementation=False),
    keeps("the pod is not finished", job().pod("a-1").deleting("pods", "a-1").released("a-1")),
    "FIN-005",
    breaks("a UID leaves the record before its pod is released", 4, "still tracked: a-1"),
    recorded().status("a", succeeded=1),
    "FIN-006",
    breaks("a UID is both succeeded and failed", 1, "both: uid-a-1"),
    job().status("a", recorded=("a-1",), recorded_failed=("a-1",)),
    breaks("a recorded pod is forgotten", 2, "1: succeeded=1"),
    job().status("a", recorded=("x", "y")).status("a", succeeded=1),
    breaks("a counter falls", 2, "1: failed=1", job().status("a", failed=2).status("a", failed=1)),
    keeps("an Indexed Job counts by index"),
    job(completionMode="Indexed").status("a", recorded=("x",)).status("a"),
    keeps("what left the record was counted"),
    job().status("a", recorded=("x", "y")).status("a", succeeded=1, recorded=("y",)),
    "FIN-009",
    breaks("more are recorded than a status should hold", 1, "21600 bytes: uncounted succeeded=600"),
    job().status("a", recorded=tuple(f"{number:032}" for number in range(600))),
    "FIN-020",
    breaks("a Job finishes before its pods are released", 4, "tracked: a-1, a-2"),
    job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=1),
    "FIN-007",
    breaks("a success that is counted as a failure", 12, "1: succeeded=1 failed=1"),
    both_recorded()
    .at(9)
    .status("a", "SuccessCriteriaMet", "Complete", succeeded=1, failed=1, completionTime="t"),
    breaks(
        "a success that is not counted, whose pod a user has labelled since", 4, "0: SuccessCriteriaMet=True"
    ),
    job().pod("a-1").succeeds("a-1").labelled("a-1", by="user").at(9).complete("a", succeeded=0),
    breaks("a success that never was", 5, "1: succeeded=1"),
    job().pod("a-1").released("a-1").complete("a", succeeded=1),
)
def test_an_invariant_of_tracking(case: Case) -> None:
    check(case)


def test_the_order_of_etcd_decides_not_the_order_of_arrival() -> None:
    told = job().pod("a-1").succeeds("a-1").write("patch", "pods", "a-1")
    told.status("a", recorded=("a-1",)).released("a-1", by_the_implementation=False)

    assert judged(told.swapped()) is None


@pytest.mark.parametrize(
    ("finalizer", "broken"),
    [("example.com/tracking", None), (TRACKING_FINALIZER, "FIN-001")],
    ids=["its own", "that of the built-in controller"],
)
def test_who_works_by_managed_by_tracks_by_its_own_finalizer(finalizer: str, broken: str | None) -> None:
    told = ours().job("a", managedBy="example.com/ours").pod("a-1", finalizer=finalizer)

    finding = judged(told)

    assert (finding.requirement if finding else None) == broken


def test_the_jobs_of_others_are_not_judged() -> None:
    theirs = ours().job("a").pod("a-1").complete("a", succeeded=3).pod("a-2")

    assert judged(theirs) is None


def ours() -> Story:
    """A history of an implementation that works by ``spec.managedBy``."""
    return headed_story(manager="example.com/ours", finalizer="example.com/tracking")
