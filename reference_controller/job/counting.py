"""Counting each terminated pod exactly once, whatever crashes in between.

FIN-003, three stages, each decided from what the one before it has stored:

1. `record` puts the pod's UID into status.uncountedTerminatedPods (of an Indexed success: its index into
   completedIndexes).
2. `releasable` names the recorded pods that still carry the finalizer: it is removed.
3. `settle` moves the UIDs of pods that no longer carry it from the record into the counters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference_controller.job import index_failures, indexed
from reference_controller.job.failure_policy import ignored
from reference_controller.job.objects import FAILURE_TARGET, SUCCESS_CRITERIA_MET, JobStatus, Pod
from reference_controller.job.observed import Observed, Tally
from reference_controller.job.observed import failed as has_failed

MOST_UNCOUNTED = 500


@dataclass(frozen=True, slots=True)
class Recorded:
    """A status with new records, and the pods that these are about."""

    status: JobStatus
    succeeded: tuple[Pod, ...] = ()
    failed: tuple[Pod, ...] = ()


def settle(status: JobStatus, seen: Tally) -> JobStatus:
    """FIN-005, FIN-019: a UID leaves the record when its pod has lost the finalizer, and counts then."""
    if not status.uncounted_succeeded and not status.uncounted_failed:
        return status
    tracked = {pod.uid for pod in seen.tracked}
    succeeded = tuple(uid for uid in status.uncounted_succeeded if uid in tracked)
    failed = tuple(uid for uid in status.uncounted_failed if uid in tracked)
    return replace(
        status,
        succeeded=status.succeeded + len(status.uncounted_succeeded) - len(succeeded),
        failed=status.failed + len(status.uncounted_failed) - len(failed),
        uncounted_succeeded=succeeded,
        uncounted_failed=failed,
    )


def record(observed: Observed, seen: Tally, status: JobStatus) -> Recorded:
    """FIN-003 (1), FIN-009: record terminated pods before their finalizer is removed, at most 500 at a time.

    FAIL-037: but not those that wait for the next pod of their index.
    """
    waiting = {pod.uid for pod in seen.awaiting.values()}
    new_failed = (pod for pod in seen.new_failed if pod.uid not in waiting)
    room = max(0, MOST_UNCOUNTED - len(status.uncounted_succeeded) - len(status.uncounted_failed))
    succeeded = seen.new_succeeded[:room]
    failed = (*new_failed, *_given_up(observed, seen))[: room - len(succeeded)]
    status = replace(status, uncounted_failed=(*status.uncounted_failed, *(pod.uid for pod in failed)))
    if observed.job.indexed:
        done = indexed.completed(observed.job) | indexed.indexes(succeeded)
        status = replace(status, completed_indexes=indexed.render(done), succeeded=len(done))
        if observed.job.backoff_limit_per_index is not None:
            # FAIL-042: "" says that none has failed.
            status = replace(status, failed_indexes=indexed.render(seen.failed_indexes))
    else:
        uids = (*status.uncounted_succeeded, *(pod.uid for pod in succeeded))
        status = replace(status, uncounted_succeeded=uids)
    return Recorded(status, succeeded, failed)


def _given_up(observed: Observed, seen: Tally) -> tuple[Pod, ...]:
    """FIN-023: when a Job fails, its pods that were deleted count as failed before they are terminal."""
    job = observed.job
    if not job.status.has(FAILURE_TARGET):
        return ()
    spoken_for = _recorded(observed) | {
        pod.uid for pod in (*seen.new_succeeded, *seen.new_failed, *seen.active)
    }
    done = indexed.completed(job) | index_failures.recorded(job)
    return tuple(
        pod
        for pod in seen.tracked
        if pod.uid not in spoken_for and not pod.finished and indexed.countable(pod, job, done)
    )


def _recorded(observed: Observed) -> set[str]:
    status = observed.job.status
    return {*status.uncounted_succeeded, *status.uncounted_failed}


def releasable(observed: Observed, seen: Tally) -> tuple[Pod, ...]:
    """FIN-003 (2), FIN-004: pods whose record is stored, and pods that need none."""
    recorded = _recorded(observed)
    waiting = {
        pod.uid
        for pod in (
            *seen.new_succeeded,
            *seen.new_failed,
            *seen.awaiting.values(),
            *_given_up(observed, seen),
        )
    }
    return tuple(
        pod
        for pod in seen.tracked
        if pod.uid not in observed.stuck
        and (pod.uid in recorded or (pod.uid not in waiting and _needs_no_record(pod, observed)))
    )


def _needs_no_record(pod: Pod, observed: Observed) -> bool:
    """FIN-027: pods of a Job being deleted; FAIL-022: failures that do not count.

    FAIL-052: left-overs of a completed Job; IDX-011, IDX-014.
    """
    job = observed.job
    if job.deleting or ignored(job, pod):
        return True
    if job.status.has(SUCCESS_CRITERIA_MET):
        return pod.finished or pod.deleting
    return job.indexed and (pod.finished or has_failed(pod, job))
