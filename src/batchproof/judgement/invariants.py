"""Invariants: what must hold of every history, whatever the scenario, without being asked for.

Changes are taken in the order of etcd revisions, which is the order in which they happened; the records of
two watches may have arrived otherwise. Each rule is named after the requirement that it judges.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ParamSpec

from batchproof.errors import BatchproofError
from batchproof.judgement.facts.gangs import overcommitted
from batchproof.judgement.finding import FactBroke, Finding
from batchproof.judgement.history import EXITED
from batchproof.judgement.observed import Observed, observe
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.timeline import timeline
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from batchproof.judgement.history import Record

_REACTION_S = 2.0  # a controller may still act on a spec that was changed so short a time ago


@dataclass
class _State:
    """The Jobs and pods as they were before a change, and what was ever seen of them."""

    seen: Observed
    jobs: dict[str, Job] = field(default_factory=dict)
    pods: dict[str, Pod] = field(default_factory=dict)
    succeeded: dict[str, set[str]] = field(default_factory=dict)
    specs: dict[str, list[tuple[float, Job]]] = field(default_factory=dict)

    def take(self, kind: str, thing: Job | Pod, at_s: float) -> None:
        """Take in a change."""
        match thing:
            case Job() if kind == "DELETED":
                self.jobs.pop(thing.uid, None)
            case Job():
                self.jobs[thing.uid] = thing
                self.specs.setdefault(thing.uid, []).append((at_s, thing))
            case Pod() if kind == "DELETED":
                self.pods.pop(thing.uid, None)
            case Pod():
                self.pods[thing.uid] = thing
        if isinstance(thing, Pod) and thing.phase == "Succeeded" and thing.controller:
            self.succeeded.setdefault(thing.controller["uid"], set()).add(thing.uid)

    def pods_of(self, job: Job) -> list[Pod]:
        """The pods that a Job controls."""
        return [pod for pod in self.pods.values() if pod.owned_by(job)]

    def job_of(self, pod: Pod) -> Job | None:
        """The living Job that controls a pod."""
        return self.jobs.get(pod.controller["uid"]) if pod.controller else None

    def wanted(self, job: Job, at_s: float) -> int:
        """The most pods that may be active, by any spec that the controller may still act on."""
        versions = self.specs[job.uid]
        recent = [one for began, one in versions if began >= at_s - _REACTION_S]
        before = [one for began, one in versions if began < at_s - _REACTION_S][-1:]
        succeeded = len(self.succeeded.get(job.uid, ()))
        return max(_bound(one, succeeded) for one in (*before, *recent))


def _bound(job: Job, succeeded: int) -> int:
    if job.completions is None or job.indexed:
        return job.parallelism
    return min(job.parallelism, max(0, job.completions - succeeded))


_RULES: dict[str, Callable[[_State, str, Job | Pod, float], Finding | None]] = {}
_NEVER = {"GNG-009": overcommitted()}
"""What is never true of a whole history."""
_EXIT = ("ROB-038", "GNG-082")
"""The requirements, one a profile, by which no process of the implementation ends by itself."""


def _invariant(requirement: str) -> Callable[..., object]:
    def register(rule: Callable[[_State, str, Job | Pod, float], Finding | None]) -> object:
        _RULES[requirement] = rule
        return rule

    return register


def breaches(records: Iterable[Record], sentences: Mapping[str, str] | None = None) -> list[Finding]:
    """The first breach of each requirement that a history breaks, in the order in which they happened.

    Args:
        records: the whole history.
        sentences: the requirements that are in force, with their sentences; None: all, without any.

    Raises:
        FactBroke: an invariant raised an exception.
    """
    seen = observe(records)
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
    for requirement in _EXIT:
        if (sentences is None or requirement in sentences) and (ended := _exited(seen)):
            found[requirement] = ended
    told = (
        finding.about(requirement, (sentences or {}).get(requirement, ""))
        for requirement, finding in found.items()
    )
    return [_with_timeline(one, seen) for one in told]


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
    for change, thing in seen.in_order(JOBS, PODS):
        if isinstance(thing, Job | Pod):
            yield change.type, thing, seen.records[thing.record].at_s


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
    """
    if kind != "ADDED" or not isinstance(thing, Pod) or not (job := state.job_of(thing)) or not thing.active:
        return None
    active = sum(pod.active for pod in state.pods_of(job)) + 1
    allowed = state.wanted(job, at_s) + sum(write.unheard for write in state.seen.writes_to(PODS, "create"))
    if active <= allowed:
        return None
    return _against(
        thing,
        expected=f"at most {allowed} active pods of Job {job.name}",
        observed=f"{active} with the creation of {thing.name}",
    )


@_invariant("BAS-060")
def _no_pod_after_the_end(state: _State, kind: str, thing: Job | Pod, _: float) -> Finding | None:
    """BAS-060: once a Job is finished, no pod is created for it."""
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
    patched = [
        write
        for write in state.seen.writes
        if write.applied and write.request.resource == PODS and write.request.name == thing.name
    ]
    recorded = any(
        thing.uid in uids for _, version in state.specs[job.uid] for uids in version.uncounted.values()
    )
    if recorded or not patched:
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
    left = {u for uids in before.uncounted.values() for u in uids} - {
        u for uids in thing.uncounted.values() for u in uids
    }
    early = [pod.name for uid, pod in state.pods.items() if uid in left and pod.tracked]
    if not early:
        return None
    return _against(
        thing,
        expected="UIDs leave uncountedTerminatedPods after their pods have lost the finalizer",
        observed=f"left while still tracked: {', '.join(early)}",
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
    tracked = [pod.name for pod in state.pods_of(thing) if pod.tracked]
    if not tracked:
        return None
    return _against(
        thing,
        expected="no pod with the tracking finalizer when the Job becomes finished",
        observed=f"tracked: {', '.join(tracked)}",
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
