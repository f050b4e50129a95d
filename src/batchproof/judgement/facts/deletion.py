"""Facts about the deletion of finished Jobs after ttlSecondsAfterFinished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.thing import timestamp
from batchproof.resources import JOBS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.batch import Job

_FOREGROUND = "foregroundDeletion"


@fact("{job:job} is <|not >deleted")
def job_deleted(seen: Observed, *, job: str) -> Finding:
    """The Job was there and has a deletionTimestamp or is gone."""
    versions = _versions(seen, job)
    ended = [version for kind, version in versions if kind == "DELETED" or version.deleting]
    return found(
        ended,
        expected=f"Job {job} being deleted, or gone",
        observed="deleted" if ended else versions[-1][1].summary if versions else "no such Job",
        decisive=[ended[0].record] if ended else [],
    )


@fact("the deletion of {job:job} is in the foreground and names its UID", within="now")
def deleted_safely(seen: Observed, *, job: str) -> Finding:
    """The deletion waits for the pods, and its request names the Job's UID as a precondition.

    The precondition is judged where the request can be read, which is where its body is JSON.
    """
    expected = "a deletion with foreground propagation and the Job's UID as precondition"
    deleting = [version for _, version in _versions(seen, job) if version.deleting]
    requests = [
        write for write in seen.writes_to(JOBS, "delete") if write.applied and write.request.name == job
    ]
    if not requests:
        return found(holds=False, expected=expected, observed="no deletion by the implementation")
    body = requests[0].request.body
    uid = (body.get("preconditions") or {}).get("uid") if isinstance(body, dict) else None
    observed = f"propagation foreground: {_in_foreground(deleting)}, precondition: {uid}"
    holds = _in_foreground(deleting) and (body is None or uid == deleting[0].uid)
    return found(holds, expected=expected, observed=observed, decisive=[requests[0].number])


def _in_foreground(deleting: list[Job]) -> bool:
    return any(_FOREGROUND in version.finalizers for version in deleting)


@fact("{job:job} was not deleted before its time to live was over", within="now")
def deletion_not_early(seen: Observed, *, job: str) -> Finding:
    """Since the terminal condition's lastTransitionTime, ttlSecondsAfterFinished had passed."""
    expected = "a deletion after the time to live"
    it = next((version for _, version in _versions(seen, job) if version.deleting), None)
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


def _versions(seen: Observed, job: str) -> list[tuple[str, Job]]:
    return list(seen.versions_of(job))
