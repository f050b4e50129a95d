"""Facts about the status of a Job, as it is now and as it has been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.facts import Finding, fact, found

if TYPE_CHECKING:
    from batchproof.observed import Job, Observed


def _told(job: Job | None) -> str:
    return job.summary if job else "no such Job"


def _deciding(job: Job | None) -> list[int]:
    return [job.record] if job else []


@fact("Job {job} is Complete with {succeeded} succeeded pods")
def job_complete(seen: Observed, *, job: str, succeeded: int) -> Finding:
    """The Job has Complete=True and counts exactly so many succeeded pods."""
    it = seen.job(job)
    holds = it is not None and it.condition("Complete") is not None and it.count("succeeded") == succeeded
    return found(
        holds,
        expected=f"Job {job} Complete=True with succeeded={succeeded}",
        observed=_told(it),
        decisive=_deciding(it) if it and it.finished else [],
    )


@fact("Job {job} is Failed with reason {reason}")
def job_failed(seen: Observed, *, job: str, reason: str) -> Finding:
    """The Job has Failed=True for this reason."""
    it = seen.job(job)
    failed = it.condition("Failed") if it else None
    holds = failed is not None and failed.get("reason") == reason
    because = f" because of {failed.get('reason')}" if failed else ""
    return found(
        holds,
        expected=f"Job {job} Failed=True because of {reason}",
        observed=_told(it) + because,
        decisive=_deciding(it) if it and it.finished else [],
    )


@fact("Job {job} is finished")
def job_finished(seen: Observed, *, job: str) -> Finding:
    """The Job has Complete=True or Failed=True."""
    it = seen.job(job)
    holds = it is not None and it.finished
    return found(
        holds,
        expected=f"Job {job} Complete or Failed",
        observed=_told(it),
        decisive=_deciding(it) if holds else [],
    )


@fact("Job {job} is gone")
def job_gone(seen: Observed, *, job: str) -> Finding:
    """There is no Job of that name now."""
    it = seen.job(job)
    return found(it is None, expected=f"no Job {job}", observed=_told(it))


@fact("Job {job} reports {count} {counter}")
def job_reports(seen: Observed, *, job: str, counter: str, count: int) -> Finding:
    """A counter of the status (active, ready, terminating, succeeded, failed) has this value; unset is 0."""
    it = seen.job(job)
    told = f"{counter}={it.count(counter)} ({it.summary})" if it else "no such Job"
    holds = it is not None and it.count(counter) == count
    return found(holds, expected=f"Job {job} status {counter}={count}", observed=told, decisive=_deciding(it))
