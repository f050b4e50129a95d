"""TFJobs, their pods and services from and to API JSON."""

from __future__ import annotations

import orjson

from reference_controller.objects.api_json import (
    Json,
    identity,
    optional_seconds,
    owner_reference,
    pod_fields,
    pod_from_template,
    read_controller,
    with_variable,
)
from reference_controller.objects.quantity import amounts, amounts_patch
from reference_controller.objects.times import timestamp
from reference_controller.tfjob.groups import group_spec
from reference_controller.tfjob.names import (
    PREFIX,
    group_annotations,
    group_labels,
    labels,
    pod_labels,
    replica_name,
)
from reference_controller.tfjob.objects import (
    CONTAINER,
    VOLCANO,
    Counts,
    GangScheduler,
    GroupSpec,
    PodGroup,
    Replica,
    ReplicaPod,
    ReplicaSpec,
    Service,
    Status,
    TFJob,
)
from reference_controller.tfjob.tf_config import tf_config

_PORT_NAME, _PORT = "tfjob-port", 2222
_TYPES = {it.lower(): it for it in ("PS", "Worker", "Chief", "Master", "Evaluator")}
_NEWEST_FIRST = ("Failed", "Succeeded", "Restarting", "Running", "Created")
_PASSING = ("Running", "Restarting")


# -- reading


def read_tfjob(raw: Json) -> TFJob:
    """Parse a TFJob once."""
    metadata, spec = raw["metadata"], raw["spec"]
    policy = spec.get("runPolicy") or {}
    scheduling = policy.get("schedulingPolicy") or {}
    return TFJob(
        **identity(metadata),
        specs=tuple(_spec(name, part) for name, part in sorted(spec["tfReplicaSpecs"].items())),
        clean_pod_policy=policy.get("cleanPodPolicy") or "None",
        success_policy=spec.get("successPolicy") or "",
        dynamic_workers=bool(spec.get("enableDynamicWorker")),
        suspended=bool(policy.get("suspend")),
        backoff_limit=policy.get("backoffLimit"),
        active_deadline_s=policy.get("activeDeadlineSeconds"),
        ttl_s=policy.get("ttlSecondsAfterFinished"),
        min_available=scheduling.get("minAvailable"),
        queue=scheduling.get("queue") or "default",
        priority_class=scheduling.get("priorityClass") or "",
        least=_amounts(scheduling.get("minResources")),
        status=_status(raw.get("status") or {}),
        deleting=metadata.get("deletionTimestamp") is not None,
        raw=raw,
    )


def _amounts(raw: Json | None) -> tuple[tuple[str, int], ...] | None:
    return None if raw is None else tuple(amounts(raw).items())


def _spec(name: str, raw: Json) -> ReplicaSpec:
    """TFJ-008: one replica that is never restarted, where nothing else is said; types are spelled as one."""
    template, type_ = raw["template"], _TYPES.get(name.lower(), name)
    return ReplicaSpec(
        type_, raw.get("replicas", 1), raw.get("restartPolicy") or "Never", _port(template), template
    )


def _port(template: Json) -> int:
    main = next((it for it in template["spec"]["containers"] if it["name"] == CONTAINER), None)
    if main is None:
        raise ValueError(f"no container of a replica is called {CONTAINER}")
    named = (port["containerPort"] for port in main.get("ports") or () if port.get("name") == _PORT_NAME)
    return next(named, _PORT)


def _status(raw: Json) -> Status:
    told = {it["type"]: it["status"] == "True" for it in raw.get("conditions") or ()}
    counts = (raw.get("replicaStatuses") or {}).items()
    return Status(
        next((it for it in _NEWEST_FIRST if told.get(it)), ""),
        tuple(_counts(name, it) for name, it in sorted(counts)),
        suspended=told.get("Suspended"),
        started=optional_seconds(raw.get("startTime")),
        completed=optional_seconds(raw.get("completionTime")),
        restarts=raw.get("restarts", 0),
        replaced=tuple(raw.get("replaced") or ()),
    )


def _counts(name: str, raw: Json) -> Counts:
    active, succeeded, failed = (raw.get(key, 0) for key in ("active", "succeeded", "failed"))
    return Counts(name, active, succeeded, failed, tuple(raw.get("done") or ()))


def read_pod(raw: Json) -> ReplicaPod:
    """Parse a pod once."""
    kind, index = _replica(raw["metadata"].get("labels") or {})
    return ReplicaPod(**pod_fields(raw), type=kind, index=index)


def _replica(own_labels: Json) -> tuple[str, int]:
    """TFJ-011: the type and the index that labels name; -1 if they name no index."""
    index = own_labels.get(f"{PREFIX}replica-index", "")
    return own_labels.get(f"{PREFIX}replica-type", ""), int(index) if index.isdigit() else -1


