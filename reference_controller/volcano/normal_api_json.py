"""Pods that are of no Volcano Job, and their PodGroups, from and to API JSON."""

from __future__ import annotations

import orjson

from reference_controller.objects.api_json import Json, identity, pod_fields
from reference_controller.objects.quantity import amounts_patch, requests_of
from reference_controller.volcano.api_json import GROUP_NAME, group_json
from reference_controller.volcano.normal_pods import NormalPod, ReplicaSet
from reference_controller.volcano.objects import GROUPS, Group, GroupSpec

_QUEUE_NAME = "scheduling.volcano.sh/queue-name"


def read_normal_pod(raw: Json) -> NormalPod:
    """Parse a pod once."""
    annotations, spec = raw["metadata"].get("annotations") or {}, raw["spec"]
    return NormalPod(
        **pod_fields(raw),
        scheduler=spec.get("schedulerName") or "",
        group=annotations.get(GROUP_NAME, ""),
        queue=annotations.get(_QUEUE_NAME, ""),
        priority_class=spec.get("priorityClassName") or "",
        owners=tuple(raw["metadata"].get("ownerReferences") or ()),
        requests=requests_of(spec),
    )


def read_replica_set(raw: Json) -> ReplicaSet:
    """Parse a ReplicaSet or a StatefulSet once."""
    return ReplicaSet(**identity(raw["metadata"]), replicas=raw["spec"].get("replicas", 1))


def new_group_of_pod(pod: NormalPod) -> bytes:
    """VOL-059: a PodGroup of one pod at least, which goes with the pod, or with what controls it."""
    own = {"apiVersion": pod.api_version, "kind": pod.kind, "name": pod.name, "uid": pod.uid}
    owners = list(pod.owners) if pod.controller else [{**own, "controller": True}]
    spec = GroupSpec(min_member=1, priority_class=pod.priority_class, min_resources=pod.requests)
    said = group_json(spec)
    del said["minTaskMember"]
    return orjson.dumps(
        {
            "apiVersion": f"{GROUPS.group}/{GROUPS.version}",
            "kind": "PodGroup",
            "metadata": {
                "name": pod.group_name,
                "namespace": pod.namespace,
                "ownerReferences": owners,
            },
            "spec": {**said, "queue": pod.queue or spec.queue},
            "status": {"phase": "Pending"},
        }
    )


def group_change_of_pod(pod: NormalPod, group: Group) -> bytes:
    """VOL-091: a patch that has the PodGroup need what the pod requests."""
    wanted = amounts_patch(group.spec.min_resources, pod.requests)
    return orjson.dumps({"metadata": {"uid": group.uid}, "spec": {"minResources": wanted}})


def named(pod: NormalPod) -> bytes:
    """VOL-059: a patch that names its PodGroup in the pod."""
    metadata = {"uid": pod.uid, "annotations": {GROUP_NAME: pod.group_name}}
    return orjson.dumps({"metadata": metadata})
