"""Volcano's controllers: tables of what is observed and what is decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reference_controller.decision import NOTHING
from reference_controller.objects.identity import Controller
from reference_controller.volcano.actions import (
    Action,
    CreateGroup,
    CreatePods,
    DeleteGroup,
    DeletePods,
    WriteQueueStatus,
    WriteStatus,
)
from reference_controller.volcano.groups import group_spec
from reference_controller.volcano.objects import (
    Group,
    Job,
    JobPod,
    Policy,
    Queue,
    QueueStatus,
    Status,
    Task,
)
from reference_controller.volcano.queues import ObservedQueue, reconcile_queue, state
from reference_controller.volcano.reconcile import Observed, reconcile

OWNER = Controller("batch.volcano.sh/v1alpha1", "Job", "a", "uid-a")
TASK = Task("work", 3, {"spec": {}}, minimum=2)


def job(phase: str = "", **status: Any) -> Job:
    """A Job of three pods that needs two of them."""
    return Job(
        "n", "a", "uid-a", 1, 2, "q", "s", 3, (TASK,), status=Status(phase=phase, **status), raw={"spec": {}}
    )


def group(phase: str = "Inqueue") -> Group:
    """The PodGroup of the Job."""
    return Group("n", "a-uid-a", "uid-g", 1, phase, OWNER, group_spec(job(), {}))


def pods(*phases: str, deleting: bool = False, version: int = 0) -> tuple[JobPod, ...]:
    """Pods of the Job in these phases."""
    return tuple(
        JobPod(
            "n",
            f"a-work-{i}",
            f"uid-{i}",
            1,
            phase=phase,
            deleting=deleting,
            task="work",
            index=i,
            job_version=version,
        )
        for i, phase in enumerate(phases)
    )


def told(**phases: int) -> dict[str, Any]:
    """The counts of a status whose pods are all of the one task."""
    counts = {phase.lower(): count for phase, count in phases.items()}
    return {**counts, "tasks": tuple(sorted(("work", phase, count) for phase, count in phases.items()))}


def seen(it: Job, *, of: tuple[JobPod, ...] = (), by: Group | None = None, command: str = "") -> Observed:
    """What is observed of a Job."""
    return Observed(it, of, by, command or None, expectations_met=True)


RUNNING = job("Running", **told(Running=3))
DONE = [("work", 0), ("work", 1)]
CASES: list[tuple[str, Observed, tuple[Action, ...]]] = [
    ("VOL-001: a new Job is Pending", seen(job()), (WriteStatus(Status("Pending")),)),
    ("VOL-002: then it gets a PodGroup", seen(job("Pending")), (CreateGroup(),)),
    ("VOL-004: no pods before it is let in", seen(job("Pending"), by=group("Pending")), ()),
    (
        "VOL-004: all pods once it is",
        seen(job("Pending"), by=group()),
        (CreatePods(((TASK, 0), (TASK, 1), (TASK, 2))),),
    ),
    (
        "VOL-012: only what is missing",
        seen(job("Pending"), of=pods("Pending", "Running"), by=group()),
        (CreatePods(((TASK, 2),)),),
    ),
    (
        "VOL-014: Running with the minimum",
        seen(job("Pending"), of=pods("Running", "Running", "Pending"), by=group()),
        (WriteStatus(Status("Running", **told(Running=2, Pending=1))),),
    ),
    (
        "VOL-016: Completed with enough successes",
        seen(RUNNING, of=pods("Succeeded", "Succeeded", "Failed"), by=group()),
        (WriteStatus(Status("Completed", **told(Succeeded=2, Failed=1), done=frozenset(DONE))),),
    ),
    (
        "VOL-016: Failed with too few",
        seen(RUNNING, of=pods("Succeeded", "Failed", "Failed"), by=group()),
        (WriteStatus(Status("Failed", **told(Succeeded=1, Failed=2), done=frozenset(DONE[:1]))),),
    ),
    (
        "VOL-021: a Command aborts, in a new version",
        seen(RUNNING, of=pods("Running", "Running", "Running"), by=group(), command="AbortJob"),
        (WriteStatus(Status("Aborting", version=1, **told(Running=3)), "AbortJob"),),
    ),
    (
        "VOL-021: what has not ended is deleted",
        seen(job("Aborting", version=1), of=pods("Failed", "Running"), by=group()),
        (DeletePods(pods("Failed", "Running")[1:]),),
    ),
    (
        "VOL-021: then the PodGroup",
        seen(job("Aborting"), of=pods("Failed"), by=group()),
        (DeleteGroup(group()),),
    ),
    (
        "VOL-021: Aborting while one terminates",
        seen(job("Aborting", terminating=1), of=pods("Running", deleting=True)),
        (),
    ),
    (
        "VOL-021: Aborted when none is left",
        seen(job("Aborting"), of=pods("Failed")),
        (WriteStatus(Status("Aborted", **told(Failed=1))),),
    ),
    (
        "VOL-019: a restart deletes what has ended too",
        seen(job("Restarting", retry_count=1), of=pods("Failed"), by=group()),
        (DeletePods(pods("Failed")),),
    ),
    (
        "VOL-019: and begins anew",
        seen(job("Restarting", retry_count=1)),
        (WriteStatus(Status("Pending", retry_count=1)),),
    ),
    (
        "VOL-019: but not for ever",
        seen(job("Restarting", retry_count=3)),
        (WriteStatus(Status("Failed", retry_count=3)),),
    ),
    (
        "VOL-022: a resume is no retry",
        seen(job("Aborted", version=1, retry_count=2), of=pods("Failed"), command="ResumeJob"),
        (WriteStatus(Status("Restarting", version=2, retry_count=2, **told(Failed=1)), "ResumeJob"),),
    ),
    ("VOL-024: what has ended stays so", seen(job("Completed"), command="RestartJob"), ()),
    ("VOL-027: a Job that is being deleted is left alone", seen(replace(job(), deleting=True)), ()),
]


@pytest.mark.parametrize(("observed", "actions"), [pytest.param(*c[1:], id=c[0]) for c in CASES])
def test_a_job(observed: Observed, actions: tuple[Action, ...]) -> None:
    assert reconcile(observed, 0).actions == actions


def test_nothing_is_decided_before_the_watch_shows_the_own_writes() -> None:
    assert reconcile(replace(seen(job("Pending"), by=group()), expectations_met=False), 0) == NOTHING


@pytest.mark.parametrize(
    ("events", "phases", "phase"),
    [
        ({"PodFailed"}, ("Failed", "Running", "Running"), "Aborting"),
        ({"*"}, ("Failed", "Running", "Running"), "Aborting"),
        ({"TaskCompleted"}, ("Succeeded", "Succeeded", "Succeeded"), "Aborting"),
        ({"TaskCompleted"}, ("Succeeded", "Running", "Running"), "Running"),
        ({"PodEvicted"}, ("Failed", "Running", "Running"), "Running"),
    ],
)
def test_a_policy_acts_at_its_event(events: set[str], phases: tuple[str, ...], phase: str) -> None:
    policy = Policy(frozenset(events), "AbortJob")
    (action,) = reconcile(seen(replace(RUNNING, policies=(policy,)), of=pods(*phases), by=group()), 0).actions
    assert isinstance(action, WriteStatus)
    assert action.status.phase == phase


@pytest.mark.parametrize(
    ("now", "groups", "command", "after"),
    [
        ("", 0, None, "Open"),
        ("Open", 1, None, "Open"),
        ("Open", 1, "CloseQueue", "Closing"),
        ("Open", 0, "CloseQueue", "Closed"),
        ("Closing", 1, None, "Closing"),
        ("Closing", 0, None, "Closed"),
        ("Closed", 0, "OpenQueue", "Open"),
    ],
)
def test_a_queue_is_closed_and_opened(now: str, groups: int, command: str | None, after: str) -> None:
    assert state(now, (group(),) * groups, command) == after


def test_a_queue_counts_its_podgroups() -> None:
    queue = Queue("", "q", "uid-q", 1)
    groups = (group(), group("Pending"), group(""))
    (action,) = reconcile_queue(ObservedQueue(queue, groups, None)).actions
    assert action == WriteQueueStatus(QueueStatus("Open", (("pending", 2), ("inqueue", 1))))
