"""The rules one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_builders import NOW, condition, job, pod, pods, status

from reference_controller.job import indexed
from reference_controller.job.actions import CreatePods, DeleteJob, ScaleDownPods
from reference_controller.job.backoff import Backoff, after, delay_s, remembered
from reference_controller.job.counting import record
from reference_controller.job.ending import BACKOFF_LIMIT, COMPLETIONS, DEADLINE, ending
from reference_controller.job.objects import Job, Pod
from reference_controller.job.observed import Observed, tally
from reference_controller.job.orphans import abandoned
from reference_controller.job.outcome import Ending
from reference_controller.job.scale import deletion_rank, missing_pods, scale, wanted
from reference_controller.job.ttl import reconcile_ttl
from reference_controller.objects.identity import Controller
from reference_controller.objects.labels import Requirement, Selector


@pytest.mark.parametrize(
    ("failures", "expected_s"), [(0, 0), (1, 10), (2, 20), (3, 40), (6, 320), (7, 600), (100, 600)]
)
def test_backoff_doubles_up_to_the_cap(failures: int, expected_s: float) -> None:
    assert delay_s(failures) == expected_s


@pytest.mark.parametrize(
    ("succeeded_at", "failed_at", "expected"),
    [
        ([], [], Backoff(1, 50)),
        ([], [60], Backoff(2, 60)),
        ([], [60, 70, 65], Backoff(4, 70)),
        ([80], [], Backoff()),
        ([80], [70], Backoff()),
        ([80], [70, 90], Backoff(1, 90)),
    ],
)
def test_a_success_forgets_the_failures_before_it(
    succeeded_at: list[float], failed_at: list[float], expected: Backoff
) -> None:
    succeeded = [pod("Succeeded", finish_time=at) for at in succeeded_at]
    failed = [pod("Failed", finish_time=at) for at in failed_at]
    assert after(Backoff(1, 50), succeeded, failed) == expected


def test_a_new_process_remembers_failures_from_the_pods_that_are_left() -> None:
    counted, uncounted = pod("Failed", tracked=False, finish_time=NOW - 5), pod("Failed", finish_time=NOW - 3)
    left = (counted, uncounted, pod("Failed"), pod("Running", deleting=True, tracked=False))
    assert remembered(left, frozenset({uncounted.uid})) == Backoff(2, NOW - 3)


@pytest.mark.parametrize(
    ("fields", "active", "succeeded", "expected"),
    [
        ({"parallelism": 3, "completions": 5}, 0, 0, 3),
        ({"parallelism": 3, "completions": 5}, 1, 4, 1),
        ({"parallelism": 5, "completions": 3}, 0, 0, 3),
        ({"parallelism": 3, "completions": 3}, 1, 4, 0),
        ({"parallelism": 0, "completions": 3}, 0, 0, 0),
        ({"parallelism": 3, "completions": None}, 0, 0, 3),
        ({"parallelism": 3, "completions": None}, 2, 1, 2),
        ({"parallelism": 3, "completions": 3, "suspend": True}, 2, 0, 0),
    ],
)
def test_so_many_pods_are_wanted(fields: dict[str, Any], active: int, succeeded: int, expected: int) -> None:
    observed = Observed(job(**fields), (*pods(active), *pods(succeeded, "Succeeded")))
    assert wanted(observed.job, tally(observed)) == expected


def test_with_policy_failed_terminating_pods_are_not_replaced_yet() -> None:
    observed = Observed(
        job(parallelism=1, completions=5, replace_only_failed=True), pods(3, "Running", deleting=True)
    )
    assert missing_pods(observed.job, tally(observed)) == -2
    assert scale(observed, tally(observed), Backoff(), NOW) is None


def test_at_most_500_pods_are_created_in_one_decision() -> None:
    observed = Observed(job(parallelism=1200, completions=1200))
    assert scale(observed, tally(observed), Backoff(), NOW) == CreatePods(500)


@pytest.mark.parametrize(("suspend", "expected"), [(False, 500), (True, 700)])
def test_scale_down_is_limited_and_suspension_is_not(suspend: bool, expected: int) -> None:
    observed = Observed(job(parallelism=0, completions=700, suspend=suspend), pods(700))
    move = scale(observed, tally(observed), Backoff(), NOW)
    assert isinstance(move, ScaleDownPods)
    assert len(move.pods) == expected


def test_deletion_order_is_least_loss_first() -> None:
    order = [
        pod("Pending", node=""),
        pod("Pending", node="n"),
        pod("Unknown", node="n"),
        pod("Running", node="n"),
        pod("Running", node="n", ready=True, ready_since=NOW - 1),
        pod("Running", node="n", ready=True, ready_since=NOW - 9, max_restarts=3),
        pod("Running", node="n", ready=True, ready_since=NOW - 9, max_sidecar_restarts=1),
        pod("Running", node="n", ready=True, ready_since=NOW - 9, created=NOW - 900),
        pod("Running", node="n", ready=True, ready_since=NOW - 9, created=NOW - 1000),
    ]
    shuffled = order[::2] + order[1::2][::-1]
    assert sorted(shuffled, key=deletion_rank) == order


def test_what_was_let_go_before_a_crash_goes_before_what_can_still_be_counted() -> None:
    let_go = pod("Running", node="n", ready=True, ready_since=NOW - 9, tracked=False)
    observed = Observed(job(parallelism=2, completions=3), (pod("Pending"), let_go, pod("Pending")))
    move = scale(observed, tally(observed), Backoff(), NOW)
    assert move == ScaleDownPods((let_go,))


def test_a_pod_of_unknown_phase_is_active() -> None:
    assert tally(Observed(job(), pods(1, "Unknown"))).active_count == 1


@pytest.mark.parametrize(
    ("replace_only_failed", "phase", "failed"),
    [(False, "Running", 1), (True, "Running", 0), (True, "Failed", 1), (False, "Succeeded", 0)],
)
def test_a_deleted_pod_has_failed_at_once_unless_the_policy_waits(
    replace_only_failed: bool, phase: str, failed: bool
) -> None:
    observed = Observed(job(replace_only_failed=replace_only_failed), pods(1, phase, deleting=True))
    assert tally(observed).failed == failed


def test_a_pod_recorded_as_failed_that_succeeds_later_stays_failed() -> None:
    flipped = pod("Succeeded")
    seen = tally(Observed(job(status=status(uncounted_failed=(flipped.uid,))), (flipped,)))
    assert (seen.succeeded, seen.failed) == (0, 1)


def test_at_most_500_pods_are_recorded_at_a_time() -> None:
    stored = status(uncounted_failed=tuple(f"old-{i}" for i in range(20)))
    observed = Observed(job(completions=900, status=stored), pods(900, "Succeeded"))
    recorded = record(observed, tally(observed), stored)
    assert len(recorded.succeeded) == 480
    assert len(recorded.status.uncounted_succeeded) == 480


@pytest.mark.parametrize(
    ("fields", "observed_pods", "expected"),
    [
        ({"backoff_limit": 0}, pods(1, "Failed"), BACKOFF_LIMIT),
        ({"backoff_limit": 1}, pods(1, "Failed"), None),
        ({"backoff_limit": 2, "restart_policy": "OnFailure"}, pods(1, restarts=2), BACKOFF_LIMIT),
        ({"backoff_limit": 2, "restart_policy": "OnFailure"}, pods(1, restarts=1), None),
        ({"backoff_limit": 0, "restart_policy": "OnFailure"}, pods(1, restarts=0), None),
        ({"backoff_limit": 0, "restart_policy": "OnFailure"}, pods(1, restarts=1), BACKOFF_LIMIT),
        ({"backoff_limit": 2}, pods(1, restarts=9), None),
        ({"active_deadline_s": 100}, pods(1), DEADLINE),
        ({"active_deadline_s": 101}, pods(1), None),
        ({"active_deadline_s": 1, "suspend": True}, pods(1), None),
        ({"active_deadline_s": 1, "backoff_limit": 0}, pods(1, "Failed"), BACKOFF_LIMIT),
        ({"completions": 2}, pods(2, "Succeeded"), COMPLETIONS),
        ({"completions": 2}, (*pods(2, "Succeeded"), pod()), None),
        ({"completions": None}, pods(1, "Succeeded"), COMPLETIONS),
        ({"completions": None}, (*pods(1, "Succeeded"), pod()), None),
        ({"completions": None}, (*pods(1, "Succeeded"), pod("Failed")), COMPLETIONS),
        ({"completions": 0}, (), COMPLETIONS),
    ],
)
def test_a_job_ends_so(
    fields: dict[str, Any], observed_pods: tuple[Pod, ...], expected: Ending | None
) -> None:
    observed = Observed(job(**fields), observed_pods)
    assert ending(observed, tally(observed), NOW) == expected


def test_the_time_before_a_resume_does_not_count_against_the_deadline() -> None:
    resuming = job(active_deadline_s=1, status=status(conditions=(condition("Suspended"),)))
    assert ending(Observed(resuming, pods(1)), tally(Observed(resuming, pods(1))), NOW) is None


@pytest.mark.parametrize("target", ["SuccessCriteriaMet", "FailureTarget"])
def test_an_announced_ending_holds_whatever_happens_later(target: str) -> None:
    announced = job(backoff_limit=0, completions=1, status=status(conditions=(condition(target),)))
    observed = Observed(announced, (*pods(3, "Failed"), *pods(3, "Succeeded")))
    found = ending(observed, tally(observed), NOW)
    assert found is not None
    assert (found.target, found.reason, found.message) == (target, "R", "m")


def test_a_condition_with_status_false_is_ignored() -> None:
    ignored = job(status=status(conditions=(condition("FailureTarget", "False"),)))
    assert ending(Observed(ignored, pods(1)), tally(Observed(ignored, pods(1))), NOW) is None


FINISHED = job(status=status(conditions=(condition("Complete"),)))


@pytest.mark.parametrize(
    ("orphan", "owner", "jobs", "expected"),
    [
        (pod(tracked=False), None, [], False),
        (pod(), None, [], True),
        (pod(), job(), [], False),
        (pod(), FINISHED, [], True),
        (pod(), job(managed_by="example.com/x"), [], False),
        (pod(controller=Controller("example.com/v1", "Job", "a", "u")), None, [], False),
        (pod(controller=Controller("batch/v1", "CronJob", "a", "u")), None, [], False),
        (pod(controller=None), None, [], True),
        (pod(controller=None), None, [job()], False),
        (pod(controller=None), None, [job(deleting=True)], True),
        (pod(controller=None), None, [FINISHED], True),
        (pod(controller=None, labels={}), None, [job()], True),
        (pod(controller=None, deleting=True), None, [job()], True),
    ],
)
def test_a_pod_is_abandoned_when_no_job_will_count_it(
    orphan: Pod, owner: Job | None, jobs: list[Job], expected: bool
) -> None:
    assert abandoned(orphan, owner, jobs) is expected


@pytest.mark.parametrize(
    ("fields", "acts", "requeue_s"),
    [
        ({"ttl_s": None}, False, None),
        ({"ttl_s": 0}, True, None),
        ({"ttl_s": 50}, True, None),
        ({"ttl_s": 60}, False, 10),
        ({"ttl_s": 0, "deleting": True}, False, None),
        ({"ttl_s": 0, "status": status()}, False, None),
    ],
)
def test_a_finished_job_is_deleted_when_its_time_is_over(
    fields: dict[str, Any], acts: bool, requeue_s: float | None
) -> None:
    finished = job(**{"status": status(conditions=(condition("Failed", at=NOW - 50),)), **fields})
    decision = reconcile_ttl(finished, NOW)
    assert decision.actions == ((DeleteJob(finished.uid),) if acts else ())
    assert decision.requeue_after_s == requeue_s


@pytest.mark.parametrize(
    ("operator", "values", "labels", "expected"),
    [
        ("In", {"1"}, {"k": "1"}, True),
        ("In", {"1"}, {}, False),
        ("NotIn", {"1"}, {"k": "2"}, True),
        ("NotIn", {"1"}, {}, True),
        ("NotIn", {"1"}, {"k": "1"}, False),
        ("Exists", set(), {"k": ""}, True),
        ("DoesNotExist", set(), {"k": ""}, False),
        ("Gt", {"2"}, {"k": "10"}, True),
        ("Gt", {"2"}, {"k": "2"}, False),
        ("Lt", {"2"}, {"k": "-1"}, True),
        ("Lt", {"2"}, {}, False),
        ("Lt", {"2"}, {"k": "small"}, False),
        ("Nonsense", set(), {"k": ""}, False),
    ],
)
def test_selector_requirements(
    operator: str, values: set[str], labels: dict[str, str], expected: bool
) -> None:
    assert Selector((), (Requirement("k", operator, frozenset(values)),)).matches(labels) is expected


def test_an_empty_selector_matches_nothing() -> None:
    assert not Selector().matches({"k": "1"})


@pytest.mark.parametrize(
    ("indexes", "text"),
    [([], ""), ([0], "0"), ([3, 4], "3,4"), ([1, 3, 4, 5, 7], "1,3-5,7"), ([2, 1, 0], "0-2")],
)
def test_completed_indexes_are_written_compressed(indexes: list[int], text: str) -> None:
    assert indexed.render(indexes) == text


@given(st.sets(st.integers(0, 200)))
def test_completed_indexes_can_be_read_back(indexes: set[int]) -> None:
    assert indexed.parse(indexed.render(indexes)) == indexes


@pytest.mark.parametrize(
    ("text", "indexes"), [("1-a,3", {3}), ("x", set()), ("", set()), ("1,-", {1}), ("2-1,4", {4})]
)
def test_corrupted_intervals_are_passed_over(text: str, indexes: set[int]) -> None:
    assert indexed.parse(text) == indexes


def test_the_lowest_free_indexes_are_taken_first() -> None:
    stored = status(completed_indexes="0,2", succeeded=2)
    observed = Observed(
        job(completion_mode="Indexed", parallelism=3, completions=9, status=stored),
        (pod(completion_index=3), pod("Failed", completion_index=1, finish_time=NOW - 5000)),
    )
    assert scale(observed, tally(observed), Backoff(), NOW) == CreatePods(2, (1, 4))


def test_duplicates_and_pods_without_a_valid_index_are_removed() -> None:
    best, duplicate = pod(completion_index=0, node="n"), pod("Pending", completion_index=0)
    stranger, beyond = pod(), pod(completion_index=7)
    observed = Observed(
        job(completion_mode="Indexed", parallelism=4, completions=4), (best, duplicate, stranger, beyond)
    )
    move = scale(observed, tally(observed), Backoff(), NOW)
    assert isinstance(move, ScaleDownPods)
    assert {p.uid for p in move.pods} == {duplicate.uid, stranger.uid, beyond.uid}


def test_an_index_succeeds_once() -> None:
    twice = (pod("Succeeded", completion_index=0), pod("Succeeded", completion_index=0))
    observed = Observed(job(completion_mode="Indexed", completions=3), twice)
    assert tally(observed).succeeded == 1
