"""JobSets, their child Jobs and their Service from and to API JSON.

Source: sigs.k8s.io/jobset, api/jobset/v1alpha2; k8s.io/api, batch/v1.
"""

from __future__ import annotations

import orjson

from reference_controller.jobset.names import (
    ATTEMPT,
    JOBSET_NAME,
    NAMESPACED_JOB,
    NO_SCHEDULE,
    NODE_SELECTOR,
    REPLICATED_JOB,
    job_name,
    labels,
    placement,
)
from reference_controller.jobset.objects import (
    CONTROLLER_NAME,
    ChildJob,
    Condition,
    Coordinator,
    Counts,
    Dependency,
    Failure,
    FailurePolicy,
    FailureRule,
    JobSet,
    Network,
    ReplicatedJob,
    Service,
    Status,
    SuccessPolicy,
)
from reference_controller.objects.api_json import (
    Json,
    identity,
    optional_seconds,
    owner_reference,
    read_controller,
)
from reference_controller.objects.times import timestamp

DIRECTIVES = ("nodeSelector", "tolerations", "schedulingGates")
"""What a template says of where its pods run, and what may change while the JobSet is suspended."""


# -- reading


def read_jobset(raw: Json) -> JobSet:
    """Parse a JobSet once."""
    metadata, spec = raw["metadata"], raw["spec"]
    return JobSet(
        **identity(metadata),
        replicated_jobs=tuple(_replicated_job(it) for it in spec.get("replicatedJobs") or ()),
        success_policy=_success_policy(spec.get("successPolicy") or {}),
        failure_policy=_failure_policy(spec.get("failurePolicy")),
        network=_network(spec.get("network") or {}),
        coordinator=_coordinator(spec.get("coordinator")),
        in_order=(spec.get("startupPolicy") or {}).get("startupPolicyOrder") == "InOrder",
        suspended=bool(spec.get("suspend")),
        ttl_s=spec.get("ttlSecondsAfterFinished"),
        managed_by=spec.get("managedBy") or CONTROLLER_NAME,
        annotations=metadata.get("annotations") or {},
        status=_status(raw.get("status") or {}),
        deleting=metadata.get("deletionTimestamp") is not None,
        raw=raw,
    )


def _replicated_job(raw: Json) -> ReplicatedJob:
    depends_on = tuple(Dependency(it["name"], it["status"]) for it in raw.get("dependsOn") or ())
    return ReplicatedJob(raw["name"], raw.get("replicas", 1), depends_on, raw["template"])


def _success_policy(raw: Json) -> SuccessPolicy:
    return SuccessPolicy(raw.get("operator") or "All", tuple(raw.get("targetReplicatedJobs") or ()))


def _failure_policy(raw: Json | None) -> FailurePolicy | None:
    if raw is None:
        return None
    return FailurePolicy(
        raw.get("maxRestarts", 0),
        raw.get("restartStrategy") == "BlockingRecreate",
        tuple(_rule(it) for it in raw.get("rules") or ()),
    )


def _rule(raw: Json) -> FailureRule:
    reasons, targets = raw.get("onJobFailureReasons"), raw.get("targetReplicatedJobs")
    return FailureRule(raw["action"], tuple(reasons or ()), tuple(targets or ()))


def _network(raw: Json) -> Network:
    """Pods have host names, and are published before they are ready, unless the JobSet says otherwise."""
    return Network(
        raw.get("enableDNSHostnames") is not False,
        raw.get("subdomain") or "",
        raw.get("publishNotReadyAddresses") is not False,
    )


def _coordinator(raw: Json | None) -> Coordinator | None:
    if raw is None:
        return None
    return Coordinator(raw["replicatedJob"], raw.get("jobIndex", 0), raw.get("podIndex", 0))


def _status(raw: Json) -> Status:
    return Status(
        tuple(_condition(it) for it in raw.get("conditions") or ()),
        restarts=raw.get("restarts", 0),
        counted_restarts=raw.get("restartsCountTowardsMax", 0),
        terminal_state=raw.get("terminalState") or "",
        counts=tuple(_counts(it) for it in raw.get("replicatedJobsStatus") or ()),
    )


