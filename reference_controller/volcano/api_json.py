"""Volcano's objects from and to API JSON."""

from __future__ import annotations

import orjson

from reference_controller.objects.api_json import (
    Json,
    identity,
    owner_reference,
    pod_fields,
    pod_from_template,
    read_controller,
)
from reference_controller.volcano.objects import (
    GROUPS,
    Command,
    Group,
    Job,
    JobPod,
    Policy,
    Queue,
    QueueStatus,
    Status,
    Task,
)

_PREFIX = "volcano.sh/"
_GROUP_NAME = "scheduling.k8s.io/group-name"
_COUNTS = ("pending", "running", "succeeded", "failed", "terminating", "version")
PHASES = ("pending", "inqueue", "running", "unknown")
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
        policies=tuple(_policy(policy) for policy in spec.get("policies") or ()),
        status=Status(
            phase=(status.get("state") or {}).get("phase", ""),
            retry_count=status.get("retryCount", 0),
            **{name: status.get(name, 0) for name in _COUNTS},
        ),
        deleting=metadata.get("deletionTimestamp") is not None,
        raw=raw,
    )


def _task(raw: Json) -> Task:
    return Task(raw["name"], raw.get("replicas", 1), raw["template"])


def _policy(raw: Json) -> Policy:
    events = raw.get("events") or [raw.get("event", "")]
    return Policy(frozenset(events), raw.get("action", ""))


def read_pod(raw: Json) -> JobPod:
    """Parse a pod once."""
    annotations = raw["metadata"].get("annotations") or {}
    version = annotations.get(f"{_PREFIX}job-version", "0")
    return JobPod(
        **pod_fields(raw),
        task=annotations.get(f"{_PREFIX}task-spec", ""),
        job_version=int(version) if version.isdigit() else 0,
    )


def read_group(raw: Json) -> Group:
    """Parse a PodGroup once."""
    return Group(
        **identity(raw["metadata"]),
        queue=(raw.get("spec") or {}).get("queue") or "default",
        phase=(raw.get("status") or {}).get("phase") or "",
        controller=read_controller(raw["metadata"]),
    )


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
    """The name of the PodGroup of a Job: that of a Job that is made anew is another one."""
    return f"{job.name}-{job.uid}"


def pod_name(job: Job, task: str, index: int) -> str:
    """VOL-006: <job>-<task>-<index>."""
    return f"{job.name}-{task}-{index}"


def new_group(job: Job) -> bytes:
    """VOL-002: the PodGroup of a Job, with its minimum, in its queue."""
    metadata = {
        "name": group_name(job),
        "namespace": job.namespace,
        "ownerReferences": [owner_reference(job)],
    }
    spec = {"minMember": job.min_available, "queue": job.queue}
    return orjson.dumps(
        {
            "apiVersion": f"{GROUPS.group}/{GROUPS.version}",
            "kind": "PodGroup",
            "metadata": metadata,
            "spec": spec,
        }
    )


def new_pod(job: Job, task: Task, index: int) -> bytes:
    """VOL-006: a pod that names its Job, task, version and PodGroup."""
    labels = {
        f"{_PREFIX}job-name": job.name,
        f"{_PREFIX}task-spec": task.name,
        f"{_PREFIX}task-index": str(index),
        f"{_PREFIX}queue-name": job.queue,
    }
    annotations = {**labels, f"{_PREFIX}job-version": str(job.status.version), _GROUP_NAME: group_name(job)}
    pod = pod_from_template(
        task.template, job, name=pod_name(job, task.name, index), labels=labels, annotations=annotations
    )
    spec = {**pod["spec"], "schedulerName": pod["spec"].get("schedulerName") or job.scheduler}
    return orjson.dumps({**pod, "spec": spec})


def with_status(job: Job, status: Status, now: str) -> bytes:
    """The Job as it was read, with another status; a new phase is recorded in a condition."""
    old = job.raw.get("status") or {}
    updated: Json = {**old, "minAvailable": job.min_available, "retryCount": status.retry_count}
    updated |= {name: getattr(status, name) for name in _COUNTS}
    if status.phase != job.status.phase:
        updated["state"] = {"phase": status.phase, "lastTransitionTime": now}
        condition = {"status": status.phase, "lastTransitionTime": now}
        updated["conditions"] = [*(old.get("conditions") or []), condition]
    return orjson.dumps({**job.raw, "status": updated})


def with_queue_status(queue: Queue, status: QueueStatus) -> bytes:
    """The queue as it was read, with another status."""
    old = {name: value for name, value in (queue.raw.get("status") or {}).items() if name not in PHASES}
    return orjson.dumps({**queue.raw, "status": {**old, "state": status.state, **dict(status.counts)}})
