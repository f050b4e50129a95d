"""The verbs about the queues of gang scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.labels import CELL_LABEL
from batchproof.world.gangs.nodes import Nodes

if TYPE_CHECKING:
    from batchproof.cell import Cell
    from batchproof.descriptor.dialect import Dialect
    from batchproof.judgement.history import Json
    from batchproof.world.pods import Pods


class Queues(Nodes):
    """The queues of one scenario, and what is asked of each."""

    def __init__(self, world: Pods, cell: Cell, dialect: Dialect) -> None:
        super().__init__(world, cell, dialect)
        self._weights: dict[str, int] = {}
        self._capabilities: dict[str, int] = {}
        self._wanted: dict[str, int] = {}

    def add_queue(
        self,
        name: str,
        weight: int,
        *,
        reclaimable: bool = False,
        capability: int | None = None,
        guarantee: int | None = None,
    ) -> None:
        """Add a queue with a weight.

        Args:
            name: its name in the scenario.
            weight: how much it is due against the others.
            reclaimable: what it has above its share may be taken back for others.
            capability: how many CPUs it may have at the most.
            guarantee: how many CPUs are kept for it.

        Raises:
            HarnessError: the dialect has no queues: the scenario needs the capability Queues.
        """
        queue = self.dialect.queue
        if queue is None:
            raise HarnessError(f"the dialect {self.dialect.name} has no queues")
        self._world.act(f"adds queue {name} of weight {weight}", queue=name, weight=weight)
        self._weights[name] = weight
        if capability is not None:
            self._capabilities[name] = capability
        metadata = {"name": self._queue_name(name), "labels": {CELL_LABEL: self._cell.name}}
        body = queue.object(
            metadata,
            weight=weight,
            namespace=self._namespace,
            reclaimable=reclaimable,
            capability=None if capability is None else str(capability),
            guarantee=None if guarantee is None else str(guarantee),
        )
        place = self._namespace if queue.namespaced else ""
        self._world.do(self._cell.belongings.make(queue.resource.path(place), body))

    def _before_first_node(self) -> None:
        """What queues share is what the scenario's nodes have: the probes' node comes when it is needed."""
        if not self._weights:
            super()._before_first_node()

    def _queue_name(self, name: str) -> str:
        return f"{self._namespace}-{name}"

    @property
    def shares(self) -> Json:
        """What the weighted max-min share of each queue follows from, for the fact ``shares_given``."""
        wanted = {
            queue: str(min(self._wanted.get(queue, 0), self._capabilities.get(queue, self._cpus)))
            for queue in self._weights
        }
        return {"total": str(self._cpus), "weights": dict(self._weights), "wanted": wanted, "pod": "1"}
