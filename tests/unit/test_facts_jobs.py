"""Facts about jobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fact_examples import deciding, examples
from histories import Story, condition, story, time_of_day

from batchproof.profiles.job.facts.conditions import (
    clean_end,
    completion_time_right,
    completion_time_unset,
    conditions_listed_once,
    end_announced,
    finished_last,
    job_condition,
    job_started,
    one_ending,
    start_time_kept,
)
from batchproof.profiles.job.facts.jobs import (
    active_overstated,
    job_complete,
    job_failed,
    job_finished,
    job_gone,
    job_reports,
    job_reports_at_least,
)
from batchproof.profiles.shared.facts.suspension import (
    job_not_started,
    job_resumed,
    job_suspended,
    started_at_resume,
    status_writes_valid,
)

if TYPE_CHECKING:
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json

A = {"job": "a"}


def job() -> Story:
    return story().job("a", completions=2)


def started(at: int) -> Json:
    return {"startTime": time_of_day(at)}


def completed(at: int) -> Json:
    return {"startTime": time_of_day(0), "completionTime": time_of_day(at)}


WORDS: Json = {"reason": "CompletionsReached", "message": "Reached"}
MET = condition("SuccessCriteriaMet", **WORDS)
COMPLETE = condition("Complete", **WORDS)
ANNOUNCED = end_announced(**A, target="SuccessCriteriaMet", terminal="Complete", reason="CompletionsReached")
SUSPENDED = condition("Suspended", "JobSuspended", "Job suspended")
RESUMED = condition("Suspended", "JobResumed", "Job resumed", status="False")


@examples(
    [
        # as it is now
        pytest.param(
            job_complete(**A, succeeded=2), job().complete("a", succeeded=2), True, id="complete with so many"
        ),
        pytest.param(
            job_complete(**A, succeeded=2), job().complete("a", succeeded=1), False, id="complete with fewer"
        ),
        pytest.param(
            job_complete(**A, succeeded=2), job().status("a", succeeded=2), False, id="counted, not complete"
        ),
        pytest.param(
            job_failed(**A, reason="BackoffLimitExceeded"),
            *(job().status("a", condition("Failed", "BackoffLimitExceeded")), True),
            id="failed for the reason",
        ),
        pytest.param(
            job_failed(**A, reason="BackoffLimitExceeded"),
            *(job().status("a", condition("Failed", "DeadlineExceeded")), False),
            id="failed for another reason",
        ),
        pytest.param(job_finished(**A), job().status("a", "Failed"), True, id="failed is finished"),
        pytest.param(job_finished(**A), job().status("a", "FailureTarget"), False, id="a target is no end"),
        pytest.param(job_gone(**A), job().gone("jobs", "a"), True, id="gone"),
        pytest.param(job_gone(**A), job().deleting("jobs", "a"), False, id="being deleted is not gone"),
        pytest.param(
            job_reports(**A, counts="2 active, 1 terminating and 0 failed"),
            *(job().status("a", active=2, terminating=1), True),
            id="reports, what is unset is 0",
        ),
        pytest.param(
            job_reports(**A, counts="2 active"),
            job().status("a", active=1),
            False,
            id="reports another count",
        ),
        pytest.param(job_reports(**A, counts="0 active"), story(), False, id="a Job that is not there"),
        pytest.param(
            job_reports_at_least(**A, outcome="failed", count=2),
            *(job().status("a", failed=2), True),
            id="as many as were counted",
        ),
        pytest.param(
            job_reports_at_least(**A, outcome="failed", count=2),
            *(job().status("a", failed=3), True),
            id="more than were counted",
        ),
        pytest.param(
            job_reports_at_least(**A, outcome="failed", count=2),
            *(job().status("a", succeeded=2, failed=1), False),
            id="fewer than were counted",
        ),
        pytest.param(
            job_reports_at_least(**A, outcome="failed", count=0),
            *(story().job("b"), False),
            id="nothing is counted of a Job that is not there",
        ),
        pytest.param(
            active_overstated(**A), story().job("a").pod("a-1").status("a", active=2), True, id="one too many"
        ),
        pytest.param(
            active_overstated(**A), story().job("a").pod("a-1").status("a", active=1), False, id="as many"
        ),
        pytest.param(
            active_overstated(**A),
            story().job("a").pods("a-1", "a-2").status("a", active=1),
            False,
            id="fewer",
        ),
        pytest.param(
            active_overstated(**A),
            *(story().job("a").job("b").pods("b-1", "b-2", of="b").status("a", active=1), True),
            id="those of another Job are no excuse",
        ),
        pytest.param(
            job_condition(**A, condition="Complete", **WORDS),
            job().status("a", COMPLETE),
            True,
            id="condition",
        ),
        pytest.param(
            job_condition(**A, condition="Complete", **{**WORDS, "message": "Other"}),
            *(job().status("a", COMPLETE), False),
            id="condition with another message",
        ),
        # times
        pytest.param(job_started(**A), job().status("a", **started(1)), True, id="started"),
        pytest.param(job_started(**A), job(), False, id="not started yet"),
        pytest.param(job_not_started(**A), job(), True, id="no startTime"),
        pytest.param(
            job_not_started(**A), job().status("a", **started(1)), False, id="a startTime after all"
        ),
        pytest.param(
            start_time_kept(**A),
            *(job().status("a", **started(1)).status("a", active=1, **started(1)), True),
            id="startTime kept",
        ),
        pytest.param(
            start_time_kept(**A),
            *(job().status("a", **started(1)).status("a", **started(2)), False),
            id="startTime changed",
        ),
        pytest.param(
            start_time_kept(**A), job().status("a", **started(1)).status("a"), False, id="startTime lost"
        ),
        pytest.param(start_time_kept(**A), job(), False, id="startTime never set"),
        pytest.param(
            completion_time_right(**A),
            *(job().status("a", "Complete", **completed(4)).status("a", "Complete", **completed(4)), True),
            id="completionTime with Complete",
        ),
        pytest.param(
            completion_time_right(**A), job().status("a", "Complete"), False, id="Complete without its time"
        ),
        pytest.param(
            completion_time_right(**A),
            job().status("a", **completed(4)),
            False,
            id="its time before Complete",
        ),
        pytest.param(
            completion_time_right(**A),
            *(job().status("a", "Complete", **completed(4)).status("a", "Complete", **completed(5)), False),
            id="completionTime changed",
        ),
        pytest.param(
            completion_time_right(**A),
            *(job().status("a", "Complete", **{**completed(4), **started(9)}), False),
            id="completionTime before startTime",
        ),
        pytest.param(
            completion_time_unset(**A),
            job().status("a", "Failed"),
            True,
            id="no completionTime of a failed Job",
        ),
        pytest.param(
            completion_time_unset(**A),
            *(job().status("a", **completed(4)).status("a"), False),
            id="a completionTime for a moment",
        ),
        # ends
        pytest.param(
            ANNOUNCED, job().status("a", MET).status("a", MET, COMPLETE), True, id="announced before the end"
        ),
        pytest.param(ANNOUNCED, job().status("a", MET, COMPLETE), True, id="announced with the end"),
        pytest.param(
            ANNOUNCED, job().status("a", MET).status("a", COMPLETE), False, id="taken back for the end"
        ),
        pytest.param(
            ANNOUNCED,
            *(job().status("a", condition("SuccessCriteriaMet", "Other")).status("a", COMPLETE), False),
            id="announced with another reason",
        ),
        pytest.param(ANNOUNCED, job().status("a", MET), False, id="announced, not ended"),
        pytest.param(one_ending(**A), job().status("a", "Failed").status("a", "Failed"), True, id="one end"),
        pytest.param(one_ending(**A), job(), False, id="no end"),
        pytest.param(
            one_ending(**A),
            job().status("a", "Failed").status("a", "Complete"),
            False,
            id="another end later",
        ),
        pytest.param(one_ending(**A), job().status("a", "Failed", "Complete"), False, id="two ends at once"),
        pytest.param(one_ending(**A), job().status("a", "Failed").status("a"), False, id="an end taken back"),
        pytest.param(
            conditions_listed_once(**A),
            job().status("a", "FailureTarget", "Failed"),
            True,
            id="each condition once",
        ),
        pytest.param(
            conditions_listed_once(**A),
            job().status("a", "FailureTarget", "FailureTarget").status("a", "FailureTarget"),
            False,
            id="a condition listed twice for a moment",
        ),
        pytest.param(clean_end(**A), job().complete("a", succeeded=2), True, id="a clean end"),
        pytest.param(
            clean_end(**A),
            job().status("a", "Failed", terminating=1),
            False,
            id="an end with a pod terminating",
        ),
        pytest.param(
            clean_end(**A),
            job().status("a", "Failed", recorded=("a-1",)),
            False,
            id="an end with a pod that waits to be counted",
        ),
        pytest.param(
            clean_end(**A), job().status("a", "Failed", active=1), False, id="an end with an active pod"
        ),
        pytest.param(clean_end(**A), job(), False, id="no end yet"),
        pytest.param(
            finished_last(**A),
            *(job().pod("a-1").succeeds("a-1").complete("a", succeeded=1), True),
            id="finished after its pods",
        ),
        pytest.param(
            finished_last(**A),
            *(job().pod("a-1").pod("b-1", of="b").gone("pods", "a-1").complete("a", succeeded=0), True),
            id="finished after its pods were gone, with pods of others",
        ),
        pytest.param(
            finished_last(**A),
            *(job().pod("a-1").deleting("pods", "a-1").complete("a", succeeded=0), False),
            id="finished while a pod terminates",
        ),
        pytest.param(
            finished_last(**A),
            *(job().pod("a-1").succeeds("a-1").complete("a", succeeded=1).swapped(), True),
            id="finished after its pods, seen the other way round",
        ),
        # suspension
        pytest.param(job_suspended(**A), job().status("a", SUSPENDED), True, id="suspended"),
        pytest.param(job_suspended(**A), job().status("a", "Suspended"), False, id="suspended without words"),
        pytest.param(job_suspended(**A), job().status("a", RESUMED), False, id="not suspended any more"),
        pytest.param(job_resumed(**A), job().status("a", RESUMED), True, id="resumed"),
        pytest.param(job_resumed(**A), job(), False, id="never suspended"),
        pytest.param(
            status_writes_valid(),
            *(story().asks("update", "jobs", "a", subresource="status").answered(422), False),
            id="a status that the API server refuses",
        ),
        pytest.param(
            status_writes_valid(),
            *(story().asks("update", "jobs", "a", subresource="status").answered(422, fault="a fault"), True),
            id="a status that a fault refuses",
        ),
        pytest.param(
            status_writes_valid(),
            story()
            .asks("patch", "jobs", "a", subresource="status", body=[{"op": "test", "path": "/status"}])
            .answered(422, body={"reason": "Invalid", "details": {}}),
            *(True,),
            id="a JSON patch that cannot be applied",
        ),
        pytest.param(
            status_writes_valid(), story().asks("update", "jobs", "a").answered(422), True, id="another write"
        ),
    ],
)
def test_a_fact_about_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


# -- what decides


@deciding(
    [
        pytest.param(
            start_time_kept(**A),
            job().status("a", **started(1)).status("a", **started(2)).complete("a", succeeded=0),
            2,
        ),
        pytest.param(one_ending(**A), job().status("a", "Failed").status("a").status("a", "Failed"), 2),
        pytest.param(clean_end(**A), job().status("a", "Failed", active=1).status("a", "Failed"), 1),
        pytest.param(completion_time_unset(**A), job().status("a", **completed(1)).status("a"), 1),
        pytest.param(finished_last(**A), job().pod("a-1").status("a", "Failed").gone("pods", "a-1"), 2),
    ]
)
def test_the_first_record_that_breaks_a_rule_decides(it: FactCall, history: Story, decisive: int) -> None:
    assert it.of(history.seen).decisive == (decisive,)


# -- the start of a Job that was suspended


def resumed(start: int, *, at_s: float = 10.8) -> Story:
    """A Job that is created suspended and resumed at 10.6 s; later its startTime is written."""
    history = story().act("creates Job a").job("a", suspend=True)
    history = history.at(10.6).act("resumes Job a").spec("a", suspend=False)
    return history.at(at_s).status("a", **started(start))


@examples(
    [
        pytest.param(started_at_resume(**A), resumed(9), False, id="before the resume"),
        pytest.param(started_at_resume(**A), resumed(10), True, id="within its second: times are whole"),
        pytest.param(started_at_resume(**A), resumed(12, at_s=12.5), True, id="after the resume"),
        pytest.param(started_at_resume(**A), resumed(12), False, id="in the future"),
        pytest.param(
            started_at_resume(**A),
            resumed(12).at(13).status("a", **started(12)),
            False,
            id="set too early",
        ),
    ]
)
def test_a_resumed_job_starts_anew(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def test_a_job_that_was_never_resumed_has_no_resume_to_start_at() -> None:
    history = story().act("creates Job a").job("a").status("a", **started(1))

    assert not started_at_resume(**A).of(history.seen).holds
