"""The condition of a TFJob that follows from its pods: which types of replicas decide, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.tfjob.objects import MASTERS, Counts
from reference_controller.tfjob.restarts import restarted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_controller.tfjob.objects import ReplicaPod, ReplicaSpec, TFJob


def condition(job: TFJob, pods: Sequence[ReplicaPod]) -> str:
    """TFJ-032: Created, then Running, or Restarting in between, then Succeeded or Failed."""
    if succeeded(job, pods):
        return "Succeeded"
    if failed(job, pods):
        return "Failed"
    if any(restarted(_spec(job, pod), pod) for pod in pods if not pod.deleting):
        return "Restarting"
    if any(pod.phase == "Running" for pod in _deciding(job, pods)):
        return "Running"
    return job.status.condition or "Created"


def succeeded(job: TFJob, pods: Sequence[ReplicaPod]) -> bool:
    """Whether the replicas that decide have done what the TFJob is for."""
    done = {(pod.type, pod.index) for pod in pods if pod.phase == "Succeeded"}
    deciding = [replica for replica in job.replicas if replica.spec.kind in _deciders(job)]
    if not deciding:
        return False
    if _chief(job) or job.success_policy == "AllWorkers":  # TFJ-034
        return all((replica.spec.kind, replica.index) in done for replica in deciding)
    return ("worker", 0) in done  # TFJ-035


def failed(job: TFJob, pods: Sequence[ReplicaPod]) -> bool:
    """TFJ-023, TFJ-026: a pod of any type has failed that is not restarted."""
    over = [pod for pod in pods if pod.phase == "Failed" and not pod.deleting]
    return any(not restarted(_spec(job, pod), pod) for pod in over)


def counts(job: TFJob, pods: Sequence[ReplicaPod]) -> tuple[Counts, ...]:
    """TFJ-036: the phases of the pods of each type."""
    return tuple(_count(spec, [pod for pod in pods if pod.type == spec.kind]) for spec in job.specs)


def _count(spec: ReplicaSpec, pods: Sequence[ReplicaPod]) -> Counts:
    return Counts(
        spec.type,
        active=sum(pod.phase == "Running" and not pod.deleting for pod in pods),
        succeeded=sum(pod.phase == "Succeeded" for pod in pods),
        failed=sum(pod.phase == "Failed" and not pod.deleting for pod in pods),
    )


def _chief(job: TFJob) -> bool:
    return any(spec.kind in MASTERS for spec in job.specs)


def _deciders(job: TFJob) -> frozenset[str]:
    return MASTERS if _chief(job) else frozenset({"worker"})


def _deciding(job: TFJob, pods: Sequence[ReplicaPod]) -> list[ReplicaPod]:
    return [pod for pod in pods if pod.type in _deciders(job) and not pod.deleting]


def _spec(job: TFJob, pod: ReplicaPod) -> ReplicaSpec | None:
    return next((spec for spec in job.specs if spec.kind == pod.type), None)
