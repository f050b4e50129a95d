"""How the replicas of a TFJob are called, and which labels they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference_controller.tfjob.objects import Replica, TFJob

PREFIX = "training.kubeflow.org/"


def replica_name(job: TFJob, replica: Replica) -> str:
    """TFJ-001: <job>-<type>-<index>; the pod and the service of a replica have the same name."""
    return f"{job.name}-{replica.spec.kind}-{replica.index}"


def labels(job: TFJob, replica: Replica) -> dict[str, str]:
    """TFJ-003: whose replica it is, and which one."""
    return {
        f"{PREFIX}operator-name": "tfjob-controller",
        f"{PREFIX}job-name": job.name,
        f"{PREFIX}replica-type": replica.spec.kind,
        f"{PREFIX}replica-index": str(replica.index),
    }
