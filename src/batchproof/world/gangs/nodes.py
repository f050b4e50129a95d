"""The verbs about the nodes of gang scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from batchproof.cell.kubelet import node_body, node_status
from batchproof.labels import CELL_LABEL, SCENE_LABEL

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
_PROBE_NODE = {"cpu": "100m", "memory": "1Gi", "pods": "100"}


class Nodes:
    """The nodes of one scenario: its own, and its only ones, beside that of the probes."""

    def __init__(self, world: Pods, cell: Cell, dialect: Dialect) -> None:
        self._world = world
        self._cell = cell
        self.dialect = dialect
        self._nodes = 0
        self._cpus = 0

    @property
    def _namespace(self) -> str:
        return self._world.scene.namespace

    def add_node(self, cpus: str, *, flaw: Flaw | None = None) -> None:
        """Add a simulated node, or one that the scenario's pods cannot be bound to."""
        if not self._nodes:
            self._make_node("probes", _PROBE_NODE, {PROBE_LABEL: self._namespace})
        self._nodes += 1
        name = f"node-{self._nodes}"
        self._cpus += 0 if flaw else int(cpus)
        labels = {} if flaw == "elsewhere" else {HERE_LABEL: self._namespace}
        resources = {"cpu": cpus, "memory": "64Gi", "pods": "110"}
        self._world.act(f"adds {name} with {cpus} CPUs{f' ({flaw})' if flaw else ''}")
        self._make_node(name, resources, labels, flaw)
        self._world.do(self._cell.catch_up())

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
