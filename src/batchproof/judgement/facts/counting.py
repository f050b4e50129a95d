"""Facts about the accounting of finished pods: status.uncountedTerminatedPods and the counters.

A pod is *recorded* while its UID is in status.uncountedTerminatedPods, *released* when it has lost the
tracking finalizer, *counted* when its UID has left the record and a counter was raised for it; a Job
*accounts for* it from the record on. All facts are about Jobs that are not Indexed (those record indexes).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found, status_of

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things.batch import Job
    from batchproof.judgement.things.core import Pod

OUTCOMES = ("succeeded", "failed")
_SHOWN = 5  # pods whose way a finding shows


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
    """The revisions at which one pod was recorded and counted, as far as it has come, and the records."""

    recorded: int = 0
    counted: int = 0
    records: list[int] = field(default_factory=list)


class _Recorded:
    """The ways of UIDs through the record of a Job, and how many have left it."""

    def __init__(self) -> None:
        self.ways: dict[str, _Way] = {}
        self.counted = 0
        self._was: set[str] = set()

    def take(self, kind: str, it: Job) -> None:
        if kind == "DELETED":
            return
        now = {uid for uids in it.uncounted.values() for uid in uids}
        for uid in self._was ^ now:
            way = self.ways.setdefault(uid, _Way())
            if uid in now and not way.recorded:
                way.recorded = it.revision
            elif uid in self._was and not way.counted:
                way.counted = it.revision
                self.counted += 1
            way.records.append(it.record)
        self._was = now


class _Released:
    """The finished pods of a Job by UID, each with revision and record of its release if it came."""

    def __init__(self) -> None:
        self.ended: dict[str, tuple[int, int] | None] = {}
        self.released = 0

    def take(self, kind: str, pod: Pod) -> None:
        released = kind == "DELETED" or not pod.tracked
        if pod.finished and not self.ended.setdefault(pod.uid, None) and released:
            self.ended[pod.uid] = (pod.revision, pod.record)
            self.released += 1


@fact(
    "{count:d} [pod|pods]{job:of_job} [is|are] recorded, then released, then counted",
    within="settle",
)
def counted_in_three_writes(seen: Observed, *, job: str, count: int) -> Finding:
    """So many finished pods of the Job, and no fewer of all, went this way in three writes of this order."""
    ended = seen.versions_of_pods(job).fold(_Released)
    recorded = seen.versions_of(job).fold(_Recorded)
    all_came = {len(ended.ended), ended.released, len(recorded.ways), recorded.counted} == {count}
    last = list(islice(reversed(ended.ended), _SHOWN))
    return found(
        all_came and all(_in_order(uid, ended, recorded) for uid in ended.ended),
        observed=f"{len(ended.ended)} ended, {len(recorded.ways)} recorded, {ended.released} released, "
        f"{recorded.counted} counted; the last at revisions (recorded, released, counted): "
        f"{[_revisions(uid, ended, recorded) for uid in last]}",
        decisive=sorted({number for uid in last for number in _records(uid, ended, recorded)}),
    )


def _revisions(uid: str, ended: _Released, recorded: _Recorded) -> tuple[int, int, int]:
    way, released = recorded.ways.get(uid, _Way()), ended.ended.get(uid) or (0, -1)
    return way.recorded, released[0], way.counted


def _in_order(uid: str, ended: _Released, recorded: _Recorded) -> bool:
    first, second, third = _revisions(uid, ended, recorded)
    return 0 < first < second < third


def _records(uid: str, ended: _Released, recorded: _Recorded) -> list[int]:
    released = ended.ended.get(uid)
    return [*recorded.ways.get(uid, _Way()).records, *(released[1:] if released else ())]


@fact("<a|no> recorded UID leaves the record of {job:job}")
def record_left(seen: Observed, *, job: str) -> Finding:
    """Some UID was in status.uncountedTerminatedPods in one version of the Job and not in a later one."""
    gone = seen.versions_of(job).fold(_Transfers).gone
    return found(
        gone,
        observed=gone[0] if gone else "none has left",
        decisive=[gone[1]] if gone else [],
    )


class _Transfers:
    """The UIDs that left the record of a Job: how many, the first of them, and the first that did not count.

    Attributes:
        taken: how many have left.
        gone: the first that left, in words, and the record that shows it.
        wrong: the first write that did not raise the counter by as many.
    """

    def __init__(self) -> None:
        self.taken = 0
        self.gone: tuple[str, int] | None = None
        self.wrong: tuple[str, int] | None = None
        self._before: Job | None = None

    def take(self, kind: str, it: Job) -> None:
        if kind == "DELETED":
            return
        for outcome in OUTCOMES if self._before else ():
            assert self._before is not None  # noqa: S101 - for the types
            left = len(set(self._before.uncounted[outcome]) - set(it.uncounted[outcome]))
            rise = it.count(outcome) - self._before.count(outcome)
            self.taken += left
            if left and not self.gone:
                self.gone = (f"{left} UIDs left {outcome}: {it.summary}", it.record)
            if left != rise and not self.wrong:
                difference = f"{left} UIDs left {outcome}, which rose by {rise}: {it.summary}"
                self.wrong = (difference, it.record)
        self._before = it


@fact("each write that takes UIDs from the record of {job:job} raises their counter by as many")
def records_become_counts(seen: Observed, *, job: str) -> Finding:
    """Between any two versions of the Job a counter rises by the number of UIDs that left its list."""
    uids = seen.versions_of(job).fold(_Transfers)
    return found(
        uids.taken and not uids.wrong,
        observed=uids.wrong[0] if uids.wrong else f"{uids.taken} UIDs became counts",
        decisive=[uids.wrong[1]] if uids.wrong else [],
    )


@fact(
    "each of {most:d} pods{job:of_job} that ended is counted once at most, and never forgotten",
    within="now",
)
def counted_once(seen: Observed, *, job: str, most: int) -> Finding:
    """Counters and records together never fell nor exceeded ``most``, and no UID came back to the records."""
    sums = seen.versions_of(job).fold(_Sums, most)
    return found(
        not sums.wrong,
        expected=f"a sum of counters and records that only rises, to at most {most}",
        observed=sums.wrong or f"it rose to {sums.highest}",
        decisive=[sums.record] if sums.wrong else [],
    )


class _Sums:
    """How high the sum of counters and records of a Job rose, and what was wrong first."""

    def __init__(self, most: int) -> None:
        self.highest = 0
        self.wrong = ""
        self.record = -1
        self._most = most
        self._recorded: set[str] = set()
        self._counted: set[str] = set()

    def take(self, kind: str, it: Job) -> None:
        if kind == "DELETED" or self.wrong:
            return
        uids = [uid for outcome in OUTCOMES for uid in it.uncounted[outcome]]
        recorded = set(uids)
        self._counted |= self._recorded - recorded
        self._recorded = recorded
        if wrong := self._why_wrong(it, len(uids)):
            self.wrong, self.record = f"{wrong}: {it.summary}", it.record
        self.highest = _sum(it)

    def _why_wrong(self, it: Job, uids: int) -> str:
        if uids > len(self._recorded) or not self._recorded.isdisjoint(self._counted):
            return "one pod is recorded twice"
        if _sum(it) < self.highest:
            return f"the sum fell from {self.highest} to {_sum(it)}"
        return f"the sum is {_sum(it)}" if _sum(it) > self._most else ""


@fact("the counters of {job:job} are equal to what its pods did")
def counts_are_true(seen: Observed, *, job: str) -> Finding:
    """``succeeded`` and ``failed`` are the pods that were reported so while they had the tracking finalizer.

    A pod counts by its first report. Nothing is recorded any more.
    """
    truth = seen.versions_of_pods(job).fold(_Truth)
    return _settled(seen.job(job), truth.ends["Succeeded"], truth.ends["Failed"])


class _Truth:
    """How many pods of a Job ended in each way while they had the tracking finalizer."""

    def __init__(self) -> None:
        self.ends: Counter[str] = Counter()
        self._ended: set[str] = set()
        self._released: set[str] = set()

    def take(self, _: str, pod: Pod) -> None:
        if not pod.tracked:
            self._released.add(pod.uid)
        elif pod.finished and pod.uid not in self._released and pod.uid not in self._ended:
            self._ended.add(pod.uid)
            self.ends[pod.phase] += 1
