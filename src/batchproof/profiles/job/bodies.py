"""The object of a Job as its user writes it."""

from __future__ import annotations

from typing import Any

from batchproof.ground.resources import BUILT_IN_MANAGER, SIMULATED_SCHEDULER
from batchproof.judgement.history import Json
from batchproof.profiles.job.policies import policies
from batchproof.profiles.job.specs import JobSpec

GROUP = "batchproof.dev/group"
"""The label of pods by which a Job with a selector of its user's own knows them."""
_PARENT = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "parent"}
_CRON_JOB = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "nightly"}
_PARENT_UID = "b0000000-0000-4000-8000-000000000001"
_TEMPLATE = "workers"
_KINDS: dict[str, Json] = {"suspended": {"suspend": True}, "Indexed": {"completionMode": "Indexed"}}

_MUCH: Json = {
    "containers": [
        {
            "name": "main",
            "image": "batchproof.dev/simulated",
            "args": ["--work", "hard"],
            "env": [{"name": "COLOUR", "value": "green"}],
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
        },
        {"name": "side", "image": "batchproof.dev/simulated"},
    ],
    "initContainers": [{"name": "first", "image": "batchproof.dev/simulated"}],
    "nodeSelector": {"kubernetes.io/os": "linux"},
    "terminationGracePeriodSeconds": 7,
}
"""What a pod template says beside what it must."""


def job_body(job: JobSpec, manager: str | None, own: str, pod: Json | None = None) -> Json:
    """The object of a Job.

    With a ``selector`` the Job knows its pods by that group, as other Jobs may too, not by its own UID;
    with ``matchExpressions`` by an expression that other groups match too (``shared`` or ``other``);
    with a ``label`` its pods are of that group, and it knows them by its own UID.
    With a ``finalizer`` of another client it stays there while it is being deleted.

    Args:
        job: what is asked for.
        manager: whom spec.managedBy names where nothing else is asked for; None: none.
        own: what spec.managedBy says of a Job that the implementation is to manage.
        pod: fields of the pod template's spec in place of the usual.
    """
    said: dict[str, Any] = dict(job.settings)
    spec: Json = {}
    for kind in job.kinds:
        spec |= _KINDS.get(kind, {})
    label, selector = said.pop("label", ""), said.pop("selector", "")
    expression, finalizer = said.pop("matchExpressions", ""), said.pop("finalizer", "")
    template = _template(job, said, group=str(selector or expression or label), pod=pod or {})
    if selector or expression:
        by = {"matchLabels": {GROUP: selector}} if selector else {"matchExpressions": [_one_of(expression)]}
        spec |= {"manualSelector": True, "selector": by}
    spec |= said | (policies(job.rules) if job.rules else {}) | _scheduling(job)
    managers = {
        "": manager,
        "another controller": "batchproof.dev/somebody-else",
        "no controller": None,
        "the built-in controller": BUILT_IN_MANAGER,
        "the implementation as its manager": own,
    }
    if managed_by := managers[job.manager]:
        spec["managedBy"] = managed_by
    metadata: Json = {"name": job.name, "finalizers": [finalizer] if finalizer else []}
    if job.parent:
        owner = _CRON_JOB if job.parent == "CronJob" else _PARENT
        metadata["ownerReferences"] = [{**owner, "uid": _PARENT_UID, "controller": True}]
    if job.delegated:
        metadata["annotations"] = {"scheduling.k8s.io/group-template-name": _TEMPLATE}
    full = {"template": template, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": full}


def cron_job(spec: Json) -> Json:
    """The CronJob that controls a Job of this spec; it is suspended, so that it creates none itself."""
    template = {"spec": spec}
    metadata = {"name": _CRON_JOB["name"]}
    schedule = {"schedule": "0 0 1 1 *", "suspend": True, "jobTemplate": template}
    return {"apiVersion": _CRON_JOB["apiVersion"], "kind": "CronJob", "metadata": metadata, "spec": schedule}


def parent_workload(api_version: str, minimum: int) -> Json:
    """The Workload of the parent of Jobs, with a template for the PodGroup of each.

    Args:
        api_version: of Workloads.
        minimum: how many pods of a Job are a gang.
    """
    group, _, _ = _PARENT["apiVersion"].partition("/")
    reference = {"apiGroup": group, "kind": _PARENT["kind"], "name": _PARENT["name"]}
    template = {"name": _TEMPLATE, "schedulingPolicy": {"gang": {"minCount": minimum}}}
    spec = {"controllerRef": reference, "podGroupTemplates": [template]}
    metadata = {"name": _PARENT["name"]}
    return {"apiVersion": api_version, "kind": "Workload", "metadata": metadata, "spec": spec}


def _template(job: JobSpec, said: dict[str, Any], *, group: str, pod: Json) -> Json:
    """The pod template; takes from what is said what belongs there."""
    spec: Json = {
        "restartPolicy": said.pop("restartPolicy", "Never"),
        "terminationGracePeriodSeconds": 30,
        "schedulerName": SIMULATED_SCHEDULER,
        "containers": [container("main")],
        "tolerations": [{"key": "batchproof.dev/simulated", "operator": "Exists"}],
    }
    if name := said.pop("initContainer", ""):
        spec["initContainers"] = [container(name)]
    if name := said.pop("sidecarContainer", ""):
        spec.setdefault("initContainers", []).append(container(name) | {"restartPolicy": "Always"})
    if name := said.pop("secondContainer", ""):
        spec["containers"].append(container(name))
    spec |= _MUCH if job.much else {}
    spec |= _having(job.pods_have) if job.pods_have else {}
    spec |= {"schedulingGroup": {"podGroupName": "other"}} if job.grouped else {}
    annotations = {"batchproof.dev/note": "kept"} if job.much else {}
    labels = {"app": job.name, **({GROUP: group} if group else {})}
    return {"metadata": {"labels": labels, "annotations": annotations}, "spec": spec | pod}


def _having(what: str) -> Json:
    """``an init container``, ``the subdomain workers``, as the fields of a pod's spec."""
    match what.split():
        case ["the", field, value]:
            return {field: value}
        case ["an", "init", "container"]:
            return {"initContainers": [container("before")]}
        case [variable, *_]:
            return {"containers": [container("main") | {"env": [{"name": variable, "value": "mine"}]}]}
    raise ValueError(what)


def _scheduling(job: JobSpec) -> Json:
    if job.gang is None:
        return {}
    return {"scheduling": {"schedulingPolicy": {"gang": {"minCount": job.gang} if job.gang else {}}}}


def _one_of(group: str) -> Json:
    """The expression of a selector that a group matches, and the group ``other`` too."""
    return {"key": GROUP, "operator": "In", "values": [group, "other"]}


def container(name: str) -> Json:
    """A container that nothing runs."""
    return {"name": name, "image": "batchproof.dev/simulated"}
