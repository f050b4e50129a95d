"""Invariants: what must hold of every history, whatever the scenario, without being asked for.

Changes are taken in the order of etcd revisions, which is the order in which they happened; the records of
two watches may have arrived otherwise. Each rule is named after the requirement that it judges.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ParamSpec

from batchproof.errors import BatchproofError
from batchproof.judgement.facts import names_of
from batchproof.judgement.facts.gangs import overcommitted
from batchproof.judgement.finding import FactBroke, Finding
from batchproof.judgement.history import EXITED
from batchproof.judgement.owned import Owned, Owners
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.timeline import timeline
from batchproof.labels import TRACKING_FINALIZER
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from batchproof.judgement.observed import Observed


_REACTION_S = 2.0  # scaled: a controller may still act on a spec that was changed so short a time ago
_SHOWN = 10  # names that a finding lists at the most


class _State:
    """The Jobs and pods as they were before a change, and what was ever seen of them.

    Attributes:
        jobs: those that there are, by UID.
        pods: those that there are, by UID.
        owners: the pods of each Job.
        unheard: how many creations of pods were carried out, but not answered.
        written: the names of all pods that the implementation has written to.
    """

    def __init__(self, seen: Observed) -> None:
        self.jobs: dict[str, Job] = {}
        self.pods: dict[str, Pod] = {}
        self.owners = Owners()
        self.unheard = sum(write.unheard for write in seen.writes_to(PODS, "create"))
        self.written = {w.request.name for w in seen.writes if w.applied and w.request.resource == PODS}
        self._seen = seen
        self._succeeded: dict[str, set[str]] = {}
        self._wanted: dict[str, list[tuple[float, _Wanted]]] = {}
        self._recorded: dict[str, set[str]] = {}

    def take(self, kind: str, thing: Job | Pod, at_s: float) -> None:
        """Take in a change."""
        match thing:
            case Job() if kind == "DELETED":
                self.jobs.pop(thing.uid, None)
            case Job():
                self.jobs[thing.uid] = thing
                self._take_job(thing, at_s)
            case Pod() if kind == "DELETED":
                self.pods.pop(thing.uid, None)
                self.owners.take(thing, gone=True)
            case Pod():
                self.pods[thing.uid] = thing
                self.owners.take(thing, gone=False)
        if isinstance(thing, Pod) and thing.phase == "Succeeded" and thing.controller:
            self._succeeded.setdefault(thing.controller["uid"], set()).add(thing.uid)

    def _take_job(self, job: Job, at_s: float) -> None:
        wanted = _Wanted(job.parallelism, None if job.indexed else job.completions)
        specs = self._wanted.setdefault(job.uid, [])
        if not specs or specs[-1][1] != wanted:
            specs.append((at_s, wanted))
        self._recorded.setdefault(job.uid, set()).update(*job.uncounted.values())

    def pods_of(self, job: Job) -> Owned:
        """The pods that a Job controls."""
        return self.owners.of(job.uid)

    def job_of(self, pod: Pod) -> Job | None:
        """The living Job that controls a pod."""
        return self.jobs.get(pod.controller["uid"]) if pod.controller else None

    def recorded(self, job: Job, pod: Pod) -> bool:
        """The UID of a pod has been in the Job's status.uncountedTerminatedPods."""
        return pod.uid in self._recorded[job.uid]

    def wanted(self, job: Job, at_s: float) -> int:
        """The most pods that may be active, by any spec that the controller may still act on.

        It may not have seen yet what is new, or what came while its view of Jobs was frozen.
        """
        return self._most(job, at_s, succeeded=len(self._succeeded.get(job.uid, ())))

    def wanted_by_a_stale_view(self, job: Job, at_s: float) -> int:
        """The same where the controller may not have seen its own status writes: none has succeeded."""
        return self._most(job, at_s, succeeded=0)

    def stale(self, at_s: float) -> bool:
        """The controller's view of Jobs is frozen or late."""
        return self._seen.stale(JOBS, at_s, _REACTION_S * self._seen.time_scale)

    def _most(self, job: Job, at_s: float, *, succeeded: int) -> int:
        since_s = self._seen.known_since_s(JOBS, at_s, _REACTION_S * self._seen.time_scale)
        specs = self._wanted[job.uid]
        known = bisect_left(specs, since_s, key=_began_s)
        return max(one.active(succeeded) for _, one in specs[max(0, known - 1) :])


