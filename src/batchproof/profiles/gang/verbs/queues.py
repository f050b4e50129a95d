"""The verbs about the queues of gang scenarios."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL, Resource
from batchproof.judgement.history import Json
from batchproof.profiles.gang.specs import QueueSpec
from batchproof.profiles.gang.verbs.setting import dialect_of
from batchproof.profiles.gang.verbs.unseen import Seen, changing
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

SHARED = "what queues share is all that the cluster has, and in place others have a part of it"
"""Why scenarios with queues cannot be judged in place."""


class Queues:
    """The queues of one scenario, and what is asked of each."""

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._dialect = dialect_of(world)
        self._specs: dict[str, QueueSpec] = {}
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
        _, path, body = self._stored(name, spec)
        self._act(f"adds queue {name} of weight {spec.weight}", name, spec)
        self._world.do(self._cell.belongings.make(path, body))

    @verb("a user changes the weight of queue {name:word} to {weight:d}", not_in_place=SHARED)
    @verb("a user lets queue {name:word} have at most {capability:d} [CPU|CPUs]", not_in_place=SHARED)
    @verb("a user keeps {guarantee:d} [CPU|CPUs] for queue {name:word}", not_in_place=SHARED)
    def change_queue(
        self,
        name: str,
        weight: int | None = None,
        capability: int | None = None,
        guarantee: int | None = None,
    ) -> None:
        """Change the weight, the capability or the guarantee of a queue that exists.

        Raises:
            HarnessError: there is no queue of that name: the scenario has to add it first.
        """
        before = self._added(name)
        spec = replace(
            before,
            weight=before.weight if weight is None else weight,
            capability=before.capability if capability is None else capability,
            guarantee=before.guarantee if guarantee is None else guarantee,
        )
        asked = {"weight": weight, "capability": capability, "guarantee": guarantee}
        what, value = next(item for item in asked.items() if item[1] is not None)
        self._change(f"changes the {what} of queue {name} to {value}", name, spec)

    @verb("a user makes queue {name:word} reclaimable", not_in_place=SHARED, reclaimable=True)
    @verb("a user makes queue {name:word} not reclaimable", not_in_place=SHARED, reclaimable=False)
    def change_reclaimable(self, name: str, *, reclaimable: bool) -> None:
        """Change whether pods of a queue that exists may be evicted for others.

        Raises:
            HarnessError: there is no queue of that name: the scenario has to add it first.
        """
        said = f"makes queue {name} {'' if reclaimable else 'not '}reclaimable"
        self._change(said, name, replace(self._added(name), reclaimable=reclaimable))

    def _change(self, said: str, name: str, spec: QueueSpec) -> None:
        _, path, body = self._stored(name, spec)
        self._act(said, name, spec)
        asked = {key: value for key, value in body.items() if key != "metadata"}
        self._world.do(self._world.api.patch(f"{path}/{self.full_name(name)}", asked))

    @verb(
        "queue {name:word} is replaced by one of its name with at most {capability:d} [CPU|CPUs]",
        not_in_place=SHARED,
    )
    @verb(
        "the implementation sees late that queue {name:word} is replaced by one of its name"
        " with at most {capability:d} [CPU|CPUs]",
        not_in_place=SHARED,
        seen="late",
    )
    @verb(
        "the implementation misses that queue {name:word} is replaced by one of its name"
        " with at most {capability:d} [CPU|CPUs]",
        not_in_place=SHARED,
        seen="missed",
    )
    def replace_queue(self, name: str, capability: int, seen: Seen = "") -> None:
        """A queue is deleted, and another of its name, its weight and its guarantee is added.

        Raises:
            HarnessError: there is no queue of that name: the scenario has to add it first.
        """
        spec = replace(self._added(name), capability=capability)
        resource, path, _ = self._stored(name, spec)
        place = f"{path}/{self.full_name(name)}"
        with changing(self._world, resource, seen):
            self._world.act(f"deletes queue {name}")
            self._world.do(self._cell.api.delete(place))
            self._world.release(place)
            self._add_queue(name, spec)

    @verb("a user deletes queue {name:word}", not_in_place=SHARED)
    @verb("the implementation misses that queue {name:word} is deleted", not_in_place=SHARED, seen="missed")
    def delete_queue(self, name: str, seen: Seen = "") -> None:
        """A queue is deleted.

        Raises:
            HarnessError: there is no queue of that name: the scenario has to add it first.
        """
        spec = self._added(name)
        resource, path, _ = self._stored(name, spec)
        place = f"{path}/{self.full_name(name)}"
        gone = {"queue": name, "guarantee": 0} if spec.guarantee else {}
        with changing(self._world, resource, seen):
            self._world.act(f"deletes queue {name}", **gone)
            self._world.do(self._cell.api.delete(place))
            self._world.release(place)

    @verb("queue {name:word} is created again", not_in_place=SHARED)
    def create_queue_again(self, name: str) -> None:
        """A queue that was deleted is added as it was.

        Raises:
            HarnessError: there was no queue of that name.
        """
        self._add_queue(name, self._added(name))

    def mark_queue(self, name: str, mark: Mapping[str, str]) -> None:
        """Another client gives a queue these annotations and labels.

        Raises:
            HarnessError: there is no queue of that name: the scenario has to add it first.
        """
        _, path, _ = self._stored(name, self._added(name))
        self._world.act(f"another client annotates and labels queue {name}")
        metadata = {"annotations": mark, "labels": mark}
        self._world.do(self._world.api.patch(f"{path}/{self.full_name(name)}", {"metadata": metadata}))

    def _added(self, name: str) -> QueueSpec:
        """What was said last of a queue.

        Raises:
            HarnessError: there is no queue of that name.
        """
        if name not in self._specs:
            raise HarnessError(f"there is no queue {name}: add it first, as in 'a queue {name} of weight 1'")
        return self._specs[name]

    def _act(self, said: str, name: str, spec: QueueSpec) -> None:
        limits = {"capability": spec.capability, "guarantee": spec.guarantee}
        told = {key: cpus for key, cpus in limits.items() if cpus is not None}
        self._world.act(said, queue=name, weight=spec.weight, **told)
        self._specs[name] = spec

    def _stored(self, name: str, spec: QueueSpec) -> tuple[Resource, str, Json]:
        """Of the object of a queue: its resource, where it belongs, and what it is."""
        queue = self._dialect.queue
        if queue is None:
            raise HarnessError(f"the dialect {self._dialect.name} has no queues")
        metadata = {"name": self.full_name(name), "labels": {CELL_LABEL: self._cell.name}}
        body = queue.object(
            metadata,
            weight=spec.weight,
            namespace=self._namespace,
            reclaimable=spec.reclaimable,
            capability=None if spec.capability is None else str(spec.capability),
            guarantee=None if spec.guarantee is None else str(spec.guarantee),
        )
        return queue.resource, queue.resource.path(self._namespace if queue.namespaced else ""), body

    @property
    def any(self) -> bool:
        """There are queues."""
        return bool(self._specs)

    def full_name(self, name: str) -> str:
        """The name of the object of a queue."""
        return f"{self._namespace}-{name}"

    def knows(self, full_name: str) -> bool:
        """Whether there is a queue whose object has this name."""
        return full_name in map(self.full_name, self._specs)

    def want(self, name: str, cpus: int) -> None:
        """Pods that request this many more CPUs are created in a queue."""
        self._wanted[name] = self._wanted.get(name, 0) + cpus

    def shares(self, cpus: int) -> Json:
        """What the weighted max-min share of each queue follows from, for the fact ``shares_given``.

        Args:
            cpus: what all nodes have.
        """
        wanted = {name: str(min(self._wanted.get(name, 0), self._most(name, cpus))) for name in self._specs}
        weights = {name: spec.weight for name, spec in self._specs.items()}
        return {"total": str(cpus), "weights": weights, "wanted": wanted, "pod": "1"}

    def _most(self, name: str, cpus: int) -> int:
        capability = self._specs[name].capability
        return cpus if capability is None else capability
