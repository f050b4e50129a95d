"""Facts about the conditions and times of a Job's status, over all that the Job has been."""

from __future__ import annotations

from itertools import dropwhile
from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.thing import timestamp
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed

_TERMINAL = ("Complete", "Failed")


def _versions(seen: Observed, job: str) -> list[Job]:
    """All that a Job has been, oldest first."""
    return [it for _, it in seen.versions_of(job)]


def _endings(job: Job) -> list[str]:
    return [kind for kind in _TERMINAL if job.condition(kind)]


@fact('{job:job} is {condition:word} with reason {reason:word} and message "{message:text}"', within="settle")
def job_condition(seen: Observed, *, job: str, condition: str, reason: str, message: str) -> Finding:
    """The condition is True, with exactly this reason and message."""
    it = seen.job(job)
    told = (it.condition(condition) if it else None) or {}
    return found(
        (told.get("reason"), told.get("message")) == (reason, message),
        expected=f"{condition}=True because of {reason}: {message}",
        observed=f"{condition}=True because of {told.get('reason')}: {told.get('message')}"
        if told
        else "unset",
        decisive=[it.record] if it and told else [],
    )


@fact("{job:job} has started")
def job_started(seen: Observed, *, job: str) -> Finding:
    """status.startTime is set."""
    it = seen.job(job)
    at = it.status.get("startTime") if it else None
    return found(at, expected=f"Job {job} with a startTime", observed=at or "no startTime")


@fact("the startTime of {job:job} has never changed", within="now")
def start_time_kept(seen: Observed, *, job: str) -> Finding:
    """Since startTime was first set it has been the same in every version of the Job."""
    times = [(it.status.get("startTime"), it.record) for it in _versions(seen, job)]
    since = list(dropwhile(lambda time: not time[0], times))
    first = since[0][0] if since else None
    changed = [(at, record) for at, record in since if at != first]
    return found(
        first and not changed,
        expected="one startTime, kept",
        observed=f"{first}, then {changed[0][0]}" if changed else str(first),
        decisive=[record for _, record in changed[:1]],
    )


@fact("the completionTime of {job:job} came with Complete and has not changed", within="now")
def completion_time_right(seen: Observed, *, job: str) -> Finding:
    """Set exactly in the versions that are Complete, always the same, and not before startTime."""
    wrong: list[tuple[str, int]] = []
    first = ""
    for it in _versions(seen, job):
        at = str(it.status.get("completionTime") or "")
        if bool(at) != bool(it.condition("Complete")):
            wrong.append((f"completionTime {at or 'unset'} with {it.summary}", it.record))
        elif first and at != first:
            wrong.append((f"completionTime {first}, then {at or 'unset'}", it.record))
        elif at and timestamp(at) < timestamp(str(it.status.get("startTime") or at)):
            wrong.append((f"completionTime {at} before startTime {it.status.get('startTime')}", it.record))
        first = first or at
    return found(
        not wrong,
        expected="a completionTime from Complete on, never changed, not before startTime",
        observed=wrong[0][0] if wrong else f"completionTime {first or 'unset'}",
        decisive=[record for _, record in wrong[:1]],
    )


@fact("{job:job} has never had a completionTime", within="now")
def completion_time_unset(seen: Observed, *, job: str) -> Finding:
    """No version of the Job has a completionTime."""
    those = [it for it in _versions(seen, job) if it.status.get("completionTime")]
    return found(
        not those,
        expected="no completionTime",
        observed=str(those[0].status["completionTime"]) if those else "none",
        decisive=[it.record for it in those[:1]],
    )


@fact(
    "{job:job} had {target:word} before {terminal:word}, "
    'both with reason {reason:word} and message "{message:text}"',
    within="now",
)
def end_announced(
    seen: Observed, *, job: str, target: str, terminal: str, reason: str, message: str
) -> Finding:
    """A version without the terminal condition has the target, and both give this reason and message."""
    versions = _versions(seen, job)
    before = [it for it in versions if not it.condition(terminal)]
    after = [it for it in versions if it.condition(terminal)]
    announced, ended = before[-1].condition(target) if before else None, _words(after, terminal)
    holds = bool(announced) and bool(ended) and _words(before[-1:], target) == ended == (reason, message)
    return found(
        holds,
        expected=f"{target}, later {terminal}, both because of {reason}: {message}",
        observed=f"{target} {_words(before[-1:], target)}, later {terminal} {ended}",
        decisive=[it.record for it in after[:1]],
    )


def _words(versions: list[Job], condition: str) -> tuple[str, str] | None:
    """Reason and message of a condition in the first of these versions."""
    told = versions[0].condition(condition) if versions else None
    return (str(told.get("reason")), str(told.get("message"))) if told else None


@fact("no pod of {job:job} was active or terminating when it finished")
def finished_last(seen: Observed, *, job: str) -> Finding:
    """By the order of revisions, every pod was terminal or gone when the Job got its terminal condition."""
    expected = f"no active or terminating pod when Job {job} finishes"
    pods: dict[str, Pod] = {}
    for change, thing in seen.in_order(JOBS, PODS):
        match thing:
            case Pod() if change.type == "DELETED":
                pods.pop(thing.uid, None)
            case Pod():
                pods[thing.uid] = thing
            case Job() if thing.name == job and thing.finished:
                left = [pod.name for pod in pods.values() if pod.owned_by(thing) and not pod.finished]
                told = ", ".join(left) or "none"
                return found(not left, expected=expected, observed=told, decisive=[thing.record])
            case _:
                pass
    return found(holds=False, expected=expected, observed="not finished")


@fact("{job:job} has counted no pod as active, terminating or uncounted since it finished", within="now")
def clean_end(seen: Observed, *, job: str) -> Finding:
    """Every finished version has active 0, terminating 0 or unset, and empty uncountedTerminatedPods."""
    ended = [it for it in _versions(seen, job) if it.finished]
    unclean = [
        it for it in ended if it.count("active") or it.count("terminating") or any(it.uncounted.values())
    ]
    return found(
        ended and not unclean,
        expected="a finished Job with no pods left to count",
        observed=unclean[0].summary if unclean else "all clean" if ended else "not finished",
        decisive=[it.record for it in unclean[:1]],
    )


@fact("{job:job} keeps its one terminal condition")
def one_ending(seen: Observed, *, job: str) -> Finding:
    """Since the Job first had Complete or Failed, it has had just that one."""
    ended = [(it, _endings(it)) for it in _versions(seen, job)]
    first = next((kinds for _, kinds in ended if kinds), [])
    wrong = [(it, kinds) for it, kinds in ended if len(kinds) > 1]
    if first:
        since = next(number for number, (_, kinds) in enumerate(ended) if kinds)
        wrong += [(it, kinds) for it, kinds in ended[since:] if kinds != first]
    return found(
        len(first) == 1 and not wrong,
        expected="one of Complete and Failed, kept",
        observed=f"{first}, then {wrong[0][1]}" if wrong else str(first),
        decisive=[it.record for it, _ in wrong[:1]],
    )