def read_service(raw: Json) -> Service:
    """Parse a service once."""
    metadata = raw["metadata"]
    own_labels = metadata.get("labels") or {}
    kind, index = _replica(own_labels)
    return Service(
        **identity(metadata),
        labels=own_labels,
        type=kind,
        index=index,
        controller=read_controller(metadata),
        deleting=metadata.get("deletionTimestamp") is not None,
    )


def read_group(raw: Json) -> PodGroup:
    """Parse a PodGroup once."""
    metadata, spec = raw["metadata"], raw.get("spec") or {}
    return PodGroup(
        **identity(metadata),
        spec=GroupSpec(
            minimum=spec.get("minMember", 0),
            least=amounts(spec.get("minResources")),
            priority_class=spec.get("priorityClassName") or "",
        ),
        phase=(raw.get("status") or {}).get("phase") or "",
        controller=read_controller(metadata),
        deleting=metadata.get("deletionTimestamp") is not None,
    )


# -- writing


def new_pod(job: TFJob, replica: Replica, gang: GangScheduler | None = None) -> bytes:
    """TFJ-001, TFJ-006: the pod of a replica, whose main container knows all replicas."""
    pod = pod_from_template(
        replica.spec.template,
        job,
        name=replica_name(job, replica),
        labels={**pod_labels(job, replica), **group_labels(job, gang)},
        annotations=group_annotations(job, replica, gang),
    )
    policy = replica.spec.restart_policy
    scheduler = {"schedulerName": gang.name} if gang else {}  # TFJ-047: unless the user names another
    spec = {
        **scheduler,
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


def new_group(job: TFJob, gang: GangScheduler) -> bytes:
    """TFJ-044: the PodGroup of a TFJob, by its name."""
    spec = group_json(group_spec(job, gang)) | ({"queue": job.queue} if gang is VOLCANO else {})
    owner = [owner_reference(job)]
    return orjson.dumps(
        {
            "apiVersion": f"{gang.groups.group}/{gang.groups.version}",
            "kind": "PodGroup",
            "metadata": {"name": job.name, "namespace": job.namespace, "ownerReferences": owner},
            "spec": spec,
        }
    )


def group_json(spec: GroupSpec) -> Json:
    """What a PodGroup requests, in its spec."""
    return {
        "minMember": spec.minimum,
        **({"minResources": amounts_patch({}, spec.least)} if spec.least else {}),
        **({"priorityClassName": spec.priority_class} if spec.priority_class else {}),
    }


def group_change(group: PodGroup, wanted: GroupSpec) -> bytes:
    """TFJ-048, TFJ-057, TFJ-061: a JSON merge patch that makes a PodGroup request this; its queue stays."""
    spec = group_json(wanted)
    if change := amounts_patch(group.spec.least, wanted.least):
        spec["minResources"] = change
    if group.spec.priority_class:
        spec.setdefault("priorityClassName", "")
    return orjson.dumps({"spec": spec})


def with_status(job: TFJob, status: Status, now: float) -> bytes:
    """The TFJob as it was read, with another status."""
    old = job.raw.get("status") or {}
    updated: Json = {"conditions": _conditions(job, old, status, timestamp(now))}
    updated["replicaStatuses"] = {it.type: _told(it) for it in status.counts}
    for key, seconds in (("startTime", status.started), ("completionTime", status.completed)):
        if seconds is not None:
            updated[key] = timestamp(seconds)
    own: Json = {"restarts": status.restarts, "replaced": [*status.replaced]}
    return orjson.dumps({**job.raw, "status": {**updated, **{key: it for key, it in own.items() if it}}})


def _told(counts: Counts) -> Json:
    numbers = {"active": counts.active, "succeeded": counts.succeeded, "failed": counts.failed}
    return {**numbers, "done": [*counts.done]} if counts.done else numbers


def _conditions(job: TFJob, old: Json, status: Status, now: str) -> list[Json]:
    """TFJ-032: what has changed comes last; Running and Restarting do not outlast what follows them."""
    known: dict[str, Json] = {it["type"]: it for it in old.get("conditions") or []}
    wanted = {"Created": True, **{it: it == status.condition for it in _PASSING}}
    if status.finished:
        wanted[status.condition] = True
    if status.suspended is not None:
        wanted["Suspended"] = status.suspended
    changed = [
        it for it, true in wanted.items() if (it in known or true) and not _is(known.get(it), true=true)
    ]
    kept = [it for name, it in known.items() if name not in changed]
    return [*kept, *(_condition(job, it, now, true=wanted[it]) for it in changed)]


def _is(condition: Json | None, *, true: bool) -> bool:
    return condition is not None and (condition["status"] == "True") == true


def _condition(job: TFJob, kind: str, now: str, *, true: bool) -> Json:
    word = "Resumed" if (kind, true) == ("Suspended", False) else kind
    return {
        "type": kind,
        "status": str(true),
        "reason": f"TFJob{word}",
        "message": f"TFJob {job.name} is {'' if true else 'not '}{kind}.",
        "lastTransitionTime": now,
        "lastUpdateTime": now,
    }
