"""Reading and writing what the objects of all controllers have in common: API JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

import orjson

from reference_controller.objects.identity import Controller, Topic
from reference_controller.objects.labels import Requirement, Selector
from reference_controller.objects.pods import Container, Pod
from reference_controller.objects.times import seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

Json = dict[str, Any]


# -- reading


class Identity(TypedDict):
    """The first fields of every object."""

    namespace: str
    name: str
    uid: str
    version: int


class PodFields(Identity):
    """The fields of `Pod`, for the pods of controllers that add others to them."""

    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    controller: Controller | None
    node: str
    phase: str
    reason: str
    deleting: bool
    ready: bool
    ready_since: float
    conditions: tuple[tuple[str, str], ...]
    created: float
    containers: tuple[Container, ...]


def identity(metadata: Json) -> Identity:
    """What sets one object, in one version, apart from all others.

    Raises:
        KeyError, ValueError: an API server would not serve such an object.
    """
    return {
        "namespace": metadata.get("namespace", ""),
        "name": metadata["name"],
        "uid": metadata["uid"],
        "version": int(metadata["resourceVersion"]),
    }


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
    return Pod(**pod_fields(raw))


def pod_fields(raw: Json) -> PodFields:
    """What `read_pod` reads: `MyPod(**pod_fields(raw), mine=...)` for a subclass of `Pod`.

    Raises:
        KeyError, ValueError: the object is not a pod that an API server would serve.
    """
    metadata, status, spec = raw["metadata"], raw.get("status") or {}, raw.get("spec") or {}
    conditions = status.get("conditions") or ()
    ready = next((c for c in conditions if c["type"] == "Ready"), None)
    return {
        **identity(metadata),
        "labels": metadata.get("labels") or {},
        "annotations": metadata.get("annotations") or {},
        "controller": read_controller(metadata),
        "node": spec.get("nodeName") or "",
        "phase": status.get("phase", "Pending"),
        "reason": status.get("reason", ""),
        "deleting": metadata.get("deletionTimestamp") is not None,
        "ready": ready is not None and ready["status"] == "True",
        "ready_since": optional_seconds((ready or {}).get("lastTransitionTime")) or 0.0,
        "conditions": tuple((c["type"], c["status"]) for c in conditions),
        "created": seconds(metadata["creationTimestamp"]),
        "containers": _containers(spec, status),
    }


def _containers(spec: Json, status: Json) -> tuple[Container, ...]:
    containers = [_container(state, "main") for state in status.get("containerStatuses") or ()]
    if inits := status.get("initContainerStatuses"):
        always = {c["name"] for c in spec.get("initContainers") or () if c.get("restartPolicy") == "Always"}
        containers += [_container(c, "sidecar" if c["name"] in always else "init") for c in inits]
    return tuple(containers)


def _container(status: Json, role: Literal["main", "init", "sidecar"]) -> Container:
    ended = (status.get("state") or {}).get("terminated") or {}
    return Container(
        status["name"],
        role,
        status.get("restartCount", 0),
        ended.get("exitCode"),
        optional_seconds(ended.get("finishedAt")),
    )


def optional_seconds(text: str | None) -> float | None:
    """A time that may be absent."""
    return seconds(text) if text else None


def read_selector(raw: Json) -> Selector:
    """Parse a LabelSelector."""
    return Selector(
        tuple((raw.get("matchLabels") or {}).items()), read_requirements(raw.get("matchExpressions"))
    )


def read_requirements(raw: Iterable[Json] | None) -> tuple[Requirement, ...]:
    """Parse the expressions of a label selector or a node selector."""
    return tuple(
        Requirement(part["key"], part["operator"], frozenset(part.get("values") or ())) for part in raw or ()
    )


# -- writing


def owner_reference(owner: Topic) -> Json:
    """What makes `owner` the controller of the object that carries it."""
    return {
        "apiVersion": owner.api_version,
        "kind": owner.kind,
        "name": owner.name,
        "uid": owner.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def generate_name(name: str, suffix: str) -> str:
    """EXP-031: the API server adds 5 characters and allows 63, so at most 58 are ours."""
    return name[: 58 - len(suffix)] + suffix


def pod_from_template(
    template: Json,
    owner: Topic,
    *,
    name: str | None = None,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    finalizers: Iterable[str] = (),
) -> Json:
    """A new pod of `owner` from a PodTemplateSpec, which stays as it is (ROB-032).

    Without a name the API server makes one of the owner's. Labels, annotations and finalizers are added to
    those of the template.
    """
    metadata, added = template.get("metadata") or {}, list(finalizers)
    named = {"generateName": generate_name(owner.name, "-")} if name is None else {"name": name}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            **named,
            "namespace": owner.namespace,
            "labels": {**(metadata.get("labels") or {}), **(labels or {})},
            "annotations": {**(metadata.get("annotations") or {}), **(annotations or {})},
            "finalizers": [*(f for f in metadata.get("finalizers") or () if f not in added), *added],
            "ownerReferences": [owner_reference(owner)],
        },
        "spec": template["spec"],
    }


def with_variable(container: Json, variable: Json) -> Json:
    """The container with an environment variable, unless its user defines that one."""
    variables = container.get("env") or []
    if any(known["name"] == variable["name"] for known in variables):
        return container
    return {**container, "env": [*variables, variable]}


def adoption(uid: str, owner: Topic, finalizers: Iterable[str] = ()) -> bytes:
    """A strategic merge patch that makes `owner` the controller of exactly the object with this UID."""
    metadata: Json = {"uid": uid, "ownerReferences": [owner_reference(owner)]}
    if added := list(finalizers):
        metadata["finalizers"] = added
    return orjson.dumps({"metadata": metadata})


def release(uid: str, owner: Topic, finalizers: Iterable[str] = ()) -> bytes:
    """A strategic merge patch that ends the ownership of exactly the object with this UID."""
    metadata: Json = {"uid": uid, "ownerReferences": [{"$patch": "delete", "uid": owner.uid}]}
    if removed := list(finalizers):
        metadata["$deleteFromPrimitiveList/finalizers"] = removed
    return orjson.dumps({"metadata": metadata})


def deletion(uid: str, *, propagation: str | None = None) -> bytes:
    """DeleteOptions that hit only the object with this UID."""
    options: Json = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": uid}}
    if propagation:
        options["propagationPolicy"] = propagation
    return orjson.dumps(options)
