"""Facts about the life of a Volcano Job: its phases one after the other, its versions, its counts."""

from __future__ import annotations

from collections import Counter

from batchproof.ground.resources import PODS
from batchproof.judgement.facts import Finding, fact, found, state_of
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.shared.facts.events import about
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.volcano import PodGroup
from batchproof.profiles.volcano_job.facts.jobs import (
    LIVE,
    active_pods_of,
    past_of,
    pods_in_words,
    pods_of,
    volcano_job,
)
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS, VolcanoJob

_VERSION = "volcano.sh/job-version"
_TOLD = ("pending", "running", "succeeded", "failed")


@fact(
    "the last phases of the Volcano Job are {phases:words}",
    within="settle",
    judged_by=("VOL-019", "VOL-022", "VOL-023"),
)
def volcano_job_path(seen: Observed, *, phases: list[str]) -> Finding:
    """It had these phases one after the other, and no other since."""
    had = past_of(seen).phases
    return found(
        had[-len(phases) :] == phases, observed=stated(", ".join(had) or "none yet", {"phases": had})
    )


@fact("the Volcano Job has been {phase:word}", within="settle", judged_by=("VOL-019", "VOL-028"))
def volcano_job_was(seen: Observed, *, phase: str) -> Finding:
    """It had this phase at some time, and may have it now."""
    had = past_of(seen).phases
    return found(phase in had, observed=stated(", ".join(had) or "none yet", {"phases": had}))


@fact("the Volcano Job reports {field:word} {count:d}")
def volcano_job_reports(seen: Observed, *, field: str, count: int) -> Finding:
    """Its status has this number now; absent is 0."""
    job = volcano_job(seen)
    observed = state_of(job, "no such Job", "")
    return found(job and job.number(field) == count, observed=observed, decisive=[job.record] if job else [])


@fact("each condition of the Volcano Job has another status")
def volcano_conditions_apart(seen: Observed) -> Finding:
    """status.conditions has no two entries with one status: it is a map whose key is the status."""
    job = volcano_job(seen)
    told = [it.get("status") for it in job.status.get("conditions") or []] if job else []
    return found(
        told and len({*told}) == len(told),
        observed=said("{statuses}", statuses=told),
        decisive=[job.record] if job else [],
    )


@fact("no more than {count:d} [restart|restarts] of the Volcano Job [is|are] reported")
def volcano_restarts_at_most(seen: Observed, *, count: int) -> Finding:
    """Its retryCount is not higher."""
    job = volcano_job(seen)
    return found(job and job.number("retryCount") <= count, observed=state_of(job, "no Job", ""))


@fact("the Volcano Job reports the phases of its pods")
def volcano_job_counts(seen: Observed) -> Finding:
    """The given numbers are Pending, Running, Succeeded and Failed, in all and per task; none terminates."""
    job, pods = volcano_job(seen), pods_of(seen)
    if job is None:
        return found(holds=False, observed="no such Job")
    phases = Counter(pod.phase.lower() for pod in pods)
    told = {name: job.number(name) for name in _TOLD if job.number(name)}
    by_task = Counter((pod.annotations.get("volcano.sh/task-spec", ""), pod.phase) for pod in pods)
    counts = job.status.get("taskStatusCount") or {}
    told_by_task = {
        (task, phase): count
        for task, it in counts.items()
        for phase, count in (it.get("phase") or {}).items()
        if count
    }
    right = told == phases and told_by_task == by_task and not any(pod.deleting for pod in pods)
    return found(
        pods and right,
        observed=f"{in_words(told)} of {in_words(phases)}, by task {in_words(told_by_task)}",
        decisive=[job.record],
    )


