"""How many pods a Job is to have: which to create, which to delete."""

from __future__ import annotations

from reference_controller.job import index_failures, indexed
from reference_controller.job.actions import CreatePods, ScaleDownPods, TerminatePods
from reference_controller.job.backoff import Backoff, remaining_s
from reference_controller.job.objects import FAILURE_TARGET, Job, Pod
from reference_controller.job.observed import Observed, Tally

MOST_PODS_PER_SYNC = 500

Move = CreatePods | ScaleDownPods | TerminatePods


def scale(observed: Observed, seen: Tally, backoff: Backoff, now: float) -> Move | None:
    """EXP-022: delete or create, never both in one decision; deletion goes first.

    EXP-001, EXP-025: nothing while own creations or deletions are unseen. BAS-065: nothing for a Job that is
    being deleted.
    """
    job = observed.job
    if not observed.expectations_met or observed.moves_failed or job.deleting:
        return None
    if excess := excess_pods(job, seen):
        return ScaleDownPods(excess)
    missing = min(missing_pods(job, seen), MOST_PODS_PER_SYNC)
    if missing <= 0 or job_delay_s(job, backoff, now) > 0:
        return None
    if not job.indexed:
        return CreatePods(missing)
    late = index_failures.delays_s(job, seen.awaiting, now).keys()
    indexes = indexed.pending(job, _taken_indexes(observed, seen) | late, missing)
    counts = index_failures.next_failures(job, indexes, seen.awaiting)
    return CreatePods(len(indexes), indexes, counts) if indexes else None


def job_delay_s(job: Job, backoff: Backoff, now: float) -> float:
    """FAIL-008: how long any replacement must wait. FAIL-038: or each index waits for itself."""
    return 0.0 if job.backoff_limit_per_index is not None else remaining_s(backoff, now)


def wanted(job: Job, seen: Tally) -> int:
    """BAS-014, BAS-016, BAS-025: min(parallelism, completions left); no new pod after a first success."""
    if job.suspend:
        return 0
    if job.completions is None:
        return seen.active_count if seen.succeeded > 0 else job.parallelism
    return max(0, min(job.parallelism, job.completions - seen.succeeded))


def excess_pods(job: Job, seen: Tally) -> tuple[Pod, ...]:
    """BAS-019, BAS-021: exactly the active pods above the wanted number, at most 500 (EXP-020).

    BAS-029: suspension removes all of them at once.
    """
    candidates = sorted(seen.active, key=deletion_rank)
    surplus: list[Pod] = []
    if job.indexed:
        surplus, candidates = indexed.surplus(job, candidates)
    excess = len(seen.active) - wanted(job, seen)
    pods = (*surplus, *candidates[: max(0, excess - len(surplus))])
    return pods if job.suspend else pods[:MOST_PODS_PER_SYNC]


def missing_pods(job: Job, seen: Tally) -> int:
    """BAS-015: wanted and not there. FAIL-046, FAIL-047: with policy Failed a terminating pod counts."""
    terminating = seen.terminating if job.replace_only_failed else 0
    return wanted(job, seen) - seen.active_count - terminating


def creation_delay_s(observed: Observed, seen: Tally, backoff: Backoff, now: float) -> float | None:
    """FAIL-008, FAIL-012, FAIL-038: when to look again because missing pods may not be created yet."""
    job = observed.job
    if job.deleting or missing_pods(job, seen) <= 0:
        return None
    delays = (job_delay_s(job, backoff, now), *index_failures.delays_s(job, seen.awaiting, now).values())
    return min((delay for delay in delays if delay > 0), default=None)


def _taken_indexes(observed: Observed, seen: Tally) -> set[int]:
    """FAIL-048: with policy Failed the index of a terminating pod is taken. A new success takes its own.

    FAIL-035: a failed index is not retried.
    """
    taken = indexed.indexes(seen.active) | indexed.indexes(seen.new_succeeded) | seen.failed_indexes
    if observed.job.replace_only_failed:
        taken |= indexed.indexes(pod for pod in observed.pods if pod.terminating)
    return taken


def remove_rest(observed: Observed, seen: Tally) -> Move | None:
    """FAIL-004, EXP-029: pods of a failed Job keep their finalizer, to be counted as failed.

    FAIL-052: pods that a completed Job no longer needs are not counted.
    """
    if not seen.active or observed.moves_failed:
        return None
    if observed.job.status.has(FAILURE_TARGET):
        return TerminatePods(seen.active)
    return ScaleDownPods(seen.active)


_PHASE_ORDER = {"Pending": 0, "Unknown": 1, "Running": 2}


def deletion_rank(pod: Pod) -> tuple[object, ...]:
    """EXP-023: the least loss first: unassigned, pending, not ready, ready for less time, restarted, new.

    Before them go pods that an earlier process released and did not delete: they are never counted.
    """
    return (
        pod.tracked,
        pod.assigned,
        _PHASE_ORDER.get(pod.phase, 1),
        pod.ready,
        _newest_first(pod.ready_since) if pod.ready else (0, 0.0),
        -pod.max_restarts,
        -pod.max_sidecar_restarts,
        _newest_first(pod.created),
    )


def _newest_first(at: float) -> tuple[int, float]:
    return (1, -at) if at else (0, 0.0)
