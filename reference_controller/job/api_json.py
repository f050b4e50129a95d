"""Reading and writing Jobs and their pods: API JSON."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from reference_controller.job.index_failures import Failures
from reference_controller.job.indexed import parse
from reference_controller.job.objects import (
    CONTROLLER_NAME,
    JOB_API_VERSION,
    JOB_KIND,
    NON_INDEXED,
    TRACKING_FINALIZER,
    Condition,
    FailureRule,
    Job,
    JobStatus,
    Pod,
    SuccessRule,
)
from reference_controller.objects import api_json
from reference_controller.objects.api_json import (
    Json,
    generate_name,
    identity,
    optional_seconds,
    pod_fields,
    pod_from_template,
    read_selector,
    with_variable,
)
from reference_controller.objects.identity import Controller
from reference_controller.objects.pods import Container
from reference_controller.objects.times import seconds, timestamp

COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"
INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count"
INDEX_IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count"
INDEX_VARIABLE = "JOB_COMPLETION_INDEX"

ReadJob = Callable[[Json], Job]
"""Parses a Job, as the controller that answers to some name."""


def read_pod(raw: Json, tracking: str = TRACKING_FINALIZER) -> Pod:
    """Parse a pod once, as the controller whose finalizer is `tracking`.

    Raises:
        KeyError, ValueError: the object is not a pod that an API server would serve.
    """
    metadata, common = raw["metadata"], pod_fields(raw)
    containers = common["containers"]
    ending = common["deleting"] or common["phase"] in {"Succeeded", "Failed"}
    return Pod(
        **common,
        tracked=tracking in (metadata.get("finalizers") or ()),
        tracking=tracking,
        finish_time=_finish_time(raw, containers) if ending else None,
        restarts=sum(c.restarts for c in containers),
        max_restarts=max((c.restarts for c in containers if c.role == "main"), default=0),
        max_sidecar_restarts=max((c.restarts for c in containers if c.role == "sidecar"), default=0),
        completion_index=_completion_index(raw, common["controller"]),
        # FAIL-044: what is no number is read as none.
        index_failures=_number(metadata, INDEX_FAILURES) or 0,
        index_ignored_failures=_number(metadata, INDEX_IGNORED_FAILURES) or 0,
    )


def _completion_index(raw: Json, owner: Controller | None) -> int | None:
    """IDX-029: by the host name, which no client can change; a pod that a user made may have another one."""
    job, _, index = (raw["spec"].get("hostname") or "").rpartition("-")
    if owner is not None and job == owner.name and index.isascii() and index.isdigit():
        return int(index)
    return _number(raw["metadata"], COMPLETION_INDEX)


def _number(metadata: Json, annotation: str) -> int | None:
    text = (metadata.get("annotations") or {}).get(annotation)
    return int(text) if text is not None and text.isascii() and text.isdigit() else None


def _finish_time(raw: Json, containers: tuple[Container, ...]) -> float:
    """FAIL-013: container finish, else Ready=False, else the deletion request, else the creation."""
    metadata, status = raw["metadata"], raw.get("status") or {}
    finished = [c.finished_at for c in containers if c.role != "init"]
    known = [at for at in finished if at is not None]
    if known and len(known) == len(finished):
        return max(known)
    for condition in status.get("conditions") or ():
        if condition["type"] == "Ready" and condition["status"] == "False":
            changed = condition.get("lastTransitionTime")
            if changed:
                return seconds(changed)
    if metadata.get("deletionTimestamp"):
        return seconds(metadata["deletionTimestamp"]) - (metadata.get("deletionGracePeriodSeconds") or 0)
    return seconds(metadata["creationTimestamp"])


def read_job(raw: Json, manager: str = CONTROLLER_NAME, tracking: str = TRACKING_FINALIZER) -> Job:
    """Parse a Job once, as the controller that answers to `manager` and whose finalizer is `tracking`.

    Raises:
        KeyError, ValueError: the object is not a Job that an API server would serve.
    """
    metadata, spec = raw["metadata"], raw["spec"]
    backoff_limit = spec.get("backoffLimit")
    return Job(
        **identity(metadata),
        generation=metadata.get("generation", 0),
        deleting=metadata.get("deletionTimestamp") is not None,
        selector=read_selector(spec.get("selector") or {}),
        parallelism=spec.get("parallelism", 1),
        completions=spec.get("completions"),
        backoff_limit=6 if backoff_limit is None else backoff_limit,
        backoff_limit_per_index=spec.get("backoffLimitPerIndex"),
        max_failed_indexes=spec.get("maxFailedIndexes"),
        active_deadline_s=spec.get("activeDeadlineSeconds"),
        ttl_s=spec.get("ttlSecondsAfterFinished"),
        suspend=bool(spec.get("suspend")),
        completion_mode=spec.get("completionMode") or NON_INDEXED,
        replace_only_failed=spec.get("podReplacementPolicy") == "Failed",
        failure_rules=tuple(
            _failure_rule(rule) for rule in (spec.get("podFailurePolicy") or {}).get("rules") or ()
        ),
        success_rules=tuple(
            _success_rule(rule) for rule in (spec.get("successPolicy") or {}).get("rules") or ()
        ),
        managed_by=spec.get("managedBy"),
        manager=manager,
        tracking=tracking,
        restart_policy=spec["template"]["spec"].get("restartPolicy", ""),
        status=read_status(raw.get("status") or {}),
        raw=raw,
    )


def _failure_rule(raw: Json) -> FailureRule:
    codes = raw.get("onExitCodes") or {}
    patterns = raw.get("onPodConditions") or ()
    return FailureRule(
        raw["action"],
        codes.get("operator", ""),
        frozenset(codes.get("values") or ()),
        codes.get("containerName"),
        frozenset((pattern["type"], pattern.get("status") or "True") for pattern in patterns),
    )


def _success_rule(raw: Json) -> SuccessRule:
    indexes = raw.get("succeededIndexes")
    return SuccessRule(None if indexes is None else parse(indexes), raw.get("succeededCount"))


def read_status(raw: Json) -> JobStatus:
    """Parse a Job's status."""
    uncounted = raw.get("uncountedTerminatedPods") or {}
    return JobStatus(
        conditions=tuple(_read_condition(c) for c in raw.get("conditions") or ()),
        start_time=optional_seconds(raw.get("startTime")),
        completion_time=optional_seconds(raw.get("completionTime")),
        active=raw.get("active", 0),
        ready=raw.get("ready"),
        terminating=raw.get("terminating"),
        succeeded=raw.get("succeeded", 0),
        failed=raw.get("failed", 0),
        uncounted_succeeded=tuple(uncounted.get("succeeded") or ()),
        uncounted_failed=tuple(uncounted.get("failed") or ()),
        completed_indexes=raw.get("completedIndexes", ""),
        failed_indexes=raw.get("failedIndexes"),
    )


