"""The objects of a submitted run: an Indexed Job whose pods may do nothing, and a ConfigMap with its plan."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from batchproof.judgement.history import Json
from batchproof.submitting.plan import FILE_NAME, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RUN_LABEL: Final = "batchproof.dev/submitted"
"""On all that belongs to a submitted run: its name."""
PLAN_ANNOTATION: Final = "batchproof.dev/plan"
"""On the Job: the digest of its plan."""
QUEUE_LABEL: Final = "kueue.x-k8s.io/queue-name"
"""By which Kueue knows the queue of a Job. Source: Kueue, "Run A Kubernetes Job"."""
CONTAINER: Final = "shard"
GIVEN: Final = "/submitted"
"""Where a pod has the plan, and the descriptor with its files."""
IMPLEMENTATION: Final = "/implementation"
"""Where a pod has the file system of the image that is judged."""
KEPT: Final = "/kept"
"""Where a pod has the volume that the results are written to."""
USER: Final = 65532
IMAGE_VOLUMES: Final = (1, 36)
"""The version of Kubernetes from which image volumes are generally available (KEP-4639)."""
_WRITABLE: Final = ("tmp", "results")
"""The folders below the root in which a shard writes."""
_RETRIES: Final = 2
_KEPT_S: Final = 86_400
_AT_MOST_S: Final = 6 * 3600
_WRONG_USE: Final = 2
_LARGEST: Final = 1_000_000  # of a ConfigMap, in bytes: etcd takes no more than 1 MiB


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user wants of the Job.

    Attributes:
        name: of the Job, and of all that belongs to it.
        image: that of batchproof.
        implementation_image: that of what is judged; empty if it is in the image of batchproof.
        programs: the programs in that image which the descriptor starts, by their paths below IMPLEMENTATION.
        queue: a queue of Kueue; empty: none.
        claim: the PersistentVolumeClaim to which each shard also writes what it prints; empty: none.
        claim_path: the folder in that volume.
        cpu: the processors that a shard asks for, as Kubernetes writes quantities.
        memory: the memory that a shard asks for and has at most.
        version: major and minor version of the cluster.
    """

    name: str
    image: str
    implementation_image: str = ""
    programs: Sequence[str] = ()
    queue: str = ""
    claim: str = ""
    claim_path: str = ""
    cpu: str = "1"
    memory: str = "2Gi"
    version: tuple[int, int] = IMAGE_VOLUMES


def job(plan: Plan, wanted: Wanted, files: Sequence[str]) -> Json:
    """The Job: a pod for each shard, which is retried for itself.

    Args:
        plan: what the shards play.
        wanted: what the user wants.
        files: the paths of the files that the shards are given, in the order of ``config_map``.
    """
    labels = {RUN_LABEL: wanted.name}
    queue = {QUEUE_LABEL: wanted.queue} if wanted.queue else {}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": wanted.name,
            "labels": {**labels, **queue},
            "annotations": {PLAN_ANNOTATION: plan.digest},
        },
        "spec": {
            "completionMode": "Indexed",
            "completions": len(plan.shards),
            "parallelism": len(plan.shards),
            "backoffLimitPerIndex": _RETRIES,
            "maxFailedIndexes": 0,  # without all of them there is no verdict
            "podFailurePolicy": {
                "rules": [
                    # A pod that was evicted or whose node was drained says nothing of its shard.
                    {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]},
                    # What a shard refuses it refuses the next time too.
                    {
                        "action": "FailIndex",
                        "onExitCodes": {"containerName": CONTAINER, "operator": "In", "values": [_WRONG_USE]},
                    },
                ]
            },
            "activeDeadlineSeconds": _AT_MOST_S,
            "ttlSecondsAfterFinished": _KEPT_S,
            **({"suspend": True} if wanted.queue else {}),
            "template": {"metadata": {"labels": labels}, "spec": _pod(wanted, files)},
        },
    }


