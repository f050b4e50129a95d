"""What is to be done next for one JobSet.

One stage per decision, as for a Job of Kubernetes: after each write the JobSet is looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference_controller.decision import NOTHING, Decision
from reference_controller.jobset import conditions
from reference_controller.jobset.actions import (
    Action,
    CreateJobs,
    CreateService,
    DeleteJobs,
    DeleteJobSet,
    RecordEvent,
    ResumeJobs,
    SuspendJobs,
    WriteStatus,
)
from reference_controller.jobset.counting import count, current, previous
from reference_controller.jobset.failure import after_failure
from reference_controller.jobset.objects import ChildJob, JobSet, ReplicatedJob, Status
from reference_controller.jobset.startup import Order, missing, order
from reference_controller.jobset.success import succeeded
from reference_controller.jobset.ttl import time_left_s


@dataclass(frozen=True, slots=True)
class Observed:
    """A JobSet with its child Jobs.

    Attributes:
        jobs: those that it controls.
        has_service: there is a Service of its subdomain, whatever created it.
        expectations_met: the watches have shown every Job and every Service that this process created or
            deleted; before that, nothing is decided.
    """

    jobset: JobSet
    jobs: tuple[ChildJob, ...] = ()
    has_service: bool = True
    expectations_met: bool = True


def reconcile(observed: Observed, now: float) -> Decision[Action]:
    """Decide what to do next; nothing for a JobSet that is being deleted, or that another controller manages.

    `now` is in seconds since the epoch.
    """
    jobset = observed.jobset
    if jobset.deleting or jobset.foreign or not observed.expectations_met:  # JST-035
        return NOTHING
    if jobset.status.end is not None:  # JST-018, JST-044
        return _finished(observed, now)
    if left := _deletable(previous(jobset, observed.jobs)):
        return Decision((DeleteJobs(left),))
    jobs = current(jobset, observed.jobs)
    if failed := [job for job in jobs if job.failure is not None]:
        return _write(observed, *after_failure(jobset, failed, now))
    if succeeded(jobset, jobs):
        return _write(observed, conditions.complete(jobset.status, now))
    return _running(observed, jobs, now)


def _running(observed: Observed, jobs: tuple[ChildJob, ...], now: float) -> Decision[Action]:
    """Neither failed nor completed: create what is missing, suspend or resume what is there."""
    jobset = observed.jobset
    if jobset.network.hostnames and not observed.has_service:
        return Decision((CreateService(),))  # JST-007
    ordered = order(jobset, count(jobset, jobs))
    if new := _to_create(observed, ordered):
        return Decision((CreateJobs(new),))
    if jobset.suspended:
        return _suspended(observed, jobs, now)
    names = {spec.name for spec in ordered.may_run}
    if waiting := tuple(it for it in jobs if _is_resumed(it) and it.replicated_job in names):
        return Decision((ResumeJobs(waiting),), final=True)  # the watch shows that they are resumed
    status = conditions.resume(jobset.status, now)
    if jobset.in_order:
        status = conditions.starting(status, now) if ordered.waiting else conditions.started(status, now)
    return _write(observed, status)


def _to_create(observed: Observed, ordered: Order) -> tuple[tuple[ReplicatedJob, int], ...]:
    """What may run and is missing; the name of a Job of an earlier attempt is free once that is gone."""
    jobset, policy = observed.jobset, observed.jobset.failure_policy
    if policy is not None and policy.blocking and previous(jobset, observed.jobs):  # JST-026
        return ()
    specs = ordered.may_run
    if jobset.suspended and jobset.in_order:  # all are created at once: they wait for being resumed
        specs = jobset.replicated_jobs
    return tuple(missing(jobset, specs, {job.name for job in observed.jobs}))


def _suspended(observed: Observed, jobs: tuple[ChildJob, ...], now: float) -> Decision[Action]:
    """JST-028: suspend all; the condition follows once no child Job runs."""
    if running := tuple(it for it in jobs if not (it.suspended or it.finished or it.deleting)):
        return Decision((SuspendJobs(running),), final=True)  # the watch shows that they are suspended
    return _write(observed, conditions.suspend(observed.jobset.status, now))


def _is_resumed(job: ChildJob) -> bool:
    """JST-029: whether a child Job of a JobSet that runs is to be resumed."""
    return job.suspended and not job.finished and not job.deleting


def _finished(observed: Observed, now: float) -> Decision[Action]:
    """JST-017: nothing runs any more; what has finished stays until the JobSet is deleted."""
    jobset = observed.jobset
    left_s = time_left_s(jobset, now)
    if left_s is not None and left_s <= 0:
        return Decision((DeleteJobSet(),), final=True)
    running = tuple(job for job in observed.jobs if not job.finished)
    if doomed := _deletable((*running, *previous(jobset, observed.jobs))):
        return Decision((DeleteJobs(doomed),))
    return replace(_write(observed, jobset.status), requeue_after_s=left_s)


def _deletable(jobs: tuple[ChildJob, ...]) -> tuple[ChildJob, ...]:
    return tuple(dict.fromkeys(job for job in jobs if not job.deleting))


def _write(observed: Observed, status: Status, events: tuple[RecordEvent, ...] = ()) -> Decision[Action]:
    """JST-032, JST-038: write a status with the counts of now, as long as it is not stored."""
    old = observed.jobset.status
    jobset = replace(observed.jobset, status=status)
    status = replace(status, counts=count(jobset, observed.jobs))
    if status == old:
        return NOTHING
    return Decision((WriteStatus(status, (*conditions.events(old, status), *events)),))