@fact("the version of the Volcano Job has risen only when it was left")
def volcano_version_risen(seen: Observed) -> Finding:
    """It has risen at least once, and never while the Job stayed in the phases in which pods are made."""
    rises = past_of(seen).rises
    wrong = [new for old, new in rises if old.phase in LIVE and new.phase in LIVE]
    steps = ", ".join(f"{old.phase} {old.number('version')} to {new.number('version')}" for old, new in rises)
    return found(rises and not wrong, observed=steps or "none", decisive=[it.record for it in wrong[:1]])


@fact("each pod of the Volcano Job carries the version that the Job had")
def volcano_pods_versions(seen: Observed) -> Finding:
    """Of every pod that was ever made for it, in its annotation, by the order of revisions."""
    pods = seen.in_order(VOLCANO_JOBS, PODS).fold(_PodVersions)
    observed = f"{counted(pods.made, 'pod')}, wrong: {', '.join(pods.wrong) or 'none'}"
    return found(pods.made and not pods.wrong, observed=observed)


class _PodVersions:
    """The pods of the Volcano Job, and those that carry another version than it had when they were made."""

    def __init__(self) -> None:
        self.made = 0
        self.wrong: list[str] = []
        self._version: int | None = None

    def take(self, kind: str, thing: ApiObject) -> None:
        if isinstance(thing, VolcanoJob) and thing.name == JOB:
            self._version = thing.number("version")
        elif isinstance(thing, Pod) and kind == "ADDED" and _VERSION in thing.annotations:
            carried = thing.annotations[_VERSION]
            self.made += 1
            self.wrong += [f"{thing.name}: {carried}"] if carried != str(self._version) else []


@fact(
    "{count:d} [pod|pods] of the Volcano Job [was|were] made since it became {phase:word}",
    within="settle",
    judged_by=("VOL-012", "VOL-019"),
)
def volcano_pods_since(seen: Observed, *, count: int, phase: str) -> Finding:
    """The given number of pods that it controls were made since it last came to have this phase, in all."""
    made = seen.in_order(VOLCANO_JOBS, PODS).fold(_MadeSince, phase).made
    return found(
        made == count,
        observed=f"never {phase}" if made is None else stated(counted(made, "pod"), {"created": made}),
    )


class _MadeSince:
    """How many pods of the Volcano Job were made since it last got a phase; None: it never had it."""

    def __init__(self, phase: str) -> None:
        self.made: int | None = None
        self._phase = phase
        self._now = ""
        self._uids: set[str] = set()

    def take(self, kind: str, thing: ApiObject) -> None:
        if isinstance(thing, VolcanoJob) and thing.name == JOB:
            self._uids.add(thing.uid)
            if self._now != thing.phase == self._phase:
                self.made = 0
            self._now = thing.phase
        elif self.made is not None and kind == "ADDED" and thing.controller_uid in self._uids:
            self.made += 1


@fact("{count:d} [pod|pods] of the Volcano Job [is|are] terminating", judged_by=("VOL-021",))
def volcano_pods_terminating(seen: Observed, *, count: int) -> Finding:
    """The given number of its pods are being deleted and have not ended."""
    terminating, observed = _terminating(seen)
    return found(terminating == count, observed=observed)


@fact("at least {at_least:d} [pod|pods] of the Volcano Job [is|are] terminating", judged_by=("VOL-021",))
def volcano_terminating_at_least(seen: Observed, *, at_least: int) -> Finding:
    """Pods that are being deleted are counted until they have finished."""
    terminating, observed = _terminating(seen)
    return found(terminating >= at_least, observed=observed)


def _terminating(seen: Observed) -> tuple[int, str]:
    """How many of its pods are being deleted and have not finished, and the state of each pod in words."""
    pods = pods_of(seen)
    observed = pods_in_words(pods)
    return sum(pod.terminating for pod in pods), observed


@fact("the Volcano Job keeps {count:d} [pod|pods] that [has|have] {outcome:outcome}")
def volcano_pods_kept(seen: Observed, *, count: int, outcome: str) -> Finding:
    """The given number of its pods have ended so and are not being deleted."""
    pods = pods_of(seen)
    kept = [pod for pod in pods if pod.phase == outcome.capitalize() and not pod.deleting]
    observed = pods_in_words(pods)
    return found(len(kept) == count, observed=observed)


