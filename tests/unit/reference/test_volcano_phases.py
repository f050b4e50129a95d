"""The phases of a Volcano Job, transition by transition, as the document of the API has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_controller.volcano.objects import Job, Status, Task
from reference_controller.volcano.phases import BY_ACTION, BY_PODS, FINAL, LIVE, after_action, after_pods

ACTIONS = ["RestartJob", "RestartTask", "AbortJob", "ResumeJob", "TerminateJob", "CompleteJob", "SyncJob"]
PHASES = [
    "Pending",
    "Running",
    "Restarting",
    "Completing",
    "Completed",
    "Aborting",
    "Aborted",
    "Terminating",
    "Terminated",
    "Failed",
]
LEFT = {
    "RestartJob": "Restarting",
    "AbortJob": "Aborting",
    "TerminateJob": "Terminating",
    "CompleteJob": "Completing",
}
TABLE = {
    "Pending": LEFT,
    "Running": LEFT,
    "Aborting": {"ResumeJob": "Restarting"},
    "Aborted": {"ResumeJob": "Restarting"},
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_leads_to_a_phase(phase: str, action: str) -> None:
    assert after_action(phase, action) == TABLE.get(phase, {}).get(action)


def test_every_phase_has_its_place() -> None:
    assert {*BY_ACTION, *BY_PODS, *FINAL, *LIVE} == {*PHASES}
    assert not FINAL & {*BY_ACTION, *BY_PODS}


def job(phase: str, *, success: int | None = None, retries: int = 0, minimum: int = 2) -> Job:
    """Three pods of which two are needed, and one of each task has to succeed."""
    tasks = (Task("ps", 1, {}, minimum=1), Task("worker", 2, {}, minimum=1))
    status = Status(phase=phase, retry_count=retries)
    return Job("n", "a", "u", 1, minimum, "q", "s", 3, tasks, min_success=success, status=status)


def counts(*phases: str, terminating: int = 0) -> Status:
    """The pods of the Job, that of ps first."""
    of_task = ["ps", "worker", "worker"]
    return Status(
        pending=phases.count("Pending"),
        running=phases.count("Running"),
        succeeded=phases.count("Succeeded"),
        failed=phases.count("Failed"),
        terminating=terminating,
        tasks=tuple((task, phase, 1) for task, phase in zip(of_task, phases, strict=False)),
    )


P, R, S, F = "Pending", "Running", "Succeeded", "Failed"


@pytest.mark.parametrize(
    ("it", "status", "after"),
    [
        pytest.param(job("Pending"), counts(R, P, P), "Pending", id="VOL-014: below the minimum"),
        pytest.param(job("Pending"), counts(R, R, P), "Running", id="VOL-014: the minimum runs"),
        pytest.param(job("Pending"), counts(S, F, P), "Running", id="VOL-014: what has ended counts"),
        pytest.param(job("Running"), counts(R, R, P), "Running", id="VOL-015: one may wait"),
        pytest.param(job("Running"), counts(R, P, P), "Pending", id="VOL-015: two may not"),
        pytest.param(job("Running"), counts(S, S, R), "Running", id="VOL-016: one still runs"),
        pytest.param(job("Running"), counts(S, S, F), "Completed", id="VOL-016: enough"),
        pytest.param(job("Running"), counts(S, F, F), "Failed", id="VOL-016: too few"),
        pytest.param(job("Running"), counts(F, S, S), "Failed", id="VOL-016: too few of a task"),
        pytest.param(
            job("Running", minimum=1), counts(F, S, S), "Completed", id="VOL-016: tasks do not count"
        ),
        pytest.param(job("Running", success=2), counts(S, S, R), "Completed", id="VOL-017: enough"),
        pytest.param(job("Running", success=2), counts(S, R, R), "Running", id="VOL-017: not yet"),
        pytest.param(job("Running", success=3), counts(S, S, F), "Failed", id="VOL-017: too few"),
        pytest.param(job("Restarting"), counts(), "Pending", id="VOL-019: all are gone"),
        pytest.param(job("Restarting"), counts(R), "Restarting", id="VOL-019: one is left"),
        pytest.param(job("Restarting", retries=3), counts(F), "Failed", id="VOL-019: tried too often"),
        pytest.param(job("Restarting", retries=3), counts(R), "Restarting", id="VOL-019: and one is left"),
        pytest.param(job("Aborting"), counts(S, F), "Aborted", id="VOL-021: none is left"),
        pytest.param(job("Aborting"), counts(terminating=1), "Aborting", id="VOL-021: one terminates"),
        pytest.param(job("Aborting"), counts(P), "Aborting", id="VOL-021: one waits"),
        pytest.param(job("Terminating"), counts(S), "Terminated", id="VOL-023: none is left"),
        pytest.param(job("Terminating"), counts(terminating=1), "Terminating", id="VOL-023: one terminates"),
        pytest.param(job("Completing"), counts(S), "Completed", id="VOL-023: Completed at last"),
        pytest.param(job("Aborted"), counts(S), "Aborted", id="Aborted for ever"),
        *(pytest.param(job(it), counts(R, R, R), it, id=f"VOL-024: {it} for ever") for it in sorted(FINAL)),
    ],
)
def test_pods_lead_to_a_phase(it: Job, status: Status, after: str) -> None:
    counted = replace(status, retry_count=it.status.retry_count)
    assert after_pods(it, counted) == after


def test_a_job_without_pods_stays_as_it_is() -> None:
    """VOL-018."""
    it = Job("n", "a", "u", 1, 0, "q", "s", 3, (Task("work", 0, {}),), status=Status(phase="Running"))
    assert after_pods(it, Status()) == "Running"
