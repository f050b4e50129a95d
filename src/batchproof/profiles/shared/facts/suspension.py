"""Facts about Jobs that are suspended and resumed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

from batchproof.ground.resources import JOBS
from batchproof.judgement.facts import Finding, because, fact, found
from batchproof.judgement.log import Log
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import in_words, said, stated
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from datetime import datetime

_CLOCKS_S = 1.0
"""How far the clocks of the implementation and of the harness may be apart; the API has whole seconds."""


@fact("{job:job} becomes suspended", judged_by=("BAS-028", "BAS-029"))
def job_suspended(seen: Observed, *, job: str) -> Finding:
    """Suspended=True with the reason that the API promises."""
    return _condition(seen, job, "True", "JobSuspended")


@fact("{job:job} becomes resumed", judged_by=("BAS-031",))
def job_resumed(seen: Observed, *, job: str) -> Finding:
    """Suspended=False with the reason that the API promises."""
    return _condition(seen, job, "False", "JobResumed")


def _condition(seen: Observed, job: str, status: str, reason: str) -> Finding:
    it = seen.find(Job, job)
    shown = next((c for c in it.conditions if c["type"] == "Suspended"), None) if it else None
    wanted = {"status": status, "reason": reason}
    holds = shown is not None and all(shown.get(key) == value for key, value in wanted.items())
    return found(
        holds,
        expected=f"Suspended={status}, {reason}",
        observed=stated(
            f"Suspended={shown['status']}, {because(shown)}",
            {"status": shown["status"], "reason": shown.get("reason")},
        )
        if shown
        else "no condition Suspended",
        decisive=[it.record] if it else [],
    )


@fact("{job:job} has no startTime")
def job_not_started(seen: Observed, *, job: str) -> Finding:
    """status.startTime is unset."""
    it = seen.find(Job, job)
    return found(
        it is not None and it.start_time is None,
        observed=said("startTime {startTime}", startTime=it.start_time) if it else "no such Job",
        decisive=[it.record] if it else [],
    )


@fact("the startTime of {job:job} is the time of its resume")
def started_at_resume(seen: Observed, *, job: str) -> Finding:
    """status.startTime is not before the user resumed the Job, and not after it was written."""
    return start_at_resume(seen, seen.find(Job, job), seen.versions_of(Job, job))


def start_at_resume(seen: Observed, it: _Suspendable | None, versions: Log[Any]) -> Finding:
    """Whether startTime, in whole seconds, is between the resume and the first version that has it."""
    resumed, start = resumed_since(seen, versions), it.start_time if it else None
    first = versions.fold(_Started).record
    written = seen.clock(first) if first is not None else None
    latest = written + timedelta(seconds=_CLOCKS_S) if written else None
    holds = resumed and start and latest and resumed.replace(microsecond=0) <= start <= latest
    shown = f", written at {written:%H:%M:%S.%f}" if written else ""
    return found(
        holds,
        expected=f"a startTime not before the resume at {resumed:%H:%M:%S.%f}, and not in the future"
        if resumed
        else "a resume",
        observed=stated(f"startTime {start:%H:%M:%S}{shown}", {"startTime": start})
        if start
        else "no startTime",
        decisive=[it.record] if it and it.start_time else [],
    )


class _Started:
    """The record of the first version that has the startTime that there is now."""

    def __init__(self) -> None:
        self.record: int | None = None
        self._start: datetime | None = None

    def take(self, _: str, it: _Suspendable) -> None:
        if it.start_time != self._start:
            self._start, self.record = it.start_time, it.record


def resumed_since(seen: Observed, versions: Log[Any]) -> datetime | None:
    """The time of day at which the user last began to resume what has these versions."""
    record = versions.fold(_Resumes).last
    return None if record is None else _asked_at(seen, record)


class _Suspendable(Protocol):
    """What a user may suspend.

    Attributes:
        record: the record that shows this version.
    """

    record: int

    @property
    def suspended(self) -> bool: ...

    @property
    def start_time(self) -> datetime | None: ...


class _Resumes:
    """The record of the version in which something was resumed last."""

    def __init__(self) -> None:
        self.last: int | None = None
        self._suspended = False

    def take(self, _: str, it: _Suspendable) -> None:
        if self._suspended and not it.suspended:
            self.last = it.record
        self._suspended = it.suspended


def _asked_at(seen: Observed, number: int) -> datetime:
    """The time of day of the harness's action that led to a record: it is never later than the change."""
    action = seen.action_before(number)
    return seen.clock(action[0] if action else number)


@fact("no status write has been refused as invalid", in_place=False, within="now")
def status_writes_valid(seen: Observed) -> Finding:
    """The API server itself has refused no status that the implementation wrote as invalid."""
    refused = seen.calls_to(JOBS).fold(_Refused).first
    return found(
        refused is None,
        observed=said("refused: {message}", message=_message(refused)) if refused else "none refused",
        decisive=[refused.reply_number] if refused else [],
    )


class _Refused:
    """The first status write that the API server refused as invalid."""

    def __init__(self) -> None:
        self.first: Write | None = None

    def take(self, _: str, write: Write) -> None:
        of_status = (write.request.resource, write.request.subresource) == (JOBS, "status")
        if of_status and write.invalid:
            self.first = self.first or write


def _message(refused: Write) -> str:
    body = refused.reply.body if refused.reply else None
    return in_words(body.get("message") if isinstance(body, dict) else body)
