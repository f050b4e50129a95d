"""Deleting finished Jobs after ttlSecondsAfterFinished."""

from __future__ import annotations

from reference_controller.decision import NOTHING, Decision
from reference_controller.job.actions import DeleteJob
from reference_controller.job.objects import COMPLETE, FAILED, Job


def reconcile_ttl(job: Job, now: float) -> Decision[DeleteJob]:
    """BAS-046, BAS-047: delete N seconds after the Job finished; never without a TTL or before its end.

    BAS-048: asked twice, of the cached and then of the freshly read Job; only the second answer acts.
    """
    expiry = expires_at(job)
    if expiry is None:
        return NOTHING
    if expiry > now:
        return Decision(requeue_after_s=expiry - now)
    return Decision((DeleteJob(job.uid),))


def expires_at(job: Job) -> float | None:
    """When the Job is to be deleted: the TTL counts from the transition of its terminal condition."""
    if job.ttl_s is None or job.deleting:
        return None
    for condition in job.status.conditions:
        if condition.type in {COMPLETE, FAILED} and condition.status == "True":
            finished_at = condition.last_transition_time
            return None if finished_at is None else finished_at + job.ttl_s
    return None
