"""Facts about Jobs that are suspended and resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Action
from batchproof.resources import JOBS

if TYPE_CHECKING:
    from datetime import datetime

    from batchproof.judgement.observed import Observed

_INVALID = 422


@fact("{job:job} becomes suspended")
def job_suspended(seen: Observed, *, job: str) -> Finding:
    """Suspended=True with the reason and the message that the API promises."""
    return _condition(seen, job, "True", "JobSuspended", "Job suspended")


@fact("{job:job} becomes resumed")
def job_resumed(seen: Observed, *, job: str) -> Finding:
    """Suspended=False with the reason and the message that the API promises."""
    return _condition(seen, job, "False", "JobResumed", "Job resumed")


def _condition(seen: Observed, job: str, status: str, reason: str, message: str) -> Finding:
    it = seen.job(job)
    told = next((c for c in it.conditions if c["type"] == "Suspended"), None) if it else None
    wanted = {"status": status, "reason": reason, "message": message}
    holds = told is not None and all(told.get(key) == value for key, value in wanted.items())
    return found(
        holds,
        expected=f"Suspended={status}, {reason}: {message}",
        observed=f"Suspended={told['status']}, {told.get('reason')}: {told.get('message')}"
        if told
        else "no condition Suspended",
        decisive=[it.record] if it else [],
    )


@fact("{job:job} has no startTime")
def job_not_started(seen: Observed, *, job: str) -> Finding:
    """status.startTime is unset."""
    it = seen.job(job)
    return found(
        it is not None and it.start_time is None,
        expected="no status.startTime",
        observed=f"startTime {it.start_time}" if it else "no such Job",
        decisive=[it.record] if it else [],
    )


@fact("the startTime of {job:job} is not before it was resumed")
def started_at_resume(seen: Observed, *, job: str) -> Finding:
    """status.startTime is not before the user resumed the Job; it has whole seconds."""
    resumed = resumed_at(seen, job)
    it = seen.job(job)
    start = it.start_time if it else None
    holds = resumed is not None and start is not None and start >= resumed.replace(microsecond=0)
    return found(
        holds,
        expected=f"a startTime not before the resume at {resumed:%H:%M:%S.%f}" if resumed else "a resume",
        observed=f"startTime {start:%H:%M:%S}" if start else "no startTime",
        decisive=[it.record] if it and start else [],
    )


def resumed_at(seen: Observed, job: str) -> datetime | None:
    """The time of day at which the user last began to resume a Job."""
    suspended, at = False, None
    for _, version in seen.versions_of(job):
        if suspended and not version.suspended:
            at = _asked_at(seen, version.record)
        suspended = version.suspended
    return at


def _asked_at(seen: Observed, number: int) -> datetime:
    """The time of day of the harness's action that led to a record: it is never later than the change."""
    actions = [record.number for record in seen.records[:number] if isinstance(record.entry, Action)]
    return seen.clock(max(actions, default=number))


@fact("no status write has been refused as invalid", within="now")
def status_writes_valid(seen: Observed) -> Finding:
    """The API server itself has answered no status write of the implementation with 422."""
    refused = [
        write
        for write in seen.writes_to(JOBS, subresource="status")
        if write.reply and write.reply.status == _INVALID and not write.reply.fault
    ]
    why = [_message(write.reply.body) for write in refused if write.reply]
    return found(
        not refused,
        expected="no status write answered with 422",
        observed=f"{len(refused)} refused: {why[0]}" if refused else "none refused",
        decisive=[write.reply_number for write in refused[:1]],
    )


def _message(body: Any) -> str:
    return str(body.get("message")) if isinstance(body, dict) else str(body)
