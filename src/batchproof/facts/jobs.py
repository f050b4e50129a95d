"""Facts about the status of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.facts import Finding, fact, found

if TYPE_CHECKING:
    from batchproof.observed import Observed


@fact("Job {job} is Complete with {succeeded} succeeded pods")
def job_complete(seen: Observed, *, job: str, succeeded: int) -> Finding:
    """The Job has Complete=True and counts exactly so many succeeded pods."""
    it = seen.job(job)
    expected = f"Job {job} Complete=True with succeeded={succeeded}"
    if it is None:
        return found(holds=False, expected=expected, observed="no such Job")
    holds = it.condition("Complete") is not None and it.count("succeeded") == succeeded
    return found(holds, expected=expected, observed=it.summary, decisive=[it.record] if it.finished else [])


@fact("Job {job} is finished")
def job_finished(seen: Observed, *, job: str) -> Finding:
    """The Job has Complete=True or Failed=True."""
    it = seen.job(job)
    holds = it is not None and it.finished
    return found(
        holds,
        expected=f"Job {job} Complete or Failed",
        observed=it.summary if it else "no such Job",
        decisive=[it.record] if it and holds else [],
    )
