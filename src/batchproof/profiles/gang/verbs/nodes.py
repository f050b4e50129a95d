"""The verbs about the nodes of gang scenarios, and about storage."""

from __future__ import annotations

from batchproof.cell.kubelet import node_body, node_status
from batchproof.ground.resources import (
    CELL_LABEL,
    CLAIMS,
    HOST_LABEL,
    NODES,
    SCENE_LABEL,
    VOLUMES,
    ZONE_LABEL,
)
from batchproof.judgement.history import Json
from batchproof.profiles.gang import sentences
from batchproof.profiles.gang.resources import DEVICE
from batchproof.profiles.gang.specs import ZONES_NAME, Flaw, NodeSpec
from batchproof.profiles.gang.verbs.queues import Queues
from batchproof.profiles.gang.verbs.setting import Setting, dialect_of
from batchproof.profiles.gang.verbs.unseen import UNSEEN, Seen, changing
from batchproof.specification.verbs import verb
from batchproof.world import World

TAINT = "example.com/tainted"
"""The taint of a node that is tainted, or that pods rather avoid."""
_TAINTS = {
    "tainted": TAINT,
    "avoided": TAINT,
    "not ready": "node.kubernetes.io/not-ready",
    "unreachable": "node.kubernetes.io/unreachable",
}
"""The further taint of such a node; a cluster's node lifecycle controller marks what is not ready."""
_READY = {"not ready": "False", "unreachable": "Unknown"}
"""The status of the condition Ready of such a node; else it is True."""

HERE_LABEL = "batchproof.dev/here"
PROBE_LABEL = "batchproof.dev/probe"
_PROBE_NODE = {"cpu": "400m", "memory": "1Gi", "pods": "100"}
_USUAL = {"memory": "64Gi", "pods": "110"}


