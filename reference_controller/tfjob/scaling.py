"""Which pods and services a TFJob has too many of, since its user lowered the number of replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_controller.tfjob.objects import ReplicaPod, Service, TFJob

if TYPE_CHECKING:
    from collections.abc import Sequence

C = TypeVar("C", "ReplicaPod", "Service")


def surplus(job: TFJob, children: Sequence[C]) -> tuple[C, ...]:
    """TFJ-010: those of an index that the TFJob has no more."""
    return tuple(it for it in children if not it.deleting and it.index >= _replicas(job, it))


def wanted(job: TFJob, pods: Sequence[ReplicaPod]) -> tuple[ReplicaPod, ...]:
    """TFJ-011, TFJ-013: the pods of its replicas; what becomes of others says nothing about the TFJob."""
    return tuple(pod for pod in pods if 0 <= pod.index < _replicas(job, pod))


def _replicas(job: TFJob, child: ReplicaPod | Service) -> int:
    spec = job.spec(child.type)
    return spec.replicas if spec else 0
