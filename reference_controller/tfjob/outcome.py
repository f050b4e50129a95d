"""The condition of a TFJob that follows from its pods: which types of replicas decide, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.tfjob.objects import MASTERS, Counts, ReplicaPod, ReplicaSpec, TFJob
from reference_controller.tfjob.restarts import restarted

if TYPE_CHECKING:
    from collections.abc import Sequence


def condition(job: TFJob, pods: Sequence[ReplicaPod]) -> str:
    """TFJ-032: Created, then Running, or Restarting in between, then Succeeded or Failed."""
    if succeeded(job, pods):
        return "Succeeded"
    if failed(job, pods):
        return "Failed"
    if any(restarted(job.spec(pod.type), pod) for pod in pods if not pod.deleting):
        return "Restarting"
    if any(pod.phase == "Running" for pod in _deciding(job, pods)):
        return "Running"
    return "Created" if job.status.suspended else job.status.condition or "Created"


def succeeded(job: TFJob, pods: Sequence[ReplicaPod]) -> bool:
    """Whether the replicas that decide have done what the TFJob is for."""
    done = {(spec.kind, index) for spec in job.specs for index in indexes_done(job, spec, pods)}
    deciding = [replica for replica in job.replicas if replica.spec.kind in _deciders(job)]
    if not deciding:
        return False
    if _chief(job) or job.success_policy == "AllWorkers":  # TFJ-034
        return all((replica.spec.kind, replica.index) in done for replica in deciding)
    return ("worker", 0) in done  # TFJ-035


def failed(job: TFJob, pods: Sequence[ReplicaPod]) -> bool:
    """TFJ-023, TFJ-026: a pod of any type has failed that is not restarted."""
    over = [pod for pod in pods if pod.phase == "Failed" and not pod.deleting]
    if job.dynamic_workers:
        over = [pod for pod in over if pod.type != "worker"]
    return any(not restarted(job.spec(pod.type), pod) for pod in over)


def counts(job: TFJob, pods: Sequence[ReplicaPod]) -> tuple[Counts, ...]:
    """TFJ-036: the phases of the pods of each type."""
    return tuple(_count(job, spec, [pod for pod in pods if pod.type == spec.kind]) for spec in job.specs)


def _count(job: TFJob, spec: ReplicaSpec, pods: Sequence[ReplicaPod]) -> Counts:
    done = indexes_done(job, spec, pods)
    return Counts(
        spec.type,
        active=sum(pod.phase == "Running" and not pod.deleting for pod in pods),
        succeeded=len(done),
        failed=sum(pod.phase == "Failed" and not pod.deleting for pod in pods),
        done=done,
    )


def indexes_done(job: TFJob, spec: ReplicaSpec, pods: Sequence[ReplicaPod]) -> tuple[int, ...]:
    """TFJ-019: what was reported to have succeeded stays so, though its pod is gone."""
    shown = {pod.index for pod in pods if pod.type == spec.kind and pod.phase == "Succeeded"}
    told = job.status.done(spec.kind)
    return tuple(sorted(index for index in shown | told if index < spec.replicas))


def _chief(job: TFJob) -> bool:
    return any(spec.kind in MASTERS for spec in job.specs)


def _deciders(job: TFJob) -> frozenset[str]:
    return MASTERS if _chief(job) else frozenset({"worker"})


def _deciding(job: TFJob, pods: Sequence[ReplicaPod]) -> list[ReplicaPod]:
    return [pod for pod in pods if pod.type in _deciders(job) and not pod.deleting]