def _began_s(spec: tuple[float, _Wanted]) -> float:
    return spec[0]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a Job's spec says of how many pods may be active; ``completions`` only where they bound it."""

    parallelism: int
    completions: int | None

    def active(self, succeeded: int) -> int:
        if self.completions is None:
            return self.parallelism
        return min(self.parallelism, max(0, self.completions - succeeded))


_RULES: dict[str, Callable[[_State, str, Job | Pod, float], Finding | None]] = {}
_NEVER = {"GNG-009": overcommitted()}
"""What is never true of a whole history."""
EXIT = frozenset({"ROB-038", "GNG-082", "TFJ-051", "VOL-063"})
"""The requirements, one a profile, by which no process of the implementation ends by itself."""


def _invariant(requirement: str) -> Callable[..., object]:
    def register(rule: Callable[[_State, str, Job | Pod, float], Finding | None]) -> object:
        _RULES[requirement] = rule
        return rule

    return register


def breaches(seen: Observed, sentences: Mapping[str, str] | None = None) -> list[Finding]:
    """The first breach of each requirement that a history breaks, in the order in which they happened.

    Args:
        seen: what the whole history shows.
        sentences: the requirements that are in force, with their sentences; None: all, without any.

    Raises:
        FactBroke: an invariant raised an exception.
    """
    state = _State(seen)
    rules = {id_: rule for id_, rule in _RULES.items() if sentences is None or id_ in sentences}
    found: dict[str, Finding] = {}
    for kind, thing, at_s in _in_order(seen):
        for requirement, rule in rules.items():
            if requirement not in found and (
                finding := _blamed(requirement, thing.record, rule, state, kind, thing, at_s)
            ):
                found[requirement] = finding
        state.take(kind, thing, at_s)
    for requirement, never in _NEVER.items():
        if sentences is None or requirement in sentences:
            finding = _blamed(requirement, seen.last, never.of, seen)
            if finding and finding.holds:
                found[requirement] = replace(finding, holds=False)
    for requirement in sorted(EXIT):
        if (sentences is None or requirement in sentences) and (ended := _exited(seen)):
            found[requirement] = ended
    spoken = (
        finding.about(requirement, (sentences or {}).get(requirement, ""))
        for requirement, finding in found.items()
    )
    return [_with_timeline(one, seen) for one in spoken]


_Given = ParamSpec("_Given")


def _blamed(
    requirement: str,
    record: int,
    rule: Callable[_Given, Finding | None],
    *args: _Given.args,
    **kwargs: _Given.kwargs,
) -> Finding | None:
    """What a rule finds; what it raises names it."""
    try:
        return rule(*args, **kwargs)
    except BatchproofError:
        raise
    except Exception as error:
        raise FactBroke(f"the invariant of {requirement}", record, error) from error


def _exited(seen: Observed) -> Finding | None:
    """The implementation goes on until it is killed: that is for the harness to do, and for nobody else."""
    for number, process in seen.processes:
        if process.what.startswith(EXITED):
            last_words = " | ".join(line.strip() for line in process.what.splitlines() if line.strip())
            return Finding(
                holds=False,
                expected="no process of the implementation ends by itself",
                observed=last_words,
                decisive=(number,),
            )
    return None


def _in_order(seen: Observed) -> Iterator[tuple[str, Job | Pod, float]]:
    for kind, thing in seen.in_order(JOBS, PODS):
        if isinstance(thing, Job | Pod):
            yield kind, thing, thing.at_s


def _with_timeline(finding: Finding, seen: Observed) -> Finding:
    return replace(finding, timeline=timeline(seen.records, finding.decisive, until=seen.last))


def _against(thing: Job | Pod, *, expected: str, observed: str) -> Finding:
    return Finding(holds=False, expected=expected, observed=observed, decisive=(thing.record,))


def _previous(state: _State, thing: Job | Pod) -> Job | Pod | None:
    return (state.jobs if isinstance(thing, Job) else state.pods).get(thing.uid)


@_invariant("BAS-014")
def _no_surplus(state: _State, kind: str, thing: Job | Pod, at_s: float) -> Finding | None:
    """BAS-014: no pod is created above min(parallelism, completions - succeeded).

    A creation whose reply was lost is unknown to the controller: as many more may stand until it sees them.
    While its view of Jobs is stale, EXP-043 says what it has to know of the succeeded pods.
    """
    if not (job := _gets_active_pod(state, kind, thing)):
        return None
    wanted = state.wanted_by_a_stale_view if state.stale(at_s) else state.wanted
    return _surplus(state, job, thing, wanted(job, at_s))


