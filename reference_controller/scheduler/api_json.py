"""Reading nodes, pods and queues, and writing their status: API JSON. See `dialects` for groups."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson

from reference_controller.objects.api_json import Json, pod_fields, read_requirements
from reference_controller.objects.quantity import amounts, written
from reference_controller.objects.times import timestamp
from reference_controller.scheduler.objects import (
    Budget,
    Claim,
    Neighbours,
    Node,
    NodeTerm,
    Pod,
    PodSelector,
    Queue,
    QueueStatus,
    Shape,
    Spread,
    Taint,
    Toleration,
    Volume,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

UNSCHEDULABLE = "Unschedulable"

_REPELLING = {"NoSchedule", "NoExecute"}
_CORDON = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
_WHOLE_POD = ("cpu", "memory", "hugepages-")
_SUBTLE = {"minDomains", "matchLabelKeys", "nodeTaintsPolicy", "nodeAffinityPolicy"}
_BOUND = "pv.kubernetes.io/bind-completed"
_EXCLUSIVE = "ReadWriteOncePod"


# -- nodes


def read_node(raw: Json) -> Node:
    """Parse a node once.

    Raises:
        KeyError, ValueError: the object is not a node that an API server would serve.
    """
    metadata, spec, status = raw["metadata"], raw.get("spec") or {}, raw.get("status") or {}
    taints = [
        Taint(taint["key"], taint.get("value", ""), taint["effect"])
        for taint in spec.get("taints") or ()
        if taint["effect"] in _REPELLING
    ]
    if spec.get("unschedulable") and _CORDON not in taints:
        taints.append(_CORDON)
    ready = any(c["type"] == "Ready" and c["status"] == "True" for c in status.get("conditions") or ())
    return Node(
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        allocatable=amounts(status.get("allocatable")),
        labels=metadata.get("labels") or {},
        taints=tuple(taints),
        schedulable=ready and metadata.get("deletionTimestamp") is None,
    )


# -- pods


def read_pod(raw: Json, group: str | None, scheduler: str) -> Pod:
    """Parse a pod once; `group` is the name of its PodGroup, `scheduler` names whose pods are ours.

    Raises:
        KeyError, ValueError: the object is not a pod that an API server would serve.
    """
    metadata, spec, status = raw["metadata"], raw["spec"], raw.get("status") or {}
    return Pod(
        **pod_fields(raw),
        shape=read_shape(metadata["namespace"], spec, status),
        gated=bool(spec.get("schedulingGates")),
        ours=spec.get("schedulerName") == scheduler,
        group=group,
        priority=spec.get("priority") or 0,
        unschedulable=_unschedulable(status.get("conditions") or ()),
        preempts=spec.get("preemptionPolicy") != "Never",
    )


def _unschedulable(conditions: Iterable[Json]) -> str | None:
    for condition in conditions:
        if condition["type"] == "PodScheduled" and condition.get("reason") == UNSCHEDULABLE:
            return str(condition.get("message", ""))
    return None


def read_shape(namespace: str, spec: Json, status: Json | None = None) -> Shape:
    """What a pod with this spec asks of a node; `status` shows what its containers have there."""
    affinity = spec.get("affinity") or {}
    terms = (affinity.get("nodeAffinity") or {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    near = _pod_terms(affinity.get("podAffinity"))
    apart = _pod_terms(affinity.get("podAntiAffinity"))
    beside = tuple(_pod_selector(namespace, term) for term in near)
    return Shape(
        requests=read_requests(spec, status),
        selector=tuple((spec.get("nodeSelector") or {}).items()),
        node_terms=tuple(map(_node_term, terms["nodeSelectorTerms"])) if terms else None,
        tolerations=tuple(map(_toleration, spec.get("tolerations") or ())),
        ports=frozenset(_host_ports(spec)),
        # A neighbour must be meant by all the terms at once: kube-scheduler, interpodaffinity/filtering.go.
        near=tuple(Neighbours(term["topologyKey"], beside) for term in near),
        apart=tuple(Neighbours(term["topologyKey"], (_pod_selector(namespace, term),)) for term in apart),
        spread=tuple(
            Spread(one["topologyKey"], one["maxSkew"], _pod_selector(namespace, one))
            for one in _constraints(spec)
        ),
        claims=frozenset(
            (namespace, volume["persistentVolumeClaim"]["claimName"])
            for volume in spec.get("volumes") or ()
            if "persistentVolumeClaim" in volume
        ),
        unsupported=_unsupported(spec, [*near, *apart]),
    )


def read_requests(spec: Json, status: Json | None = None) -> tuple[tuple[str, int], ...]:
    """What a pod takes of a node: its containers together, or its greediest init container, and overhead.

    An init container that restarts always runs on beside all that come after it. What is requested for the
    pod as a whole stands in for what its containers request. A container that is being resized takes the most
    of what it asks for and has.
    Source: component-helpers resource/helpers.go, PodRequests.
    """
    lasting: Counter[str] = Counter()
    greediest: Counter[str] = Counter()
    for container in spec.get("initContainers") or ():
        asked = _amounts(container)
        if container.get("restartPolicy") == "Always":
            lasting.update(asked)
            greediest |= lasting
        else:
            asked.update(lasting)
            greediest |= asked
    has = {one["name"]: one for one in (status or {}).get("containerStatuses") or ()}
    for container in spec.get("containers") or ():
        lasting.update(_amounts(container) | _allocated(has.get(container["name"], {})))
    taken = lasting | greediest
    whole = _amounts(spec)
    taken.update({name: whole[name] - taken[name] for name in whole if name.startswith(_WHOLE_POD)})
    taken.update(amounts(spec.get("overhead")))
    return tuple(sorted((+taken).items()))


def _allocated(has: Json) -> Counter[str]:
    return _amounts(has) | Counter(amounts(has.get("allocatedResources")))


def _amounts(asking: Json) -> Counter[str]:
    return Counter(amounts((asking.get("resources") or {}).get("requests")))


def _toleration(raw: Json) -> Toleration:
    return Toleration(
        raw.get("key", ""), raw.get("operator", "Equal"), raw.get("value", ""), raw.get("effect", "")
    )


def _node_term(raw: Json) -> NodeTerm:
    return NodeTerm(read_requirements(raw.get("matchExpressions")), read_requirements(raw.get("matchFields")))


def _host_ports(spec: Json) -> Iterable[tuple[str, int]]:
    """Whatever address they are for: two pods with one port on two addresses of a node are rare."""
    for container in (*(spec.get("initContainers") or ()), *(spec.get("containers") or ())):
        for port in container.get("ports") or ():
            if number := port.get("hostPort"):
                yield port.get("protocol", "TCP"), number


def _pod_terms(raw: Json | None) -> list[Json]:
    return (raw or {}).get("requiredDuringSchedulingIgnoredDuringExecution") or []


def _pod_selector(namespace: str, term: Json) -> PodSelector:
    """Which pods a term means.

    Without namespaceSelector those of the listed namespaces or of the pod's own, with an empty one those of
    all. Without labelSelector none.
    """
    selector = term.get("labelSelector")
    namespaces: frozenset[str] | None = frozenset(term.get("namespaces") or [namespace])
    if term.get("namespaceSelector") is not None:
        namespaces = None
    if selector is None:
        return PodSelector(frozenset())
    return PodSelector(
        namespaces,
        tuple((selector.get("matchLabels") or {}).items()),
        read_requirements(selector.get("matchExpressions")),
    )


def _constraints(spec: Json) -> list[Json]:
    """How the pods must be spread; those that only should are left out."""
    constraints = spec.get("topologySpreadConstraints") or ()
    return [one for one in constraints if one["whenUnsatisfiable"] == "DoNotSchedule"]


def _unsupported(spec: Json, terms: list[Json]) -> str:
    """GNG-009: a scheduler that does not know what a pod requests must not guess a node for it."""
    if any("ephemeral" in volume for volume in spec.get("volumes") or ()):
        return "volumes that are made for it"
    if spec.get("resourceClaims"):
        return "resource claims"
    if any(_SUBTLE & {*constraint} for constraint in _constraints(spec)):
        return "topology spread constraints with certain domains"
    if any(term.get("namespaceSelector") for term in terms):
        return "affinity to pods in namespaces with certain labels"
    return ""


def binding(pod: Pod, node: str) -> bytes:
    """GNG-011: the body of POST pods/binding; the UID keeps it off another pod of that name."""
    metadata = {"namespace": pod.namespace, "name": pod.name, "uid": pod.uid}
    target = {"apiVersion": "v1", "kind": "Node", "name": node}
    return orjson.dumps({"apiVersion": "v1", "kind": "Binding", "metadata": metadata, "target": target})


def unschedulable(pod: Pod, message: str, now: float) -> bytes:
    """GNG-015: a patch of pods/status that reports why exactly this pod waits."""
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": UNSCHEDULABLE,
        "message": message,
        "lastTransitionTime": timestamp(now),
    }
    return orjson.dumps({"metadata": {"uid": pod.uid}, "status": {"conditions": [condition]}})


def evicted(pod: Pod, message: str, now: float) -> bytes:
    """GNG-066: a patch of pods/status that reports why exactly this pod is about to be deleted.

    Source: Kubernetes documentation, Disruptions, Pod disruption conditions.
    """
    condition = {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "PreemptionByScheduler",
        "message": message,
        "lastTransitionTime": timestamp(now),
    }
    return orjson.dumps({"metadata": {"uid": pod.uid}, "status": {"conditions": [condition]}})


# -- storage


def read_claim(raw: Json) -> Claim:
    """Parse a PersistentVolumeClaim once. One that is not known to be bound for good has no volume.

    Raises:
        KeyError, ValueError: the object is not one that an API server would serve.
    """
    metadata, spec = raw["metadata"], raw.get("spec") or {}
    bound = _BOUND in (metadata.get("annotations") or {})
    return Claim(
        namespace=metadata["namespace"],
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        volume=spec.get("volumeName", "") if bound else "",
        exclusive=_EXCLUSIVE in (spec.get("accessModes") or ()),
    )


def read_volume(raw: Json) -> Volume:
    """Parse a PersistentVolume once.

    Raises:
        KeyError, ValueError: the object is not one that an API server would serve.
    """
    metadata = raw["metadata"]
    required = ((raw.get("spec") or {}).get("nodeAffinity") or {}).get("required")
    return Volume(
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        node_terms=tuple(map(_node_term, required["nodeSelectorTerms"])) if required else None,
    )


# -- disruption


def read_budget(raw: Json) -> Budget:
    """Parse a PodDisruptionBudget once.

    Raises:
        KeyError, ValueError: the object is not one that an API server would serve.
    """
    metadata = raw["metadata"]
    return Budget(
        namespace=metadata["namespace"],
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        selector=_pod_selector(metadata["namespace"], {"labelSelector": raw["spec"].get("selector")}),
        allowed=(raw.get("status") or {}).get("disruptionsAllowed", 0),
    )


# -- queues


def read_queue(raw: Json) -> Queue:
    """Parse a queue once.

    Raises:
        KeyError, ValueError: the object is not a queue that an API server would serve.
    """
    metadata, spec, status = raw["metadata"], raw.get("spec") or {}, raw.get("status") or {}
    return Queue(
        name=metadata["name"],
        uid=metadata["uid"],
        version=int(metadata["resourceVersion"]),
        weight=spec.get("weight", 1),
        capability=read_amounts(spec.get("capability")),
        guarantee=read_amounts((spec.get("guarantee") or {}).get("resource")),
        reclaimable=spec.get("reclaimable") is not False,
        status=QueueStatus(read_amounts(status.get("deserved")), read_amounts(status.get("allocated"))),
        raw=raw,
    )


def read_amounts(raw: Mapping[str, Any] | None) -> tuple[tuple[str, int], ...]:
    """Resources and whole units."""
    return tuple(sorted(amounts(raw).items()))


def queue_with_status(queue: Queue, status: QueueStatus) -> bytes:
    """The body of PUT queues/status: the queue as read, its resourceVersion included, with a new status."""
    told = {
        "deserved": {name: written(name, units) for name, units in status.deserved},
        "allocated": {name: written(name, units) for name, units in status.allocated},
    }
    return orjson.dumps({**queue.raw, "status": told})
