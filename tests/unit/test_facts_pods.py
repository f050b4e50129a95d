"""Facts about pods: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import deciding, examples
from histories import Story, story

from batchproof.labels import TRACKING_FINALIZER
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

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall

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
    [
        # how many
        pytest.param(active_pods(**A, at_least=2), job().pods("a-1", "a-2"), True, id="at least two active"),
        pytest.param(
            active_pods(**A, at_least=2),
            *(job().pods("a-1", "a-2").fails("a-1").pod("b-1", of="b"), False),
            id="one of two has failed",
        ),
        pytest.param(
            active_pods_exactly(**A, count=1), job().pods("a-1", "a-2"), False, id="one more than exactly one"
        ),
        pytest.param(
            active_pods_exactly(**A, count=1),
            *(job().pods("a-1", "a-2").deleting("pods", "a-1"), True),
            id="a pod that is being deleted is not active",
        ),
        pytest.param(
            finished_pods(**A, count=1), job().pod("a-1").fails("a-1"), True, id="finished and there"
        ),
        pytest.param(
            finished_pods(**A, count=1),
            *(job().pod("a-1").fails("a-1").deleting("pods", "a-1"), False),
            id="finished and being deleted",
        ),
        pytest.param(
            terminating_pods(**A, count=1),
            *(job().pods("a-1", "a-2").deleting("pods", "a-1"), True),
            id="being deleted, not finished",
        ),
        pytest.param(
            terminating_pods(**A, count=1),
            *(job().pods("a-1", "a-2").fails("a-1").deleting("pods", "a-1"), False),
            id="finished before it was deleted",
        ),
        pytest.param(
            created_pods(**A, count=2),
            job().pods("a-1", "a-2").gone("pods", "a-1"),
            True,
            id="created in all",
        ),
        pytest.param(created_pods(**A, count=1), job().pods("a-1", "a-2"), False, id="one more was created"),
        pytest.param(more_created_pods(**A, count=1), job().pods("a-1", "a-2"), True, id="more than one"),
        pytest.param(
            more_created_pods(**A, count=2), job().pods("a-1", "a-2"), False, id="not more than two"
        ),
        pytest.param(
            created_pods(**A, count=2),
            *(job().pod("a-1").gone("jobs", "a").job("a").pod("a-2", of="a-again"), True),
            id="created for Jobs of one name",
        ),
        # surplus
        pytest.param(surplus_created(**A), job().pods("a-1", "a-2", "a-3"), True, id="a third of two"),
        pytest.param(surplus_created(**A), job().pods("a-1", "a-2"), False, id="two of two"),
        pytest.param(
            surplus_created(**A),
            *(job().pods("a-1", "a-2").succeeds("a-1").pod("a-3"), False),
            id="a pod in place of one that has succeeded",
        ),
        pytest.param(
            surplus_created(**A),
            *(job().pod("a-1").status("a", succeeded=2).pod("a-2"), True),
            id="a pod above what is left to complete",
        ),
        pytest.param(
            surplus_created(**A),
            *(job().status("a", succeeded=3).pod("a-1"), True),
            id="a pod where nothing is left to complete",
        ),
        pytest.param(
            surplus_created(**A),
            *(job().pods("a-1", "a-2").spec("a", parallelism=1).runs("a-2"), False),
            id="a pod of before that changes, though fewer are allowed now",
        ),
        pytest.param(
            surplus_created(**A),
            *(job().pods("a-1", "a-2").gone("pods", "a-1").pod("a-3"), False),
            id="a pod in place of one that is gone",
        ),
        # controllers
        pytest.param(
            controller_changed(), job().pod("a-1").owned("a-1", by="b"), True, id="another controller"
        ),
        pytest.param(
            controller_changed(), job().pod("a-1").owned("a-1", by=None), False, id="no controller any more"
        ),
        pytest.param(
            controller_changed(), job().pod("o", of=None).owned("o", by="a"), False, id="adopting an orphan"
        ),
        pytest.param(controller_changed(), job().pod("a-1").succeeds("a-1"), False, id="the same controller"),
        # finalizers
        pytest.param(created_tracked(**A), job().pods("a-1", "a-2"), True, id="all created tracked"),
        pytest.param(
            created_tracked(**A), job().pod("a-1").pod("a-2", tracked=False), False, id="one created bare"
        ),
        pytest.param(created_tracked(**A), job(), False, id="none created at all"),
        pytest.param(pod_released(**A), job().pod("a-1").released("a-1"), True, id="released"),
        pytest.param(pod_released(**A), job().pod("a-1").gone("pods", "a-1"), True, id="gone is released"),
        pytest.param(pod_released(**A), job().pod("a-1", tracked=False), False, id="never tracked"),
        pytest.param(
            pod_released(**A), job().pod("b-1", of="b").released("b-1"), False, id="a pod of another"
        ),
        pytest.param(
            pod_released(**A),
            *(job().pods("a-1", "a-2").released("a-1").released("a-2"), True),
            id="two are released",
        ),
        pytest.param(
            no_finished_tracked(**A),
            *(job().pods("a-1", "a-2").fails("a-1").fails("a-2"), False),
            id="two finished and tracked",
        ),
        pytest.param(none_tracked(**A), job().pod("a-1").released("a-1"), True, id="none tracked"),
        pytest.param(none_tracked(**A), job().pods("a-1", "a-2").released("a-1"), False, id="one tracked"),
        pytest.param(no_finished_tracked(**A), job().pod("a-1"), True, id="tracked, but not finished"),
        pytest.param(
            no_finished_tracked(**A), job().pod("a-1").fails("a-1"), False, id="finished and tracked"
        ),
        pytest.param(
            pods_with_finalizer(**A, count=1, finalizer=TRACKING_FINALIZER),
            *(job().pods("a-1", "a-2").released("a-1"), True),
            id="one with the finalizer",
        ),
        pytest.param(
            pods_with_finalizer(**A, count=1, finalizer="example.com/keep"),
            *(job().pod("a-1").deleting("pods", "a-1", "example.com/keep"), True),
            id="one with a finalizer of another",
        ),
        pytest.param(
            pods_with_finalizer(**A, count=1, finalizer="example.com/keep"),
            *(job().pod("a-1"), False),
            id="none with that finalizer",
        ),
        pytest.param(
            pods_with_finalizer(**A, count=0, finalizer="example.com/keep"),
            *(job().pod("a-1").deleting("pods", "a-1", "example.com/keep").gone("pods", "a-1"), True),
            id="the one with the finalizer is gone",
        ),
        pytest.param(pod_tracked(pod="a-1"), job().pod("a-1"), True, id="the pod is tracked"),
        pytest.param(
            pod_tracked(pod="a-1"), job().pod("a-1").gone("pods", "a-1"), False, id="the pod is gone"
        ),
        pytest.param(
            pod_untracked(pod="a-1"), job().pod("a-1").released("a-1"), True, id="not tracked any more"
        ),
        pytest.param(pod_untracked(pod="a-1"), job().pod("a-1"), False, id="tracked still"),
        # counting, now
        pytest.param(
            counted_and_released(**A, succeeded=1),
            *(recorded().released("a-1").status("a", succeeded=1), True),
            id="counted and released",
        ),
        pytest.param(
            counted_and_released(**A, succeeded=1),
            recorded().status("a", succeeded=1),
            False,
            id="counted only",
        ),
        pytest.param(
            job_accounts(**A, outcome="succeeded", count=2),
            *(job().status("a", succeeded=1, recorded=("a-2",), failed=1), True),
            id="accounts for the counted and the recorded",
        ),
        pytest.param(
            job_accounts(**A, outcome="failed", count=1),
            job().status("a", succeeded=1),
            False,
            id="for no failed",
        ),
        pytest.param(
            job_counts(**A, succeeded=1, failed=1),
            job().status("a", succeeded=1, failed=1),
            True,
            id="counts",
        ),
        pytest.param(
            job_counts(**A, succeeded=1, failed=0),
            *(job().status("a", succeeded=1, recorded=("a-2",)), False),
            id="counts, but waits for another",
        ),
        # counting, over time
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(recorded().released("a-1").status("a", succeeded=1), True),
            id="recorded, released, counted",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(recorded().status("a", succeeded=1).released("a-1"), False),
            id="counted before it was released",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(job().pod("a-1").succeeds("a-1").released("a-1").status("a", succeeded=1), False),
            id="never recorded",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(recorded().pod("a-2").fails("a-2").released("a-1").status("a", succeeded=1), False),
            id="another finished pod is left",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(job().pod("a-1").succeeds("a-1").status("a", recorded=("b-1",)), False),
            id="another pod is recorded",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(of_another().pod("a-1").succeeds("a-1").released("a-1").status("a", succeeded=1), False),
            id="another pod was recorded and counted",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=2),
            *(two_recorded().released("a-1").status("a", succeeded=2).released("a-2"), False),
            id="one of two was counted before it was released",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=2),
            *(two_recorded().released("a-1").released("a-2").status("a", succeeded=2), True),
            id="both were counted after they were released",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=1),
            *(two_recorded().released("a-1").released("a-2").status("a", succeeded=2), True),
            id="a surplus pod went the same way",
        ),
        pytest.param(
            counted_in_three_writes(**A, count=3),
            *(two_recorded().released("a-1").released("a-2").status("a", succeeded=2), False),
            id="one of three has not ended",
        ),
        pytest.param(record_left(**A), recorded().status("a", succeeded=1), True, id="a UID left the record"),
        pytest.param(record_left(**A), recorded(), False, id="the UID is still there"),
        pytest.param(record_short(**A, most=7), recorded(), True, id="a record as long as it may be"),
        pytest.param(record_short(**A, most=0), job(), True, id="nothing was ever recorded"),
        pytest.param(
            record_short(**A, most=0),
            *(recorded().status("a", succeeded=1), False),
            id="a record that was too long before",
        ),
        pytest.param(record_short(**A, most=0), story(), False, id="no Job whose record it could be"),
        pytest.param(
            records_become_counts(**A),
            recorded().status("a", succeeded=1),
            True,
            id="a record becomes a count",
        ),
        pytest.param(records_become_counts(**A), recorded().status("a"), False, id="a record is dropped"),
        pytest.param(
            records_become_counts(**A),
            recorded().status("a", succeeded=2),
            False,
            id="one record, two counts",
        ),
        pytest.param(
            records_become_counts(**A),
            recorded().status("a", failed=1),
            False,
            id="counted as the other outcome",
        ),
        pytest.param(records_become_counts(**A), recorded(), False, id="nothing has become a count yet"),
        pytest.param(
            counted_once(**A, most=1),
            *(recorded().status("a", succeeded=1).status("a", succeeded=1), True),
            id="counted once",
        ),
        pytest.param(
            counted_once(**A, most=3),
            *(recorded().status("a", succeeded=1).status("a", succeeded=1, recorded=("a-1",)), False),
            id="a counted pod is recorded again",
        ),
        pytest.param(
            counted_once(**A, most=3),
            *(job().status("a", recorded=("a-1",), recorded_failed=("a-1",)), False),
            id="recorded as both",
        ),
        pytest.param(
            counted_once(**A, most=3),
            job().status("a", succeeded=2).status("a", succeeded=1),
            False,
            id="a fall",
        ),
        pytest.param(counted_once(**A, most=1), job().status("a", succeeded=2), False, id="one too many"),
        pytest.param(
            counts_are_true(**A),
            *(job().pods("a-1", "a-2").succeeds("a-1").fails("a-2").status("a", succeeded=1, failed=1), True),
            id="the counters are the truth",
        ),
        pytest.param(
            counts_are_true(**A),
            *(job().pod("a-1").released("a-1").succeeds("a-1").status("a", succeeded=0), True),
            id="a pod that ended after it was released does not count",
        ),
        pytest.param(
            counts_are_true(**A),
            *(released_and_held(), True),
            id="a pod that gets the finalizer back and ends does not count",
        ),
        pytest.param(
            counts_are_true(**A),
            *(job().pod("a-1").fails("a-1").succeeds("a-1").status("a", failed=1), True),
            id="a pod counts by its first report",
        ),
        pytest.param(
            counts_are_true(**A),
            *(job().pod("a-1").succeeds("a-1").status("a", succeeded=2), False),
            id="a pod counted twice",
        ),
    ],
)
def test_a_fact_about_pods(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


def tracked_pods(count: int) -> FactCall:
    return pods_with_finalizer(**A, count=count, finalizer=TRACKING_FINALIZER)


@deciding(
    [
        pytest.param(created_pods(**A, count=1), job().pods("a-1", "a-2", "a-3"), 2),
        pytest.param(surplus_created(**A), job().pods("a-1", "a-2", "a-3", "a-4"), 3),
        pytest.param(pod_released(**A), job().pods("a-1", "a-2").released("a-1").released("a-2"), 5),
        pytest.param(created_tracked(**A), job().pod("a-1", tracked=False).pod("a-2", tracked=False), 1),
        pytest.param(records_become_counts(**A), recorded().status("a").status("a", succeeded=1), 4),
        pytest.param(counted_once(**A, most=1), job().status("a", succeeded=2).status("a", succeeded=3), 1),
        pytest.param(tracked_pods(2), job().pods("a-1", "a-2").released("a-1"), 5),
        pytest.param(
            tracked_pods(2), job().pods("a-1", "a-2").released("a-2").released("a-1").runs("a-1"), 8
        ),
        pytest.param(tracked_pods(1), job().pods("a-1", "a-2").gone("pods", "a-1").gone("pods", "a-2"), 4),
        pytest.param(tracked_pods(0), job().pods("a-1", "a-2"), 2),
    ]
)
def test_the_first_record_that_breaks_a_rule_decides(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)
