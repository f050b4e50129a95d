"""Volcano's objects from and to API JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from reference_controller.objects.api_json import (
    Json,
    identity,
    optional_seconds,
    owner_reference,
    pod_fields,
    pod_from_template,
    read_controller,
)
from reference_controller.objects.quantity import amount, amounts_patch, requests_of
from reference_controller.objects.resources import CLAIMS, Resource
from reference_controller.objects.times import duration_s, timestamp
from reference_controller.volcano.objects import (
    GROUPS,
    Child,
    Command,
    Group,
    GroupSpec,
    Job,
    JobPod,
    Policy,
    PriorityClass,
    Queue,
    QueueStatus,
    Status,
    Task,
)
from reference_controller.volcano.plugins import equipped
from reference_controller.volcano.plugins.extra import Extra
from reference_controller.volcano.volumes import Claim, claims

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PREFIX = "volcano.sh/"
GROUP_NAME = "scheduling.k8s.io/group-name"
_COUNTS = ("pending", "running", "succeeded", "failed", "terminating", "unknown", "version")
PHASES = ("pending", "inqueue", "running", "unknown", "completed")
"""The phases of PodGroups that the status of a queue counts."""


# -- reading


def read_job(raw: Json) -> Job:
    """Parse a Job once."""
    metadata, spec, status = raw["metadata"], raw["spec"], raw.get("status") or {}
    return Job(
        **identity(metadata),
        min_available=spec.get("minAvailable", 0),
        queue=spec.get("queue") or "default",
        scheduler=spec.get("schedulerName") or "volcano",
        max_retry=spec.get("maxRetry", 3),
        tasks=tuple(_task(task) for task in spec["tasks"]),
        policies=read_policies(spec),
        min_success=spec.get("minSuccess"),
        priority_class=spec.get("priorityClassName") or "",
        ttl_s=spec.get("ttlSecondsAfterFinished"),
        status=_status(status),
        deleting=metadata.get("deletionTimestamp") is not None,
        raw=raw,
    )


def _status(raw: Json) -> Status:
    state, of_tasks = raw.get("state") or {}, raw.get("taskStatusCount") or {}
    return Status(
        phase=state.get("phase", ""),
        retry_count=raw.get("retryCount", 0),
        tasks=tuple(
            sorted(
                (task, phase, count) for task, it in of_tasks.items() for phase, count in it["phase"].items()
            )
        ),
        done=frozenset((task, index) for task, it in of_tasks.items() for index in it.get("done") or ()),
        controlled=tuple(sorted((raw.get("controlledResources") or {}).items())),
        since=optional_seconds(state.get("lastTransitionTime")),
        **{name: raw.get(name, 0) for name in _COUNTS},
    )


def _task(raw: Json) -> Task:
    depends_on, spec = raw.get("dependsOn") or {}, raw["template"].get("spec") or {}
    replicas: int = raw.get("replicas", 1)
    return Task(
        raw["name"],
        replicas,
        raw["template"],
        minimum=raw.get("minAvailable", replicas),
        policies=read_policies(raw),
        depends_on=tuple(depends_on.get("name") or ()),
        any_of_them=depends_on.get("iteration") == "any",
        max_retry=raw.get("maxRetry") or 3,
        priority_class=spec.get("priorityClassName") or "",
        requests=requests_of(spec),
    )


def read_policies(raw: Json) -> tuple[Policy, ...]:
    """Parse the policies of a Job or of a task."""
    return tuple(_policy(policy) for policy in raw.get("policies") or ())


def _policy(raw: Json) -> Policy:
    events = {*(raw.get("events") or ()), *filter(None, [raw.get("event")])}
    return Policy(
        frozenset(events), raw.get("action", ""), raw.get("exitCode"), duration_s(raw.get("timeout") or "0s")
    )


def read_pod(raw: Json) -> JobPod:
    """Parse a pod once."""
    annotations = raw["metadata"].get("annotations") or {}
    return JobPod(
        **pod_fields(raw),
        task=annotations.get(f"{_PREFIX}task-spec", ""),
        index=_number(annotations.get(f"{_PREFIX}task-index", "")),
        job_version=_number(annotations.get(f"{_PREFIX}job-version", "")),
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


def read_group(raw: Json) -> Group:
    """Parse a PodGroup once."""
    spec = raw.get("spec") or {}
    return Group(
        **identity(raw["metadata"]),
        phase=(raw.get("status") or {}).get("phase") or "",
        controller=read_controller(raw["metadata"]),
        spec=GroupSpec(
            min_member=spec.get("minMember", 0),
            min_task_member=spec.get("minTaskMember") or {},
            queue=spec.get("queue") or "default",
            priority_class=spec.get("priorityClassName") or "",
            min_resources={
                name: amount(name, str(text)) for name, text in (spec.get("minResources") or {}).items()
            },
        ),
    )


def read_child(resource: Resource) -> Callable[[Json], Child]:
    """What parses an object of this resource once."""

    def read(raw: Json) -> Child:
        metadata = raw["metadata"]
        controller = read_controller(metadata)
        return Child(
            **identity(metadata), resource=resource, controller=controller, data=raw.get("data") or {}
        )

    return read


def read_priority_class(raw: Json) -> PriorityClass:
    """Parse a PriorityClass once."""
    return PriorityClass(**identity(raw["metadata"]), value=raw.get("value", 0))


def read_queue(raw: Json) -> Queue:
    """Parse a queue once."""
    status = raw.get("status") or {}
    counts = tuple((phase, status[phase]) for phase in PHASES if status.get(phase))
    return Queue(**identity(raw["metadata"]), state=status.get("state", ""), counts=counts, raw=raw)


def read_command(raw: Json) -> Command:
    """Parse a Command once."""
    return Command(
        **identity(raw["metadata"]), action=raw["action"], target=(raw.get("target") or {}).get("uid", "")
    )


# -- writing


def group_name(job: Job) -> str:
    """The name of the PodGroup of a Job: that of a Job that is recreated is another one."""
    return f"{job.name}-{job.uid}"


def pod_name(job: Job, task: str, index: int) -> str:
    """VOL-006: <job>-<task>-<index>."""
    return f"{job.name}-{task}-{index}"


def new_group(job: Job, spec: GroupSpec) -> bytes:
    """VOL-002: the PodGroup of a Job, with its labels and annotations."""
    metadata = job.raw["metadata"]
    kept = {key: metadata[key] for key in ("labels", "annotations") if metadata.get(key)}
    return _object(GROUPS, "PodGroup", job, group_name(job), {"spec": group_json(spec)}, metadata=kept)


def group_json(spec: GroupSpec) -> Json:
    """What a PodGroup asks for."""
    return {
        "minMember": spec.min_member,
        "minTaskMember": dict(spec.min_task_member),
        "queue": spec.queue,
        "minResources": amounts_patch({}, spec.min_resources),
        **({"priorityClassName": spec.priority_class} if spec.priority_class else {}),
    }


def group_change(group: Group, spec: GroupSpec) -> bytes:
    """VOL-046: a JSON merge patch that makes a PodGroup ask for this; what it asks for no more goes."""
    wanted = group_json(spec)
    wanted["minResources"] = amounts_patch(group.spec.min_resources, spec.min_resources)
    wanted.setdefault("priorityClassName", None)
    return orjson.dumps({"metadata": {"uid": group.uid}, "spec": wanted})


def new_extra(job: Job, extra: Extra, keys: Mapping[str, str]) -> bytes:
    """VOL-043, VOL-044: an object of a plugin, with these keys in it if it is a Secret."""
    parts = dict(extra.parts)
    if extra.has_keys:
        parts["stringData"] = {**parts.get("stringData", {}), **keys}
    return _object(extra.resource, extra.kind, job, extra.name, parts)


def extra_change(extra: Extra) -> bytes:
    """VOL-045: a JSON merge patch that makes it hold what it must."""
    return orjson.dumps({"data": extra.parts["data"]})


def new_claim(job: Job, claim: Claim) -> bytes:
    """VOL-007: a PersistentVolumeClaim of a Job."""
    return _object(CLAIMS, "PersistentVolumeClaim", job, claim.name, {"spec": claim.spec})


def _object(
    resource: Resource, kind: str, job: Job, name: str, parts: Json, *, metadata: Json | None = None
) -> bytes:
    """An object that the Job controls."""
    api_version = f"{resource.group}/{resource.version}" if resource.group else resource.version
    named = {"name": name, "namespace": job.namespace, "ownerReferences": [owner_reference(job)]}
    return orjson.dumps(
        {"apiVersion": api_version, "kind": kind, "metadata": {**(metadata or {}), **named}, **parts}
    )


def new_pod(job: Job, task: Task, index: int) -> bytes:
    """VOL-006: a pod that names its Job, task, version and PodGroup, with its volumes and plugins."""
    labels = {
        f"{_PREFIX}job-name": job.name,
        f"{_PREFIX}job-namespace": job.namespace,
        f"{_PREFIX}task-spec": task.name,
        f"{_PREFIX}task-index": str(index),
        f"{_PREFIX}queue-name": job.queue,
    }
    annotations = {**labels, f"{_PREFIX}job-version": str(job.status.version), GROUP_NAME: group_name(job)}
    name = pod_name(job, task.name, index)
    pod = pod_from_template(task.template, job, name=name, labels=labels, annotations=annotations)
    spec = {**pod["spec"], "schedulerName": pod["spec"].get("schedulerName") or job.scheduler}
    return orjson.dumps({**pod, "spec": equipped(_with_claims(spec, job), job, name, index)})


def _with_claims(spec: Json, job: Job) -> Json:
    """VOL-007: the claims of the Job are mounted in every container."""
    for claim in claims(job):
        volume = {"name": claim.name, "persistentVolumeClaim": {"claimName": claim.name}}
        mount = {"name": claim.name, "mountPath": claim.mount_path}
        containers = [
            {**it, "volumeMounts": [*(it.get("volumeMounts") or ()), mount]} for it in spec["containers"]
        ]
        spec = {**spec, "containers": containers, "volumes": [*(spec.get("volumes") or ()), volume]}
    return spec


def with_status(job: Job, status: Status, now: float) -> bytes:
    """The Job as it was read, with another status.

    VOL-067: a new phase is recorded in the condition of that status.
    """
    old = job.raw.get("status") or {}
    updated: Json = {**old, "minAvailable": job.min_available, "retryCount": status.retry_count}
    updated |= {name: getattr(status, name) for name in _COUNTS}
    updated["taskStatusCount"] = _task_counts(status)
    updated["controlledResources"] = dict(status.controlled)
    if status.phase != job.status.phase:
        updated["state"] = {"phase": status.phase, "lastTransitionTime": timestamp(now)}
        condition = {"status": status.phase, "lastTransitionTime": timestamp(now)}
        others = [it for it in old.get("conditions") or [] if it["status"] != status.phase]
        updated["conditions"] = [*others, condition]
    return orjson.dumps({**job.raw, "status": updated})


def _task_counts(status: Status) -> Json:
    counts: Json = {}
    for task, phase, count in status.tasks:
        counts.setdefault(task, {"phase": {}})["phase"][phase] = count
    for task, index in sorted(status.done):
        counts.setdefault(task, {"phase": {}}).setdefault("done", []).append(index)
    return counts


def with_queue_status(queue: Queue, status: QueueStatus) -> bytes:
    """The queue as it was read, with another status."""
    old = {name: value for name, value in (queue.raw.get("status") or {}).items() if name not in PHASES}
    return orjson.dumps({**queue.raw, "status": {**old, "state": status.state, **dict(status.counts)}})
