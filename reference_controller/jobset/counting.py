"""Which child Jobs are of the current attempt, and how many are in which state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.jobset.objects import ChildJob, Counts, JobSet

if TYPE_CHECKING:
    from collections.abc import Sequence


def current(jobset: JobSet, jobs: Sequence[ChildJob]) -> tuple[ChildJob, ...]:
    """JST-020: the child Jobs that were created since the last restart."""
    return tuple(job for job in jobs if job.attempt >= jobset.status.restarts)


def previous(jobset: JobSet, jobs: Sequence[ChildJob]) -> tuple[ChildJob, ...]:
    """JST-020: the child Jobs of earlier attempts: they are to be deleted."""
    return tuple(job for job in jobs if job.attempt < jobset.status.restarts)


def count(jobset: JobSet, jobs: Sequence[ChildJob]) -> tuple[Counts, ...]:
    """JST-032: the child Jobs of the current attempt, by replicated job."""
    own = current(jobset, jobs)
    return tuple(
        _count(spec.name, [job for job in own if job.replicated_job == spec.name])
        for spec in jobset.replicated_jobs
    )


def _count(name: str, jobs: Sequence[ChildJob]) -> Counts:
    """What has neither finished nor is being deleted is ready, active, or suspended, or several of them."""
    alive = [job for job in jobs if not job.finished and not job.deleting]
    return Counts(
        name,
        ready=sum(job.ready + job.succeeded >= job.pods for job in alive),
        succeeded=sum(job.complete for job in jobs),
        failed=sum(job.failure is not None for job in jobs),
        active=sum(job.active > 0 for job in alive),
        suspended=sum(job.suspended for job in alive),
    )
