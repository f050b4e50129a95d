"""Invariants of Job controllers: the tracking finalizer, and the counting that it makes safe (KEP-2307)."""

from __future__ import annotations

from batchproof.judgement.facts import names_of
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted, named, said, stated
from batchproof.profiles.job.invariants.past import PastJobs
from batchproof.profiles.job.invariants.rule import about_jobs, about_pods
from batchproof.profiles.shared.changes import ObjectChange
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.pods import completion_index

_RECORDED_BYTES = 20 * 1024
_SHOWN = 10  # names that a finding lists at the most


@about_pods("FIN-001")
def born_with_finalizer(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """FIN-001: every pod that is created for a Job carries the tracking finalizer from its creation."""
    pod = change.now
    if not change.created or pod.tracked or not (job := past.job_of(pod)):
        return None
    return against(
        pod,
        expected=f"pod {pod.name} of Job {job.name} is created with the tracking finalizer",
        observed=said("finalizers {finalizers}", finalizers=pod.finalizers),
    )


@about_pods("FIN-004")
def recorded_before_release(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """FIN-004: the finalizer of a finished pod goes only after the status that records the pod is stored.

    A success of an Indexed Job is recorded by its UID or by its index, even if its pod has turned Failed
    since (FIN-043). Exempt: Jobs that are being deleted or are gone, Jobs that are finished and count
    nothing more (FIN-020 speaks of what they still held), failures that a rule of the Job may ignore,
    pods without an index that their Indexed Job has always had, successes of an index that has failed,
    pods that a Job that has announced its success does not need and that fail while they are deleted
    (FAIL-052), pods that the implementation deleted while they were active and that end by that, unless
    their Job fails (FAIL-004 speaks of those), pods whose index another client has changed (IDX-029), and
    pods whose finalizer another client than the implementation removed.
    """
    pod, before = change.now, change.before
    if before is None or not before.tracked or not before.finished or (pod.tracked and not change.gone):
        return None
    job = past.job_of(pod)
    if job is None or job.deleting or job.finished or pod.name not in past.written:
        return None
    by_index = job.indexed and past.once_succeeded(job, pod)
    exempt = (
        past.recorded(job, pod),
        by_index and completion_index(pod) in past.indexes(job).completed,
        pod.phase == "Failed" and _may_go_uncounted(job, pod),
        job.indexed and past.indexes(job).beyond(pod),
        _was_surplus(past, job, pod),
        pod.uid in past.marked,
    )
    if any(exempt):
        return None
    if job.indexed and pod.phase == "Succeeded":
        return _index_listed_before_release(past, job, pod)
    return against(
        pod,
        expected=f"pod {pod.name} keeps its finalizer until its UID is in status.uncountedTerminatedPods",
        observed=said("finalizer removed; the Job's status never held the UID of {pod}", pod=pod.name),
    )


def _was_surplus(past: PastJobs, job: Job, pod: Pod) -> bool:
    """The implementation deleted the pod while it was active, and not because its Job fails."""
    return pod.uid in past.removed and not job.condition("FailureTarget")


def _may_go_uncounted(job: Job, failed: Pod) -> bool:
    return job.may_ignore or (failed.deleting and job.condition("SuccessCriteriaMet") is not None)


def _index_listed_before_release(past: PastJobs, job: Job, pod: Pod) -> Finding | None:
    if completion_index(pod) in past.indexes(job).completed | (job.failed_indexes or frozenset()):
        return None
    return against(
        pod,
        expected=f"pod {pod.name} keeps its finalizer until its UID or its index {completion_index(pod)} is "
        "recorded in the status",
        observed=stated(f"finalizer removed; the Job has {job.summary}", job.values),
    )


@about_jobs("FIN-005")
def uncounted_until_released(past: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """FIN-005: a UID leaves uncountedTerminatedPods only after its pod is gone or has lost the finalizer."""
    if change.before is None:
        return None
    still = {u for uids in change.now.uncounted.values() for u in uids}
    left = (u for uids in change.before.uncounted.values() for u in uids if u not in still)
    early = [pod.name for uid in left if (pod := past.pods.get(uid)) and pod.tracked]
    if not early:
        return None
    return against(
        change.now,
        expected="UIDs leave uncountedTerminatedPods after their pods have lost the finalizer",
        observed=said("left while still tracked: {uids}", uids=early[:_SHOWN]),
    )


@about_jobs("FIN-006")
def counted_once(past: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """FIN-006: the counters and the uncounted together never decrease, and no UID is in both lists.

    The successes of an Indexed Job are its completed indexes: none leaves that the Job has always had.
    """
    job, before = change.now, change.before
    twice = set(job.uncounted["succeeded"]) & set(job.uncounted["failed"])
    if twice:
        both = ", ".join(sorted(twice))
        return against(job, expected="no UID is both succeeded and failed", observed=f"both: {both}")
    if before is None:
        return None
    lost = before.completed_indexes - job.completed_indexes if job.indexed else ()
    if left := sorted(index for index in lost if index < past.indexes(job).within(job)):
        return against(
            job,
            expected="completed indexes stay completed",
            observed=stated(
                f"{', '.join(map(str, left[:_SHOWN]))} left: {job.summary}",
                {"left": left[:_SHOWN], **job.values},
            ),
        )
    if _total(job) < _total(before):
        return against(
            job,
            expected=f"at least {counted(_total(before), 'pod')} counted or waiting to be",
            observed=stated(f"{_total(job)}: {job.summary}", {"total": _total(job), **job.values}),
        )
    return None


@about_jobs("FIN-007")
def true_at_the_end(past: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """FIN-007: a Job that ends has counted each pod that was seen Succeeded and tracked, and no pod twice.

    Exempt: Indexed Jobs, Jobs that never had a pod, pods that were being deleted or recorded as failed
    before, and those whose finalizer another client than the implementation removed.
    """
    job, before = change.now, change.before
    if not job.finished or job.indexed or (before and before.finished):
        return None
    succeeded, surely, ever = job.count("succeeded"), *past.successes(job)
    if surely <= succeeded <= ever or not past.pods_of(job).made:
        return None
    return against(
        job,
        expected=counted(surely, "succeeded pod")
        if surely == ever
        else f"{surely} to {counted(ever, 'succeeded pod')}",
        observed=stated(f"{succeeded}: {job.summary}", job.values),
    )


def _total(job: Job) -> int:
    outcomes = ("failed",) if job.indexed else ("succeeded", "failed")
    return sum(job.count(outcome) + len(job.uncounted[outcome]) for outcome in outcomes)


@about_jobs("FIN-009")
def short_record(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """FIN-009: the UIDs in uncountedTerminatedPods are no more than 20 kB together."""
    size = sum(len(uid) for uids in change.now.uncounted.values() for uid in uids)
    if size <= _RECORDED_BYTES:
        return None
    return against(
        change.now,
        expected=f"UIDs of at most {_RECORDED_BYTES} bytes in uncountedTerminatedPods",
        observed=stated(f"{size} bytes: {change.now.summary}", {"bytes": size, **change.now.values}),
    )


@about_jobs("FIN-020")
def all_released_at_the_end(past: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """FIN-020: when a Job becomes finished, none of its pods has the tracking finalizer any more."""
    job, before = change.now, change.before
    if not job.finished or (before and before.finished):
        return None
    tracked = past.pods_of(job).having.get(past.finalizer, {}).values()
    if not tracked:
        return None
    return against(
        job,
        expected="no pod with the tracking finalizer when the Job becomes finished",
        observed=stated(f"tracked: {names_of(tracked)}", named(names_of(tracked))),
    )