class Nodes:
    """The nodes of one scenario: its own, and its only ones, beside that of the probes.

    Attributes:
        cpus: how many those have together that pods can be bound to.
    """

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._setting = world.verbs(Setting)
        self._queues = world.verbs(Queues)
        self._dialect = dialect_of(world)
        self._nodes = 0
        self._had: dict[int, dict[str, str]] = {}
        self.cpus = 0
        self._has_probe_node = False

    @verb(sentences.NODES_ARE)
    @verb(sentences.NODES_JOIN)
    def add_nodes(self, nodes: NodeSpec) -> None:
        """Add simulated nodes."""
        for _ in range(nodes.count):
            self._add_node(nodes)

    def _add_node(self, node: NodeSpec) -> None:
        if not self._nodes:
            self._announce()
            if not self._queues.any:  # what queues share is what the scenario's nodes have
                self.make_probe_node()
        self._nodes += 1
        name = f"node-{self._nodes}"
        self.cpus += node.cpus if node.flaw in {"", "avoided"} else 0
        labels = {} if node.flaw == "elsewhere" else {HERE_LABEL: self._namespace}
        labels |= {ZONE_LABEL: node.zone} if node.zone else {}
        host = node.zone if node.host == ZONES_NAME else node.host
        labels |= {HOST_LABEL: host} if host else {}
        resources = {"cpu": str(node.cpus), **_USUAL, **dict(node.having)}
        beside = "".join(f", {amount} of {resource}" for resource, amount in node.having)
        flawed = f" ({node.flaw})" if node.flaw else ""
        flawed += f" on host {host}" if host else ""
        self._world.act(f"adds {name} with {node.cpus} CPUs{beside}{flawed}")
        self._make_node(name, resources, labels, node.flaw)
        self._setting.there_is(resources)
        self._had[self._nodes] = resources

    def _announce(self) -> None:
        """Have the history know what is the implementation's own: pods that only hold room, and gates."""
        if marks := self._dialect.placeholders:
            pairs = [(place, key, value) for place, of in marks.items() for key, value in of.items()]
            self._world.act("says which pods only hold room", holders=pairs)
        if gates := self._dialect.gates:
            self._world.act("says which gates are the implementation's own", gates=list(gates))

    def make_probe_node(self) -> None:
        """Make the node of the probes, if it is not there."""
        if not self._has_probe_node:
            self._has_probe_node = True
            self._make_node("probes", _PROBE_NODE, {PROBE_LABEL: self._namespace})
            # All but probes ask for whole CPUs; and nothing else of this node is to count as theirs.
            self._setting.there_is({"cpu": _PROBE_NODE["cpu"]})

    @verb("claim {name:word} of storage for one pod at a time", mode="ReadWriteOncePod")
    @verb("claim {name:word} of storage that nodes of zone {zone:word} reach", mode="ReadWriteMany")
    def add_claim(self, name: str, mode: str, zone: str = "") -> None:
        """Add a claim of storage, bound to a volume that all nodes reach, or those of a zone."""
        of = f" of zone {zone}" if zone else ""
        self._world.act(f"adds claim {name} of {mode} storage{of}")
        own = f"{self._namespace}-{name}"
        limits = {"accessModes": [mode], "storageClassName": ""}
        place = CLAIMS.path(self._namespace)
        metadata = {"name": name, "annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
        requests = {"requests": {"storage": "1Gi"}}
        claim = {"metadata": metadata, "spec": {**limits, "volumeName": own, "resources": requests}}
        made = self._cell.belongings.make(
            place, {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **claim}
        )
        path = self._world.do(made)
        uid = self._world.do(self._cell.api.get(path))["metadata"]["uid"]
        spec: Json = {
            **limits,
            "capacity": {"storage": "1Gi"},
            "hostPath": {"path": "/simulated"},
            "claimRef": {
                "kind": "PersistentVolumeClaim",
                "namespace": self._namespace,
                "name": name,
                "uid": uid,
            },
        }
        if zone:
            term = {"matchExpressions": [{"key": ZONE_LABEL, "operator": "In", "values": [zone]}]}
            spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [term]}}
        labels = {CELL_LABEL: self._cell.name, SCENE_LABEL: self._namespace}
        volume = {"metadata": {"name": own, "labels": labels}, "spec": spec}
        body = {"apiVersion": "v1", "kind": "PersistentVolume", **volume}
        volume_path = self._world.do(self._cell.belongings.make(VOLUMES.path(), body))
        for thing in (volume_path, path):
            self._world.do(self._cell.api.patch(f"{thing}/status", {"status": {"phase": "Bound"}}))

    @verb("the first node is cordoned", number=1)
    def cordon(self, number: int) -> None:
        """Let no further pods on the scenario's node of that number."""
        self._world.act(f"cordons node-{number}")
        path = NODES.path(name=self.node_name(number))
        self._world.do(self._cell.api.patch(path, {"spec": {"unschedulable": True}}))

    @verb("the first node is uncordoned", number=1)
    @verb("the first node becomes ready", number=1)
    @verb("the first node loses its taint", number=1)
    @verb("the first node gets the labels that the pods select", number=1)
    def mend(self, number: int) -> None:
        """Take away the flaw of the scenario's node of that number."""
        self._world.act(f"mends node-{number}")
        path = NODES.path(name=self.node_name(number))
        right = node_body(self.node_name(number), {HERE_LABEL: self._namespace})
        spec = {"taints": right["spec"]["taints"], "unschedulable": None}
        status = self._world.do(self._cell.api.get(path))["status"]
        ready = node_status(status["allocatable"])["conditions"]
        if status["conditions"] != ready:
            # First of all: the taint of a node that is not ready goes when it is.
            self._world.do(self._cell.api.patch(f"{path}/status", {"status": {"conditions": ready}}))
        change = {"metadata": {"labels": right["metadata"]["labels"]}, "spec": spec}
        self._world.do(self._cell.api.patch(path, change))

    @verb("the first node becomes not ready", number=1, flaw="not ready")
    @verb("the first node gets a taint", number=1, flaw="tainted")
    def taint(self, number: int, flaw: Flaw) -> None:
        """The scenario's node of that number gets a flaw while pods run on it, and the taint of it."""
        self._world.act(f"makes node-{number} {flaw}")
        path = NODES.path(name=self.node_name(number))
        node = self._world.do(self._cell.api.get(path))
        if flaw in _READY:
            conditions = node_status(node["status"]["allocatable"], ready=_READY[flaw])["conditions"]
            self._world.do(self._cell.api.patch(f"{path}/status", {"status": {"conditions": conditions}}))
        taints = [*node["spec"]["taints"], {"key": _TAINTS[flaw], "effect": "NoSchedule"}]
        self._world.do(self._cell.api.patch(path, {"spec": {"taints": taints}}))

    @verb("the first node leaves", number=1)
    def remove(self, number: int) -> None:
        """The scenario's node of that number is deleted, whatever runs on it."""
        self._world.act(f"removes node-{number}")
        had = self._had.pop(number)
        self.cpus -= int(had["cpu"])
        self._world.do(self._cell.api.delete(NODES.path(name=self.node_name(number))))
        self._setting.there_is_less(had)
        self._world.do(self._cell.catch_up())

    @verb("the first node is replaced by one of its name with {cpus:d} [CPU|CPUs]", number=1)
    @verb(
        "the implementation sees late that the first node is replaced by one of its name"
        " with {cpus:d} [CPU|CPUs]",
        not_in_place=UNSEEN,
        number=1,
        seen="late",
    )
    @verb(
        "the implementation misses that the first node is replaced by one of its name"
        " with {cpus:d} [CPU|CPUs]",
        not_in_place=UNSEEN,
        number=1,
        seen="missed",
    )
    def replace(self, number: int, cpus: int, seen: Seen = "") -> None:
        """The scenario's node of that number is deleted, and another of its name joins."""
        with changing(self._world, NODES, seen):
            self.remove(number)
            self._world.act(f"adds another node-{number} with {cpus} CPUs")
            has = {"cpu": str(cpus), **_USUAL}
            self._had[number] = has
            self.cpus += cpus
            self._make_node(f"node-{number}", has, {HERE_LABEL: self._namespace})
            self._setting.there_is(has)
            self._world.do(self._cell.catch_up())

    @verb("the first node shrinks to {cpus:d} [CPU|CPUs]", number=1)
    @verb("the first node grows to {cpus:d} [CPU|CPUs]", number=1)
    def resize(self, number: int, cpus: int) -> None:
        """The kubelet reports other resources of the scenario's node of that number, whatever runs on it."""
        self._world.act(f"changes node-{number} to {cpus} CPUs")
        self.cpus += cpus - int(self._had[number]["cpu"])
        self._report(number, {"cpu": str(cpus)})

    @verb("the first node loses its devices", number=1)
    @verb("the first node gets {devices:d} [device|devices]", number=1)
    def change_devices(self, number: int, devices: int = 0) -> None:
        """The kubelet reports other devices of the scenario's node of that number, whatever uses them."""
        self._world.act(f"changes node-{number} to {devices} devices")
        self._report(number, {DEVICE: str(devices)})

    def _report(self, number: int, changed: dict[str, str]) -> None:
        """The kubelet reports new amounts of some resources of a node."""
        had = self._had[number]
        has = self._had[number] = {**had, **changed}
        change = {"status": {"capacity": has, "allocatable": has}}
        path = NODES.path(name=self.node_name(number))
        self._world.do(self._cell.api.patch(f"{path}/status", change))
        self._setting.there_is_less(had)
        self._setting.there_is(has)

    def node_name(self, number: int) -> str:
        """The name of the scenario's node of that number, from 1 on."""
        return f"{self._namespace}-node-{number}"

    def _make_node(
        self, name: str, resources: dict[str, str], labels: dict[str, str], flaw: Flaw = ""
    ) -> None:
        labels = {**labels, CELL_LABEL: self._cell.name, SCENE_LABEL: self._namespace}
        body = node_body(
            f"{self._namespace}-{name}",
            labels,
            unschedulable=flaw == "cordoned",
            taint=_TAINTS.get(flaw, ""),
            effect="PreferNoSchedule" if flaw == "avoided" else "NoSchedule",
        )
        status = node_status(resources, ready=_READY.get(flaw, "True"))
        made = self._world.do(self._cell.belongings.make_node(body, status))
        self._world.do(self._cell.see(NODES, [made]))
