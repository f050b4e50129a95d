"""Reading and writing the API's JSON: the one module with camelCase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from reference_controller.job.objects import (
    CONTROLLER_NAME,
    JOB_API_VERSION,
    JOB_KIND,
    NON_INDEXED,
    TRACKING_FINALIZER,
    Condition,
    Controller,
    Job,
    JobStatus,
    Pod,
    Selector,
)
from reference_controller.labels import Requirement
from reference_controller.times import seconds, timestamp

COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"
INDEX_VARIABLE = "JOB_COMPLETION_INDEX"

Json = dict[str, Any]
ReadJob = Callable[[Json], Job]
"""Parses a Job, as the controller that answers to some name."""


def read_controller(metadata: Json) -> Controller | None:
    """The owner reference with controller=true, if any."""
    for owner in metadata.get("ownerReferences") or ():
        if owner.get("controller"):
            return Controller(owner.get("apiVersion", ""), owner.get("kind", ""), owner["name"], owner["uid"])
    return None


def read_pod(raw: Json) -> Pod:
    """Parse a pod once.

    Raises:
        KeyError, ValueError: the object is not a pod that an API server would serve.
    """
    metadata, status, spec = raw["metadata"], raw.get("status") or {}, raw.get("spec") or {}
    phase = status.get("phase", "Pending")
    deleted = metadata.get("deletionTimestamp")
    ready = next((c for c in status.get("conditions") or () if c["type"] == "Ready"), None)
    sidecars = _sidecars(spec)
    containers = status.get("containerStatuses") or ()
    inits = status.get("initContainerStatuses") or ()
    restarts = [c.get("restartCount", 0) for c in containers]
    sidecar_restarts = [c.get("restartCount", 0) for c in inits if c["name"] in sidecars]
    return Pod(
        namespace=metadata["namespace"],
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        labels=metadata.get("labels") or {},
        controller=read_controller(metadata),
        tracked=TRACKING_FINALIZER in (metadata.get("finalizers") or ()),
        phase=phase,
        deleting=deleted is not None,
        assigned=bool(spec.get("nodeName")),
        ready=ready is not None and ready["status"] == "True",
        ready_since=_optional((ready or {}).get("lastTransitionTime")) or 0.0,
        created=seconds(metadata["creationTimestamp"]),
        finish_time=_finish_time(raw, sidecars) if deleted or phase in {"Succeeded", "Failed"} else None,
        restarts=sum(restarts) + sum(c.get("restartCount", 0) for c in inits),
        max_restarts=max(restarts, default=0),
        max_sidecar_restarts=max(sidecar_restarts, default=0),
        completion_index=_completion_index(metadata),
    )


def _sidecars(spec: Json) -> frozenset[str]:
    inits = spec.get("initContainers")
    return frozenset(c["name"] for c in inits if c.get("restartPolicy") == "Always") if inits else frozenset()


def _completion_index(metadata: Json) -> int | None:
    text = (metadata.get("annotations") or {}).get(COMPLETION_INDEX)
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def _finish_time(raw: Json, sidecars: frozenset[str]) -> float:
    """FAIL-013: container finish, else Ready=False, else the deletion request, else the creation."""
    metadata, status = raw["metadata"], raw.get("status") or {}
    states = [c.get("state") or {} for c in status.get("containerStatuses") or ()]
    inits = status.get("initContainerStatuses") or ()
    states += [c.get("state") or {} for c in inits if c["name"] in sidecars]
    finished = [(state.get("terminated") or {}).get("finishedAt") for state in states]
    if finished and all(finished):
        return max(seconds(at) for at in finished if at)
    for condition in status.get("conditions") or ():
        if condition["type"] == "Ready" and condition["status"] == "False":
            changed = condition.get("lastTransitionTime")
            if changed:
                return seconds(changed)
    if metadata.get("deletionTimestamp"):
        return seconds(metadata["deletionTimestamp"]) - (metadata.get("deletionGracePeriodSeconds") or 0)
    return seconds(metadata["creationTimestamp"])


def read_job(raw: Json, manager: str = CONTROLLER_NAME) -> Job:
    """Parse a Job once, as the controller that answers to `manager`.

    Raises:
        KeyError, ValueError: the object is not a Job that an API server would serve.
    """
    metadata, spec = raw["metadata"], raw["spec"]
    backoff_limit = spec.get("backoffLimit")
    return Job(
        namespace=metadata["namespace"],
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        generation=metadata.get("generation", 0),
        deleting=metadata.get("deletionTimestamp") is not None,
        selector=read_selector(spec.get("selector") or {}),
        parallelism=spec.get("parallelism", 1),
        completions=spec.get("completions"),
        backoff_limit=6 if backoff_limit is None else backoff_limit,
        active_deadline_s=spec.get("activeDeadlineSeconds"),
        ttl_s=spec.get("ttlSecondsAfterFinished"),
        suspend=bool(spec.get("suspend")),
        completion_mode=spec.get("completionMode") or NON_INDEXED,
        replace_only_failed=spec.get("podReplacementPolicy") == "Failed",
        managed_by=spec.get("managedBy"),
        manager=manager,
        restart_policy=spec["template"]["spec"].get("restartPolicy", ""),
        status=read_status(raw.get("status") or {}),
        raw=raw,
    )


def read_selector(raw: Json) -> Selector:
    """Parse a LabelSelector."""
    return Selector(
        tuple((raw.get("matchLabels") or {}).items()),
        tuple(
            Requirement(part["key"], part["operator"], frozenset(part.get("values") or ()))
            for part in raw.get("matchExpressions") or ()
        ),
    )


def read_status(raw: Json) -> JobStatus:
    """Parse a Job's status."""
    uncounted = raw.get("uncountedTerminatedPods") or {}
    return JobStatus(
        conditions=tuple(_read_condition(c) for c in raw.get("conditions") or ()),
        start_time=_optional(raw.get("startTime")),
        completion_time=_optional(raw.get("completionTime")),
        active=raw.get("active", 0),
        ready=raw.get("ready"),
        terminating=raw.get("terminating"),
        succeeded=raw.get("succeeded", 0),
        failed=raw.get("failed", 0),
        uncounted_succeeded=tuple(uncounted.get("succeeded") or ()),
        uncounted_failed=tuple(uncounted.get("failed") or ()),
        completed_indexes=raw.get("completedIndexes", ""),
    )


