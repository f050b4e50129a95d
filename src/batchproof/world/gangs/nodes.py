"""The verbs about the nodes of gang scenarios, and about storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from batchproof.cell.kubelet import node_body, node_status
from batchproof.labels import CELL_LABEL, SCENE_LABEL, ZONE_LABEL
from batchproof.resources import CLAIMS, NODES, VOLUMES
from batchproof.world.gangs.setting import DEVICE, Setting

if TYPE_CHECKING:
    from batchproof.cell import Cell
    from batchproof.descriptor.dialect import Dialect
    from batchproof.world.pods import Pods

Flaw: TypeAlias = Literal["not ready", "cordoned", "tainted", "elsewhere"]
"""Why a node is none for the scenario's pods; ``elsewhere``: it lacks the label that they select."""

_TAINTS = {"tainted": "example.com/tainted", "not ready": "node.kubernetes.io/not-ready"}
"""The further taint of such a node; a cluster's node lifecycle controller marks what is not ready."""

HERE_LABEL = "batchproof.dev/here"
PROBE_LABEL = "batchproof.dev/probe"
_PROBE_NODE = {"cpu": "400m", "memory": "1Gi", "pods": "100"}
_USUAL = {"memory": "64Gi", "pods": "110"}
RESOURCE = r"(?P<resource>GiB of memory|devices?|places? for pods?)"
"""How a scenario names what a node has beside CPUs."""
_UNITS = {"GiB of memory": ("memory", "Gi"), "device": (DEVICE, ""), "place for pod": ("pods", "")}


def resource_of(words: str, amount: str) -> dict[str, str]:
    """So much of a resource that a scenario names, as a node has it."""
    resource, unit = _UNITS[words.replace("places", "place").removesuffix("s")]
    return {resource: f"{amount}{unit}"}


class Nodes(Setting):
    """The nodes of one scenario: its own, and its only ones, beside that of the probes."""

    def __init__(self, world: Pods, cell: Cell, dialect: Dialect) -> None:
        super().__init__(world, cell, dialect)
        self._nodes = 0
        self._cpus = 0
        self._has_probe_node = False

    def add_node(
        self,
        cpus: str,
        *,
        flaw: Flaw | None = None,
        zone: str = "",
        having: dict[str, str] | None = None,
    ) -> None:
        """Add a simulated node, or one that the scenario's pods cannot be bound to.

        Args:
            cpus: how many CPUs it has.
            flaw: why none of the scenario's pods may be bound to it.
            zone: the zone that it is in.
            having: what it has of other resources, beside or instead of the usual.
        """
        if not self._nodes:
            self._announce()
        self._before_first_node()
        self._nodes += 1
        name = f"node-{self._nodes}"
        self._cpus += 0 if flaw else int(cpus)
        labels = {} if flaw == "elsewhere" else {HERE_LABEL: self._namespace}
        labels |= {ZONE_LABEL: zone} if zone else {}
        resources = {"cpu": cpus, **_USUAL, **(having or {})}
        beside = "".join(f", {amount} of {resource}" for resource, amount in (having or {}).items())
        self._world.act(f"adds {name} with {cpus} CPUs{beside}{f' ({flaw})' if flaw else ''}")
        self._make_node(name, resources, labels, flaw)
        self._there_is(resources)
        self._world.do(self._cell.catch_up())

    def _announce(self) -> None:
        """Have the history know what is the implementation's own: pods that only hold room, and gates."""
        if marks := self.dialect.placeholders:
            pairs = [(place, key, value) for place, of in marks.items() for key, value in of.items()]
            self._world.act("says which pods only hold room", holders=pairs)
        if gates := self.dialect.gates:
            self._world.act("says which gates are the implementation's own", gates=list(gates))

    def _before_first_node(self) -> None:
        """The node of the probes is there before any other."""
        if not self._nodes:
            self._make_probe_node()

    def _make_probe_node(self) -> None:
        if not self._has_probe_node:
            self._has_probe_node = True
            self._make_node("probes", _PROBE_NODE, {PROBE_LABEL: self._namespace})
            # All but probes ask for whole CPUs; and nothing else of this node is to be taken for theirs.
            self._there_is({"cpu": _PROBE_NODE["cpu"]})

    def add_claim(self, name: str) -> None:
        """Add a claim of storage for one pod at a time, bound to a volume that all nodes reach."""
        self._world.act(f"adds claim {name} that one pod at a time may use")
        own = f"{self._namespace}-{name}"
        limits = {"accessModes": ["ReadWriteOncePod"], "storageClassName": ""}
        place = CLAIMS.path(self._namespace)
        metadata = {"name": name, "annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
        requests = {"requests": {"storage": "1Gi"}}
        claim = {"metadata": metadata, "spec": {**limits, "volumeName": own, "resources": requests}}
        made = self._cell.belongings.make(
            place, {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **claim}
        )
        path = self._world.do(made)
        uid = self._world.do(self._cell.api.get(path))["metadata"]["uid"]
        spec = {
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
        labels = {CELL_LABEL: self._cell.name, SCENE_LABEL: self._namespace}
        volume = {"metadata": {"name": own, "labels": labels}, "spec": spec}
        body = {"apiVersion": "v1", "kind": "PersistentVolume", **volume}
        volume_path = self._world.do(self._cell.belongings.make(VOLUMES.path(), body))
        for thing in (volume_path, path):
            self._world.do(self._cell.api.patch(f"{thing}/status", {"status": {"phase": "Bound"}}))

    def cordon(self, number: int) -> None:
        """Let no further pods on the scenario's node of that number."""
        self._world.act(f"cordons node-{number}")
        path = NODES.path(name=self.node_name(number))
        self._world.do(self._cell.api.patch(path, {"spec": {"unschedulable": True}}))
        self._world.do(self._cell.catch_up())

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
        self._world.do(self._cell.catch_up())

    def node_name(self, number: int) -> str:
        """The name of the scenario's node of that number, from 1 on."""
        return f"{self._namespace}-node-{number}"

    def _make_node(
        self, name: str, resources: dict[str, str], labels: dict[str, str], flaw: Flaw | None = None
    ) -> None:
        labels = {**labels, CELL_LABEL: self._cell.name, SCENE_LABEL: self._namespace}
        body = node_body(
            f"{self._namespace}-{name}",
            labels,
            unschedulable=flaw == "cordoned",
            taint=_TAINTS.get(flaw or "", ""),
        )
        self._world.do(
            self._cell.belongings.make_node(body, node_status(resources, ready=flaw != "not ready"))
        )
