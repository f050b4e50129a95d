"""Facts about the accounting of finished pods: status.uncountedTerminatedPods and the counters.

A pod is *recorded* while its UID is in status.uncountedTerminatedPods, *released* when it has lost the
tracking finalizer, *counted* when its UID has left the record and a counter was raised for it; a Job
*accounts for* it from the record on. All facts are about Jobs that are not Indexed (those record indexes).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words
from batchproof.profiles.shared.objects.batch import Job, status_of

OUTCOMES = ("succeeded", "failed")
_SHOWN = 5  # pods whose way a finding shows
_RECORDED_AND_COUNTED = 2
"""How often the UID of a pod that was recorded and counted has come to the record of its Job, or left it."""


def _accounted(job: Job, outcome: str) -> int:
    return job.count(outcome) + len(job.uncounted[outcome])


def _sum(job: Job) -> int:
    return sum(_accounted(job, outcome) for outcome in OUTCOMES)


@fact("{job:job} accounts for {count:d} {outcome:outcome} [pod|pods]", judged_by=("FIN-003",))
def job_accounts(seen: Observed, *, job: str, outcome: str, count: int) -> Finding:
    """The counter and the recorded UIDs of ``succeeded`` or ``failed`` are the given number together."""
    it = seen.find(Job, job)
    return found(
        it is not None and _accounted(it, outcome) == count,
        expected=f"{counted(count, f'{outcome} pod')} counted or recorded",
        observed=status_of(it),
        decisive=[it.record] if it else [],
    )


@fact("{job:job} counts {succeeded:d} succeeded and {failed:d} failed pods", within="recovery")
def job_counts(seen: Observed, *, job: str, succeeded: int, failed: int) -> Finding:
    """Both counters have these values and no UID is recorded."""
    return _settled(seen.find(Job, job), succeeded, failed)


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
    """The revisions at which one pod was recorded, counted, and perhaps recorded again, and the records."""

    revisions: list[int] = field(default_factory=list)
    records: list[int] = field(default_factory=list)


class _Recorded:
    """The ways of UIDs through the record of a Job, and how many have left it."""

    def __init__(self) -> None:
        self.ways: dict[str, _Way] = {}
        self.counted = 0
        self._was: set[str] = set()

    def take(self, _: str, it: Job) -> None:
        now = {uid for uids in it.uncounted.values() for uid in uids}
        for uid in self._was ^ now:
            way = self.ways.setdefault(uid, _Way())
            way.revisions.append(it.revision)
            way.records.append(it.record)
            self.counted += len(way.revisions) == _RECORDED_AND_COUNTED
        self._was = now


class _Released:
    """The finished pods of a Job by UID, each with revision and record of its release once it came."""

    def __init__(self) -> None:
        self.ended: dict[str, list[int]] = {}
        self.released = 0

    def take(self, kind: str, pod: Pod) -> None:
        released = kind == "DELETED" or not pod.tracked
        if pod.finished and not self.ended.setdefault(pod.uid, []) and released:
            self.ended[pod.uid] = [pod.revision, pod.record]
            self.released += 1


@fact(
    "{count:d} [pod|pods]{job:of_job} [is|are] recorded, then released, then counted",
    within="settle",
)
def counted_in_three_writes(seen: Observed, *, job: str, count: int) -> Finding:
    """At least ``count`` pods of the Job have finished, and three writes in this order have counted each.

    Other requirements limit how many pods a Job may have: a surplus pod that is so counted breaks none here.
    """
    ended = seen.versions_of_pods(Job, job).fold(_Released)
    recorded = seen.versions_of(Job, job).fold(_Recorded)
    all_came = len(ended.ended) >= count
    all_went = {ended.released, len(recorded.ways), recorded.counted} == {len(ended.ended)}
    last = list(islice(reversed(ended.ended), _SHOWN))
    return found(
        all_came and all_went and all(_in_order(uid, ended, recorded) for uid in ended.ended),
        observed=f"{len(ended.ended)} ended, {len(recorded.ways)} recorded, {ended.released} released, "
        f"{recorded.counted} counted; the last at revisions (recorded, released, counted): "
        f"{in_words([_revisions(uid, ended, recorded) for uid in last])}",
        decisive=sorted({number for uid in last for number in _records(uid, ended, recorded)}),
    )


def _revisions(uid: str, ended: _Released, recorded: _Recorded) -> list[int]:
    """Those at which it was recorded, released and counted, as far as it has come."""
    way = recorded.ways.get(uid, _Way()).revisions
    return [*way[:1], *ended.ended[uid][:1], *way[1:_RECORDED_AND_COUNTED]]


def _in_order(uid: str, ended: _Released, recorded: _Recorded) -> bool:
    revisions = _revisions(uid, ended, recorded)
    return uid in recorded.ways and revisions == sorted(revisions)


def _records(uid: str, ended: _Released, recorded: _Recorded) -> list[int]:
    return [*recorded.ways.get(uid, _Way()).records, *ended.ended[uid][1:]]


@fact("<a|no> recorded UID leaves the record of {job:job}")
def record_left(seen: Observed, *, job: str) -> Finding:
    """Some UID was in status.uncountedTerminatedPods in one version of the Job and not in a later one."""
    gone = seen.versions_of(Job, job).fold(_Transfers).gone
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

    def take(self, _: str, it: Job) -> None:
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


@fact("the record of {job:job} has never exceeded {most:d} bytes", within="now")
def record_short(seen: Observed, *, job: str, most: int) -> Finding:
    """In no version of the Job the UIDs in status.uncountedTerminatedPods are longer than that together."""
    sizes = seen.versions_of(Job, job).fold(_Sizes)
    return found(
        sizes.known and sizes.largest <= most,
        observed=f"at most {sizes.largest} bytes" if sizes.known else status_of(seen.find(Job, job)),
        decisive=sizes.decisive if sizes.largest > most else [],
    )


class _Sizes:
    """How long the record of a Job was at most, in bytes, and the record of the history that shows it."""

    def __init__(self) -> None:
        self.known = False
        self.largest = 0
        self.decisive: list[int] = []

    def take(self, _: str, it: Job) -> None:
        self.known = True
        size = sum(len(uid) for uids in it.uncounted.values() for uid in uids)
        if size > self.largest:
            self.largest, self.decisive = size, [it.record]


@fact("each write that takes UIDs from the record of {job:job} raises their counter by as many")
def records_become_counts(seen: Observed, *, job: str) -> Finding:
    """Between any two versions of the Job a counter rises by the number of UIDs that left its list."""
    uids = seen.versions_of(Job, job).fold(_Transfers)
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
    sums = seen.versions_of(Job, job).fold(_Sums, most)
    return found(
        not sums.wrong,
        expected=f"a sum of counters and records that only rises, to at most {most}",
        observed=sums.wrong or f"it rose to {sums.highest}",
        decisive=sums.decisive,
    )


class _Sums:
    """How high the sum of counters and records of a Job rose, and what was wrong first."""

    def __init__(self, most: int) -> None:
        self.highest = 0
        self.wrong = ""
        self.decisive: list[int] = []
        self._most = most
        self._recorded: set[str] = set()
        self._counted: set[str] = set()

    def take(self, _: str, it: Job) -> None:
        if self.wrong:
            return
        uids = [uid for outcome in OUTCOMES for uid in it.uncounted[outcome]]
        recorded = set(uids)
        self._counted |= self._recorded - recorded
        self._recorded = recorded
        if wrong := self._why_wrong(it, len(uids)):
            self.wrong, self.decisive = f"{wrong}: {it.summary}", [it.record]
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
    truth = seen.versions_of_pods(Job, job).fold(_Truth)
    return _settled(seen.find(Job, job), truth.ends["Succeeded"], truth.ends["Failed"])


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