def _optional(text: str | None) -> float | None:
    return seconds(text) if text else None


def _read_condition(raw: Json) -> Condition:
    return Condition(
        raw["type"],
        raw["status"],
        raw.get("reason", ""),
        raw.get("message", ""),
        _optional(raw.get("lastProbeTime")),
        _optional(raw.get("lastTransitionTime")),
    )


def _write_condition(condition: Condition) -> Json:
    raw: Json = {
        "type": condition.type,
        "status": condition.status,
        "reason": condition.reason,
        "message": condition.message,
    }
    if condition.last_probe_time is not None:
        raw["lastProbeTime"] = timestamp(condition.last_probe_time)
    if condition.last_transition_time is not None:
        raw["lastTransitionTime"] = timestamp(condition.last_transition_time)
    return raw


def job_with_status(job: Job, status: JobStatus) -> bytes:
    """BAS-074: the body of PUT jobs/status: the Job as read, its resourceVersion included, with a new status.

    Status fields that this controller does not know are sent back unchanged.
    """
    raw: Json = dict(job.raw.get("status") or {})
    raw["conditions"] = [_write_condition(c) for c in status.conditions]
    raw["uncountedTerminatedPods"] = {
        key: uids
        for key, uids in (("succeeded", status.uncounted_succeeded), ("failed", status.uncounted_failed))
        if uids
    }
    known = {
        "startTime": None if status.start_time is None else timestamp(status.start_time),
        "completionTime": None if status.completion_time is None else timestamp(status.completion_time),
        "active": status.active or None,
        "ready": status.ready,
        "terminating": status.terminating,
        "succeeded": status.succeeded or None,
        "failed": status.failed or None,
        "completedIndexes": status.completed_indexes or None,
    }
    for key, value in known.items():
        if value is None:
            raw.pop(key, None)
        else:
            raw[key] = value
    return orjson.dumps({**job.raw, "apiVersion": JOB_API_VERSION, "kind": JOB_KIND, "status": raw})


