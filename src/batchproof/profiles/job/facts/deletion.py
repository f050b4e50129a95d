"""Facts about the deletion of finished Jobs after ttlSecondsAfterFinished."""

from __future__ import annotations

from datetime import timedelta

from batchproof.ground.resources import JOBS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import in_words
from batchproof.profiles.shared.objects.batch import Job

_FOREGROUND = "foregroundDeletion"
_CLOCK_S = 0.1
"""How far the harness's clock at a record may be behind."""


@fact("{job:job} is <|not >deleted")
def job_deleted(seen: Observed, *, job: str) -> Finding:
    """The Job was there and has a deletionTimestamp or is gone."""
    deleted = seen.versions_of(Job, job).fold(_Deletion)
    return found(
        deleted.begun,
        observed="deleted" if deleted.begun else deleted.last.summary if deleted.last else "no such Job",
        decisive=[deleted.begun.record] if deleted.begun else [],
    )


class _Deletion:
    """The course of the deletion of the newest Job of a name.

    Attributes:
        begun: the first version that is being deleted or gone; in the background it is gone at once.
        last: the newest version.
        since: the number of the record that first shows this Job.
        in_foreground: some version that is being deleted waits for the pods.
        uids: every UID that a Job of that name had.
        versions: every resourceVersion.
    """

    def __init__(self) -> None:
        self.begun: Job | None = None
        self.last: Job | None = None
        self.since = 0
        self.in_foreground = False
        self.uids: set[str] = set()
        self.versions: set[str] = set()

    def take(self, kind: str, it: Job) -> None:
        if self.last is None or self.last.uid != it.uid:
            self.begun, self.since, self.in_foreground = None, it.record, False
        self.last = it
        if kind == "DELETED" or it.deleting:
            self.begun = self.begun or it
        self.uids.add(it.uid)
        self.versions.add(it.metadata["resourceVersion"])
        if it.deleting:
            self.in_foreground |= _FOREGROUND in it.finalizers


@fact("the deletion of {job:job} names this very Job", in_place=False, within="now")
def deleted_safely(seen: Observed, *, job: str) -> Finding:
    """Its request has the Job's UID, or a version of this Job, as a precondition.

    It is judged where the request can be read, which is where its body is JSON.
    """
    deleted = seen.versions_of(Job, job).fold(_Deletion)
    request = seen.calls_to(JOBS).fold(_DeleteRequests, job, deleted.since).first
    if request is None:
        return found(holds=False, observed="no deletion by the implementation")
    body = request.request.body
    given = (body.get("preconditions") or {}) if isinstance(body, dict) else {}
    named = given.get("uid") in deleted.uids or given.get("resourceVersion") in deleted.versions
    return found(
        body is None or named,
        expected="a deletion with the Job's UID or version as a precondition",
        observed=f"preconditions: {', '.join(sorted(given)) or 'none'}",
        decisive=[request.number],
    )


@fact("the deletion of {job:job} is in the foreground", in_place=False, within="now")
def deleted_in_foreground(seen: Observed, *, job: str) -> Finding:
    """The Job waited for its pods while it was deleted."""
    deleted = seen.versions_of(Job, job).fold(_Deletion)
    request = seen.calls.fold(_DeleteRequests, job, deleted.since).first
    return found(
        deleted.in_foreground,
        observed="in the foreground" if deleted.in_foreground else "not in the foreground",
        decisive=[request.number] if request else [],
    )


class _DeleteRequests:
    """The first request to delete a Job that was carried out, since it was there."""

    def __init__(self, job: str, since: int) -> None:
        self.first: Write | None = None
        self._job = job
        self._since = since

    def take(self, _: str, write: Write) -> None:
        it = write.request
        of_it = (it.resource, it.verb, it.subresource, it.name) == (JOBS, "delete", "", self._job)
        if write.applied and of_it and write.number > self._since:
            self.first = min(self.first or write, write, key=_number)


def _number(write: Write) -> int:
    return write.number


@fact("{job:job} was not deleted before its time to live was over", within="now")
def deletion_not_early(seen: Observed, *, job: str) -> Finding:
    """Since the terminal condition's lastTransitionTime, ttlSecondsAfterFinished had passed.

    A deletion in the background leaves no deletionTimestamp: it was when it was asked for, or, where requests
    are not seen, when the Job was seen gone.
    """
    expected = "a deletion after the time to live"
    newest = seen.versions_of(Job, job).fold(_Deletion)
    it = newest.begun
    if it is None:
        return found(holds=False, expected=expected, observed="no deletion")
    terminal = it.condition("Complete") or it.condition("Failed")
    if terminal is None or it.ttl_s is None:
        return found(
            holds=False, expected=expected, observed=f"deleted with {it.summary}, TTL {in_words(it.ttl_s)}"
        )
    request = seen.calls.fold(_DeleteRequests, job, newest.since).first
    decisive = it.record if request is None or it.deleting else request.number
    deleted = (
        timestamp(it.metadata["deletionTimestamp"])
        if it.deleting
        else seen.clock(decisive) + timedelta(seconds=_CLOCK_S)
    )
    passed_s = (deleted - timestamp(terminal["lastTransitionTime"])).total_seconds()
    return found(
        passed_s >= it.ttl_s,
        expected=f"a deletion {it.ttl_s} s after the end, or later",
        observed=f"deleted {passed_s:g} s after the end",
        decisive=[decisive],
    )
