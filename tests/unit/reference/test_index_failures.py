"""backoffLimitPerIndex: which index has failed, what its next pod carries and when it comes."""

from __future__ import annotations

from typing import Any

import pytest
from reference_builders import NOW, condition, job, pod, status

from reference_controller.job.actions import CreatePods, RemoveFinalizers, WriteStatus
from reference_controller.job.ending import ending
from reference_controller.job.index_failures import Failures
from reference_controller.job.objects import FailureRule, Job, Pod
from reference_controller.job.observed import Observed, tally
from reference_controller.job.reconcile import reconcile
from reference_controller.objects.pods import Container

MAIN_42 = (Container("main", "main", exit_code=42),)


def indexed(limit: int | None = 1, **fields: Any) -> Job:
    defaults = {"completions": 3, "parallelism": 3, "completion_mode": "Indexed"}
    return job(**{**defaults, "backoff_limit_per_index": limit, **fields})


def failed(index: int, before: int = 0, **fields: Any) -> Pod:
    return pod("Failed", completion_index=index, index_failures=before, **fields)


def rule(action: str) -> tuple[FailureRule, ...]:
    return (FailureRule(action, "In", frozenset({42})),)


@pytest.mark.parametrize(
    ("it", "pods", "expected"),
    [
        (indexed(), (failed(0),), set()),
        (indexed(), (failed(0, 1), failed(1)), {0}),
        (indexed(0), (failed(0), failed(2)), {0, 2}),
        (indexed(0, status=status(failed_indexes="1")), (failed(0),), {0, 1}),
        (indexed(0), (failed(0), pod("Succeeded", completion_index=0)), set()),
        (indexed(0, status=status(completed_indexes="0")), (failed(0),), set()),
        (indexed(5, failure_rules=rule("FailIndex")), (failed(0, containers=MAIN_42), failed(1)), {0}),
        (indexed(0, failure_rules=rule("Ignore")), (failed(0, containers=MAIN_42),), set()),
        (indexed(None), (failed(0, 9),), set()),
    ],
)
def test_which_indexes_have_failed(it: Job, pods: tuple[Pod, ...], expected: set[int]) -> None:
    assert tally(Observed(it, pods)).failed_indexes == expected


def test_a_success_of_an_index_that_has_failed_is_none() -> None:
    observed = Observed(
        indexed(0, status=status(failed_indexes="0")), (pod("Succeeded", completion_index=0),)
    )
    assert tally(observed).succeeded == 0


def test_the_next_pod_carries_the_failures_of_its_index() -> None:
    others = (pod(completion_index=1), pod(completion_index=2))
    observed = Observed(indexed(3), (failed(0, 1), *others))
    assert reconcile(observed, NOW).actions == (CreatePods(1, (0,), (Failures(2),)),)


def test_an_ignored_failure_is_carried_apart() -> None:
    it = indexed(3, completions=1, failure_rules=rule("Ignore"))
    observed = Observed(it, (failed(0, 1, containers=MAIN_42),))
    assert reconcile(observed, NOW).actions == (CreatePods(1, (0,), (Failures(1, 1),)),)


def test_an_index_waits_by_its_own_failures() -> None:
    it = indexed(3, completions=4, parallelism=4)
    waits, ready = failed(0, 1, finish_time=NOW - 15), failed(1, finish_time=NOW - 15)
    running = (pod(completion_index=2), pod(completion_index=3))
    assert reconcile(Observed(it, (waits, ready, *running)), NOW).actions == (
        CreatePods(1, (1,), (Failures(1),)),
    )
    later = Observed(
        indexed(3, completions=4, parallelism=4, status=status(active=3, failed_indexes="")),
        (waits, pod(completion_index=1), *running),
    )
    assert reconcile(later, NOW).requeue_after_s == pytest.approx(5)


def test_the_last_failed_pod_of_an_index_is_kept_until_the_next_exists() -> None:
    it = indexed(3, completions=1, status=status(failed_indexes=""))
    older, last = failed(0, finish_time=NOW - 1), failed(0, 1, finish_time=NOW - 1)
    waiting = tally(Observed(it, (older, last)))
    assert waiting.awaiting == {0: last}
    [write] = reconcile(Observed(it, (older, last)), NOW).actions
    assert isinstance(write, WriteStatus)
    assert write.status.uncounted_failed == (older.uid,)
    assert tally(Observed(it, (last, pod(completion_index=0)))).awaiting == {}


@pytest.mark.parametrize(
    "it", [indexed(status=status(conditions=(condition("FailureTarget"),))), indexed(deleting=True)]
)
def test_no_pod_is_kept_where_none_comes(it: Job) -> None:
    assert tally(Observed(it, (failed(0),))).awaiting == {}


def test_a_pod_kept_is_let_go_when_its_job_is_deleted() -> None:
    one = failed(0)
    actions = reconcile(
        Observed(indexed(deleting=True, status=status(failed_indexes="")), (one,)), NOW
    ).actions
    assert isinstance(actions[0], WriteStatus | RemoveFinalizers)


@pytest.mark.parametrize(
    ("fields", "pods", "reason"),
    [
        ({"max_failed_indexes": 1}, (failed(0), failed(1)), "MaxFailedIndexesExceeded"),
        ({"max_failed_indexes": 0}, (failed(0),), "MaxFailedIndexesExceeded"),
        ({"max_failed_indexes": 1}, (failed(0),), ""),
        ({}, (failed(0), failed(1)), ""),
        ({}, (failed(0), failed(1), failed(2)), "FailedIndexes"),
        ({"status": status(completed_indexes="0,1", succeeded=2)}, (failed(2),), "FailedIndexes"),
        ({"backoff_limit": 0}, (failed(0),), "BackoffLimitExceeded"),
    ],
)
def test_how_failed_indexes_end_the_job(fields: dict[str, Any], pods: tuple[Pod, ...], reason: str) -> None:
    observed = Observed(indexed(0, **fields), pods)
    end = ending(observed, tally(observed), NOW)
    assert (end.reason if end else "") == reason
