"""Facts about the conditions and times of a Job's status, over all that the Job has been."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.facts import Finding, because, fact, found, names_of, record_of
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import NOTHING, in_words, said
from batchproof.profiles.shared.facts.transitions import times_of_changes
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Callable

_TERMINAL = ("Complete", "Failed")


def _endings(job: Job) -> list[str]:
    return [kind for kind in _TERMINAL if job.condition(kind)]


@fact("lastTransitionTime of each condition of {job:job} is the time of its last change", within="now")
def job_transitions(seen: Observed, *, job: str) -> Finding:
    """It changed with the status of the condition, and only then."""
    return times_of_changes(seen.find(Job, job), seen.versions_of(Job, job))


@fact(
    '{job:job} is {condition:word} with reason {reason:word} and message "{message:text}"',
    within="settle",
)
def job_condition(seen: Observed, *, job: str, condition: str, reason: str, message: str) -> Finding:
    """The condition is True, with exactly this reason and message."""
    it = seen.find(Job, job)
    shown = (it.condition(condition) if it else None) or {}
    return found(
        (shown.get("reason"), shown.get("message")) == (reason, message),
        observed=f"{condition}=True because of {because(shown)}" if shown else "unset",
        decisive=record_of(it, tells=shown),
    )


@fact("{job:job} has started", judged_by=("BAS-053",))
def job_started(seen: Observed, *, job: str) -> Finding:
    """status.startTime is set."""
    it = seen.find(Job, job)
    at = it.status.get("startTime") if it else None
    return found(at, observed=at or "no startTime")


@fact("the startTime of {job:job} has never changed", within="now")
def start_time_kept(seen: Observed, *, job: str) -> Finding:
    """Since startTime was first set it has been the same in every version of the Job."""
    times = seen.versions_of(Job, job).fold(_StartTimes)
    return found(
        times.first and not times.changed,
        observed=f"{times.first}, then {in_words(times.changed[0])}" if times.changed else times.first,
        decisive=[times.changed[1]] if times.changed else [],
    )


class _StartTimes:
    """The first startTime of a Job, and the first that is another, with its record."""

    def __init__(self) -> None:
        self.first: str | None = None
        self.changed: tuple[str | None, int] | None = None

    def take(self, _: str, it: Job) -> None:
        at = it.status.get("startTime")
        if not self.first:
            self.first = at
        elif at != self.first and not self.changed:
            self.changed = (at, it.record)


@fact("the completionTime of {job:job} came with Complete and has not changed", within="now")
def completion_time_right(seen: Observed, *, job: str) -> Finding:
    """Set exactly in the versions that are Complete, always the same, and not before startTime."""
    times = seen.versions_of(Job, job).fold(_CompletionTimes)
    return found(
        not times.wrong,
        expected="a completionTime from Complete on, never changed, not before startTime",
        observed=times.wrong or f"completionTime {times.last or 'unset'}",
        decisive=times.decisive,
    )


class _CompletionTimes:
    """The completionTime of a Job, and what was wrong first, with its record."""

    def __init__(self) -> None:
        self.last = ""
        self.wrong = ""
        self.decisive: list[int] = []

    def take(self, _: str, it: Job) -> None:
        at = str(it.status.get("completionTime") or "")
        if not self.wrong and (wrong := self._wrong(at, it)):
            self.wrong, self.decisive = wrong, [it.record]
        self.last = at

    def _wrong(self, at: str, it: Job) -> str:
        start = it.status.get("startTime")
        if bool(at) != bool(it.condition("Complete")):
            return f"completionTime {at or 'unset'} with {it.summary}"
        if self.last and at != self.last:
            return f"completionTime {self.last}, then {at or 'unset'}"
        if at and timestamp(at) < timestamp(str(start or at)):
            return f"completionTime {at} before startTime {start}"
        return ""


class _First:
    """The first version of a Job of which something is true."""

    def __init__(self, true: Callable[[Job], object]) -> None:
        self.it: Job | None = None
        self._true = true

    def take(self, _: str, it: Job) -> None:
        if self.it is None and self._true(it):
            self.it = it


@fact("{job:job} has never had a completionTime", within="now")
def completion_time_unset(seen: Observed, *, job: str) -> Finding:
    """No version of the Job has a completionTime."""
    it = seen.versions_of(Job, job).fold(_First, _completion_time).it
    return found(
        it is None,
        observed=str(_completion_time(it)) if it else "none",
        decisive=[it.record] if it else [],
    )


def _completion_time(job: Job) -> object:
    return job.status.get("completionTime")


@fact(
    "{job:job} had {target:word} no later than {terminal:word}, both with reason {reason:word}",
    within="now",
)
def end_announced(seen: Observed, *, job: str, target: str, terminal: str, reason: str) -> Finding:
    """The first version with the terminal condition has the target too, and both give this reason."""
    it = seen.versions_of(Job, job).fold(_First, _holding(terminal)).it
    reasons = {kind: _reason(it, kind) for kind in (target, terminal)}
    return found(
        set(reasons.values()) == {reason},
        observed=", ".join(f"{kind} {why or NOTHING}" for kind, why in reasons.items()),
        decisive=[it.record] if it else [],
    )


@cache
def _holding(condition: str) -> Callable[[Job], object]:
    """Whether a version of a Job has this condition; one function for each, so that folds are shared."""
    return lambda job: job.condition(condition)


def _reason(job: Job | None, condition: str) -> str:
    shown = job.condition(condition) if job else None
    return in_words(shown.get("reason")) if shown else ""


@fact("no pod of {job:job} was active or terminating when it finished")
def finished_last(seen: Observed, *, job: str) -> Finding:
    """By the order of revisions, every pod was terminal or gone when the Job got its terminal condition."""
    end = seen.in_order(JOBS, PODS).fold(_End, job)
    return found(
        end.it and not end.left,
        observed=names_of(end.left) if end.it else "not finished",
        decisive=[end.it.record] if end.it else [],
    )


class _End:
    """The first version of a Job that is finished, and its pods that were not."""

    def __init__(self, job: str) -> None:
        self.it: Job | None = None
        self.left: list[Pod] = []
        self._job = job
        self._pods: dict[str, Pod] = {}

    def take(self, kind: str, thing: Job | Pod) -> None:
        if self.it:
            return
        match thing:
            case Pod() if kind == "DELETED" or thing.finished:
                self._pods.pop(thing.uid, None)
            case Pod():
                self._pods[thing.uid] = thing
            case Job() if thing.name == self._job and thing.finished:
                self.it = thing
                self.left = [pod for pod in self._pods.values() if pod.owned_by(thing)]


@fact(
    "{job:job} has counted no pod as active, terminating or uncounted since it finished",
    within="now",
)
def clean_end(seen: Observed, *, job: str) -> Finding:
    """Every finished version has active 0, terminating 0 or unset, and empty uncountedTerminatedPods."""
    versions = seen.versions_of(Job, job)
    ended, unclean = versions.fold(_First, _finished).it, versions.fold(_First, _unclean).it
    return found(
        ended and not unclean,
        observed=unclean.summary if unclean else "all clean" if ended else "not finished",
        decisive=[unclean.record] if unclean else [],
    )


def _finished(job: Job) -> bool:
    return job.finished


def _unclean(job: Job) -> bool:
    left = job.count("active") or job.count("terminating") or any(job.uncounted.values())
    return job.finished and bool(left)


@fact("no condition of {job:job} has been listed twice", within="now")
def conditions_listed_once(seen: Observed, *, job: str) -> Finding:
    """No version of the Job has two conditions of one type in status.conditions."""
    it = seen.versions_of(Job, job).fold(_First, _listed_twice).it
    return found(
        it is None,
        observed=said("{conditions} twice", conditions=_listed_twice(it)) if it else "each once",
        decisive=[it.record] if it else [],
    )


def _listed_twice(job: Job) -> list[str]:
    kinds = [str(condition.get("type")) for condition in job.status.get("conditions") or ()]
    return sorted({kind for kind in kinds if kinds.count(kind) > 1})


@fact("{job:job} keeps its one terminal condition")
def one_ending(seen: Observed, *, job: str) -> Finding:
    """Since the Job first had Complete or Failed, it has had just that one."""
    ends = seen.versions_of(Job, job).fold(_Endings)
    wrong = ends.two or ends.other
    return found(
        len(ends.first) == 1 and not wrong,
        expected="one of Complete and Failed, kept",
        observed=f"{in_words(ends.first)}, then {in_words(_endings(wrong))}" if wrong else ends.first,
        decisive=[wrong.record] if wrong else [],
    )


class _Endings:
    """The first terminal conditions of a Job, the first version with two, and the first with others since."""

    def __init__(self) -> None:
        self.first: list[str] = []
        self.two: Job | None = None
        self.other: Job | None = None

    def take(self, _: str, it: Job) -> None:
        kinds = _endings(it)
        if len(kinds) > 1 and not self.two:
            self.two = it
        if not self.first:
            self.first = kinds
        elif kinds != self.first and not self.other:
            self.other = it
