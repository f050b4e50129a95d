"""TF_CONFIG: what each replica is given about all replicas and itself."""

from __future__ import annotations

from typing import Any

from reference_controller.tfjob.names import replica_name
from reference_controller.tfjob.objects import Replica, ReplicaSpec, TFJob


def tf_config(job: TFJob, replica: Replica) -> dict[str, Any] | None:
    """TFJ-006: the addresses of all replicas by type, and which one this is; None if it is the only one."""
    if len(job.replicas) <= 1:
        return None
    if job.dynamic_workers:
        return _sparse(job, replica)
    return {
        "cluster": {spec.kind: _addresses(job, spec) for spec in job.specs},
        "task": {"type": replica.spec.kind, "index": replica.index},
        "environment": "cloud",
    }


def _sparse(job: TFJob, replica: Replica) -> dict[str, Any]:
    """TFJ-007: a Worker knows all PS and itself, so that other Workers may come and go; a Chief knows all."""
    cluster: dict[str, Any] = {spec.kind: _addresses(job, spec) for spec in job.specs}
    own = cluster[replica.spec.kind][replica.index]
    if replica.spec.kind == "worker":
        cluster = {"ps": cluster.get("ps", []), "worker": {str(replica.index): own}}
    elif replica.spec.kind == "ps":
        cluster = {"ps": [own], "worker": {}}
    return {"cluster": cluster, "task": {"type": replica.spec.kind, "index": replica.index}}


def _addresses(job: TFJob, spec: ReplicaSpec) -> list[str]:
    names = [replica_name(job, Replica(spec, index)) for index in range(spec.replicas)]
    return [f"{name}.{job.namespace}.svc:{spec.port}" for name in names]
