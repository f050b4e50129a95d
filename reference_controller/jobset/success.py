"""When a JobSet has completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.jobset.objects import ChildJob, JobSet

if TYPE_CHECKING:
    from collections.abc import Sequence


def succeeded(jobset: JobSet, jobs: Sequence[ChildJob]) -> bool:
    """Whether enough child Jobs of the current attempt have completed for the success policy.

    JST-015: `All` asks for all replicas of its targets; JST-016: `Any` asks for one. No targets are all.
    """
    policy = jobset.success_policy
    done = sum(job.complete and _targeted(job.replicated_job, policy.targets) for job in jobs)
    if policy.operator == "Any":
        return done > 0
    wanted = sum(it.replicas for it in jobset.replicated_jobs if _targeted(it.name, policy.targets))
    return done >= max(wanted, 1)


def _targeted(name: str, targets: Sequence[str]) -> bool:
    return not targets or name in targets
