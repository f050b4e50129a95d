"""Jobs and queues of reviews from JSON, and what is filled into the spec of each."""

from __future__ import annotations

from typing import Any

import orjson

from reference_controller.volcano.admission.objects import AskedJob, AskedTask
from reference_controller.volcano.api_json import read_policies

Json = dict[str, Any]

_CHANGEABLE = ("minAvailable", "priorityClassName")
_CHANGEABLE_OF_TASKS = ("replicas", "minAvailable")


# -- reading


def read_job(raw: Json) -> AskedJob:
    """Parse a Job into which defaults were filled."""
    spec = raw.get("spec") or {}
    return AskedJob(
        minimum=spec.get("minAvailable") or 0,
        queue=spec.get("queue") or "",
        tasks=tuple(_task(task) for task in spec.get("tasks") or ()),
        policies=read_policies(spec),
        plugins=tuple(spec.get("plugins") or ()),
    )


def _task(raw: Json) -> AskedTask:
    template = raw.get("template") or {}
    containers = (template.get("spec") or {}).get("containers") or ()
    return AskedTask(
        name=raw.get("name") or "",
        replicas=raw.get("replicas") or 0,
        minimum=raw.get("minAvailable") or 0,
        policies=read_policies(raw),
        depends_on=tuple((raw.get("dependsOn") or {}).get("name") or ()),
        images=tuple(container.get("image") or "" for container in containers),
    )


def read_weight(raw: Json) -> int:
    """The weight of a queue."""
    return int((raw.get("spec") or {}).get("weight") or 0)


def read_state(queue: Json) -> str:
    """The state of a queue; "" before its first status."""
    return str((queue.get("status") or {}).get("state") or "")


def fixed(raw: Json) -> Json:
    """VOL-011: the spec of a Job without what may change."""
    spec = {key: value for key, value in raw["spec"].items() if key not in _CHANGEABLE}
    return spec | {"tasks": [_fixed_of_task(task) for task in spec.get("tasks") or ()]}


def _fixed_of_task(task: Json) -> Json:
    return {key: value for key, value in task.items() if key not in _CHANGEABLE_OF_TASKS}


# -- what is filled in


def job_with_defaults(raw: Json) -> Json:
    """VOL-009: the spec of a Job with what it leaves open; 0 and "" are as good as nothing."""
    spec = raw.get("spec") or {}
    tasks = [_task_with_defaults(task, place) for place, task in enumerate(spec.get("tasks") or ())]
    return {
        **spec,
        "queue": spec.get("queue") or "default",
        "schedulerName": spec.get("schedulerName") or "volcano",
        "maxRetry": spec.get("maxRetry") or 3,
        "minAvailable": spec.get("minAvailable") or sum(task["minAvailable"] for task in tasks),
        "tasks": tasks,
    }


def _task_with_defaults(task: Json, place: int) -> Json:
    replicas = task.get("replicas") or 0
    return {
        **task,
        "name": task.get("name") or f"default{place}",
        "minAvailable": task.get("minAvailable", replicas),
        "maxRetry": task.get("maxRetry") or 3,
    }


def queue_with_defaults(raw: Json) -> Json:
    """VOL-057: the spec of a queue with what it leaves open."""
    spec = raw.get("spec") or {}
    return {**spec, "weight": spec.get("weight") or 1, "reclaimable": spec.get("reclaimable", True)}


# -- writing


def trial_queue() -> bytes:
    """A queue that is only asked for, to see whether we are asked."""
    body = {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "spec": {}}
    return orjson.dumps({**body, "metadata": {"name": "is-admission-in-force"}})
