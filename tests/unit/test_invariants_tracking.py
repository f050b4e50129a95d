"""Invariants: each finished pod is counted once, and let go then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from histories import headed_story, story
from invariant_examples import assert_blameless, assert_broken, both_recorded, indexed, job, judged, recorded

from batchproof.labels import TRACKING_FINALIZER

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


BREAKS = [
    pytest.param("FIN-001", job().pod("a-1", tracked=False), 1, "finalizers none", id="a pod born bare"),
    pytest.param(
        "FIN-004",
        job().pod("a-1").succeeds("a-1").released("a-1"),
        *(5, "never held the UID of a-1"),
        id="a finished pod is released unrecorded",
    ),
    pytest.param(
        "FIN-004",
        job().pods("a-1", "a-2").succeeds("a-1").status("a", recorded=("a-2",)).released("a-1"),
        *(7, "never held the UID of a-1"),
        id="another pod was recorded than the one that is released",
    ),
    pytest.param(
        "FIN-004",
        indexed()
        .pod("a-0", index=0)
        .pod("a-1", index=1)
        .succeeds("a-0")
        .status("a", recorded=("a-1",))
        .released("a-0"),
        *(7, "finalizer removed; the Job has"),
        id="another pod of an Indexed Job was recorded than the one that is released",
    ),
    pytest.param(
        "FIN-004",
        job().pod("a-1").fails("a-1").write("delete", "pods", "a-1").gone("pods", "a-1"),
        *(5, "never held the UID of a-1"),
        id="a finished pod vanishes unrecorded",
    ),
    pytest.param(
        "FIN-004",
        with_rule("FailJob").pod("a-1").fails("a-1").released("a-1"),
        *(5, "never held the UID of a-1"),
        id="a rule that ignores no failure excuses no release",
    ),
    pytest.param(
        "FIN-004",
        job().pod("a-1").fails("a-1").status("a", "SuccessCriteriaMet").released("a-1"),
        *(6, "never held the UID of a-1"),
        id="a pod that failed by itself is released unrecorded by a Job that has announced its success",
    ),
    pytest.param(
        "FIN-004",
        deleted(by_the_implementation=False).released("a-1"),
        *(6, "never held the UID of a-1"),
        id="a pod that a user deleted is released unrecorded",
    ),
    pytest.param(
        "FIN-004",
        job().pod("a-1").deleting("pods", "a-1").write("delete", "pods", "a-1").fails("a-1").released("a-1"),
        *(8, "never held the UID of a-1"),
        id="a pod that the implementation deleted when a user had is released unrecorded",
    ),
    pytest.param(
        "FIN-004",
        deleted().status("a", "FailureTarget").released("a-1"),
        *(9, "never held the UID of a-1"),
        id="a pod that a failing Job deletes is released unrecorded",
    ),
    pytest.param(
        "FIN-004",
        job().pods("a-1", "a-2").write("delete", "pods", "a-2").succeeds("a-1").released("a-1"),
        *(8, "never held the UID of a-1"),
        id="another pod was deleted than the one that is released",
    ),
    pytest.param(
        "FIN-005",
        recorded().status("a", succeeded=1),
        *(4, "still tracked: a-1"),
        id="a UID leaves the record before its pod is released",
    ),
    pytest.param(
        "FIN-006",
        job().status("a", recorded=("a-1",), recorded_failed=("a-1",)),
        *(1, "both: uid-a-1"),
        id="a UID is both succeeded and failed",
    ),
    pytest.param(
        "FIN-006",
        job().status("a", recorded=("x", "y")).status("a", succeeded=1),
        *(2, "1: succeeded=1"),
        id="a recorded pod is forgotten",
    ),
    pytest.param(
        "FIN-006", job().status("a", failed=2).status("a", failed=1), 2, "1: failed=1", id="a counter falls"
    ),
    pytest.param(
        "FIN-009",
        job().status("a", recorded=tuple(f"{number:032}" for number in range(600))),
        *(1, "21600 bytes: uncounted succeeded=600"),
        id="more are recorded than a status should hold",
    ),
    pytest.param(
        "FIN-020",
        job().pods("a-1", "a-2").succeeds("a-1").complete("a", succeeded=1),
        *(4, "tracked: a-1, a-2"),
        id="a Job finishes before its pods are released",
    ),
    pytest.param(
        "FIN-007",
        both_recorded()
        .at(9)
        .status("a", "SuccessCriteriaMet", "Complete", succeeded=1, failed=1, completionTime="t"),
        *(12, "1: succeeded=1 failed=1"),
        id="a success that is counted as a failure",
    ),
    pytest.param(
        "FIN-007",
        job().pod("a-1").succeeds("a-1").labelled("a-1", by="user").at(9).complete("a", succeeded=0),
        *(4, "0: SuccessCriteriaMet=True"),
        id="a success that is not counted, whose pod a user has labelled since",
    ),
    pytest.param(
        "FIN-007",
        job().pod("a-1").released("a-1").complete("a", succeeded=1),
        *(5, "1: succeeded=1"),
        id="a success that never was",
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_an_invariant_of_tracking_is_broken_by(
    requirement: str, told: Story, decisive: int, observed: str
) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
    pytest.param(
        with_rule("Ignore").pod("a-1").fails("a-1").released("a-1"),
        id="FIN-004: a rule may ignore the failure of the pod",
    ),
    pytest.param(
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
        id="FIN-007: a success that another client removed, with its finalizer, need not count",
    ),
    pytest.param(
        recorded().released("a-1").complete("a", succeeded=1), id="FIN-007: every success is counted"
    ),
    pytest.param(deleted().released("a-1"), id="FIN-004: a surplus pod ends before it is released"),
    pytest.param(
        job().status("a", recorded=tuple(f"{number:032}" for number in range(500))),
        id="FIN-009: many are recorded",
    ),
    pytest.param(
        recorded()
        .pod("a-2")
        .at(9)
        .succeeds("a-2")
        .status("a", recorded=("a-1", "a-2"))
        .released("a-1")
        .released("a-2")
        .complete("a", succeeded=2),
        id="FIN-007: a success at the very end",
    ),
    pytest.param(
        job()
        .pod("a-1")
        .deleting("pods", "a-1")
        .succeeds("a-1")
        .status("a", recorded_failed=("a-1",))
        .released("a-1")
        .at(9)
        .status("a", "SuccessCriteriaMet", "Complete", failed=1, completionTime="t"),
        id="FIN-007: a success of a pod that was being deleted",
    ),
    pytest.param(
        job().pod("o", of=None).status("a", *ENDED).owned("o", by="a").fails("o").released("o"),
        id="FIN-004: the Job is finished and counts nothing more",
    ),
    pytest.param(
        job().pod("o", of=None).status("a", *ENDED).owned("o", by="a").status("a", *ENDED),
        id="FIN-020: a pod that came to a Job which was finished already",
    ),
    pytest.param(job().gone("jobs", "a").pod("a-1", tracked=False), id="FIN-001: the Job is gone"),
    pytest.param(
        recorded().released("a-1").status("a", succeeded=1),
        id="FIN-004: the UID is recorded first",
    ),
    pytest.param(
        indexed()
        .pod("a-0", index=0)
        .succeeds("a-0")
        .status("a", recorded=("a-0",))
        .released("a-0")
        .status("a", succeeded=1, completedIndexes="0"),
        id="FIN-004: a success of an Indexed Job is recorded by its UID",
    ),
    pytest.param(
        recorded().gone("pods", "a-1").status("a", succeeded=1),
        id="FIN-005: the pod is gone",
    ),
    pytest.param(
        job().pod("a-1").succeeds("a-1").deleting("jobs", "a").released("a-1"),
        id="FIN-004: the Job is being deleted",
    ),
    pytest.param(
        job().pod("a-1").succeeds("a-1").gone("jobs", "a").released("a-1"), id="FIN-004: the Job is gone"
    ),
    pytest.param(
        job()
        .pod("a-1")
        .status("a", "SuccessCriteriaMet")
        .deleting("pods", "a-1")
        .fails("a-1")
        .released("a-1"),
        id="FIN-004: the Job has announced its success and needs the pod no more",
    ),
    pytest.param(
        job().pod("a-1").succeeds("a-1").released("a-1", by_the_implementation=False),
        id="FIN-004: somebody else released the pod",
    ),
    pytest.param(
        job().pod("a-1").deleting("pods", "a-1").released("a-1"), id="FIN-004: the pod is not finished"
    ),
    pytest.param(
        job(completionMode="Indexed").status("a", recorded=("x",)).status("a"),
        id="FIN-006: an Indexed Job counts by index",
    ),
    pytest.param(
        job().status("a", recorded=("x", "y")).status("a", succeeded=1, recorded=("y",)),
        id="FIN-006: what left the record was counted",
    ),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_an_invariant_of_tracking_does_not_accuse(told: Story) -> None:
    assert_blameless(told)


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