def _read_condition(raw: Json) -> Condition:
    return Condition(
        raw["type"],
        raw["status"],
        raw.get("reason", ""),
        raw.get("message", ""),
        optional_seconds(raw.get("lastProbeTime")),
        optional_seconds(raw.get("lastTransitionTime")),
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
        "failedIndexes": status.failed_indexes,
    }
    for key, value in known.items():
        if value is None:
            raw.pop(key, None)
        else:
            raw[key] = value
    return orjson.dumps({**job.raw, "apiVersion": JOB_API_VERSION, "kind": JOB_KIND, "status": raw})


def new_pod(job: Job) -> bytes:
    """EXP-030, FIN-001: a pod from the template, owned by the Job, tracked from its creation."""
    return orjson.dumps(_pod_from_template(job))


def new_indexed_pod(job: Job, index: int, failures: Failures | None = None) -> bytes:
    """IDX-001, IDX-007: a pod that knows its index by annotation, label, host name and environment.

    FAIL-036: with backoffLimitPerIndex also how often its index has failed.
    """
    pod = _pod_from_template(job)
    metadata, spec, mark = pod["metadata"], pod["spec"], {COMPLETION_INDEX: str(index)}
    pod["metadata"] = {
        **metadata,
        "generateName": generate_name(job.name, f"-{index}-"),
        "labels": metadata["labels"] | mark,
        "annotations": metadata["annotations"] | mark | _failure_counts(failures),
    }
    containers = {
        kind: [_with_index_variable(container) for container in spec[kind]]
        for kind in ("initContainers", "containers")
        if spec.get(kind)
    }
    pod["spec"] = {**spec, **containers, "hostname": f"{job.name}-{index}"}
    return orjson.dumps(pod)


def _failure_counts(failures: Failures | None) -> dict[str, str]:
    """FAIL-064: failures that do not count have an annotation where there are any."""
    if failures is None:
        return {}
    counts = {INDEX_FAILURES: str(failures.counted)}
    return counts | ({INDEX_IGNORED_FAILURES: str(failures.ignored)} if failures.ignored else {})


def _with_index_variable(container: Json) -> Json:
    """IDX-002: JOB_COMPLETION_INDEX comes from the pod's own label, unless the user defines it."""
    source = {"fieldRef": {"fieldPath": f"metadata.labels['{COMPLETION_INDEX}']"}}
    return with_variable(container, {"name": INDEX_VARIABLE, "valueFrom": source})


def _pod_from_template(job: Job) -> Json:
    return pod_from_template(job.raw["spec"]["template"], job, finalizers=(job.tracking,))


def finalizer_removal(pod: Pod, *, unchanged: bool) -> bytes:
    """A strategic merge patch that removes only the tracking finalizer (FIN-018) from exactly this pod.

    With `unchanged` the API server refuses it if the pod has changed since it was read.
    """
    metadata: Json = {"uid": pod.uid, "$deleteFromPrimitiveList/finalizers": [pod.tracking]}
    if unchanged:
        metadata["resourceVersion"] = str(pod.version)
    return orjson.dumps({"metadata": metadata})


def adoption(pod: Pod, job: Job) -> bytes:
    """EXP-033: a patch that makes the Job the controller of exactly this pod and tracks it."""
    return api_json.adoption(pod.uid, job, (job.tracking,))


def release(pod: Pod, job: Job) -> bytes:
    """EXP-037: a patch that ends the Job's ownership and tracking of exactly this pod."""
    return api_json.release(pod.uid, job, (job.tracking,))
