"""Facts about Jobs that are suspended and resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.judgement.facts import Finding, fact, found
from batchproof.resources import JOBS

if TYPE_CHECKING:
    from datetime import datetime

    from batchproof.judgement.log import Log
    from batchproof.judgement.observed import Observed, Write
    from batchproof.judgement.things.batch import Job
    from batchproof.judgement.things.tfjob import TFJob

_INVALID = 422


@fact("{job:job} becomes suspended")
def job_suspended(seen: Observed, *, job: str) -> Finding:
    """Suspended=True with the reason that the API promises."""
    return _condition(seen, job, "True", "JobSuspended")


@fact("{job:job} becomes resumed")
def job_resumed(seen: Observed, *, job: str) -> Finding:
    """Suspended=False with the reason that the API promises."""
    return _condition(seen, job, "False", "JobResumed")


def _condition(seen: Observed, job: str, status: str, reason: str) -> Finding:
    it = seen.job(job)
    shown = next((c for c in it.conditions if c["type"] == "Suspended"), None) if it else None
    wanted = {"status": status, "reason": reason}
    holds = shown is not None and all(shown.get(key) == value for key, value in wanted.items())
    return found(
        holds,
        expected=f"Suspended={status}, {reason}",
        observed=f"Suspended={shown['status']}, {shown.get('reason')}: {shown.get('message')}"
        if shown
        else "no condition Suspended",
        decisive=[it.record] if it else [],
    )


@fact("{job:job} has no startTime")
def job_not_started(seen: Observed, *, job: str) -> Finding:
    """status.startTime is unset."""
    it = seen.job(job)
    return found(
        it is not None and it.start_time is None,
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
    return resumed_since(seen, seen.versions_of(job))


def resumed_since(seen: Observed, versions: Log[Any]) -> datetime | None:
    """The time of day at which the user last began to resume what has these versions."""
    record = versions.fold(_Resumes).last
    return None if record is None else _asked_at(seen, record)


class _Resumes:
    """The record of the version in which a Job, of whichever API, was resumed last."""

    def __init__(self) -> None:
        self.last: int | None = None
        self._suspended = False

    def take(self, _: str, it: Job | TFJob) -> None:
        if self._suspended and not it.suspended:
            self.last = it.record
        self._suspended = it.suspended


def _asked_at(seen: Observed, number: int) -> datetime:
    """The time of day of the harness's action that led to a record: it is never later than the change."""
    action = seen.action_before(number)
    return seen.clock(action[0] if action else number)


@fact("no status write has been refused as invalid", in_place=False, within="now")
def status_writes_valid(seen: Observed) -> Finding:
    """The API server itself has answered no status write of the implementation with 422."""
    refused = seen.calls_to(JOBS).fold(_Refused)
    return found(
        not refused.count,
        observed=f"{refused.count} refused: {refused.why}" if refused.count else "none refused",
        decisive=[refused.record] if refused.count else [],
    )


class _Refused:
    """How many status writes the API server refused as invalid, and why and where it did so first."""

    def __init__(self) -> None:
        self.count = 0
        self.why = ""
        self.record = -1

    def take(self, kind: str, write: Write) -> None:
        reply = write.reply
        of_status = (write.request.resource, write.request.subresource) == (JOBS, "status")
        if kind == "answered" and of_status and reply and reply.status == _INVALID and not reply.fault:
            if not self.count:
                self.why, self.record = _message(reply.body), write.reply_number
            self.count += 1


def _message(body: Any) -> str:
    return str(body.get("message")) if isinstance(body, dict) else str(body)
