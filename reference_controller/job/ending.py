"""When a Job is to end, and as what. What was decided once is read back from the status and holds."""

from __future__ import annotations

from reference_controller.job.failure_policy import fails_job
from reference_controller.job.index_failures import failed_by_indexes
from reference_controller.job.objects import FAILURE_TARGET, SUCCESS_CRITERIA_MET, SUSPENDED, Job
from reference_controller.job.observed import Observed, Tally
from reference_controller.job.outcome import Ending
from reference_controller.job.success_policy import succeeds_early

BACKOFF_LIMIT = Ending(FAILURE_TARGET, "BackoffLimitExceeded", "Job has reached the specified backoff limit")
DEADLINE = Ending(FAILURE_TARGET, "DeadlineExceeded", "Job was active longer than specified deadline")
COMPLETIONS = Ending(SUCCESS_CRITERIA_MET, "CompletionsReached", "Reached expected number of succeeded pods")


def ending(observed: Observed, seen: Tally, now: float) -> Ending | None:
    """How the Job ends, or None. BAS-045: the backoff limit goes before the deadline.

    FAIL-041: it holds beside backoffLimitPerIndex. FAIL-053: what fails a Job goes before what completes it.
    """
    job = observed.job
    if announced := announced_ending(job):
        return announced
    if failed := fails_job(job, observed.pods):
        return failed
    if seen.failed > job.backoff_limit or restarted_too_often(observed):
        return BACKOFF_LIMIT
    remaining = deadline_in_s(job, now)
    if remaining is not None and remaining <= 0:
        return DEADLINE
    if failed := failed_by_indexes(job, len(seen.failed_indexes), seen.succeeded):
        return failed
    return success(job, seen)


def success(job: Job, seen: Tally) -> Ending | None:
    """By a rule of successPolicy, or by its completions."""
    early = succeeds_early(job, seen.succeeded_indexes)
    return early or (COMPLETIONS if completions_reached(job, seen) else None)


def announced_ending(job: Job) -> Ending | None:
    """FAIL-054: SuccessCriteriaMet and FailureTarget are final; the Job ends so and not otherwise."""
    for target in (SUCCESS_CRITERIA_MET, FAILURE_TARGET):
        condition = job.status.condition(target)
        if condition is not None and condition.status == "True":
            return Ending(target, condition.reason, condition.message)
    return None


def restarted_too_often(observed: Observed) -> bool:
    """FAIL-006: with OnFailure the restarts of pending and running pods reach backoffLimit (exceed 0)."""
    job = observed.job
    if job.restart_policy != "OnFailure":
        return False
    restarts = sum(pod.restarts for pod in observed.pods if pod.phase in {"Pending", "Running"})
    return restarts >= max(job.backoff_limit, 1)


def deadline_in_s(job: Job, now: float) -> float | None:
    """BAS-039, BAS-041, BAS-043: seconds left, counted from startTime; none while suspended or resuming."""
    status = job.status
    if job.active_deadline_s is None or status.start_time is None or job.suspend or status.has(SUSPENDED):
        return None
    return status.start_time + job.active_deadline_s - now


def completions_reached(job: Job, seen: Tally) -> bool:
    """BAS-018, BAS-026: enough pods succeeded (any, with completions nil) and none is active."""
    if seen.active_count > 0:
        return False
    return seen.succeeded > 0 if job.completions is None else seen.succeeded >= job.completions
