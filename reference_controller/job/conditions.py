"""The status that follows: counters, gauges, times and conditions."""

from __future__ import annotations

from dataclasses import replace

from reference_controller.job.actions import RecordEvent
from reference_controller.job.counting import Recorded, record, settle
from reference_controller.job.objects import COMPLETE, FAILED, SUSPENDED, Condition, Job, JobStatus
from reference_controller.job.observed import Observed, Tally
from reference_controller.job.outcome import Ending


def next_status(observed: Observed, seen: Tally, end: Ending | None, now: float) -> Recorded:
    """The status to store; equal to the stored one when there is nothing to write (ROB-028)."""
    at = float(int(now))
    job = observed.job
    recorded = record(observed, seen, settle(job.status, seen))
    status = replace(
        recorded.status, active=seen.active_count, ready=seen.ready, terminating=seen.terminating
    )
    if end is None:
        status = suspend_or_resume(job, seen, status, at)
    status = start(job, status, at)
    if end is not None:
        status = announce_or_finish(observed, seen, end, status, at)
    return replace(recorded, status=status)


def start(job: Job, status: JobStatus, at: float) -> JobStatus:
    """BAS-053: startTime is set once, when the Job is first seen unsuspended."""
    if status.start_time is None and not job.suspend:
        return replace(status, start_time=at)
    return status


def suspend_or_resume(job: Job, seen: Tally, status: JobStatus, at: float) -> JobStatus:
    """BAS-028, BAS-033: suspended once no pod is active; then the Job has not started.

    BAS-031, BAS-032: resuming starts it again. BAS-038: a Job being deleted is neither suspended nor resumed.
    """
    if job.deleting or status.has(SUSPENDED) == job.suspend:
        return status
    if not job.suspend:
        resumed = Condition(SUSPENDED, "False", "JobResumed", "Job resumed", at, at)
        return replace(with_condition(status, resumed), start_time=at)
    if seen.active_count > 0:
        return status
    suspended = Condition(SUSPENDED, "True", "JobSuspended", "Job suspended", at, at)
    return replace(with_condition(status, suspended), start_time=None)


def announce_or_finish(
    observed: Observed, seen: Tally, end: Ending, status: JobStatus, at: float
) -> JobStatus:
    """BAS-055, BAS-056: first the interim condition is stored, later the terminal one with the same words."""
    job = observed.job
    if not job.status.has(end.target):
        return with_condition(status, Condition(end.target, "True", end.reason, end.message, at, at))
    if not may_finish(observed, seen, status):
        return status
    status = with_condition(status, Condition(end.terminal, "True", end.reason, end.message, at, at))
    if status.start_time is None and job.completions != 0:
        status = replace(status, start_time=at)
    if end.terminal == COMPLETE:
        status = replace(status, completion_time=max(at, status.start_time or at))
    return status


def may_finish(observed: Observed, seen: Tally, status: JobStatus) -> bool:
    """BAS-057, EXP-006, FIN-020: every pod is known, terminal, counted and free of the finalizer."""
    uncounted = status.uncounted_succeeded or status.uncounted_failed
    unfinished = seen.active_count or seen.terminating or seen.tracked
    return observed.expectations_met and not uncounted and not unfinished


def with_condition(status: JobStatus, condition: Condition) -> JobStatus:
    """The status with this condition in the place of the one of its type, or at the end."""
    if status.condition(condition.type) is None:
        return replace(status, conditions=(*status.conditions, condition))
    return replace(
        status, conditions=tuple(condition if c.type == condition.type else c for c in status.conditions)
    )


def events(job: Job, status: JobStatus) -> tuple[RecordEvent, ...]:
    """BAS-061, FIN-024: the events once the status is stored: each change of condition, once."""
    told: list[RecordEvent] = []
    for condition in status.conditions:
        if job.status.condition(condition.type) == condition:
            continue
        match condition.type, condition.status:
            case "Suspended", "True":
                told.append(RecordEvent("Normal", "Suspended", condition.message))
            case "Suspended", _:
                told.append(RecordEvent("Normal", "Resumed", condition.message))
            case kind, "True" if kind == FAILED:
                told.append(RecordEvent("Warning", condition.reason, condition.message))
            case kind, "True" if kind == COMPLETE:
                if job.completions is not None and status.succeeded > job.completions:
                    told.append(RecordEvent("Warning", "TooManySucceededPods", _TOO_MANY))
                told.append(RecordEvent("Normal", "Completed", "Job completed"))
    return tuple(told)


_TOO_MANY = "Too many succeeded pods running after completion count reached"