def _condition(raw: Json) -> Condition:
    since = optional_seconds(raw.get("lastTransitionTime")) or 0.0
    return Condition(
        raw["type"], raw["status"] == "True", raw.get("reason") or "", raw.get("message") or "", since
    )


def _counts(raw: Json) -> Counts:
    names = ("ready", "succeeded", "failed", "active", "suspended")
    return Counts(raw["name"], *(raw.get(name, 0) for name in names))


def read_job(raw: Json) -> ChildJob:
    """Parse a Job once."""
    metadata, spec, status = raw["metadata"], raw["spec"], raw.get("status") or {}
    own = metadata.get("labels") or {}
    attempt = own.get(ATTEMPT) or ""
    parallelism, completions = spec.get("parallelism", 1), spec.get("completions")
    failed = _true(status, "Failed")
    return ChildJob(
        **identity(metadata),
        controller=read_controller(metadata),
        replicated_job=own.get(REPLICATED_JOB) or "",
        attempt=int(attempt) if attempt.isdecimal() else 0,
        suspended=bool(spec.get("suspend")),
        pods=parallelism if completions is None else min(parallelism, completions),
        active=status.get("active", 0),
        ready=status.get("ready", 0),
        succeeded=status.get("succeeded", 0),
        started=status.get("startTime") is not None,
        complete=_true(status, "Complete") is not None,
        failure=None if failed is None else Failure(failed.reason, failed.since),
        deleting=metadata.get("deletionTimestamp") is not None,
        raw=raw,
    )


def _true(status: Json, kind: str) -> Condition | None:
    found = (_condition(it) for it in status.get("conditions") or () if it["type"] == kind)
    return next((it for it in found if it.true), None)


def read_service(raw: Json) -> Service:
    """Parse a Service once."""
    metadata = raw["metadata"]
    return Service(
        **identity(metadata),
        controller=read_controller(metadata),
        deleting=metadata.get("deletionTimestamp") is not None,
    )


# -- writing


def new_job(jobset: JobSet, of: ReplicatedJob, index: int) -> bytes:
    """JST-005, JST-006: a child Job: its template, with what distinguishes it and its pods from others."""
    spec = of.template.get("spec") or {}
    return orjson.dumps(
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {
                **_marked(of.template, jobset, of, index),
                "name": job_name(jobset, of, index),
                "namespace": jobset.namespace,
                "ownerReferences": [owner_reference(jobset)],
            },
            "spec": {
                "completionMode": "Indexed",
                **spec,
                "suspend": jobset.suspended,
                "template": _pod_template(spec["template"], jobset, of, index),
            },
        }
    )


def _marked(template: Json, jobset: JobSet, of: ReplicatedJob, index: int) -> Json:
    """The labels and annotations of a template, and those of the JobSet."""
    metadata, own = template.get("metadata") or {}, labels(jobset, of, index)
    return {
        "labels": {**(metadata.get("labels") or {}), **own},
        "annotations": {**(metadata.get("annotations") or {}), **own, **placement(jobset, of)},
    }


def _pod_template(template: Json, jobset: JobSet, of: ReplicatedJob, index: int) -> Json:
    spec: Json = {"restartPolicy": "OnFailure", **template["spec"]}
    if jobset.network.hostnames:  # JST-008
        spec["subdomain"] = jobset.subdomain
    metadata = {**(template.get("metadata") or {}), **_marked(template, jobset, of, index)}
    placed = {**spec, **_directives(template["spec"], jobset, of, index)}
    return {**template, "metadata": metadata, "spec": placed}