@_invariant("EXP-043")
def _no_pod_for_a_counted_one(state: _State, kind: str, thing: Job | Pod, at_s: float) -> Finding | None:
    """EXP-043: a stale view of Jobs lets no pod be created in place of one that has succeeded."""
    if not (job := _gets_active_pod(state, kind, thing)) or not state.stale(at_s):
        return None
    if _surplus(state, job, thing, state.wanted_by_a_stale_view(job, at_s)):
        return None  # BAS-014 speaks of it
    return _surplus(state, job, thing, state.wanted(job, at_s))


def _gets_active_pod(state: _State, kind: str, thing: Job | Pod) -> Job | None:
    """The Job for which an active pod appears."""
    return state.job_of(thing) if kind == "ADDED" and isinstance(thing, Pod) and thing.active else None


def _surplus(state: _State, job: Job, thing: Job | Pod, wanted: int) -> Finding | None:
    active = len(state.pods_of(job).active) + 1
    allowed = wanted + state.unheard
    if active <= allowed:
        return None
    return _against(
        thing,
        expected=f"at most {allowed} active pods of Job {job.name}",
        observed=f"{active} with the creation of {thing.name}",
    )


@_invariant("BAS-060")
def _no_pod_after_the_end(state: _State, kind: str, thing: Job | Pod, at_s: float) -> Finding | None:
    """BAS-060: once a Job is seen finished, no pod is created for it."""
    return None if state.stale(at_s) else _pod_of_a_finished_job(state, kind, thing)


@_invariant("BAS-075")
def _no_pod_after_the_end_unseen(state: _State, kind: str, thing: Job | Pod, at_s: float) -> Finding | None:
    """BAS-075: once a Job is finished, no pod is created for it, even by a view that does not show it."""
    return _pod_of_a_finished_job(state, kind, thing) if state.stale(at_s) else None


def _pod_of_a_finished_job(state: _State, kind: str, thing: Job | Pod) -> Finding | None:
    if kind != "ADDED" or not isinstance(thing, Pod) or not (job := state.job_of(thing)) or not job.finished:
        return None
    return _against(
        thing,
        expected=f"no pod after Job {job.name} is finished",
        observed=f"{thing.name} created; the Job has {job.summary}",
    )