def _owner_reference(job: Job) -> Json:
    return {
        "apiVersion": JOB_API_VERSION,
        "kind": JOB_KIND,
        "name": job.name,
        "uid": job.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def new_pod(job: Job) -> bytes:
    """EXP-030, FIN-001: a pod from the template, owned by the Job, tracked from its creation."""
    return orjson.dumps(_pod_from_template(job))


def new_indexed_pod(job: Job, index: int) -> bytes:
    """IDX-001, IDX-007: a pod that knows its index by annotation, label, host name and environment."""
    pod = _pod_from_template(job)
    metadata, spec, mark = pod["metadata"], pod["spec"], {COMPLETION_INDEX: str(index)}
    pod["metadata"] = {
        **metadata,
        "generateName": generate_name(job.name, f"-{index}-"),
        "labels": metadata["labels"] | mark,
        "annotations": metadata["annotations"] | mark,
    }
    containers = {
        kind: [_with_index_variable(container) for container in spec[kind]]
        for kind in ("initContainers", "containers")
        if spec.get(kind)
    }
    pod["spec"] = {**spec, **containers, "hostname": f"{job.name}-{index}"}
    return orjson.dumps(pod)


def _with_index_variable(container: Json) -> Json:
    """IDX-002: JOB_COMPLETION_INDEX comes from the pod's own label, unless the user defines it."""
    variables = container.get("env") or []
    if any(variable["name"] == INDEX_VARIABLE for variable in variables):
        return container
    source = {"fieldRef": {"fieldPath": f"metadata.labels['{COMPLETION_INDEX}']"}}
    return {**container, "env": [*variables, {"name": INDEX_VARIABLE, "valueFrom": source}]}


def _pod_from_template(job: Job) -> Json:
    template = job.raw["spec"]["template"]
    metadata = template.get("metadata") or {}
    finalizers = [f for f in metadata.get("finalizers") or () if f != TRACKING_FINALIZER]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "generateName": generate_name(job.name, "-"),
            "namespace": job.namespace,
            "labels": metadata.get("labels") or {},
            "annotations": metadata.get("annotations") or {},
            "finalizers": [*finalizers, TRACKING_FINALIZER],
            "ownerReferences": [_owner_reference(job)],
        },
        "spec": template["spec"],
    }


def generate_name(name: str, suffix: str) -> str:
    """EXP-031: the API server adds 5 characters and allows 63, so at most 58 are ours."""
    return name[: 58 - len(suffix)] + suffix


def finalizer_removal(pod: Pod, *, unchanged: bool) -> bytes:
    """A strategic merge patch that removes only the tracking finalizer (FIN-018) from exactly this pod.

    With `unchanged` the API server refuses it if the pod has changed since it was read.
    """
    metadata: Json = {"uid": pod.uid, "$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER]}
    if unchanged:
        metadata["resourceVersion"] = str(pod.version)
    return orjson.dumps({"metadata": metadata})


def adoption(pod: Pod, job: Job) -> bytes:
    """EXP-033: a patch that makes the Job the controller of exactly this pod and tracks it."""
    return orjson.dumps(
        {
            "metadata": {
                "uid": pod.uid,
                "ownerReferences": [_owner_reference(job)],
                "finalizers": [TRACKING_FINALIZER],
            }
        }
    )


def release(pod: Pod, job: Job) -> bytes:
    """EXP-037: a patch that ends the Job's ownership and tracking of exactly this pod."""
    return orjson.dumps(
        {
            "metadata": {
                "uid": pod.uid,
                "ownerReferences": [{"$patch": "delete", "uid": job.uid}],
                "$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER],
            }
        }
    )


def deletion(uid: str, *, propagation: str | None = None) -> bytes:
    """DeleteOptions that hit only the object with this UID."""
    options: Json = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": uid}}
    if propagation:
        options["propagationPolicy"] = propagation
    return orjson.dumps(options)
