"""Facts about the accounting of finished pods: status.uncountedTerminatedPods and the counters.

A pod is *recorded* while its UID is in status.uncountedTerminatedPods, *released* when it has lost the
tracking finalizer, *counted* when its UID has left the record and a counter was raised for it; a Job
*accounts for* it from the record on. All facts are about Jobs that are not Indexed (those record indexes).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found, status_of
from batchproof.judgement.facts.tracking import versions_of_pods

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.batch import Job

OUTCOMES = ("succeeded", "failed")


def _versions(seen: Observed, job: str) -> list[Job]:
    """Each version of a Job, oldest first."""
    return [it for kind, it in seen.versions_of(job) if kind != "DELETED"]


def _accounted(job: Job, outcome: str) -> int:
    return job.count(outcome) + len(job.uncounted[outcome])


def _sum(job: Job) -> int:
    return sum(_accounted(job, outcome) for outcome in OUTCOMES)


@fact("{job:job} accounts for {count:d} {outcome:outcome} [pod|pods]")
def job_accounts(seen: Observed, *, job: str, outcome: str, count: int) -> Finding:
    """Counter and recorded UIDs of ``succeeded`` or ``failed`` make so many together."""
    it = seen.job(job)
    return found(
        it is not None and _accounted(it, outcome) == count,
        expected=f"{count} {outcome} pods counted or recorded",
        observed=status_of(it),
        decisive=[it.record] if it else [],
    )


@fact("{job:job} counts {succeeded:d} succeeded and {failed:d} failed pods", within="recovery")
def job_counts(seen: Observed, *, job: str, succeeded: int, failed: int) -> Finding:
    """Both counters have these values and no UID is recorded."""
    return _settled(seen.job(job), succeeded, failed)


def _settled(it: Job | None, succeeded: int, failed: int) -> Finding:
    holds = (
        it is not None
        and (it.count("succeeded"), it.count("failed")) == (succeeded, failed)
        and not any(it.uncounted.values())
    )
    return found(
        holds,
        expected=f"succeeded={succeeded} failed={failed} and nothing recorded",
        observed=status_of(it),
        decisive=[it.record] if it else [],
    )


@dataclass(slots=True)
class _Way:
    """The revisions at which one pod was recorded, released and counted, as far as it has come."""

    recorded: int = 0
    released: int = 0
    counted: int = 0
    records: list[int] = field(default_factory=list)

    @property
    def in_order(self) -> bool:
        return 0 < self.recorded < self.released < self.counted


def _ways(seen: Observed, job: str) -> dict[str, _Way]:
    """The way of each finished pod of a Job, by UID."""
    ways: dict[str, _Way] = {}
    for kind, pod in versions_of_pods(seen, job):
        if pod.finished:
            way = ways.setdefault(pod.uid, _Way())
            if not way.released and (kind == "DELETED" or not pod.tracked):
                way.released = pod.revision
                way.records.append(pod.record)
    for before, after in pairwise([None, *_versions(seen, job)]):
        assert after is not None  # noqa: S101 - only the first is None
        was = {uid for uids in before.uncounted.values() for uid in uids} if before else set()
        is_now = {uid for uids in after.uncounted.values() for uid in uids}
        for uid in was ^ is_now:
            way = ways.setdefault(uid, _Way())
            if uid in is_now and not way.recorded:
                way.recorded = after.revision
            elif uid in was and not way.counted:
                way.counted = after.revision
            way.records.append(after.record)
    return ways


@fact("{count:d} [pod|pods]{job:of_job} [is|are] recorded, then released, then counted", within="settle")
def counted_in_three_writes(seen: Observed, *, job: str, count: int) -> Finding:
    """So many finished pods of the Job, and no fewer of all, went this way in three writes of this order."""
    ways = _ways(seen, job)
    done = [way for way in ways.values() if way.in_order]
    told = [(way.recorded, way.released, way.counted) for way in ways.values()]
    return found(
        len(done) == len(ways) == count,
        expected=f"{count} pods recorded, released, counted at rising revisions",
        observed=f"revisions of (record, release, count): {told}",
        decisive=sorted({number for way in ways.values() for number in way.records}),
    )


@fact("<a|no> recorded UID leaves the record of {job:job}")
def record_left(seen: Observed, *, job: str) -> Finding:
    """Some UID was in status.uncountedTerminatedPods in one version of the Job and not in a later one."""
    for before, after in pairwise(_versions(seen, job)):
        for outcome in OUTCOMES:
            if left := set(before.uncounted[outcome]) - set(after.uncounted[outcome]):
                return found(
                    holds=True,
                    expected="a UID that has left",
                    observed=f"{len(left)} UIDs left {outcome}: {after.summary}",
                    decisive=[after.record],
                )
    return found(holds=False, expected="a UID that has left", observed="none has left")


@fact("each write that takes UIDs from the record of {job:job} raises their counter by as many")
def records_become_counts(seen: Observed, *, job: str) -> Finding:
    """Between any two versions of the Job a counter rises by the number of UIDs that left its list."""
    expected = "a counter rises by the number of UIDs that leave its list in the same write"
    taken = 0
    for before, after in pairwise(_versions(seen, job)):
        for outcome in OUTCOMES:
            left = len(set(before.uncounted[outcome]) - set(after.uncounted[outcome]))
            rise = after.count(outcome) - before.count(outcome)
            taken += left
            if left != rise:
                observed = f"{left} UIDs left {outcome}, which rose by {rise}: {after.summary}"
                return found(holds=False, expected=expected, observed=observed, decisive=[after.record])
    return found(taken, expected=expected, observed=f"{taken} UIDs became counts")


@fact(
    "each of {most:d} pods{job:of_job} that ended is counted once at most, and never forgotten", within="now"
)
def counted_once(seen: Observed, *, job: str, most: int) -> Finding:
    """Counters and records together never fell nor exceeded ``most``, and no UID came back to the records."""
    recorded: set[str] = set()
    counted: set[str] = set()
    highest = 0
    expected = f"a sum of counters and records that only rises, to at most {most}"
    for version in _versions(seen, job):
        uids = [uid for outcome in OUTCOMES for uid in version.uncounted[outcome]]
        counted |= recorded - set(uids)
        recorded = set(uids)
        wrong = ""
        if len(uids) > len(recorded) or recorded & counted:
            wrong = "one pod is recorded twice"
        elif _sum(version) < highest:
            wrong = f"the sum fell from {highest} to {_sum(version)}"
        elif _sum(version) > most:
            wrong = f"the sum is {_sum(version)}"
        if wrong:
            observed = f"{wrong}: {version.summary}"
            return found(holds=False, expected=expected, observed=observed, decisive=[version.record])
        highest = _sum(version)
    return found(holds=True, expected=expected, observed=f"it rose to {highest}")


@fact("the counters of {job:job} are equal to what its pods did")
def counts_are_true(seen: Observed, *, job: str) -> Finding:
    """``succeeded`` and ``failed`` are the pods that were reported so while they had the tracking finalizer.

    A pod counts by its first report. Nothing is recorded any more.
    """
    truth: dict[str, str] = {}
    released: set[str] = set()
    for _, pod in versions_of_pods(seen, job):
        if not pod.tracked:
            released.add(pod.uid)
        if pod.finished and pod.uid not in released:
            truth.setdefault(pod.uid, pod.phase)
    succeeded = list(truth.values()).count("Succeeded")
    failed = len(truth) - succeeded
    return _settled(seen.job(job), succeeded, failed)
