"""Pods with the tracking finalizer that no Job will count any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.decision import NOTHING, Decision
from reference_controller.job.actions import RemoveFinalizers
from reference_controller.job.objects import Job, Pod, is_job

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class ObservedPod:
    """A pod, the Job that its controller reference names by UID, if that exists, and its namespace's Jobs."""

    pod: Pod
    owner: Job | None
    jobs: tuple[Job, ...] = ()


def reconcile_orphan(observed: ObservedPod) -> Decision[RemoveFinalizers]:
    """FIN-028, FIN-029: remove the finalizer of a pod if no other controller will."""
    if abandoned(observed.pod, observed.owner, observed.jobs):
        return Decision((RemoveFinalizers((observed.pod,)),), final=True)
    return NOTHING


def abandoned(pod: Pod, owner: Job | None, jobs: Iterable[Job]) -> bool:
    """Whether the tracking finalizer is to be removed because no other controller will do it.

    Args:
        pod: any pod.
        owner: the Job that the pod's controller reference names by UID, if that Job exists.
        jobs: the Jobs of the pod's namespace.
    """
    if not pod.tracked:
        return False
    if pod.controller is None:
        return not claimed_by_a_job(pod, jobs)
    if not is_job(pod.controller):
        return False
    return owner is None or released_by_owner(owner)


def claimed_by_a_job(pod: Pod, jobs: Iterable[Job]) -> bool:
    """FIN-028, FIN-031: a Job that is running on may adopt a matching pod; no other controller wants it."""
    return not pod.deleting and any(
        (job.foreign or not job.finished) and not job.deleting and job.selector.matches(pod.labels)
        for job in jobs
    )


def released_by_owner(owner: Job) -> bool:
    """FIN-022: a finished Job counts no more. FIN-033, FIN-034: an unfinished or foreign one keeps pods."""
    return owner.finished and not owner.foreign
