"""In which order child Jobs are created and resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.jobset.names import job_name
from reference_controller.jobset.objects import Counts, Dependency, JobSet, ReplicatedJob

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@dataclass(frozen=True, slots=True)
class Order:
    """The replicated jobs whose child Jobs may run.

    Attributes:
        may_run: in the order in which they are listed.
        waiting: the startup policy InOrder holds others back until the last of these has started.
    """

    may_run: tuple[ReplicatedJob, ...]
    waiting: bool = False


def order(jobset: JobSet, counts: tuple[Counts, ...]) -> Order:
    """What may run now: those whose dependencies are met; JST-011: in order, up to the first not yet started.

    `counts` are those of now and of this attempt (JST-027): what the status says may be outdated.
    """
    by_name = {it.name: it for it in counts}
    may_run: list[ReplicatedJob] = []
    for spec in jobset.replicated_jobs:
        if not all(_is_met(jobset, dependency, by_name) for dependency in spec.depends_on):
            continue
        may_run.append(spec)
        if jobset.in_order and by_name[spec.name].started < spec.replicas:
            return Order(tuple(may_run), waiting=True)
    return Order(tuple(may_run))


def _is_met(jobset: JobSet, dependency: Dependency, counts: dict[str, Counts]) -> bool:
    """JST-013: all its child Jobs are Complete; JST-012: all are Ready, or have finished."""
    spec = jobset.replicated_job(dependency.name)
    if spec is None:
        return False
    found = counts[spec.name]
    return (found.succeeded if dependency.status == "Complete" else found.started) >= spec.replicas


def missing(
    jobset: JobSet, specs: tuple[ReplicatedJob, ...], names: Collection[str]
) -> Iterator[tuple[ReplicatedJob, int]]:
    """JST-001: the child Jobs of these replicated jobs whose names no Job of the JobSet has."""
    for spec in specs:
        for index in range(spec.replicas):
            if job_name(jobset, spec, index) not in names:
                yield spec, index
