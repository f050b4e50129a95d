"""Invariants of Job controllers: the completion indexes of pods and of Jobs (KEP-2214)."""

from __future__ import annotations

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import said, stated
from batchproof.profiles.job.facts.indexes import index_marks
from batchproof.profiles.job.invariants.past import PastJobs
from batchproof.profiles.job.invariants.rule import about_jobs, about_pods
from batchproof.profiles.shared.changes import ObjectChange
from batchproof.profiles.shared.objects.batch import Job
from batchproof.profiles.shared.objects.pods import completion_index


@about_jobs("IDX-004")
def successes_are_indexes(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """IDX-004: status.succeeded of an Indexed Job is the number of its completed indexes."""
    job = change.now
    if not job.indexed or job.count("succeeded") == len(job.completed_indexes):
        return None
    return against(
        job,
        expected=f"status.succeeded {len(job.completed_indexes)}, as many as there are completed indexes",
        observed=stated(f"{job.count('succeeded')}: {job.summary}", job.values),
    )


@about_pods("IDX-006")
def no_index_without_indexes(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """IDX-006: no pod is created with an index for a Job that is not Indexed."""
    pod = change.now
    if not change.created or not (job := past.job_of(pod)) or job.indexed or not (marks := index_marks(pod)):
        return None
    return against(
        pod,
        expected=f"pod {pod.name} of Job {job.name}, which is not Indexed, has no index",
        observed=f"an index in its {' and '.join(marks)}",
    )


@about_pods("IDX-022")
def completed_for_ever(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """IDX-022: no pod is created for an index that the status lists as completed.

    While the view of Jobs is stale the controller may not know what a process before it has listed.
    """
    pod = change.now
    job = past.job_of(pod) if change.created else None
    if not job or not job.indexed or completion_index(pod) not in job.completed_indexes:
        return None
    if past.stale(change.at_s):
        return None
    return against(
        pod,
        expected=f"no pod for index {completion_index(pod)} of Job {job.name}, which is completed",
        observed=stated(f"{pod.name} created; the Job has {job.summary}", {"pod": pod.name, **job.values}),
    )


@about_pods("IDX-028")
def one_pod_an_index(past: PastJobs, change: ObjectChange[Pod]) -> Finding | None:
    """IDX-028: no pod is created for an index that has an active pod of the controller's own.

    A creation whose reply was lost is unknown to it, and so is a pod that a user has given to the Job. A pod
    whose index another client has changed is a matter of IDX-029.
    """
    pod = change.now
    job, index = past.job_of(pod) if change.created else None, completion_index(pod)
    if not job or not job.indexed or index is None or not pod.active:
        return None
    others = [it for it in past.active_of(job, index) if it.uid not in past.given | past.marked]
    if len(others) <= past.unheard or not past.knows_its_pods(change.at_s):
        return None
    return against(
        pod,
        expected=f"one active pod of index {index} of Job {job.name}",
        observed=said("{pod} created while {other} is active", pod=pod.name, other=others[0].name),
    )


@about_jobs("FAIL-065")
def no_index_decided_twice(_: PastJobs, change: ObjectChange[Job]) -> Finding | None:
    """FAIL-065: no status lists an index as completed and as failed."""
    job = change.now
    twice = job.completed_indexes & (job.failed_indexes or frozenset())
    if not twice:
        return None
    return against(
        job,
        expected=f"no index of Job {job.name} is completed and failed",
        observed=stated(
            f"{', '.join(map(str, sorted(twice)))}: {job.summary}", {"indexes": sorted(twice), **job.values}
        ),
    )