def config_map(plan: Plan, wanted: Wanted, files: Mapping[str, bytes], owner: Json) -> Json:
    """The plan and the files that the shards are given; it goes with the Job."""
    contents = {
        FILE_NAME: plan.text,
        **{_key(place): content for place, content in enumerate(files.values())},
    }
    reference = {"apiVersion": "batch/v1", "kind": "Job", "controller": True}
    uid = {"name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"]}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": wanted.name,
            "labels": {RUN_LABEL: wanted.name},
            "ownerReferences": [{**reference, **uid}],
        },
        "immutable": True,
        "binaryData": {name: base64.b64encode(content).decode() for name, content in contents.items()},
    }


def too_large(files: Mapping[str, bytes]) -> bool:
    """Whether files are more than a ConfigMap holds."""
    return sum(map(len, files.values())) > _LARGEST


def plan_in(found: Json) -> bytes:
    """The text of the plan in a ConfigMap."""
    return base64.b64decode(found.get("binaryData", {}).get(FILE_NAME, ""))


def _key(place: int) -> str:
    """The key of a file in the ConfigMap: a path is none."""
    return f"file-{place}"


def _pod(wanted: Wanted, files: Sequence[str]) -> Json:
    items = [{"key": FILE_NAME, "path": FILE_NAME}]
    items += [{"key": _key(place), "path": f"files/{path}"} for place, path in enumerate(files)]
    volumes: list[Json] = [
        {"name": "given", "configMap": {"name": wanted.name, "items": items}},
        {"name": "writable", "emptyDir": {}},
    ]
    mounts = [
        {"name": "given", "mountPath": GIVEN, "readOnly": True},
        *({"name": "writable", "mountPath": f"/{name}", "subPath": name} for name in _WRITABLE),
    ]
    before = [_preparing(wanted)]
    if wanted.implementation_image:
        volume, copying = _implementation(wanted)
        before += copying
        volumes.append(volume)
        mounts.append({"name": volume["name"], "mountPath": IMPLEMENTATION, "readOnly": True})
    keep: list[str] = []
    if wanted.claim:
        volumes.append({"name": "kept", "persistentVolumeClaim": {"claimName": wanted.claim}})
        mounts.append({"name": "kept", "mountPath": KEPT})
        keep = ["--keep", str(PurePosixPath(KEPT, wanted.claim_path, wanted.name))]
    resources = {
        "requests": {"cpu": wanted.cpu, "memory": wanted.memory},
        "limits": {"memory": wanted.memory},
    }
    shard = {
        "name": CONTAINER,
        "image": wanted.image,
        "args": ["shard", GIVEN, *keep],
        "resources": resources,
        "securityContext": _CONFINED,
        "volumeMounts": mounts,
    }
    return {
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 1,  # what is cut is played again from its beginning
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            **({"fsGroup": USER} if wanted.claim else {}),
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "initContainers": before,
        "containers": [shard],
        "volumes": volumes,
    }


_CONFINED: Final[Json] = {
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}


def _preparing(wanted: Wanted) -> Json:
    """Makes folders that are the user's alone: any container of the pod may write to an emptyDir itself.

    A run keeps credentials of its control plane in them, and refuses a folder that others can exchange.
    """
    make = "; ".join(f"os.mkdir('/writable/{name}', 0o700)" for name in _WRITABLE)
    return {
        "name": "prepare",
        "image": wanted.image,
        "command": ["/opt/batchproof/bin/python3", "-c", f"import os; {make}"],
        "securityContext": _CONFINED,
        "volumeMounts": [{"name": "writable", "mountPath": "/writable"}],
    }


def _implementation(wanted: Wanted) -> tuple[Json, list[Any]]:
    """The volume with the image that is judged, and what fills it where the cluster cannot mount an image."""
    name = "implementation"
    if wanted.version >= IMAGE_VOLUMES:
        reference = {"reference": wanted.implementation_image, "pullPolicy": "IfNotPresent"}
        return {"name": name, "image": reference}, []
    copying = {
        "name": "copy",
        "image": wanted.implementation_image,
        "command": ["cp", "-a", "--parents", *wanted.programs, IMPLEMENTATION],
        "securityContext": _CONFINED,
        "volumeMounts": [{"name": name, "mountPath": IMPLEMENTATION}],
    }
    return {"name": name, "emptyDir": {}}, [copying]
