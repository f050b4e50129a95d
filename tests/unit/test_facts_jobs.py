"""Facts about jobs: each with a history of which it is true and one of which it is not."""

from __future__ import annotations

from fact_examples import deciding, examples, no, yes
from histories import Story, condition, story, time_of_day

from batchproof.judgement.facts import FactCall
from batchproof.judgement.history import Json
from batchproof.profiles.job.facts.conditions import (
    clean_end,
    completion_time_right,
    completion_time_unset,
    conditions_listed_once,
    end_announced,
    finished_last,
    job_condition,
    job_started,
    job_transitions,
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
SUSPENDED = condition("Suspended", "JobSuspended", "Job suspended")
RESUMED = condition("Suspended", "JobResumed", "Job resumed", status="False")


@examples(
    # as it is now
    job_complete(**A, succeeded=2),
    yes("complete with so many", job().complete("a", succeeded=2)),
    no("complete with fewer", job().complete("a", succeeded=1)),
    no("counted, not complete", job().status("a", succeeded=2)),
    job_failed(**A, reason="BackoffLimitExceeded"),
    yes("failed for the reason", job().status("a", condition("Failed", "BackoffLimitExceeded"))),
    no("failed for another reason", job().status("a", condition("Failed", "DeadlineExceeded"))),
    job_finished(**A),
    yes("failed is finished", job().status("a", "Failed")),
    no("a target is no end", job().status("a", "FailureTarget")),
    job_gone(**A),
    yes("gone", job().gone("jobs", "a")),
    no("being deleted is not gone", job().deleting("jobs", "a")),
    job_reports(**A, counts="2 active, 1 terminating and 0 failed"),
    yes("reports, what is unset is 0", job().status("a", active=2, terminating=1)),
    job_reports(**A, counts="2 active"),
    no("reports another count", job().status("a", active=1)),
    job_reports(**A, counts="0 active"),
    no("a Job that is not there", story()),
    job_reports_at_least(**A, outcome="failed", count=2),
    yes("as many as were counted", job().status("a", failed=2)),
    yes("more than were counted", job().status("a", failed=3)),
    no("fewer than were counted", job().status("a", succeeded=2, failed=1)),
    job_reports_at_least(**A, outcome="failed", count=0),
    no("nothing is counted of a Job that is not there", story().job("b")),
    active_overstated(**A),
    yes("one too many", story().job("a").pod("a-1").status("a", active=2)),
    no("as many", story().job("a").pod("a-1").status("a", active=1)),
    no("fewer", story().job("a").pods("a-1", "a-2").status("a", active=1)),
    yes("those of another Job are no excuse"),
    story().job("a").job("b").pods("b-1", "b-2", of="b").status("a", active=1),
    job_condition(**A, condition="Complete", **WORDS),
    yes("condition", job().status("a", COMPLETE)),
    job_condition(**A, condition="Complete", **{**WORDS, "message": "Other"}),
    no("condition with another message", job().status("a", COMPLETE)),
    job_transitions(**A),
    yes(
        "another status, another time",
        job()
        .status("a", condition("Suspended", status="True", at=1))
        .status("a", condition("Suspended", status="False", at=2)),
    ),
    yes(
        "neither changed",
        job()
        .status("a", condition("Suspended", status="True", at=1))
        .status("a", condition("Suspended", status="True", at=1)),
    ),
    no(
        "another status, the same time",
        job()
        .status("a", condition("Suspended", status="True", at=1))
        .status("a", condition("Suspended", status="False", at=1)),
    ),
    no(
        "the same status, another time",
        job()
        .status("a", condition("Suspended", status="True", at=1))
        .status("a", condition("Suspended", status="True", at=2)),
    ),
    # times
    job_started(**A),
    yes("started", job().status("a", **started(1))),
    no("not started yet", job()),
    job_not_started(**A),
    yes("no startTime", job()),
    no("a startTime after all", job().status("a", **started(1))),
    start_time_kept(**A),
    yes("startTime kept", job().status("a", **started(1)).status("a", active=1, **started(1))),
    no("startTime changed", job().status("a", **started(1)).status("a", **started(2))),
    no("startTime lost", job().status("a", **started(1)).status("a")),
    no("startTime never set", job()),
    completion_time_right(**A),
    yes("completionTime with Complete"),
    job().status("a", "Complete", **completed(4)).status("a", "Complete", **completed(4)),
    no("Complete without its time", job().status("a", "Complete")),
    no("its time before Complete", job().status("a", **completed(4))),
    no("completionTime changed"),
    job().status("a", "Complete", **completed(4)).status("a", "Complete", **completed(5)),
    no("completionTime before startTime", job().status("a", "Complete", **{**completed(4), **started(9)})),
    completion_time_unset(**A),
    yes("no completionTime of a failed Job", job().status("a", "Failed")),
    no("a completionTime for a moment", job().status("a", **completed(4)).status("a")),
    # ends
    end_announced(**A, target="SuccessCriteriaMet", terminal="Complete", reason="CompletionsReached"),
    yes("announced before the end", job().status("a", MET).status("a", MET, COMPLETE)),
    yes("announced with the end", job().status("a", MET, COMPLETE)),
    no("taken back for the end", job().status("a", MET).status("a", COMPLETE)),
    no("announced with another reason"),
    job().status("a", condition("SuccessCriteriaMet", "Other")).status("a", COMPLETE),
    no("announced, not ended", job().status("a", MET)),
    one_ending(**A),
    yes("one end", job().status("a", "Failed").status("a", "Failed")),
    no("no end", job()),
    no("another end later", job().status("a", "Failed").status("a", "Complete")),
    no("two ends at once", job().status("a", "Failed", "Complete")),
    no("an end taken back", job().status("a", "Failed").status("a")),
    conditions_listed_once(**A),
    yes("each condition once", job().status("a", "FailureTarget", "Failed")),
    no("a condition listed twice for a moment"),
    job().status("a", "FailureTarget", "FailureTarget").status("a", "FailureTarget"),
    clean_end(**A),
    yes("a clean end", job().complete("a", succeeded=2)),
    no("an end with a pod terminating", job().status("a", "Failed", terminating=1)),
    no("an end with a pod that waits to be counted", job().status("a", "Failed", recorded=("a-1",))),
    no("an end with an active pod", job().status("a", "Failed", active=1)),
    no("no end yet", job()),
    finished_last(**A),
    yes("finished after its pods", job().pod("a-1").succeeds("a-1").complete("a", succeeded=1)),
    yes("finished after its pods were gone, with pods of others"),
    job().pod("a-1").pod("b-1", of="b").gone("pods", "a-1").complete("a", succeeded=0),
    no("finished while a pod terminates"),
    job().pod("a-1").deleting("pods", "a-1").complete("a", succeeded=0),
    yes("finished after its pods, seen the other way round"),
    job().pod("a-1").succeeds("a-1").complete("a", succeeded=1).swapped(),
    # suspension
    job_suspended(**A),
    yes("suspended", job().status("a", SUSPENDED)),
    no("suspended without words", job().status("a", "Suspended")),
    no("not suspended any more", job().status("a", RESUMED)),
    job_resumed(**A),
    yes("resumed", job().status("a", RESUMED)),
    no("never suspended", job()),
    status_writes_valid(),
    no("a status that the API server refuses"),
    story().asks("update", "jobs", "a", subresource="status").answered(422),
    yes("a status that a fault refuses"),
    story().asks("update", "jobs", "a", subresource="status").answered(422, fault="a fault"),
    yes("a JSON patch that cannot be applied"),
    story()
    .asks("patch", "jobs", "a", subresource="status", body=[{"op": "test", "path": "/status"}])
    .answered(422, body={"reason": "Invalid", "details": {}}),
    yes("another write", story().asks("update", "jobs", "a").answered(422)),
)
def test_a_fact_about_a_job(it: FactCall, history: Story, *, holds: bool) -> None:
    finding = it.of(history.seen)

    assert finding.holds == holds, finding


# -- what decides


@deciding(
    (
        start_time_kept(**A),
        job().status("a", **started(1)).status("a", **started(2)).complete("a", succeeded=0),
        2,
    ),
    (one_ending(**A), job().status("a", "Failed").status("a").status("a", "Failed"), 2),
    (clean_end(**A), job().status("a", "Failed", active=1).status("a", "Failed"), 1),
    (completion_time_unset(**A), job().status("a", **completed(1)).status("a"), 1),
    (finished_last(**A), job().pod("a-1").status("a", "Failed").gone("pods", "a-1"), 2),
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
    started_at_resume(**A),
    no("before the resume", resumed(9)),
    yes("within its second: times are whole", resumed(10)),
    yes("after the resume", resumed(12, at_s=12.5)),
    no("in the future", resumed(12)),
    no("set too early", resumed(12).at(13).status("a", **started(12))),
)
def test_a_resumed_job_starts_anew(it: FactCall, history: Story, *, holds: bool) -> None:
    assert it.of(history.seen).holds == holds


def test_a_job_that_was_never_resumed_has_no_resume_to_start_at() -> None:
    history = story().act("creates Job a").job("a").status("a", **started(1))

    assert not started_at_resume(**A).of(history.seen).holds
