"""TFJobs, their pods and services from and to API JSON."""

from __future__ import annotations

import orjson

from reference_controller.objects.api_json import (
    Json,
    identity,
    owner_reference,
    pod_fields,
    pod_from_template,
    read_controller,
    with_variable,
)
from reference_controller.tfjob.names import PREFIX, labels, replica_name
from reference_controller.tfjob.objects import (
    CONTAINER,
    Counts,
    Replica,
    ReplicaPod,
    ReplicaSpec,
    Service,
    Status,
    TFJob,
)
from reference_controller.tfjob.tf_config import tf_config

_PORT_NAME, _PORT = "tfjob-port", 2222
_NEWEST_FIRST = ("Failed", "Succeeded", "Restarting", "Running", "Created")
_PASSING = frozenset({"Running", "Restarting"})


# -- reading


def read_tfjob(raw: Json) -> TFJob:
    """Parse a TFJob once."""
    metadata, spec = raw["metadata"], raw["spec"]
    policy = spec.get("runPolicy") or {}
    return TFJob(
        **identity(metadata),
        specs=tuple(_spec(name, part) for name, part in sorted(spec["tfReplicaSpecs"].items())),
        clean_pod_policy=policy.get("cleanPodPolicy") or "None",
        success_policy=spec.get("successPolicy") or "",
        status=_status(raw.get("status") or {}),
        deleting=metadata.get("deletionTimestamp") is not None,
        raw=raw,
    )


def _spec(name: str, raw: Json) -> ReplicaSpec:
    """TFJ-008: one replica that is never restarted, where nothing else is said."""
    template = raw["template"]
    return ReplicaSpec(
        name, raw.get("replicas", 1), raw.get("restartPolicy") or "Never", _port(template), template
    )


def _port(template: Json) -> int:
    main = next(it for it in template["spec"]["containers"] if it["name"] == CONTAINER)
    named = (port["containerPort"] for port in main.get("ports") or () if port.get("name") == _PORT_NAME)
    return next(named, _PORT)


def _status(raw: Json) -> Status:
    true = {it["type"] for it in raw.get("conditions") or () if it["status"] == "True"}
    counts = (raw.get("replicaStatuses") or {}).items()
    return Status(
        next((it for it in _NEWEST_FIRST if it in true), ""),
        tuple(
            Counts(name, it.get("active", 0), it.get("succeeded", 0), it.get("failed", 0))
            for name, it in sorted(counts)
        ),
    )


def read_pod(raw: Json) -> ReplicaPod:
    """Parse a pod once."""
    own_labels = raw["metadata"].get("labels") or {}
    index = own_labels.get(f"{PREFIX}replica-index", "")
    return ReplicaPod(
        **pod_fields(raw),
        type=own_labels.get(f"{PREFIX}replica-type", ""),
        index=int(index) if index.isdigit() else -1,
    )


def read_service(raw: Json) -> Service:
    """Parse a service once."""
    metadata = raw["metadata"]
    return Service(
        **identity(metadata),
        type=(metadata.get("labels") or {}).get(f"{PREFIX}replica-type", ""),
        controller=read_controller(metadata),
        deleting=metadata.get("deletionTimestamp") is not None,
    )


# -- writing


def new_pod(job: TFJob, replica: Replica) -> bytes:
    """TFJ-001, TFJ-006: the pod of a replica, whose main container knows all replicas."""
    pod = pod_from_template(
        replica.spec.template, job, name=replica_name(job, replica), labels=labels(job, replica)
    )
    policy = replica.spec.restart_policy
    spec = {
        **pod["spec"],
        "restartPolicy": "Never" if policy == "ExitCode" else policy,  # TFJ-021
        "containers": [_with_config(job, replica, container) for container in pod["spec"]["containers"]],
    }
    return orjson.dumps({**pod, "spec": spec})


def _with_config(job: TFJob, replica: Replica, container: Json) -> Json:
    config = tf_config(job, replica) if container["name"] == CONTAINER else None
    if config is None:
        return container
    return with_variable(container, {"name": "TF_CONFIG", "value": orjson.dumps(config).decode()})


def new_service(job: TFJob, replica: Replica) -> bytes:
    """TFJ-002: a headless service that leads to one replica."""
    own_labels = labels(job, replica)
    port = {"name": _PORT_NAME, "port": replica.spec.port, "targetPort": replica.spec.port}
    return orjson.dumps(
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {
                "name": replica_name(job, replica),
                "namespace": job.namespace,
                "labels": own_labels,
                "ownerReferences": [owner_reference(job)],
            },
            "spec": {"clusterIP": "None", "selector": own_labels, "ports": [port]},
        }
    )


def with_status(job: TFJob, status: Status, now: str) -> bytes:
    """The TFJob as it was read, with another status."""
    old = job.raw.get("status") or {}
    updated: Json = {"startTime": now, **old, "conditions": _conditions(job, old, status.condition, now)}
    updated["replicaStatuses"] = {
        it.type: {"active": it.active, "succeeded": it.succeeded, "failed": it.failed} for it in status.counts
    }
    if status.finished:
        updated.setdefault("completionTime", now)
    return orjson.dumps({**job.raw, "status": updated})


def _conditions(job: TFJob, old: Json, condition: str, now: str) -> list[Json]:
    """TFJ-032: a new condition; Running and Restarting do not outlast it."""
    known: list[Json] = old.get("conditions") or []
    if condition == job.status.condition:
        return known
    kept = [
        {**it, "status": "False", "lastTransitionTime": now} if it["type"] in _PASSING else it
        for it in known
        if it["type"] != condition
    ]
    new = {
        "type": condition,
        "status": "True",
        "reason": f"TFJob{condition}",
        "message": f"TFJob {job.name} is {condition}.",
        "lastTransitionTime": now,
        "lastUpdateTime": now,
    }
    return [*kept, new]
