"""What a cell has on the API server: its node, its priorities, what a scenario made; and how it all goes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.api.client import Api, make_namespace
from batchproof.cell.kubelet import node_body, node_status
from batchproof.cell.scope import Collection
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL, NAMESPACES, NODES, Resource
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

_AT_ONCE = 20  # deletions of the harness in flight
_PRIORITY_CLASSES = Resource("scheduling.k8s.io", "v1", "priorityclasses")
PRIORITIES = {"urgent": 2000, "high": 1000, "low": 10, "negative": -10}
"""The PriorityClasses of each cell, without the cell's name."""
PREEMPTING = {"urgent"}
"""Those of whose pods others may be evicted."""


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What a scenario leaves behind at its end.

    Attributes:
        namespaces: those that were made for it, with all that is in them.
        objects: the paths of what it made in the cluster.
    """

    namespaces: tuple[str, ...]
    objects: tuple[str, ...]


class ClusterObjects:
    """The objects of one cell on the API server.

    Attributes:
        node: the name of the node that the kubelet of scenarios without nodes of their own plays.
    """

    def __init__(self, api: Api, cell: str) -> None:
        self._api = api
        self._cell = cell
        self.node = f"{cell}-node"
        self._has_node = False
        self._made: list[str] = []
        self._namespaces: list[str] = []

    async def ensure_node(self) -> None:
        """Make the node of all Job scenarios before its first pod: a scheduler is not to find it."""
        if self._has_node:
            return
        self._has_node = True
        status = node_status({"cpu": "64", "memory": "256Gi", "pods": "2000"})
        await self._api.create(NODES.path(), node_body(self.node, {CELL_LABEL: self._cell}))
        await self._api.patch(NODES.path(name=self.node, subresource="status"), {"status": status})

    async def make_priorities(self) -> None:
        """Make the PriorityClasses of gang scenarios now: admission knows a new one only after a moment."""
        for name, value in PRIORITIES.items():
            metadata = {"name": f"{self._cell}-{name}", "labels": {CELL_LABEL: self._cell}}
            body = {
                "apiVersion": _PRIORITY_CLASSES.api_version,
                "kind": "PriorityClass",
                "metadata": metadata,
            }
            # Where the question is which gang is first among those that wait, no pod is to be evicted.
            policy = "PreemptLowerPriority" if name in PREEMPTING else "Never"
            await self._api.create(
                _PRIORITY_CLASSES.path(), {**body, "value": value, "preemptionPolicy": policy}
            )

    async def make(self, path: str, body: Json) -> str:
        """Create a cluster-scoped object for the running scenario; it goes with it. Returns its own path."""
        place = f"{path}/{body['metadata']['name']}"
        self._made.append(place)
        await self._api.create(path, body)
        return place

    async def make_namespace(self, name: str, *, with_account: bool) -> Json:
        """Create a namespace for the running scenario; all that is in it goes with it."""
        self._namespaces.append(name)
        return await make_namespace(self._api, name, self._cell, with_account=with_account)

    async def make_node(self, body: Json, status: Json) -> Json:
        """Create a node for the running scenario; returns it as it is stored."""
        place = await self.make(NODES.path(), body)
        await self._api.patch(f"{place}/status", {"status": status})
        # Admission marks every new node as not ready; where no controller takes that off again, we do.
        return await self._api.patch(place, {"spec": {"taints": body["spec"]["taints"]}})

    async def real_image(self) -> str:
        """An image that a real node has for sure: its pause, which with ``-v`` says what it is and ends.

        Raises:
            HarnessError: no node has it.
        """
        nodes = (await self._api.get(f"{NODES.path()}?labelSelector=%21{CELL_LABEL}"))["items"]
        for node in nodes:
            for image in node["status"].get("images", []):
                if named := [name for name in image["names"] if "/pause:" in name]:
                    return str(named[0])
        raise HarnessError(f"none of the {len(nodes)} real nodes says that it has the image of its pause")

    def hand_over(self) -> Leftovers:
        """What the ending scenario leaves behind; the next one begins with nothing."""
        leavings = Leftovers(tuple(self._namespaces), tuple(self._made))
        self._namespaces, self._made = [], []
        return leavings

    async def sweep(self, leavings: Leftovers, collections: Sequence[Collection], *, whole: bool) -> None:
        """Delete what a scenario made, also what is stuck on a finalizer.

        Args:
            leavings: what ``hand_over`` gave.
            collections: of what something may be left in its namespaces.
            whole: delete its namespaces too, which is dear: the cluster is not thrown away.
        """
        swept = [each for each in collections if each.swept and each.namespaced]
        places: list[str] = []
        for each in sorted(swept, key=lambda one: not one.makes_pods):
            for path in map(each.resource.path, leavings.namespaces):
                if each.at_once:
                    await self._api.delete(path, propagationPolicy="Background", gracePeriodSeconds=0)
                left = (await self._api.get(path))["items"]
                places += [f"{path}/{item['metadata']['name']}" for item in left]
        gate = asyncio.Semaphore(_AT_ONCE)

        async def release(place: str) -> None:
            async with gate:
                left = await self._api.delete(place, gracePeriodSeconds=0)
                if left.get("metadata", {}).get("finalizers"):
                    await self._api.patch(place, {"metadata": {"finalizers": None}}, missing_ok=True)

        await asyncio.gather(*map(release, places))
        # Nodes and queues last: no process is to miss them meanwhile.
        await asyncio.gather(*map(release, leavings.objects))
        for namespace in leavings.namespaces if whole else ():
            await self._api.delete(NAMESPACES.path(name=namespace))