@_invariant("FIN-001")
def _born_with_finalizer(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """FIN-001: every pod that is created for a Job carries the tracking finalizer from its creation."""
    if kind != "ADDED" or not isinstance(thing, Pod) or thing.tracked or not (job := state.job_of(thing)):
        return None
    return _against(
        thing,
        expected=f"pod {thing.name} of Job {job.name} is created with the tracking finalizer",
        observed=f"finalizers {thing.finalizers}",
    )


@_invariant("FIN-004")
def _recorded_before_release(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """FIN-004: the finalizer of a finished pod goes only after the status that records the pod is stored.

    Exempt: Jobs that are being deleted or are gone, Indexed Jobs (recorded by index), and pods that somebody
    other than the implementation released.
    """
    before = _previous(state, thing)
    if not isinstance(thing, Pod) or not isinstance(before, Pod) or not before.tracked:
        return None
    released = kind == "DELETED" or not thing.tracked
    job = state.job_of(thing)
    if not released or not before.finished or job is None or job.deleting or job.indexed:
        return None
    if state.recorded(job, thing) or thing.name not in state.written:
        return None
    return _against(
        thing,
        expected=f"pod {thing.name} keeps its finalizer until its UID is in status.uncountedTerminatedPods",
        observed=f"released; the Job's status never held {thing.uid}",
    )


@_invariant("FIN-005")
def _uncounted_until_released(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """FIN-005: a UID leaves uncountedTerminatedPods only after its pod is gone or has lost the finalizer."""
    before = _previous(state, thing)
    if not isinstance(thing, Job) or not isinstance(before, Job) or kind == "DELETED":
        return None
    still = {u for uids in thing.uncounted.values() for u in uids}
    left = (u for uids in before.uncounted.values() for u in uids if u not in still)
    early = [pod.name for uid in left if (pod := state.pods.get(uid)) and pod.tracked]
    if not early:
        return None
    return _against(
        thing,
        expected="UIDs leave uncountedTerminatedPods after their pods have lost the finalizer",
        observed=f"left while still tracked: {', '.join(early[:_SHOWN])}",
    )


@_invariant("FIN-006")
def _counted_once(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """FIN-006: the counters and the uncounted together never decrease, and no UID is in both lists."""
    before = _previous(state, thing)
    if not isinstance(thing, Job) or kind == "DELETED":
        return None
    twice = set(thing.uncounted["succeeded"]) & set(thing.uncounted["failed"])
    if twice:
        both = ", ".join(sorted(twice))
        return _against(thing, expected="no UID is both succeeded and failed", observed=f"both: {both}")
    if not isinstance(before, Job) or thing.indexed:
        return None
    if _total(thing) < _total(before):
        return _against(
            thing,
            expected=f"at least {_total(before)} pods counted or waiting to be",
            observed=f"{_total(thing)}: {thing.summary}",
        )
    return None


def _total(job: Job) -> int:
    return job.count("succeeded") + job.count("failed") + sum(map(len, job.uncounted.values()))


@_invariant("BAS-059")
def _one_end(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """BAS-059: Complete and Failed exclude each other, and neither is ever taken back."""
    before = _previous(state, thing)
    if not isinstance(thing, Job) or kind == "DELETED":
        return None
    ends = {end for end in ("Complete", "Failed") if thing.condition(end)}
    had = {end for end in ("Complete", "Failed") if isinstance(before, Job) and before.condition(end)}
    if len(ends) < 2 and had <= ends:  # noqa: PLR2004 - both
        return None
    return _against(
        thing,
        expected="one terminal condition, for ever",
        observed=f"{' and '.join(sorted(ends)) or 'none'} after {' and '.join(sorted(had)) or 'none'}",
    )


@_invariant("BAS-055")
def _success_announced(_: _State, kind: str, thing: Job | Pod, __: float) -> Finding | None:
    """BAS-055: a Job that is Complete has SuccessCriteriaMet."""
    return _announced(kind, thing, "Complete", "SuccessCriteriaMet")


@_invariant("BAS-056")
def _failure_announced(_: _State, kind: str, thing: Job | Pod, __: float) -> Finding | None:
    """BAS-056: a Job that is Failed has FailureTarget."""
    return _announced(kind, thing, "Failed", "FailureTarget")


def _announced(kind: str, thing: Job | Pod, end: str, before: str) -> Finding | None:
    if not isinstance(thing, Job) or kind == "DELETED" or not thing.condition(end) or thing.condition(before):
        return None
    return _against(thing, expected=f"{before}=True not later than {end}=True", observed=thing.summary)


@_invariant("BAS-058")
def _nothing_left(_: _State, kind: str, thing: Job | Pod, __: float) -> Finding | None:
    """BAS-058: a finished Job has no active, terminating or uncounted pods in its status."""
    if not isinstance(thing, Job) or kind == "DELETED" or not thing.finished:
        return None
    left = thing.count("active") + thing.count("terminating") + sum(map(len, thing.uncounted.values()))
    if not left:
        return None
    return _against(
        thing, expected="active 0, terminating 0, nothing uncounted when finished", observed=thing.summary
    )


@_invariant("FIN-020")
def _all_released_at_the_end(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """FIN-020: when a Job becomes finished, none of its pods has the tracking finalizer any more."""
    before = _previous(state, thing)
    if not isinstance(thing, Job) or kind == "DELETED" or not thing.finished:
        return None
    if isinstance(before, Job) and before.finished:
        return None
    tracked = state.pods_of(thing).having.get(TRACKING_FINALIZER, {}).values()
    if not tracked:
        return None
    return _against(
        thing,
        expected="no pod with the tracking finalizer when the Job becomes finished",
        observed=f"tracked: {names_of(tracked)}",
    )


@_invariant("BAS-054")
def _completion_time(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """BAS-054: completionTime is set if and only if the Job is Complete, and never changes."""
    if not isinstance(thing, Job) or kind == "DELETED":
        return None
    time, before = thing.status.get("completionTime"), _previous(state, thing)
    had = before.status.get("completionTime") if isinstance(before, Job) else None
    if bool(time) == bool(thing.condition("Complete")) and (had is None or had == time):
        return None
    return _against(
        thing,
        expected="completionTime exactly when Complete, and constant",
        observed=f"completionTime {had} -> {time}; {thing.summary}",
    )
