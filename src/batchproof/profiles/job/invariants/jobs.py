"""Invariants of Job controllers: how many pods there are, and how a Job ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.api_object import after, timestamp
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.job.invariants.past import PastJobs, Spec
from batchproof.profiles.job.invariants.rule import about_jobs, about_pods
from batchproof.profiles.shared.changes import ObjectChange
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Callable


@about_pods("BAS-014")
def no_surplus(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """BAS-014: no pod is created above min(parallelism, completions - succeeded).

    A creation whose reply was lost is unknown to the controller: as many more may stand until it sees them.
    While its view of Jobs is stale, EXP-043 says what it has to know of the succeeded pods.
    """
    if not (job := _gets_active_pod(past, change)):
        return None
    wanted = past.wanted_by_a_stale_view if past.stale(change.at_s) else past.wanted
    return _surplus(past, job, change.now, wanted(job, change.at_s))


@about_pods("EXP-043")
def no_pod_for_a_counted_one(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """EXP-043: a stale view of Jobs lets no pod be created in place of one that has succeeded."""
    if not (job := _gets_active_pod(past, change)) or not past.stale(change.at_s):
        return None
    if _surplus(past, job, change.now, past.wanted_by_a_stale_view(job, change.at_s)):
        return None  # BAS-014 speaks of it
    return _surplus(past, job, change.now, past.wanted(job, change.at_s))


def _gets_active_pod(past: PastJobs, change: ObjectChange[Pod]) -> Job | None:
    """The Job for which an active pod appears."""
    return _gets_pod(past, change) if change.now.active else None


def _surplus(past: PastJobs, job: Job, pod: Pod, wanted: int) -> Finding | None:
    if past.without_lease:
        return None
    active = len(past.pods_of(job).active) + 1
    allowed = wanted + past.unheard
    if active <= allowed:
        return None
    return against(
        pod,
        expected=f"at most {counted(allowed, 'active pod')} of Job {job.name}",
        observed=said("{active} with the creation of {pod}", active=active, pod=pod.name),
    )


@about_pods("BAS-060")
def no_pod_after_the_end(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """BAS-060: once a Job is seen finished, no pod is created for it."""
    return None if past.stale(change.at_s) else _pod_of_a_finished_job(past, change)


@about_pods("BAS-075")
def no_pod_after_the_end_unseen(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """BAS-075: once a Job is finished, no pod is created for it, even by a view that does not show it."""
    return _pod_of_a_finished_job(past, change) if past.stale(change.at_s) else None


def _pod_of_a_finished_job(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    job = _gets_pod(past, change)
    return _no_pod(job, change, "it is finished") if job and job.finished else None


@about_pods("BAS-037")
def no_pod_while_suspended(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """BAS-037: no pod is created for a Job that is suspended."""
    return _no_pod_while(past, change, lambda spec: spec.suspended, "it is suspended")


@about_pods("BAS-065")
def no_pod_while_deleting(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """BAS-065: no pod is created for a Job that is being deleted."""
    return _no_pod_while(past, change, lambda spec: spec.deleting, "its deletion has begun")


def _no_pod_while(
    past: PastJobs, change: ObjectChange[Pod], forbids: Callable[[Spec], bool], since: str
) -> Finding | None:
    """No pod is created where all that the controller may still act on forbids it."""
    job = _gets_pod(past, change)
    if not job or not all(forbids(spec) for spec in past.specs(job, change.at_s)):
        return None
    return _no_pod(job, change, since)


@about_pods("BAS-025")
def no_pod_after_a_success(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """BAS-025: no pod is created for a Job without completions once one has succeeded and was seen."""
    job = _gets_pod(past, change)
    if not job or job.completions is not None or not past.succeeded_before(job, change.at_s):
        return None
    return _no_pod(job, change, "its first success")


def _gets_pod(past: PastJobs, change: ObjectChange[Pod]) -> Job | None:
    """The Job for which a pod appears."""
    return past.job_of(change.now) if change.created else None


def _no_pod(job: Job, change: ObjectChange[Pod], after: str) -> Finding:
    return against(
        change.now,
        expected=f"no pod for Job {job.name} after {after}",
        observed=stated(
            f"{change.now.name} created; the Job has {job.summary}", {"pod": change.now.name, **job.values}
        ),
    )


@about_jobs("BAS-040")
def no_deadline_too_early(past: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """BAS-040: no deadline takes effect before it is over, by any that the controller may still act on."""
    job = change.now
    told = None if change.before and change.before.ended_by_deadline else job.ended_by_deadline
    if not told or not job.start_time:
        return None
    deadlines = [it.deadline_s for it in past.specs(job, change.at_s) if it.deadline_s is not None]
    due = after(job.start_time, min(deadlines)) if deadlines else None
    ended = timestamp(told["lastTransitionTime"])
    if due and ended >= due:
        return None
    return against(
        job,
        expected=f"an end by the deadline at {due:%H:%M:%S} or later" if due else "no end by a deadline",
        observed=stated(f"an end by the deadline at {ended:%H:%M:%S}", {"end": ended}),
    )


@about_jobs("BAS-059")
def one_end(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """BAS-059: Complete and Failed exclude each other, and neither is ever taken back."""
    ends = {end for end in ("Complete", "Failed") if change.now.condition(end)}
    had = {end for end in ("Complete", "Failed") if change.before and change.before.condition(end)}
    if len(ends) < 2 and had <= ends:  # noqa: PLR2004 - both
        return None
    return against(
        change.now,
        expected="one terminal condition, for ever",
        observed=stated(
            f"{' and '.join(sorted(ends)) or 'none'} after {' and '.join(sorted(had)) or 'none'}",
            {"ends": sorted(ends), "after": sorted(had)},
        ),
    )


@about_jobs("BAS-055")
def success_announced(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """BAS-055: a Job that is Complete has SuccessCriteriaMet."""
    return _announced(change, "Complete", "SuccessCriteriaMet")


@about_jobs("BAS-056")
def failure_announced(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """BAS-056: a Job that is Failed has FailureTarget."""
    return _announced(change, "Failed", "FailureTarget")


def _announced(change: ObjectChange[Job], end: str, before: str) -> Finding | None:
    job = change.now
    if not job.condition(end) or job.condition(before):
        return None
    return against(
        job, expected=f"{before}=True not later than {end}=True", observed=stated(job.summary, job.values)
    )


@about_jobs("BAS-058")
def nothing_left(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """BAS-058: a finished Job has no active, terminating or uncounted pods in its status."""
    job = change.now
    if not job.finished:
        return None
    if not any((job.count("active"), job.count("terminating"), *job.uncounted.values())):
        return None
    return against(
        job,
        expected="active 0, terminating 0, nothing uncounted when finished",
        observed=stated(job.summary, job.values),
    )


@about_jobs("BAS-054")
def completion_time(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """BAS-054: completionTime is set if and only if the Job is Complete, and never changes."""
    job = change.now
    time = job.status.get("completionTime")
    had = change.before.status.get("completionTime") if change.before else None
    if bool(time) == bool(job.condition("Complete")) and (had is None or had == time):
        return None
    return against(
        job,
        expected="completionTime exactly when Complete, and constant",
        observed=stated(f"completionTime {in_words(had)} -> {in_words(time)}; {job.summary}", job.values),
    )
