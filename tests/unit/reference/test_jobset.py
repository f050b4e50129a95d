"""The controller of JobSets: tables of what is observed and what is decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_controller.decision import NOTHING, Decision
from reference_controller.jobset import conditions
from reference_controller.jobset.actions import (
    Action,
    CreateJobs,
    CreateService,
    DeleteJobs,
    DeleteJobSet,
    RecordEvent,
    ResumeJobs,
    SuspendJobs,
    WriteStatus,
)
from reference_controller.jobset.counting import count
from reference_controller.jobset.objects import (
    COMPLETED,
    FAILED,
    STARTUP_COMPLETED,
    STARTUP_IN_PROGRESS,
    SUSPENDED,
    ChildJob,
    Dependency,
    Failure,
    FailurePolicy,
    FailureRule,
    JobSet,
    Network,
    ReplicatedJob,
    Status,
    SuccessPolicy,
)
from reference_controller.jobset.reconcile import Observed, reconcile

NOW = 1000.0
NEW = Status()
DRIVER, WORKER = ReplicatedJob("driver"), ReplicatedJob("worker", 2)
AFTER_DRIVER = replace(WORKER, depends_on=(Dependency("driver", "Complete"),))
BESIDE_DRIVER = replace(WORKER, depends_on=(Dependency("driver", "Ready"),))


def jobset(*of: ReplicatedJob, status: Status = NEW, **other: Any) -> JobSet:
    """A JobSet; of one driver and two workers if nothing else is said."""
    return JobSet("n", "a", "uid-a", 1, of or (DRIVER, WORKER), status=status, **other)


def child(name: str, state: str = "active", *, attempt: int = 0, deleting: bool = False) -> ChildJob:
    """A child Job in a state; a failed one with its reason after a colon, and the time after another one."""
    kind, reason, at = (*state.split(":"), "", "")[:3]
    failure = Failure(reason or "BackoffLimitExceeded", float(at or NOW)) if kind == "failed" else None
    return ChildJob(
        *("n", f"a-{name}", f"uid-{name}-{attempt}", 1),
        replicated_job=name.split("-", maxsplit=1)[0],
        attempt=attempt,
        suspended=kind == "suspended",
        active=int(kind in {"active", "ready"}),
        ready=int(kind == "ready"),
        started=kind == "active",
        complete=kind == "complete",
        failure=failure,
        deleting=deleting,
    )


def children(*states: str, **other: Any) -> tuple[ChildJob, ...]:
    """The driver and the workers, in these states."""
    return tuple(
        child(name, state, **other) for name, state in zip(NAMES, states, strict=False) if state != "missing"
    )


NAMES = ("driver-0", "worker-0", "worker-1")
ACTIVE = children("active", "active", "active")
READY = children("ready", "ready", "ready")
SUSPENDED_JOBS = children("suspended", "suspended", "suspended")
OLD = children("active", "active", "complete")
DELETING = children("active", "active", "active", deleting=True)

COMPLETE = conditions.complete(Status(), NOW)
BROKEN = conditions.fail(Status(), "FailedJobs", "", NOW)
RESTARTED = Status(restarts=1)
IN_ORDER = jobset(in_order=True)
ONE_RESTART = FailurePolicy(max_restarts=1)


def decided(of: JobSet, *jobs: ChildJob, now: float = NOW, **other: Any) -> Decision[Action]:
    """What is decided about a JobSet with these child Jobs."""
    return reconcile(Observed(of, jobs, **other), now)


def steady(of: JobSet, *jobs: ChildJob) -> JobSet:
    """The JobSet with the counts of these child Jobs: there is no status to write."""
    return replace(of, status=replace(of.status, counts=count(of, jobs)))


Case = tuple[str, JobSet, tuple[ChildJob, ...], tuple[Action, ...]]
CASES: list[Case] = [
    ("a Job for each replica", jobset(), (), (CreateJobs(((DRIVER, 0), (WORKER, 0), (WORKER, 1))),)),
    ("what is missing", jobset(), children("active", "missing", "active"), (CreateJobs(((WORKER, 0),)),)),
    ("one that is being deleted has its name", steady(jobset(), *DELETING), DELETING, ()),
    ("what runs, runs", steady(jobset(), *ACTIVE), ACTIVE, ()),
    ("that of another controller", jobset(managed_by="example.com/other"), (), ()),
    ("one that is being deleted", jobset(deleting=True), (), ()),
    # Order.
    ("in order: the first", IN_ORDER, (), (CreateJobs(((DRIVER, 0),)),)),
    (
        "in order: the second once the first is ready",
        IN_ORDER,
        children("ready"),
        (CreateJobs(((WORKER, 0), (WORKER, 1))),),
    ),
    (
        "in order: what has completed has started",
        IN_ORDER,
        children("complete"),
        (CreateJobs(((WORKER, 0), (WORKER, 1))),),
    ),
    (
        "in order: suspended, all are created",
        replace(IN_ORDER, suspended=True),
        (),
        (CreateJobs(((DRIVER, 0), (WORKER, 0), (WORKER, 1))),),
    ),
    ("in order: the first is resumed", IN_ORDER, SUSPENDED_JOBS, (ResumeJobs(SUSPENDED_JOBS[:1]),)),
    ("dependsOn: the first", jobset(DRIVER, AFTER_DRIVER), (), (CreateJobs(((DRIVER, 0),)),)),
    (
        "dependsOn: ready is not complete",
        steady(jobset(DRIVER, AFTER_DRIVER), *children("ready")),
        children("ready"),
        (),
    ),
    (
        "dependsOn: complete",
        jobset(DRIVER, AFTER_DRIVER),
        children("complete"),
        (CreateJobs(((AFTER_DRIVER, 0), (AFTER_DRIVER, 1))),),
    ),
    (
        "dependsOn: ready",
        jobset(DRIVER, BESIDE_DRIVER),
        children("ready"),
        (CreateJobs(((BESIDE_DRIVER, 0), (BESIDE_DRIVER, 1))),),
    ),
    (
        "dependsOn: resumed in order again",
        jobset(DRIVER, BESIDE_DRIVER),
        SUSPENDED_JOBS,
        (ResumeJobs(SUSPENDED_JOBS[:1]),),
    ),
    (
        "dependsOn: a suspended JobSet creates none early",
        jobset(DRIVER, AFTER_DRIVER, suspended=True),
        (),
        (CreateJobs(((DRIVER, 0),)),),
    ),
    # Restarts.
    ("all of an earlier attempt are deleted", jobset(status=RESTARTED), OLD, (DeleteJobs(OLD),)),
    ("once", steady(jobset(status=RESTARTED), *DELETING), DELETING, ()),
    (
        "a free name is used at once",
        jobset(status=RESTARTED, failure_policy=ONE_RESTART),
        DELETING[:1],
        (CreateJobs(((WORKER, 0), (WORKER, 1))),),
    ),
    (
        "unless all must be gone before",
        steady(jobset(status=RESTARTED, failure_policy=replace(ONE_RESTART, blocking=True)), *DELETING[:1]),
        DELETING[:1],
        (),
    ),
    (
        "and are created again",
        jobset(status=RESTARTED, failure_policy=replace(ONE_RESTART, blocking=True)),
        (),
        (CreateJobs(((DRIVER, 0), (WORKER, 0), (WORKER, 1))),),
    ),
    # Suspension.
    (
        "all that runs is suspended",
        jobset(suspended=True),
        children("active", "suspended", "complete"),
        (SuspendJobs(children("active")),),
    ),
    ("all are resumed", jobset(), SUSPENDED_JOBS, (ResumeJobs(SUSPENDED_JOBS),)),
    # The end.
    (
        "what runs is deleted at the end",
        jobset(status=COMPLETE),
        children("complete", "active", "suspended"),
        (DeleteJobs(children("missing", "active", "suspended")),),
    ),
    (
        "so is what is left of an earlier attempt",
        jobset(status=replace(BROKEN, restarts=1)),
        children("complete", "failed"),
        (DeleteJobs(children("complete", "failed")),),
    ),
    (
        "what has finished stays",
        steady(jobset(status=BROKEN), *children("complete", "failed")),
        children("complete", "failed"),
        (),
    ),
    (
        "a failure after the end changes nothing",
        steady(jobset(status=COMPLETE), child("driver-0", "failed")),
        children("failed"),
        (),
    ),
]


@pytest.mark.parametrize(
    ("of", "jobs", "actions"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_is_decided(of: JobSet, jobs: tuple[ChildJob, ...], actions: tuple[Action, ...]) -> None:
    assert decided(of, *jobs).actions == actions


def test_nothing_is_decided_before_the_watches_show_the_own_writes() -> None:
    assert decided(jobset(), expectations_met=False) == NOTHING


def test_the_service_comes_before_the_jobs_and_is_created_again() -> None:
    assert decided(jobset(), has_service=False).actions == (CreateService(),)
    assert decided(jobset(), *ACTIVE, has_service=False).actions == (CreateService(),)


def test_without_host_names_there_is_no_service() -> None:
    plain = jobset(network=Network(hostnames=False))
    assert not decided(steady(plain, *ACTIVE), *ACTIVE, has_service=False).actions


def test_what_is_suspended_or_resumed_is_looked_at_again_when_the_watch_shows_it() -> None:
    assert decided(jobset(suspended=True), *ACTIVE).final
    assert decided(jobset(), *SUSPENDED_JOBS).final


def written(of: JobSet, *jobs: ChildJob, now: float = NOW) -> tuple[Status, tuple[RecordEvent, ...]]:
    """The status that is written, and the events of it."""
    (action,) = decided(of, *jobs, now=now).actions
    assert isinstance(action, WriteStatus)
    return action.status, action.events


def true_conditions(status: Status) -> dict[str, str]:
    """The reasons of the conditions that are true."""
    return {it.type: it.reason for it in status.conditions if it.true}


def test_child_jobs_are_counted_by_their_state() -> None:
    jobs = (*children("ready", "active", "suspended"), child("worker-2", deleting=True))
    driver, worker = count(jobset(), jobs)
    assert (driver.ready, driver.active, worker.ready, worker.active, worker.suspended) == (1, 1, 0, 1, 1)
    finished = count(jobset(), children("complete", "failed", "complete"))
    assert [(it.succeeded, it.failed, it.active) for it in finished] == [(1, 0, 0), (1, 1, 0)]
    assert [it.active for it in count(jobset(status=RESTARTED), ACTIVE)] == [0, 0]


@pytest.mark.parametrize(
    ("policy", "states", "completes"),
    [
        (SuccessPolicy(), ("complete", "complete", "active"), False),
        (SuccessPolicy(), ("complete", "complete", "complete"), True),
        (SuccessPolicy("Any"), ("active", "complete", "active"), True),
        (SuccessPolicy("Any", ("driver",)), ("active", "complete", "complete"), False),
        (SuccessPolicy("Any", ("driver",)), ("complete", "active", "active"), True),
        (SuccessPolicy("All", ("worker",)), ("active", "complete", "complete"), True),
        (SuccessPolicy("All", ("worker",)), ("complete", "complete", "active"), False),
    ],
)
def test_when_a_jobset_completes(policy: SuccessPolicy, states: tuple[str, ...], completes: bool) -> None:
    jobs = children(*states)
    status, events = written(jobset(success_policy=policy), *jobs)
    assert (true_conditions(status) == {COMPLETED: "AllJobsCompleted"}) is completes
    assert status.terminal_state == (COMPLETED if completes else "")
    assert [it.reason for it in events] == (["AllJobsCompleted"] if completes else [])


def test_what_an_earlier_attempt_has_completed_does_not_count() -> None:
    jobs = (
        *children("complete", attempt=0, deleting=True),
        *children("missing", "complete", "complete", attempt=1),
    )
    status, _ = written(jobset(status=RESTARTED), *jobs)
    assert not status.end


RULES = (
    FailureRule("FailJobSet", reasons=("PodFailurePolicy",)),
    FailureRule("RestartJobSetAndIgnoreMaxRestarts", targets=("worker",)),
)


@pytest.mark.parametrize(
    ("policy", "states", "reason", "restarts"),
    [
        (None, ("failed",), "FailedJobs", (0, 0)),
        (FailurePolicy(), ("failed",), "ReachedMaxRestarts", (0, 0)),
        (ONE_RESTART, ("failed",), "", (1, 1)),
        (FailurePolicy(1, rules=RULES), ("failed",), "", (1, 1)),
        (FailurePolicy(0, rules=RULES), ("active", "failed"), "", (1, 0)),
        (FailurePolicy(0, rules=RULES), ("failed",), "ReachedMaxRestarts", (0, 0)),
        (
            FailurePolicy(9, rules=RULES),
            ("failed:PodFailurePolicy",),
            "FailJobSetFailurePolicyAction",
            (0, 0),
        ),
        # The rules are asked in their order, not the Jobs in theirs.
        (
            FailurePolicy(9, rules=RULES),
            ("active", "failed::1", "failed:PodFailurePolicy:2"),
            "FailJobSetFailurePolicyAction",
            (0, 0),
        ),
    ],
)
def test_what_follows_from_a_failed_job(
    policy: FailurePolicy | None, states: tuple[str, ...], reason: str, restarts: tuple[int, int]
) -> None:
    status, events = written(jobset(failure_policy=policy), *children(*states))
    assert true_conditions(status).get(FAILED, "") == reason
    assert status.terminal_state == (FAILED if reason else "")
    assert (status.restarts, status.counted_restarts) == restarts
    assert [it.kind for it in events] == ["Warning"]


def test_the_limit_counts_the_restarts_that_count() -> None:
    status, _ = written(
        jobset(failure_policy=ONE_RESTART, status=Status(restarts=5, counted_restarts=0)),
        *children("failed", attempt=5),
    )
    assert (status.restarts, status.counted_restarts) == (6, 1)
    status, _ = written(jobset(failure_policy=ONE_RESTART, status=status), *children("failed", attempt=6))
    assert true_conditions(status) == {FAILED: "ReachedMaxRestarts"}


def test_the_message_names_the_job_that_failed_first() -> None:
    status, _ = written(jobset(), *children("failed::9", "failed::8"))
    assert status.conditions[0].message.endswith("(first failed job: a-worker-0)")


def test_a_failure_comes_before_a_success() -> None:
    status, _ = written(jobset(success_policy=SuccessPolicy("Any")), *children("complete", "failed"))
    assert true_conditions(status) == {FAILED: "FailedJobs"}


def test_the_conditions_of_the_startup_exclude_each_other() -> None:
    begun, events = written(IN_ORDER, *children("active"))
    assert true_conditions(begun) == {STARTUP_IN_PROGRESS: "InOrderStartupPolicyInProgress"}
    assert [it.reason for it in events] == ["InOrderStartupPolicyInProgress"]
    done, events = written(replace(IN_ORDER, status=begun), *READY)
    assert true_conditions(done) == {STARTUP_COMPLETED: "InOrderStartupPolicyCompleted"}
    assert [it.reason for it in events] == ["InOrderStartupPolicyCompleted"]
    again, _ = written(replace(IN_ORDER, status=replace(done, restarts=1)), *children("active", attempt=1))
    assert true_conditions(again) == {STARTUP_IN_PROGRESS: "InOrderStartupPolicyInProgress"}


def test_the_condition_suspended_comes_and_turns() -> None:
    status, events = written(jobset(suspended=True), *SUSPENDED_JOBS)
    assert true_conditions(status) == {SUSPENDED: "SuspendedJobs"}
    assert [it.reason for it in events] == ["SuspendedJobs"]
    running, events = written(jobset(status=status), *ACTIVE, now=NOW + 5)
    assert [(it.type, it.true, it.since) for it in running.conditions] == [(SUSPENDED, False, NOW + 5)]
    assert [it.reason for it in events] == ["ResumeJobs"]


def test_a_jobset_that_never_was_suspended_does_not_say_so() -> None:
    assert written(jobset(), *ACTIVE)[0].conditions == ()


@pytest.mark.parametrize(
    ("ttl_s", "later", "expected"),
    [
        (None, 9, Decision()),
        (10, 4, Decision(requeue_after_s=6.0)),
        (10, 10, Decision((DeleteJobSet(),), final=True)),
        (0, 0, Decision((DeleteJobSet(),), final=True)),
    ],
)
def test_how_long_a_finished_jobset_is_kept(
    ttl_s: int | None, later: float, expected: Decision[Action]
) -> None:
    finished = steady(jobset(status=COMPLETE, ttl_s=ttl_s), *children("complete"))
    assert decided(finished, *children("complete"), now=NOW + later) == expected


def test_a_jobset_that_runs_has_no_time_to_live() -> None:
    assert decided(steady(jobset(ttl_s=0), *ACTIVE), *ACTIVE).requeue_after_s is None
