"""Facts about the writes to Jobs: of their status, and whether there were any."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from batchproof.ground.resources import JOBS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import counted, said, stated
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Sequence


@fact(
    "every status write of {job:job} named the version that it was computed from",
    in_place=False,
    within="now",
)
def status_writes_versioned(seen: Observed, *, job: str) -> Finding:
    """Each write of the status carries a resourceVersion; bodies that are not JSON are not judged."""
    writes = seen.calls_to(JOBS).fold(_StatusWrites, job)
    return found(
        writes.numbers and not writes.bare,
        observed=said("{bare} of {writes} without", bare=len(writes.bare), writes=len(writes.numbers)),
        decisive=writes.bare[:1],
    )


class _StatusWrites:
    """The status writes of a Job: when each was asked for, in which record, and which without a version."""

    def __init__(self, job: str) -> None:
        self.bare: list[int] = []
        self.at_s: list[float] = []
        self.numbers: list[int] = []
        self._job = job

    def take(self, kind: str, write: Write) -> None:
        it = write.request
        if kind != "asked" or (it.resource, it.subresource, it.name) != (JOBS, "status", self._job):
            return
        self.at_s.append(write.at_s)
        self.numbers.append(write.number)
        if isinstance(it.body, dict) and not (it.body.get("metadata") or {}).get("resourceVersion"):
            self.bare.append(write.number)


@fact(
    "the status of {job:job} has been written no more than {most:d} [time|times] within any second",
    in_place=False,
    within="now",
)
def status_writes_few(seen: Observed, *, job: str, most: int) -> Finding:
    """At most the given number of status writes were requested in a second, whether they succeeded or not."""
    writes = seen.calls_to(JOBS).fold(_StatusWrites, job)
    at_s = writes.at_s
    beyond = next((n + most for n in range(len(at_s) - most) if at_s[n + most] <= at_s[n] + 1.0), None)
    return found(
        at_s and beyond is None,
        observed=stated(
            f"{counted(_most_within_a_second(at_s), 'write')} within a second, {len(at_s)} in all",
            {"within_a_second": _most_within_a_second(at_s), "writes": len(at_s)},
        ),
        decisive=[] if beyond is None else [writes.numbers[beyond]],
    )


def _most_within_a_second(at_s: Sequence[float]) -> int:
    return max((bisect_right(at_s, first + 1.0) - n for n, first in enumerate(at_s)), default=0)


@fact("no change of {job:job} is requested", in_place=False, within="now")
def job_untouched(seen: Observed, *, job: str) -> Finding:
    """The implementation has begun no write to the Job, its status included."""
    write = next(
        (one for one in seen.writes if one.request.resource == JOBS and one.request.name == job), None
    )
    return found(
        write is None,
        observed=said("{verb} {what}", verb=write.request.verb, what=write.request.subresource or "Job")
        if write
        else "none",
        decisive=[write.number] if write else [],
    )


@fact("<a|no> write of the implementation to {job:job} takes effect", in_place=False)
def job_written(seen: Observed, *, job: str) -> Finding:
    """It has applied a write that it began after the Job of that name that there is now was created.

    A write that it meant for a former Job of that name does not take effect: it names another version.
    """
    it = seen.find(Job, job)
    since = seen.versions_of(Job, job).fold(_Created).records.get(it.uid) if it else None
    write = None if since is None else seen.calls_to(JOBS).fold(_Applied, job).after(since)
    return found(
        write,
        observed=said("{verb} {what}", verb=write.request.verb, what=write.request.subresource or "Job")
        if write
        else "none",
        decisive=[write.number] if write else [],
    )


class _Created:
    """The record that first showed each Job of a name, by UID."""

    def __init__(self) -> None:
        self.records: dict[str, int] = {}

    def take(self, _: str, it: Job) -> None:
        self.records.setdefault(it.uid, it.record)


class _Applied:
    """The writes to a Job that were applied, in the order of their replies."""

    def __init__(self, job: str) -> None:
        self._writes: list[Write] = []
        self._job = job

    def take(self, kind: str, write: Write) -> None:
        it = write.request
        if kind != "asked" and write.applied and (it.resource, it.name) == (JOBS, self._job):
            self._writes.append(write)

    def after(self, record: int) -> Write | None:
        """The first that was begun after a record."""
        return next((write for write in self._writes if write.number > record), None)