def _directives(spec: Json, jobset: JobSet, of: ReplicatedJob, index: int) -> Json:
    """Where the pods of a child Job run: where the template says, on nodes that are labeled for the Job."""
    said = {key: spec[key] for key in DIRECTIVES if spec.get(key)}
    if NODE_SELECTOR not in placement(jobset, of):
        return said
    job = f"{jobset.namespace}_{job_name(jobset, of, index)}"
    toleration = {"key": NO_SCHEDULE, "operator": "Exists", "effect": "NoSchedule"}
    return {
        **said,
        "nodeSelector": {**said.get("nodeSelector", {}), NAMESPACED_JOB: job},
        "tolerations": [*said.get("tolerations", ()), toleration],
    }


def suspended(job: ChildJob) -> bytes:
    """The change of exactly this Job to one that is suspended."""
    return orjson.dumps({"metadata": {"uid": job.uid}, "spec": {"suspend": True}})


def resumed(jobset: JobSet, job: ChildJob) -> bytes:
    """The change of exactly this Job to one that runs, with what its template says of its pods now.

    Labels and annotations are added, since the Job controller adds its own. JST-030, JST-031: where the pods
    run is replaced: what an earlier admission had put there must not outlast it.
    """
    spec: Json = {"suspend": False}
    if (of := jobset.replicated_job(job.replicated_job)) is not None:
        spec["template"] = _change(job.raw["spec"]["template"], jobset, of, _index(jobset, of, job))
    return orjson.dumps({"metadata": {"uid": job.uid}, "spec": spec})


def _change(old: Json, jobset: JobSet, of: ReplicatedJob, index: int) -> Json:
    """The change of a pod template to that of today; what is None is taken away."""
    new = of.template["spec"]["template"]
    now = _directives(new["spec"], jobset, of, index)
    gone = dict.fromkeys(old["spec"].get("nodeSelector") or {})
    selector = {**gone, **now.get("nodeSelector", {})}
    spec = {**dict.fromkeys(DIRECTIVES), **now, "nodeSelector": selector or None}
    return {"metadata": _marked(new, jobset, of, index), "spec": spec}


def _index(jobset: JobSet, of: ReplicatedJob, job: ChildJob) -> int:
    return next((it for it in range(of.replicas) if job_name(jobset, of, it) == job.name), 0)


def not_started(job: ChildJob) -> bytes:
    """The change of exactly this Job to one that has not started: only then may its pods change.

    Source: k8s.io/kubernetes, pkg/apis/batch/validation.
    """
    return orjson.dumps({"metadata": {"uid": job.uid}, "status": {"startTime": None}})


def new_service(jobset: JobSet) -> bytes:
    """JST-007, JST-009: the headless Service that leads to all pods of a JobSet."""
    return orjson.dumps(
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {
                "name": jobset.subdomain,
                "namespace": jobset.namespace,
                "ownerReferences": [owner_reference(jobset)],
            },
            "spec": {
                "clusterIP": "None",
                "selector": {JOBSET_NAME: jobset.name},
                "publishNotReadyAddresses": jobset.network.publish_not_ready,
            },
        }
    )


def with_status(jobset: JobSet, status: Status) -> bytes:
    """The JobSet as it was read, with another status: a change of it in between is a conflict."""
    told: Json = {
        "conditions": [_told(it) for it in status.conditions],
        "restarts": status.restarts,
        "restartsCountTowardsMax": status.counted_restarts,
        "terminalState": status.terminal_state,
        "replicatedJobsStatus": [_numbers(it) for it in status.counts],
    }
    unknown = jobset.raw.get("status") or {}  # what a later version of the API adds stays
    return orjson.dumps({**jobset.raw, "status": {**unknown, **{key: it for key, it in told.items() if it}}})


def _told(condition: Condition) -> Json:
    return {
        "type": condition.type,
        "status": str(condition.true),
        "reason": condition.reason,
        "message": condition.message,
        "lastTransitionTime": timestamp(condition.since),
    }


def _numbers(counts: Counts) -> Json:
    return {
        "name": counts.name,
        "ready": counts.ready,
        "succeeded": counts.succeeded,
        "failed": counts.failed,
        "active": counts.active,
        "suspended": counts.suspended,
    }
