"""Facts about the deletion of finished Jobs after ttlSecondsAfterFinished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.thing import timestamp
from batchproof.resources import JOBS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed, Write
    from batchproof.judgement.things.batch import Job

_FOREGROUND = "foregroundDeletion"


@fact("{job:job} is <|not >deleted")
def job_deleted(seen: Observed, *, job: str) -> Finding:
    """The Job was there and has a deletionTimestamp or is gone."""
    deleted = seen.versions_of(job).fold(_Deletion)
    return found(
        deleted.begun,
        observed="deleted" if deleted.begun else deleted.last.summary if deleted.last else "no such Job",
        decisive=[deleted.begun.record] if deleted.begun else [],
    )


class _Deletion:
    """The course of a Job's deletion.

    Attributes:
        begun: the first version that is being deleted or gone.
        deleting: the first that has a deletionTimestamp.
        last: the newest version.
        in_foreground: some version that is being deleted waits for the pods.
    """

    def __init__(self) -> None:
        self.begun: Job | None = None
        self.deleting: Job | None = None
        self.last: Job | None = None
        self.in_foreground = False

    def take(self, kind: str, it: Job) -> None:
        self.last = it
        if kind == "DELETED" or it.deleting:
            self.begun = self.begun or it
        if it.deleting:
            self.deleting = self.deleting or it
            self.in_foreground |= _FOREGROUND in it.finalizers


@fact("the deletion of {job:job} is in the foreground and names its UID", in_place=False, within="now")
def deleted_safely(seen: Observed, *, job: str) -> Finding:
    """The deletion waits for the pods, and its request names the Job's UID as a precondition.

    The precondition is judged where the request can be read, which is where its body is JSON.
    """
    expected = "a deletion with foreground propagation and the Job's UID as precondition"
    deleted = seen.versions_of(job).fold(_Deletion)
    request = seen.calls_to(JOBS).fold(_DeleteRequests, job).first
    if request is None:
        return found(holds=False, expected=expected, observed="no deletion by the implementation")
    body = request.request.body
    uid = (body.get("preconditions") or {}).get("uid") if isinstance(body, dict) else None
    named = deleted.deleting is not None and uid == deleted.deleting.uid
    return found(
        deleted.in_foreground and (body is None or named),
        expected=expected,
        observed=f"propagation foreground: {deleted.in_foreground}, precondition: {uid}",
        decisive=[request.number],
    )


class _DeleteRequests:
    """The first request to delete a Job that was carried out."""

    def __init__(self, job: str) -> None:
        self.first: Write | None = None
        self._job = job

    def take(self, kind: str, write: Write) -> None:
        it = write.request
        of_it = (it.resource, it.verb, it.subresource, it.name) == (JOBS, "delete", "", self._job)
        if kind == "answered" and write.applied and of_it:
            self.first = min(self.first or write, write, key=_number)


def _number(write: Write) -> int:
    return write.number


@fact("{job:job} was not deleted before its time to live was over", within="now")
def deletion_not_early(seen: Observed, *, job: str) -> Finding:
    """Since the terminal condition's lastTransitionTime, ttlSecondsAfterFinished had passed."""
    expected = "a deletion after the time to live"
    it = seen.versions_of(job).fold(_Deletion).deleting
    if it is None:
        return found(holds=False, expected=expected, observed="no deletion")
    terminal = it.condition("Complete") or it.condition("Failed")
    if terminal is None or it.ttl_s is None:
        return found(holds=False, expected=expected, observed=f"deleted with {it.summary}, TTL {it.ttl_s}")
    deleted = timestamp(it.metadata["deletionTimestamp"])
    passed_s = (deleted - timestamp(terminal["lastTransitionTime"])).total_seconds()
    return found(
        passed_s >= it.ttl_s,
        expected=f"a deletion {it.ttl_s} s after the end, or later",
        observed=f"deleted {passed_s:g} s after the end",
        decisive=[it.record],
    )
