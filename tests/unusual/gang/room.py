"""What is free on which node, and whether a pod may be put there. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from kubernetes.utils.quantity import parse_quantity

from tests.unusual.cluster import Json, deleting, ended, key, labels

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_KEEP_OFF = {"NoSchedule", "NoExecute"}
Amounts = dict[str, Decimal]


@dataclass(frozen=True, eq=False)
class Pod:
    """A pod, and the node that it has by what was seen or asked for; "" if none."""

    raw: Json
    node: str = ""

    @property
    def uid(self) -> str:
        """Its UID."""
        return str(self.raw["metadata"]["uid"])

    @property
    def priority(self) -> int:
        """The higher, the sooner."""
        return int(self.raw["spec"].get("priority") or 0)

    @property
    def waits(self) -> bool:
        """It may be bound."""
        spec = self.raw["spec"]
        return not (self.node or deleting(self.raw) or ended(self.raw) or spec.get("schedulingGates"))

    @property
    def requests(self) -> Amounts:
        """What it takes of a node, its place among the pods included.

        The sum of its containers and sidecars, or what an init container needs beside the sidecars before it,
        if that is more; and what its runtime takes. Of a container that is being resized the larger counts.
        """
        spec = self.raw["spec"]
        beside: Amounts = {}
        most: Amounts = {}
        for it in spec.get("initContainers") or []:
            while_it_runs = _sum(beside, _asked(it))
            most = _greater(most, while_it_runs)
            beside = while_it_runs if it.get("restartPolicy") == "Always" else beside
        told = {it["name"]: it for it in (self.raw.get("status") or {}).get("containerStatuses") or []}
        for it in spec["containers"]:
            beside = _sum(beside, _greater(_asked(it), _given(told.get(it["name"], {}))))
        return {**_sum(_greater(most, beside), _amounts(spec.get("overhead") or {})), "pods": Decimal(1)}

    @property
    def host_ports(self) -> set[tuple[str, int]]:
        """Protocol and number of each port of the node that it uses."""
        ports = (port for it in self.raw["spec"]["containers"] for port in it.get("ports") or [])
        return {(port.get("protocol", "TCP"), port["hostPort"]) for port in ports if port.get("hostPort")}


def _amounts(said: Json) -> Amounts:
    return {name: parse_quantity(text) for name, text in said.items()}


def _given(status: Json) -> Amounts:
    """What the node has allocated to a container."""
    return _greater(_amounts(status.get("allocatedResources") or {}), _asked(status))


def _sum(one: Amounts, other: Amounts) -> Amounts:
    return {name: one.get(name, Decimal(0)) + other.get(name, Decimal(0)) for name in {**one, **other}}


def _greater(one: Amounts, other: Amounts) -> Amounts:
    return {name: max(one.get(name, Decimal(0)), other.get(name, Decimal(0))) for name in {**one, **other}}


def _asked(container: Json) -> Amounts:
    return _amounts((container.get("resources") or {}).get("requests") or {})


@dataclass(frozen=True, eq=False)
class Node:
    """A node."""

    raw: Json

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.raw["metadata"]["name"])

    def domain(self, topology: str) -> str:
        """The value of a label; a node without a hostname has its name for it."""
        return labels(self.raw).get(topology, self.name if topology == HOST else "")

    def suits(self, pod: Pod) -> bool:
        """It is ready, not cordoned, and neither taints nor selectors nor node affinity keep the pod off."""
        conditions = (self.raw.get("status") or {}).get("conditions") or []
        ready = any(it["type"] == "Ready" and it["status"] == "True" for it in conditions)
        spec, chosen = self.raw.get("spec") or {}, pod.raw["spec"].get("nodeSelector") or {}
        borne = pod.raw["spec"].get("tolerations") or []
        off = [it for it in spec.get("taints") or [] if it["effect"] in _KEEP_OFF and not _bears(borne, it)]
        fine = ready and not spec.get("unschedulable") and not off
        return bool(fine and chosen.items() <= labels(self.raw).items() and self._has_affinity(pod))

    def _has_affinity(self, pod: Pod) -> bool:
        """One of the terms that the pod requires is true of the node; or it requires none."""
        said = ((pod.raw["spec"].get("affinity") or {}).get("nodeAffinity") or {}).get(_REQUIRED)
        return said is None or any(self._meets(term) for term in said["nodeSelectorTerms"])

    def _meets(self, term: Json) -> bool:
        """All expressions of the term are true of the node. A term without any is true of none."""
        asked = [(labels(self.raw), it) for it in term.get("matchExpressions") or []]
        asked += [({"metadata.name": self.name}, it) for it in term.get("matchFields") or []]
        return bool(asked) and all(_true(expression, of) for of, expression in asked)


def _true(expression: Json, of: dict[str, str]) -> bool:
    has, values = of.get(expression["key"]), expression.get("values") or []
    number = None if has is None or not has.lstrip("-").isdigit() else int(has)
    true: dict[str, bool] = {
        "In": has in values,
        "NotIn": has not in values,
        "Exists": has is not None,
        "DoesNotExist": has is None,
        "Gt": number is not None and number > int(values[0]),
        "Lt": number is not None and number < int(values[0]),
    }
    return true[expression["operator"]]


def _bears(tolerations: list[Json], taint: Json) -> bool:
    for it in tolerations:
        same = it.get("key") in {None, "", taint["key"]} and it.get("effect") in {None, "", taint["effect"]}
        if same and (it.get("operator") == "Exists" or it.get("value", "") == taint.get("value", "")):
            return True
    return False


def terms(pod: Pod, kind: str) -> list[Json]:
    """What must hold between the pod and others, of podAffinity or podAntiAffinity."""
    said: list[Json] = ((pod.raw["spec"].get("affinity") or {}).get(kind) or {}).get(_REQUIRED) or []
    return said


def _meant(term: Json, pod: Pod, other: Pod) -> bool:
    wanted = (term.get("labelSelector") or {}).get("matchLabels") or {}
    return key(pod.raw)[0] == key(other.raw)[0] and wanted.items() <= labels(other.raw).items()


@dataclass
class Room:
    """The nodes, with the pods that are on them or are to be put there."""

    nodes: list[Node]
    on: dict[str, list[Pod]] = field(default_factory=lambda: defaultdict(list))
    left: dict[str, Amounts] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: list[Node], pods: list[Pod]) -> Room:
        """What is left beside these pods."""
        room = cls(nodes)
        for node in nodes:
            room.left[node.name] = _amounts((node.raw.get("status") or {}).get("allocatable") or {})
        for pod in pods:
            if pod.node in room.left and not ended(pod.raw):
                room.put(pod, pod.node)
        return room

    def copy(self) -> Room:
        """One that may be changed."""
        on = defaultdict(list, {name: [*pods] for name, pods in self.on.items()})
        return Room(self.nodes, on, {name: {**amounts} for name, amounts in self.left.items()})

    def put(self, pod: Pod, node: str) -> None:
        """The pod is there."""
        self.on[node].append(pod)
        for name, amount in pod.requests.items():
            self.left[node][name] = self.left[node].get(name, Decimal(0)) - amount

    def take(self, pod: Pod) -> None:
        """The pod is there no more."""
        self.on[pod.node].remove(pod)
        for name, amount in pod.requests.items():
            self.left[pod.node][name] += amount

    def fits(self, pod: Pod, node: Node) -> bool:
        """It may be put there now."""
        left = self.left[node.name]
        enough = all(left.get(name, Decimal(0)) >= amount for name, amount in pod.requests.items() if amount)
        return enough and node.suits(pod) and self._ports_are_free(pod, node) and self._agrees(pod, node)

    def _ports_are_free(self, pod: Pod, node: Node) -> bool:
        wanted = pod.host_ports
        return not wanted or not any(wanted & other.host_ports for other in self.on[node.name])

    def _agrees(self, pod: Pod, node: Node) -> bool:
        for term in terms(pod, "podAntiAffinity"):
            if any(_meant(term, pod, it) for it in self._around(node, term)):
                return False
        for other in (it for pods in self.on.values() for it in pods):
            for term in terms(other, "podAntiAffinity"):
                if _meant(term, other, pod) and other in self._around(node, term):
                    return False
        for term in terms(pod, "podAffinity"):
            alone = _meant(term, pod, pod) and not any(
                _meant(term, pod, it) for pods in self.on.values() for it in pods
            )
            if not alone and not any(_meant(term, pod, it) for it in self._around(node, term)):
                return False
        return True

    def _around(self, node: Node, term: Json) -> list[Pod]:
        topology = term["topologyKey"]
        near = [it.name for it in self.nodes if it.domain(topology) == node.domain(topology)]
        return [pod for name in near for pod in self.on[name]]


Preferred = Callable[[Room, Pod, Node], Any]


def packed(room: Room, _: Pod, node: Node) -> Any:
    """The node with the least CPU left first."""
    return room.left[node.name].get("cpu", Decimal(0)), node.name


def placed(room: Room, pods: list[Pod], need: int, prefer: Preferred) -> list[tuple[Pod, str]]:
    """Nodes for as many of the pods as fit, if these are enough; they are put there."""
    biggest = sorted(pods, key=lambda it: -it.requests.get("cpu", Decimal(0)))
    zones = sorted({node.domain(ZONE) for node in room.nodes})
    for order in (pods, biggest, biggest[::-1]):
        for rank in (prefer, packed):
            for zone in (None, *zones):
                trial = room.copy()
                found = _attempt(trial, order, rank, zone)
                if found and len(found) >= need:
                    room.on, room.left = trial.on, trial.left
                    return found
    return []


def _attempt(room: Room, pods: list[Pod], rank: Preferred, zone: str | None) -> list[tuple[Pod, str]]:
    found = []
    for pod in pods:
        open_ = [it for it in room.nodes if zone in {None, it.domain(ZONE)} and room.fits(pod, it)]
        if open_:
            node = min(open_, key=lambda it: rank(room, pod, it)).name
            room.put(pod, node)
            found.append((pod, node))
    return found
