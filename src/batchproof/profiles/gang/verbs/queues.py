"""The verbs about the queues of gang scenarios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.labels import CELL_LABEL
from batchproof.profiles.gang.verbs.setting import dialect_of
from batchproof.specification.verbs import verb

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.profiles.gang.specs import QueueSpec
    from batchproof.world import World

SHARED = "what queues share is all that the cluster has, and in place others have a part of it"
"""Why scenarios with queues cannot be judged in place."""


class Queues:
    """The queues of one scenario, and what is asked of each."""

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._dialect = dialect_of(world)
        self._weights: dict[str, int] = {}
        self._capabilities: dict[str, int] = {}
        self._wanted: dict[str, int] = {}

    @verb("{queues:a_queue}", not_in_place=SHARED)
    def add_queues(self, queues: QueueSpec) -> None:
        """Add queues.

        Raises:
            HarnessError: the dialect has no queues: the scenario needs the capability Queues.
        """
        for name in queues.names:
            self._add_queue(name, queues)

    def _add_queue(self, name: str, spec: QueueSpec) -> None:
        queue = self._dialect.queue
        if queue is None:
            raise HarnessError(f"the dialect {self._dialect.name} has no queues")
        limits = {"capability": spec.capability, "guarantee": spec.guarantee}
        told = {key: cpus for key, cpus in limits.items() if cpus is not None}
        self._world.act(f"adds queue {name} of weight {spec.weight}", queue=name, weight=spec.weight, **told)
        self._weights[name] = spec.weight
        if spec.capability is not None:
            self._capabilities[name] = spec.capability
        metadata = {"name": self.full_name(name), "labels": {CELL_LABEL: self._cell.name}}
        body = queue.object(
            metadata,
            weight=spec.weight,
            namespace=self._namespace,
            reclaimable=spec.reclaimable,
            capability=None if spec.capability is None else str(spec.capability),
            guarantee=None if spec.guarantee is None else str(spec.guarantee),
        )
        place = self._namespace if queue.namespaced else ""
        self._world.do(self._cell.belongings.make(queue.resource.path(place), body))

    @property
    def any(self) -> bool:
        """There are queues."""
        return bool(self._weights)

    def full_name(self, name: str) -> str:
        """The name of the object of a queue."""
        return f"{self._namespace}-{name}"

    def knows(self, full_name: str) -> bool:
        """Whether there is a queue whose object has this name."""
        return full_name in map(self.full_name, self._weights)

    def want(self, name: str, cpus: int) -> None:
        """Pods that request this many more CPUs are created in a queue."""
        self._wanted[name] = self._wanted.get(name, 0) + cpus

    def shares(self, cpus: int) -> Json:
        """What the weighted max-min share of each queue follows from, for the fact ``shares_given``.

        Args:
            cpus: what all nodes have.
        """
        wanted = {
            queue: str(min(self._wanted.get(queue, 0), self._capabilities.get(queue, cpus)))
            for queue in self._weights
        }
        return {"total": str(cpus), "weights": dict(self._weights), "wanted": wanted, "pod": "1"}
