"""What is to be done for a Job, of what is stored of it and its pods. It is pure."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.unusual.job.model import Job, Pod, render, seconds, stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Json = dict[str, Any]
SURPLUS_MARK = "unusual.example.com/surplus"
"""The annotation of a pod that is deleted because it was one too many."""
_MOST_WAITING = 500
_ENDS = {"SuccessCriteriaMet": "Complete", "FailureTarget": "Failed"}
_LIMIT = ("FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit")
_DEADLINE = ("FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline")
_DONE = ("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods")


@dataclass(frozen=True)
class Failure:
    """A failure of a pod: when its node says that it ended, when it was created, when this process saw it."""

    finished: float
    created: float
    seen: float


@dataclass
class Memory:
    """What this process has seen of one Job: how its pods ended, in the order in which it saw that."""

    ends: dict[str, Failure | None] = field(default_factory=dict)

    def take(self, job: Job, pods: Sequence[Pod], now: float) -> None:
        """Look at the pods again; a success is None."""
        for pod in sorted(pods, key=lambda it: it.created):
            if pod.uid in self.ends or is_marked(pod):
                continue
            if pod.phase == "Succeeded":
                self.ends[pod.uid] = None
            elif pod.tracked and has_failed(job, pod):
                self.ends[pod.uid] = Failure(pod.finished_at, pod.created, now)

    def row(self, *, resets: bool) -> list[Failure]:
        """The failures since the last success, or all of them."""
        row: list[Failure] = []
        for end in self.ends.values():
            row = [*row, end] if end else [] if resets else row
        return row


@dataclass(frozen=True)
class Choices:
    """In what one may do otherwise than another when deciding.

    Attributes:
        begins: from when the delay of a replacement counts.
        resets: a success ends the row of failures.
        first_to_go: which of several surplus pods go first: a sort key.
        indexes: which of the free indexes get the next pods, and in which order.
        most_records: how many pods a status write records at most; no more than 500 wait to be counted.
        most_pods: how many pods are created or deleted before the Job is looked at again.
    """

    begins: Callable[[Failure], float] = lambda it: min(it.finished, it.seen)
    resets: bool = True
    first_to_go: Callable[[Pod], Any] = lambda pod: (pod.progress, -pod.created)
    indexes: Callable[[list[int], int], list[int]] = lambda free, count: free[:count]
    most_records: int = 500
    most_pods: int = 500


@dataclass
class Plan:
    """What is to be done next.

    Attributes:
        status: the status to be stored; None: it is so already.
        release: pods whose finalizer goes.
        surplus: pods to be deleted that count for nothing.
        doomed: pods to be deleted that count as failed.
        create: the indexes of pods to be created; None: of no index.
        events: what is to be said once the status is stored: type, reason, message.
        again_s: when to look again though nothing happens.
    """

    status: Json | None = None
    release: list[Pod] = field(default_factory=list)
    surplus: list[Pod] = field(default_factory=list)
    doomed: list[Pod] = field(default_factory=list)
    create: list[int | None] = field(default_factory=list)
    events: list[tuple[str, str, str]] = field(default_factory=list)
    again_s: float | None = None


def is_marked(pod: Pod) -> bool:
    """The pod is one too many, and counts for nothing."""
    return SURPLUS_MARK in pod.meta.get("annotations", {})


def has_failed(job: Job, pod: Pod) -> bool:
    """The pod has failed, or counts as failed since it is being deleted."""
    gone = pod.deleting and pod.phase != "Succeeded" and not job.waits_for_the_end
    return pod.phase == "Failed" or gone


@dataclass(frozen=True)
class Count:
    """The pods of a Job, by what they are to it."""

    active: list[Pod]
    terminating: list[Pod]
    succeeded: list[Pod]
    failed: list[Pod]
    done: set[int]

    @classmethod
    def of(cls, job: Job, pods: Sequence[Pod]) -> Count:
        """Count them: ``succeeded`` and ``failed`` are those that are not recorded yet."""
        recorded = {*job.uncounted("succeeded"), *job.uncounted("failed")}
        new = [it for it in pods if it.tracked and it.uid not in recorded and not is_marked(it)]
        if job.indexed:
            new = [it for it in new if it.index is not None and it.index < (job.completions or 0)]
        succeeded = [it for it in new if it.phase == "Succeeded"]
        if job.indexed:
            succeeded = [it for it in succeeded if it.index not in job.completed]
        return cls(
            active=[it for it in pods if it.active],
            terminating=[it for it in pods if it.deleting and not it.ended],
            succeeded=succeeded,
            failed=[it for it in new if has_failed(job, it)],
            done=job.completed | {it.index for it in succeeded if it.index is not None},
        )


def decide(job: Job, pods: Sequence[Pod], memory: Memory, choices: Choices, now: float) -> Plan:
    """What to do for a Job of ours with the pods that it controls."""
    if job.deleting:
        return Plan(release=[it for it in pods if it.tracked and (it.ended or it.deleting)])
    if job.finished:
        return Plan(release=[it for it in pods if it.tracked])
    count = Count.of(job, pods)
    successes = len(count.done) if job.indexed else _so_far(job, "succeeded") + len(count.succeeded)
    failures = _so_far(job, "failed") + len(count.failed)
    end, due_s = _ending(job, count, successes, failures, now)
    stored = next((it for it in _ENDS if job.condition(it)), "")
    plan = Plan(again_s=due_s)
    status = _status(job, pods, count, most_records=choices.most_records, end=end, now=now)
    if _bare(status) != _bare(job.status):
        plan.status, plan.events = status, _events(job, status)
    plan.release = _releasable(job, pods, count)
    if stored:
        doomed = stored == "FailureTarget"
        plan.doomed, plan.surplus = (count.active, []) if doomed else ([], count.active)
    elif end is None:
        _scale(job, count, plan, successes=successes, choices=choices, wait_s=_wait_s(memory, choices, now))
    return plan


def _so_far(job: Job, outcome: str) -> int:
    return int(job.status.get(outcome, 0)) + len(job.uncounted(outcome))


def _ending(
    job: Job, count: Count, successes: int, failures: int, now: float
) -> tuple[tuple[str, str, str] | None, float | None]:
    """How the Job ends, if it does, and else in how many seconds to look for that again."""
    for target in _ENDS:
        if stored := job.condition(target):
            return (target, stored["reason"], stored["message"]), None
    limit = job.spec.get("backoffLimit", 6)
    restarts = sum(it.restarts for it in count.active)
    in_place = job.spec["template"]["spec"].get("restartPolicy") == "OnFailure"
    if failures > limit or (in_place and restarts >= max(limit, 1)):
        return _LIMIT, None
    due_s = None
    deadline, started = job.spec.get("activeDeadlineSeconds"), job.status.get("startTime")
    if deadline is not None and started and not job.suspended and not job.condition("Suspended"):
        due_s = seconds(started) + deadline - now
        if due_s <= 0:
            return _DEADLINE, None
    enough = successes > 0 if job.completions is None else successes >= job.completions
    return (_DONE, None) if enough and not count.active else (None, due_s)


def _status(
    job: Job,
    pods: Sequence[Pod],
    count: Count,
    *,
    most_records: int,
    end: tuple[str, str, str] | None,
    now: float,
) -> Json:
    """The status as it should be stored next."""
    status: Json = deepcopy(job.status)
    tracked = {it.uid for it in pods if it.tracked}
    waiting: dict[str, list[str]] = {}
    for outcome in ("succeeded", "failed"):
        recorded = job.uncounted(outcome)
        waiting[outcome] = [uid for uid in recorded if uid in tracked]
        status[outcome] = status.get(outcome, 0) + len(recorded) - len(waiting[outcome])
    room = min(most_records, _MOST_WAITING - len(waiting["succeeded"]) - len(waiting["failed"]))
    new = count.succeeded[: max(room, 0)]
    if job.indexed:
        done = job.completed | {it.index for it in new if it.index is not None}
        status |= {"completedIndexes": render(done), "succeeded": len(done)}
    else:
        waiting["succeeded"] += [it.uid for it in new]
    waiting["failed"] += [it.uid for it in count.failed[: max(room - len(new), 0)]]
    ready = sum(it.ready for it in count.active)
    status |= {"uncountedTerminatedPods": waiting, "active": len(count.active), "ready": ready}
    status["terminating"] = len(count.terminating)
    at = stamp(now)
    if end is None:
        _suspend_or_resume(job, status, at, idle=not count.active)
    if not status.get("startTime") and not job.suspended:
        status["startTime"] = at
    if end is not None:
        at_rest = not (count.active or count.terminating or tracked or any(waiting.values()))
        _end(job, status, end, at, at_rest=at_rest)
    return status


def _suspend_or_resume(job: Job, status: Json, at: str, *, idle: bool) -> None:
    if job.suspended and not job.condition("Suspended") and idle:
        _set(status, "Suspended", "True", reason="JobSuspended", message="Job suspended", at=at)
        status["startTime"] = None
    elif not job.suspended and job.condition("Suspended"):
        _set(status, "Suspended", "False", reason="JobResumed", message="Job resumed", at=at)
        status["startTime"] = at


def _end(job: Job, status: Json, end: tuple[str, str, str], at: str, *, at_rest: bool) -> None:
    """First the interim condition; the terminal one when everything is at rest."""
    target, reason, message = end
    if not job.condition(target):
        _set(status, target, "True", reason=reason, message=message, at=at)
    elif at_rest:
        _set(status, _ENDS[target], "True", reason=reason, message=message, at=at)
        status["startTime"] = status.get("startTime") or at
        if target == "SuccessCriteriaMet":
            status["completionTime"] = max(at, status["startTime"])


def _set(status: Json, kind: str, value: str, *, reason: str, message: str, at: str) -> None:
    new = {"type": kind, "status": value, "reason": reason, "message": message}
    new |= {"lastProbeTime": at, "lastTransitionTime": at}
    others = [it for it in status.get("conditions", []) if it["type"] != kind]
    status["conditions"] = [*others, new]


def _bare(value: Any) -> Any:
    """A status without what is zero or empty, so that what is left out and what is zero are equal."""
    if not isinstance(value, dict):
        return value
    bare = {key: _bare(it) for key, it in value.items()}
    return {key: it for key, it in bare.items() if it or it is False}


def _events(job: Job, status: Json) -> list[tuple[str, str, str]]:
    """What is to be said of the conditions that are new."""
    had = [(it["type"], it["status"]) for it in job.status.get("conditions", [])]
    said: list[tuple[str, str, str]] = []
    for it in status.get("conditions", []):
        match it["type"], it["status"]:
            case kind if kind in had:
                pass
            case "Complete", _:
                if job.completions is not None and status["succeeded"] > job.completions:
                    text = "Too many succeeded pods running after completion count reached"
                    said.append(("Warning", "TooManySucceededPods", text))
                said.append(("Normal", "Completed", "Job completed"))
            case "Failed", _:
                said.append(("Warning", it["reason"], it["message"]))
            case "Suspended", value:
                said.append(("Normal", "Suspended" if value == "True" else "Resumed", it["message"]))
    return said


def _releasable(job: Job, pods: Sequence[Pod], count: Count) -> list[Pod]:
    """Pods that are recorded in the stored status, and those that count for nothing."""
    recorded = {*job.uncounted("succeeded"), *job.uncounted("failed")}
    new = {it.uid for it in (*count.succeeded, *count.failed)}
    return [
        it
        for it in pods
        if it.tracked
        and (
            it.uid in recorded
            or (is_marked(it) and it.deleting)
            or (job.indexed and it.uid not in new and (it.ended or has_failed(job, it)))
        )
    ]


def _scale(job: Job, count: Count, plan: Plan, *, successes: int, choices: Choices, wait_s: float) -> None:
    """Delete what is too much, or create what is missing, never both."""
    active = sorted(count.active, key=lambda it: (it.tracked, *_as_tuple(choices.first_to_go(it))))
    useless, useful = _useless(job, active)
    if job.suspended:
        wanted = 0
    elif job.completions is None:
        wanted = len(active) if successes else job.parallelism
    else:
        wanted = max(0, min(job.parallelism, job.completions - successes))
    plan.surplus = [*useless, *useful[: max(0, len(useful) - wanted)]][: choices.most_pods]
    missing = min(wanted - len(active), choices.most_pods)
    missing -= len(count.terminating) if job.waits_for_the_end else 0
    if plan.surplus or missing <= 0:
        return
    if wait_s > 0:
        plan.again_s = min(wait_s, plan.again_s or wait_s)
    elif job.indexed:
        taken = count.done | {it.index for it in active}
        taken |= {it.index for it in count.terminating} if job.waits_for_the_end else set()
        free = [it for it in range(job.completions or 0) if it not in taken]
        plan.create = [*choices.indexes(free, missing)]
    else:
        plan.create = [None] * missing


def _as_tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _useless(job: Job, active: list[Pod]) -> tuple[list[Pod], list[Pod]]:
    """Pods without an index that the Job has, or with that of a better one, and all others."""
    if not job.indexed:
        return [], active
    best = {it.index: it for it in active if it.index is not None and it.index < (job.completions or 0)}
    kept = {it.uid for it in best.values()}
    return [it for it in active if it.uid not in kept], [it for it in active if it.uid in kept]


def _wait_s(memory: Memory, choices: Choices, now: float) -> float:
    """How long the next pod has to wait: 10 s after the first failure of a row, doubling up to 10 minutes."""
    row = memory.row(resets=choices.resets)
    if not row:
        return 0.0
    return max(map(choices.begins, row)) + min(10.0 * 2.0 ** min(len(row) - 1, 10), 600.0) - now