@fact("task {task:word} of the Volcano Job has {count:d} [pod|pods]", judged_by=("VOL-004", "VOL-040"))
def volcano_task_pods(seen: Observed, *, task: str, count: int) -> Finding:
    """The given number of its pods are of this task and are not being deleted, whatever their phase."""
    names = [pod.name for pod in _of_task(seen, task)]
    return found(len(names) == count, observed=said("{pods}", pods=names))


@fact(
    "task {task:word} of the Volcano Job has at least {at_least:d} active [pod|pods]", judged_by=("VOL-004",)
)
def volcano_active_task_pods(seen: Observed, *, task: str, at_least: int) -> Finding:
    """Pods that have finished, or that are being deleted, are not counted."""
    pods = active_pods_of(seen, task)
    return found(len(pods) >= at_least, observed=said("{pods}", pods=[pod.name for pod in pods]))


@fact("the pods of task {task:word} have the indexes {indexes:numbers}")
def volcano_task_indexes(seen: Observed, *, task: str, indexes: list[int]) -> Finding:
    """The names of its pods that are not being deleted end with exactly these numbers."""
    have = sorted(int(pod.name.rpartition("-")[2]) for pod in _of_task(seen, task))
    return found(have == indexes, observed=have)


def _of_task(seen: Observed, task: str) -> list[Pod]:
    pods = [pod for pod in pods_of(seen) if not pod.deleting]
    return [pod for pod in pods if pod.name.startswith(f"{JOB}-{task}-")]


@fact(
    "the Volcano Job is gone no earlier than after {seconds:seconds} [second|seconds]",
    within="recovery",
)
def volcano_job_expired(seen: Observed, *, seconds: float) -> Finding:
    """It has ended and is gone; it was deleted at least this long after the time of the end in its state.

    That time is cut to a second, and the write that reports it may be slow: from outside it may end later. A
    deletion in the foreground is completed by the garbage collector, which observes new kinds within 30 s.
    """
    ended, deleted = past_of(seen).ended, past_of(seen).deleted
    gone = volcano_job(seen) is None
    if ended is None or deleted is None:
        return found(holds=False, observed="not deleted" if ended is not None else "not ended")
    told = ended.state.get("lastTransitionTime")
    since = timestamp(told) if told else seen.clock(ended.record)
    after_s = (seen.clock(deleted.record) - since).total_seconds()
    observed = f"deleted {after_s:.1f} s after its end, {'gone' if gone else 'not gone'}"
    return found(gone and after_s >= seconds, observed=observed, decisive=[ended.record, deleted.record])


@fact(
    "the Volcano Job is gone, with its pods and its PodGroup",
    within="recovery",
)
def volcano_job_gone(seen: Observed) -> Finding:
    """There was a Job, and there is none now, and no pod or PodGroup that it controls."""
    jobs = past_of(seen).jobs
    pods = [pod for uid in jobs for pod in seen.owned(uid).pods.values()]
    groups = [group for group in seen.all(PodGroup) if group.controller_uid in jobs]
    left = [*seen.named(VOLCANO_JOBS, JOB), *pods, *groups]
    observed = ", ".join(it.name for it in left) or f"nothing is left of {counted(len(jobs), 'Job')}"
    return found(jobs and not left, observed=observed, decisive=[it.record for it in left[:1]])


@fact("<an|no> event {reason:word} of the Volcano Job names {word:word}")
def volcano_event(seen: Observed, *, reason: str, word: str) -> Finding:
    """There is an Event about the Job of this reason whose message has this word in it, of whatever type."""
    messages = [*about(seen, "Job", JOB, "Normal", reason).messages]
    messages += about(seen, "Job", JOB, "Warning", reason).messages
    return found(any(word in it for it in messages), observed="; ".join(messages) or "none")
