"""Facts about pods: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from fact_examples import deciding, examples, no, yes
from histories import Story, story

from batchproof.ground.resources import TRACKING_FINALIZER
from batchproof.judgement.facts import FactCall
from batchproof.profiles.job.facts.counting import (
    counted_in_three_writes,
    counted_once,
    counts_are_true,
    job_accounts,
    job_counts,
    record_left,
    record_short,
    records_become_counts,
)
from batchproof.profiles.job.facts.pods import (
    active_pods,
    active_pods_exactly,
    controller_changed,
    counted_and_released,
    created_pods,
    finished_pods,
    more_created_pods,
    surplus_created,
    terminating_pods,
)
from batchproof.profiles.job.facts.tracking import (
    created_tracked,
    no_finished_tracked,
    none_tracked,
    pod_released,
    pod_tracked,
    pod_untracked,
    pods_with_finalizer,
)

A = {"job": "a"}


def job(**spec: object) -> Story:
    return story().job("a", **{"parallelism": 2, "completions": 3, **spec})


def recorded() -> Story:
    """A pod that is finished and recorded."""
    return job().pod("a-1").succeeds("a-1").status("a", recorded=("a-1",))


def released_and_held() -> Story:
    """A pod that is released, gets the finalizer once more, and then succeeds."""
    told = job().pod("a-1").released("a-1").deleting("pods", "a-1", TRACKING_FINALIZER)
    return told.succeeds("a-1").status("a")


def of_another() -> Story:
    """A Job that has recorded a pod which is none of its own."""
    return job().status("a", recorded=("b-1",))


def two_recorded() -> Story:
    """Two pods that are finished and recorded."""
    told = job().pods("a-1", "a-2").succeeds("a-1").succeeds("a-2")
    return told.status("a", recorded=("a-1", "a-2"))


@examples(
    # how many
    active_pods(**A, at_least=2),
    yes("at least two active", job().pods("a-1", "a-2")),
    no("one of two has failed", job().pods("a-1", "a-2").fails("a-1").pod("b-1", of="b")),
    active_pods_exactly(**A, count=1),
    no("one more than exactly one", job().pods("a-1", "a-2")),
    yes("a pod that is being deleted is not active", job().pods("a-1", "a-2").deleting("pods", "a-1")),
    finished_pods(**A, count=1),
    yes("finished and there", job().pod("a-1").fails("a-1")),
    no("finished and being deleted", job().pod("a-1").fails("a-1").deleting("pods", "a-1")),
    terminating_pods(**A, count=1),
    yes("being deleted, not finished", job().pods("a-1", "a-2").deleting("pods", "a-1")),
    no("finished before it was deleted", job().pods("a-1", "a-2").fails("a-1").deleting("pods", "a-1")),
    created_pods(**A, count=2),
    yes("created in all", job().pods("a-1", "a-2").gone("pods", "a-1")),
    created_pods(**A, count=1),
    no("one more was created", job().pods("a-1", "a-2")),
    more_created_pods(**A, count=1),
    yes("more than one", job().pods("a-1", "a-2")),
    more_created_pods(**A, count=2),
    no("not more than two", job().pods("a-1", "a-2")),
    created_pods(**A, count=2),
    yes("created for Jobs of one name", job().pod("a-1").gone("jobs", "a").job("a").pod("a-2", of="a-again")),
    # surplus
    surplus_created(**A),
    yes("a third of two", job().pods("a-1", "a-2", "a-3")),
    no("two of two", job().pods("a-1", "a-2")),
    no("a pod in place of one that has succeeded", job().pods("a-1", "a-2").succeeds("a-1").pod("a-3")),
    yes("a pod above what is left to complete", job().pod("a-1").status("a", succeeded=2).pod("a-2")),
    yes("a pod where nothing is left to complete", job().status("a", succeeded=3).pod("a-1")),
    no("a pod of before that changes, though fewer are allowed now"),
    job().pods("a-1", "a-2").spec("a", parallelism=1).runs("a-2"),
    no("a pod in place of one that is gone", job().pods("a-1", "a-2").gone("pods", "a-1").pod("a-3")),
    # controllers
    controller_changed(),
    yes("another controller", job().pod("a-1").owned("a-1", by="b")),
    no("no controller any more", job().pod("a-1").owned("a-1", by=None)),
    no("adopting an orphan", job().pod("o", of=None).owned("o", by="a")),
    no("the same controller", job().pod("a-1").succeeds("a-1")),
    # finalizers
    created_tracked(**A),
    yes("all created tracked", job().pods("a-1", "a-2")),
    no("one created bare", job().pod("a-1").pod("a-2", tracked=False)),
    no("none created at all", job()),
    pod_released(**A),
    yes("released", job().pod("a-1").released("a-1")),
    yes("gone is released", job().pod("a-1").gone("pods", "a-1")),
    no("never tracked", job().pod("a-1", tracked=False)),
    no("a pod of another", job().pod("b-1", of="b").released("b-1")),
    yes("two are released", job().pods("a-1", "a-2").released("a-1").released("a-2")),
    no_finished_tracked(**A),
    no("two finished and tracked", job().pods("a-1", "a-2").fails("a-1").fails("a-2")),
    none_tracked(**A),
    yes("none tracked", job().pod("a-1").released("a-1")),
    no("one tracked", job().pods("a-1", "a-2").released("a-1")),
    no_finished_tracked(**A),
    yes("tracked, but not finished", job().pod("a-1")),
    no("finished and tracked", job().pod("a-1").fails("a-1")),
    pods_with_finalizer(**A, count=1, finalizer=TRACKING_FINALIZER),
    yes("one with the finalizer", job().pods("a-1", "a-2").released("a-1")),
    pods_with_finalizer(**A, count=1, finalizer="example.com/keep"),
    yes("one with a finalizer of another", job().pod("a-1").deleting("pods", "a-1", "example.com/keep")),
    no("none with that finalizer", job().pod("a-1")),
    pods_with_finalizer(**A, count=0, finalizer="example.com/keep"),
    yes("the one with the finalizer is gone"),
    job().pod("a-1").deleting("pods", "a-1", "example.com/keep").gone("pods", "a-1"),
    pod_tracked(pod="a-1"),
    yes("the pod is tracked", job().pod("a-1")),
    no("the pod is gone", job().pod("a-1").gone("pods", "a-1")),
    pod_untracked(pod="a-1"),
    yes("not tracked any more", job().pod("a-1").released("a-1")),
    no("tracked still", job().pod("a-1")),
    # counting, now
    counted_and_released(**A, succeeded=1),
    yes("counted and released", recorded().released("a-1").status("a", succeeded=1)),
    no("counted only", recorded().status("a", succeeded=1)),
    job_accounts(**A, outcome="succeeded", count=2),
    yes("accounts for the counted and the recorded"),
    job().status("a", succeeded=1, recorded=("a-2",), failed=1),
    job_accounts(**A, outcome="failed", count=1),
    no("for no failed", job().status("a", succeeded=1)),
    job_counts(**A, succeeded=1, failed=1),
    yes("counts", job().status("a", succeeded=1, failed=1)),
    job_counts(**A, succeeded=1, failed=0),
    no("counts, but waits for another", job().status("a", succeeded=1, recorded=("a-2",))),
    # counting, over time
    counted_in_three_writes(**A, count=1),
    yes("recorded, released, counted", recorded().released("a-1").status("a", succeeded=1)),
    no("counted before it was released", recorded().status("a", succeeded=1).released("a-1")),
    no("never recorded", job().pod("a-1").succeeds("a-1").released("a-1").status("a", succeeded=1)),
    no("another finished pod is left"),
    recorded().pod("a-2").fails("a-2").released("a-1").status("a", succeeded=1),
    no("another pod is recorded", job().pod("a-1").succeeds("a-1").status("a", recorded=("b-1",))),
    no("another pod was recorded and counted"),
    of_another().pod("a-1").succeeds("a-1").released("a-1").status("a", succeeded=1),
    counted_in_three_writes(**A, count=2),
    no("one of two was counted before it was released"),
    two_recorded().released("a-1").status("a", succeeded=2).released("a-2"),
    yes("both were counted after they were released"),
    two_recorded().released("a-1").released("a-2").status("a", succeeded=2),
    counted_in_three_writes(**A, count=1),
    yes("a surplus pod went the same way"),
    two_recorded().released("a-1").released("a-2").status("a", succeeded=2),
    counted_in_three_writes(**A, count=3),
    no("one of three has not ended", two_recorded().released("a-1").released("a-2").status("a", succeeded=2)),
    record_left(**A),
    yes("a UID left the record", recorded().status("a", succeeded=1)),
    no("the UID is still there", recorded()),
    record_short(**A, most=7),
    yes("a record as long as it may be", recorded()),
    record_short(**A, most=0),
    yes("nothing was ever recorded", job()),
    no("a record that was too long before", recorded().status("a", succeeded=1)),
    no("no Job whose record it could be", story()),
    records_become_counts(**A),
    yes("a record becomes a count", recorded().status("a", succeeded=1)),
    no("a record is dropped", recorded().status("a")),
    no("one record, two counts", recorded().status("a", succeeded=2)),
    no("counted as the other outcome", recorded().status("a", failed=1)),
    no("nothing has become a count yet", recorded()),
    counted_once(**A, most=1),
    yes("counted once", recorded().status("a", succeeded=1).status("a", succeeded=1)),
    counted_once(**A, most=3),
    no("a counted pod is recorded again"),
    recorded().status("a", succeeded=1).status("a", succeeded=1, recorded=("a-1",)),
    no("recorded as both", job().status("a", recorded=("a-1",), recorded_failed=("a-1",))),
    no("a fall", job().status("a", succeeded=2).status("a", succeeded=1)),
    counted_once(**A, most=1),
    no("one too many", job().status("a", succeeded=2)),
    counts_are_true(**A),
    yes("the counters are the truth"),
    job().pods("a-1", "a-2").succeeds("a-1").fails("a-2").status("a", succeeded=1, failed=1),
    yes("a pod that ended after it was released does not count"),
    job().pod("a-1").released("a-1").succeeds("a-1").status("a", succeeded=0),
    yes("a pod that gets the finalizer back and ends does not count", released_and_held()),
    yes("a pod counts by its first report"),
    job().pod("a-1").fails("a-1").succeeds("a-1").status("a", failed=1),
    no("a pod counted twice", job().pod("a-1").succeeds("a-1").status("a", succeeded=2)),
)
def test_a_fact_about_pods(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def tracked_pods(count: int) -> FactCall:
    return pods_with_finalizer(**A, count=count, finalizer=TRACKING_FINALIZER)


@deciding(
    (created_pods(**A, count=1), job().pods("a-1", "a-2", "a-3"), 2),
    (surplus_created(**A), job().pods("a-1", "a-2", "a-3", "a-4"), 3),
    (pod_released(**A), job().pods("a-1", "a-2").released("a-1").released("a-2"), 5),
    (created_tracked(**A), job().pod("a-1", tracked=False).pod("a-2", tracked=False), 1),
    (records_become_counts(**A), recorded().status("a").status("a", succeeded=1), 4),
    (counted_once(**A, most=1), job().status("a", succeeded=2).status("a", succeeded=3), 1),
    (tracked_pods(2), job().pods("a-1", "a-2").released("a-1"), 5),
    (tracked_pods(2), job().pods("a-1", "a-2").released("a-2").released("a-1").runs("a-1"), 8),
    (tracked_pods(1), job().pods("a-1", "a-2").gone("pods", "a-1").gone("pods", "a-2"), 4),
    (tracked_pods(0), job().pods("a-1", "a-2"), 2),
)
def test_the_first_record_that_breaks_a_rule_decides(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)
