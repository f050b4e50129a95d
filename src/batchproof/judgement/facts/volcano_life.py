"""Facts about the life of a Volcano Job: its phases one after the other, its versions, its counts."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.events import about
from batchproof.judgement.facts.volcano import pods_of, versions_of_job, volcano_job
from batchproof.judgement.facts.volcano_made import controlled_by
from batchproof.judgement.template import JOB
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.thing import timestamp
from batchproof.judgement.things.volcano import PODGROUPS, VOLCANO_JOBS, VolcanoJob
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed

LIVE = {"", "Pending", "Running"}
"""The phases in which a Job has not been left."""

FINAL = {"Completed", "Failed", "Terminated"}
"""The phases in which a Job has ended."""

_TOLD = ("pending", "running", "succeeded", "failed")


def _phases(seen: Observed) -> list[str]:
    """The phases that the Job had, one after the other."""
    phases = (job.phase for job in versions_of_job(seen) if job.phase)
    return [phase for phase, _ in groupby(phases)]


@fact("the last phases of the Volcano Job are {phases:words}", within="settle")
def volcano_job_path(seen: Observed, *, phases: list[str]) -> Finding:
    """It had these phases one after the other, and no other since."""
    had = _phases(seen)
    return found(had[-len(phases) :] == phases, observed=", ".join(had) or "none yet")


@fact("the Volcano Job has been {phase:word}", within="settle")
def volcano_job_was(seen: Observed, *, phase: str) -> Finding:
    """It had this phase at some time, and may have it now."""
    had = _phases(seen)
    return found(phase in had, observed=", ".join(had) or "none yet")


@fact("the Volcano Job reports {field:word} {count:d}")
def volcano_job_reports(seen: Observed, *, field: str, count: int) -> Finding:
    """Its status has this number now; absent is 0."""
    job = volcano_job(seen)
    observed = " ".join(job.words) if job else "no such Job"
    return found(job and job.number(field) == count, observed=observed, decisive=[job.record] if job else [])


@fact("no more than {count:d} [restart|restarts] of the Volcano Job [is|are] reported")
def volcano_restarts_at_most(seen: Observed, *, count: int) -> Finding:
    """Its retryCount is not higher."""
    job = volcano_job(seen)
    return found(job and job.number("retryCount") <= count, observed=" ".join(job.words) if job else "no Job")


@fact("the Volcano Job reports the phases of its pods")
def volcano_job_counts(seen: Observed) -> Finding:
    """So many are Pending, Running, Succeeded and Failed, in all and of each task; none is being deleted."""
    job, pods = volcano_job(seen), pods_of(seen)
    if job is None or not pods:
        return found(holds=False, observed=f"{len(pods)} pods")
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
    holds = told == phases and told_by_task == by_task and not any(pod.deleting for pod in pods)
    return found(holds, observed=f"{told} of {dict(phases)}, by task {told_by_task}", decisive=[job.record])


@fact("the version of the Volcano Job has risen only when it was left")
def volcano_version_risen(seen: Observed) -> Finding:
    """It has risen at least once, and never while the Job stayed in the phases in which pods are made."""
    versions = versions_of_job(seen)
    rises = [(old, new) for old, new in pairwise(versions) if new.number("version") > old.number("version")]
    wrong = [new for old, new in rises if {old.phase, new.phase} <= LIVE]
    steps = ", ".join(f"{old.phase} {old.number('version')} to {new.number('version')}" for old, new in rises)
    return found(rises and not wrong, observed=steps or "none", decisive=[it.record for it in wrong[:1]])


@fact("each pod of the Volcano Job carries the version that the Job had")
def volcano_pods_versions(seen: Observed) -> Finding:
    """Of every pod that was ever made for it, in its annotation, by the order of revisions."""
    version, made, wrong = 0, 0, []
    for kind, thing in seen.in_order(VOLCANO_JOBS, PODS):
        if isinstance(thing, VolcanoJob) and thing.name == JOB:
            version = thing.number("version")
        elif isinstance(thing, Pod) and kind == "ADDED" and "volcano.sh/job-version" in thing.annotations:
            made += 1
            wrong += [thing] if thing.annotations["volcano.sh/job-version"] != str(version) else []
    names = [f"{pod.name}: {pod.annotations['volcano.sh/job-version']}" for pod in wrong]
    return found(made and not wrong, observed=f"{made} pods, wrong: {', '.join(names) or 'none'}")


@fact(
    "{count:d} [pod|pods] of the Volcano Job [was|were] made since it became {phase:word}",
    within="settle",
)
def volcano_pods_since(seen: Observed, *, count: int, phase: str) -> Finding:
    """So many pods that it controls were made since it last came to have this phase, in all."""
    now, had, made = "", False, 0
    uids = {job.uid for job in versions_of_job(seen)}
    for kind, thing in seen.in_order(VOLCANO_JOBS, PODS):
        if isinstance(thing, VolcanoJob) and thing.name == JOB:
            if now != thing.phase == phase:
                had, made = True, 0
            now = thing.phase
        elif isinstance(thing, Pod) and kind == "ADDED" and (thing.controller or {}).get("uid") in uids:
            made += 1
    return found(had and made == count, observed=f"{made} pods" if had else f"never {phase}")


@fact("{count:d} [pod|pods] of the Volcano Job [is|are] terminating")
def volcano_pods_terminating(seen: Observed, *, count: int) -> Finding:
    """So many of its pods are being deleted and have not ended."""
    pods = pods_of(seen)
    observed = ", ".join(f"{pod.name} {pod.phase}{' deleting' * pod.deleting}" for pod in pods) or "none"
    return found(sum(pod.terminating for pod in pods) == count, observed=observed)


@fact("the Volcano Job keeps {count:d} [pod|pods] that [has|have] {outcome:outcome}")
def volcano_pods_kept(seen: Observed, *, count: int, outcome: str) -> Finding:
    """So many of its pods have ended so and are not being deleted."""
    pods = pods_of(seen)
    kept = [pod for pod in pods if pod.phase == outcome.capitalize() and not pod.deleting]
    observed = ", ".join(f"{pod.name} {pod.phase}{' deleting' * pod.deleting}" for pod in pods) or "none"
    return found(len(kept) == count, observed=observed)


@fact("task {task:word} of the Volcano Job has {count:d} [pod|pods]")
def volcano_task_pods(seen: Observed, *, task: str, count: int) -> Finding:
    """So many of its pods are of this task and are not being deleted, whatever their phase."""
    names = [pod.name for pod in _of_task(seen, task)]
    return found(len(names) == count, observed=", ".join(names) or "none")


@fact("the pods of task {task:word} have the indexes {indexes:numbers}")
def volcano_task_indexes(seen: Observed, *, task: str, indexes: list[int]) -> Finding:
    """The names of its pods that are not being deleted end with exactly these numbers."""
    have = sorted(int(pod.name.rpartition("-")[2]) for pod in _of_task(seen, task))
    return found(have == indexes, observed=str(have))


def _of_task(seen: Observed, task: str) -> list[Pod]:
    pods = [pod for pod in pods_of(seen) if not pod.deleting]
    return [pod for pod in pods if pod.name.startswith(f"{JOB}-{task}-")]


@fact(
    "the Volcano Job is gone not sooner than after {seconds:seconds} [second|seconds]",
    within="settle",
)
def volcano_job_expired(seen: Observed, *, seconds: float) -> Finding:
    """It has ended and is gone; its deletion came so long after the time that its state tells of its end.

    That time is cut to a second, and the write that tells it may be slow: from outside it may end later.
    """
    ended = deleted = None
    for kind, job in seen.versions(VOLCANO_JOBS):
        if isinstance(job, VolcanoJob) and job.name == JOB:
            if ended is None and job.phase in FINAL:
                ended = job
            if deleted is None and (job.deleting or kind == "DELETED"):
                deleted = job
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
    jobs = {job.uid: job for job in versions_of_job(seen)}.values()
    others = [*seen.pods, *seen.objects(PODGROUPS).values()]
    its = [it for it in others if any(controlled_by(job, it) for job in jobs)]
    left = [*seen.named(VOLCANO_JOBS, JOB), *its]
    observed = ", ".join(it.name for it in left) or f"nothing is left of {len(jobs)} Jobs"
    return found(jobs and not left, observed=observed, decisive=[it.record for it in left[:1]])


@fact("<an|no> event {reason:word} of the Volcano Job names {word:word}")
def volcano_event(seen: Observed, *, reason: str, word: str) -> Finding:
    """There is an Event about the Job of this reason whose message has this word in it, of whatever type."""
    messages = [*about(seen, "Job", JOB, "Normal", reason).messages]
    messages += about(seen, "Job", JOB, "Warning", reason).messages
    return found(any(word in it for it in messages), observed="; ".join(messages) or "none")
