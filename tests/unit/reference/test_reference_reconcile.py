"""Which stage comes next."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reference_builders import NOW, condition, job, pod, pods, status

from reference_controller.decision import NOTHING
from reference_controller.job.actions import (
    AdoptPods,
    CreatePods,
    RecordEvent,
    ReleasePods,
    RemoveFinalizers,
    ScaleDownPods,
    TerminatePods,
    WriteStatus,
)
from reference_controller.job.objects import CONTROLLER_NAME, Job
from reference_controller.job.observed import Observed
from reference_controller.job.reconcile import reconcile


def written(observed: Observed) -> WriteStatus:
    action = reconcile(observed, NOW).actions[0]
    assert isinstance(action, WriteStatus)
    return action


@pytest.mark.parametrize(
    "left_alone",
    [
        job(managed_by="example.com/other"),
        job(managed_by="example.com/other", manager="example.com/ours"),
        job(managed_by=None, manager="example.com/ours"),
        job(managed_by=CONTROLLER_NAME, manager="example.com/ours"),
        job(status=status(conditions=(condition("Complete"),))),
        job(status=status(conditions=(condition("Failed"),))),
    ],
    ids=[
        "managed by another",
        "managed by another than our name",
        "managedBy unset, but we have a name",
        "managed by Kubernetes, but we have a name",
        "complete",
        "failed",
    ],
)
def test_a_job_that_is_not_ours_or_finished_is_left_alone(left_alone: Job) -> None:
    assert reconcile(Observed(left_alone, pods(3, "Succeeded")), NOW) == NOTHING


@pytest.mark.parametrize(
    "taken_up",
    [
        job(managed_by=None),
        job(managed_by=CONTROLLER_NAME),
        job(managed_by="example.com/ours", manager="example.com/ours"),
    ],
    ids=["managedBy unset", "managed by Kubernetes", "managed by our name"],
)
def test_a_job_that_is_ours_is_taken_up(taken_up: Job) -> None:
    assert reconcile(Observed(taken_up, ()), NOW) != NOTHING


def test_missing_pods_are_created_first() -> None:
    assert reconcile(Observed(job(parallelism=3, completions=5)), NOW).actions == (CreatePods(3),)


def test_no_pod_is_created_while_own_creations_are_unseen() -> None:
    observed = Observed(
        job(parallelism=3, completions=5),
        expectations_met=False,
        unseen_creations=frozenset({"x", "y", "z"}),
    )
    assert written(observed).status.active == 3


def test_counting_goes_on_while_own_creations_are_unseen() -> None:
    done = pod("Succeeded")
    observed = Observed(
        job(parallelism=3, completions=5),
        (done,),
        expectations_met=False,
        unseen_creations=frozenset({"x"}),
    )
    assert written(observed).status.uncounted_succeeded == (done.uid,)


def test_no_pod_is_created_for_a_job_being_deleted() -> None:
    assert all(
        not isinstance(action, CreatePods) for action in reconcile(Observed(job(deleting=True)), NOW).actions
    )


def test_after_a_failed_creation_the_rest_of_the_sync_only_counts() -> None:
    observed = Observed(job(parallelism=3), moves_failed=True)
    assert not any(isinstance(action, CreatePods) for action in reconcile(observed, NOW).actions)


def test_a_terminated_pod_is_recorded_then_released_then_counted() -> None:
    done = pod("Succeeded")
    running = job(completions=2, status=status(active=1))
    first = Observed(running, (done, pod()))

    recorded = written(first).status
    assert (recorded.uncounted_succeeded, recorded.succeeded) == ((done.uid,), 0)

    second = replace(first, job=replace(running, status=recorded))
    assert reconcile(second, NOW).actions == (RemoveFinalizers((done,)),)

    third = replace(second, released=frozenset({done.uid}))
    settled = written(third).status
    assert (settled.uncounted_succeeded, settled.succeeded) == ((), 1)

    fourth = replace(third, job=replace(running, status=settled))
    assert reconcile(fourth, NOW).actions == ()


def test_a_finalizer_that_could_not_be_removed_is_not_tried_again_in_the_same_sync() -> None:
    done = pod("Succeeded")
    held = job(completions=2, status=status(active=1, uncounted_succeeded=(done.uid,)))
    observed = Observed(held, (done, pod()), stuck=frozenset({done.uid}))
    assert reconcile(observed, NOW).actions == ()


def test_success_is_announced_before_the_job_is_complete() -> None:
    finished = Observed(job(completions=1, status=status(succeeded=1)))
    announced = written(finished).status
    assert announced.has("SuccessCriteriaMet")
    assert not announced.has("Complete")

    decision = reconcile(Observed(job(completions=1, status=announced)), NOW)
    write, event = decision.actions
    assert isinstance(write, WriteStatus)
    assert write.status.has("Complete")
    assert write.status.completion_time == NOW
    assert event == RecordEvent("Normal", "Completed", "Job completed")


def test_failure_is_announced_then_pods_are_deleted_then_counted_then_the_job_fails() -> None:
    first, second = pods(2, node="n")
    failing = job(backoff_limit=0, parallelism=3, completions=3, status=status(failed=1))
    observed = Observed(failing, (first, second))
    announced = written(observed).status
    assert announced.has("FailureTarget")

    observed = replace(observed, job=replace(failing, status=announced))
    assert reconcile(observed, NOW).actions == (TerminatePods((first, second)),)

    observed = replace(observed, expectations_met=False, unseen_deletions=frozenset({first.uid, second.uid}))
    recorded = written(observed).status
    assert recorded.uncounted_failed == (first.uid, second.uid)
    assert recorded.terminating == 2

    observed = replace(observed, job=replace(failing, status=recorded))
    assert reconcile(observed, NOW).actions == (RemoveFinalizers((first, second)),)

    observed = replace(observed, released=frozenset({first.uid, second.uid}))
    settled = written(observed).status
    assert settled.failed == 3
    assert not settled.has("Failed")

    observed = Observed(replace(failing, status=settled))
    done = written(observed).status
    assert done.has("Failed")
    assert done.completion_time is None


@pytest.mark.parametrize(
    "observed",
    [
        Observed(job(), pods(1, "Running")),
        Observed(job(), pods(1, "Running", deleting=True, tracked=False)),
        Observed(job(), unseen_creations=frozenset({"x"}), expectations_met=False),
        Observed(job(), expectations_met=False),
        Observed(job(), pods(1, "Succeeded")),
    ],
    ids=["active", "terminating", "unseen", "expectations unmet", "tracked"],
)
@pytest.mark.parametrize("target", ["SuccessCriteriaMet", "FailureTarget"])
def test_a_terminal_condition_waits_until_every_pod_is_terminal_counted_and_known(
    observed: Observed, target: str
) -> None:
    ended = replace(observed.job, status=status(conditions=(condition(target),)))
    for action in reconcile(replace(observed, job=ended), NOW).actions:
        assert not isinstance(action, WriteStatus) or not action.status.finished


def test_excess_pods_of_a_complete_job_are_removed_uncounted() -> None:
    extra = pod()
    ended = job(status=status(succeeded=1, conditions=(condition("SuccessCriteriaMet"),)))
    assert reconcile(Observed(ended, (extra,)), NOW).actions == (ScaleDownPods((extra,)),)


def test_suspending_removes_all_pods_then_clears_the_start_time() -> None:
    active = pods(3)
    suspended = job(parallelism=3, completions=3, suspend=True, status=status(active=3))
    observed = Observed(suspended, active)
    assert reconcile(observed, NOW).actions == (ScaleDownPods(active),)

    write, event = reconcile(Observed(suspended), NOW).actions
    assert isinstance(write, WriteStatus)
    assert write.status.has("Suspended")
    assert write.status.start_time is None
    assert event == RecordEvent("Normal", "Suspended", "Job suspended")


def test_resuming_starts_the_job_anew() -> None:
    stored = status(start_time=None, conditions=(condition("Suspended"),))
    observed = Observed(job(active_deadline_s=5, status=stored), pods(1))
    write, event = reconcile(observed, NOW).actions
    assert isinstance(write, WriteStatus)
    assert write.status.start_time == NOW
    assert write.status.condition("Suspended") is not None
    assert not write.status.has("Suspended")
    assert event == RecordEvent("Normal", "Resumed", "Job resumed")


def test_a_suspended_job_without_completions_is_complete_and_never_started() -> None:
    empty = job(completions=0, suspend=True, status=status(start_time=None))
    announced = written(Observed(empty)).status
    assert not announced.has("Suspended")
    done = written(Observed(replace(empty, status=announced))).status
    assert done.has("Complete")
    assert done.start_time is None


def test_a_running_pod_of_a_job_being_deleted_is_released_uncounted() -> None:
    running, done = pod(), pod("Succeeded")
    deleting = job(deleting=True, status=status(active=1, uncounted_succeeded=(done.uid,)))
    assert reconcile(Observed(deleting, (running, done)), NOW).actions == (RemoveFinalizers((running, done)),)


def test_matching_orphans_are_adopted_and_strays_released() -> None:
    orphan, stray = pod(controller=None), pod(labels={})
    observed = Observed(job(), adoptable=(orphan, pod(controller=None, deleting=True)), strayed=(stray,))
    assert reconcile(observed, NOW).actions == (ReleasePods((stray,)), AdoptPods((orphan,)))


def test_a_job_being_deleted_adopts_nothing() -> None:
    observed = Observed(job(deleting=True), adoptable=pods(1, controller=None))
    assert not any(isinstance(action, AdoptPods) for action in reconcile(observed, NOW).actions)


def test_a_converged_job_gets_no_write() -> None:
    running = job(parallelism=2, completions=2, status=status(active=2, ready=1))
    assert reconcile(Observed(running, (pod(ready=True), pod())), NOW) == NOTHING


def test_the_deadline_is_waited_for_without_any_event() -> None:
    running = job(active_deadline_s=130, status=status(active=1))
    assert reconcile(Observed(running, pods(1)), NOW).requeue_after_s == 30


def test_the_end_of_the_backoff_is_waited_for() -> None:
    failed = pod("Failed", tracked=False, finish_time=NOW - 4)
    observed = Observed(job(status=status(failed=1)), (failed,))
    assert reconcile(observed, NOW) == replace(NOTHING, requeue_after_s=6)
