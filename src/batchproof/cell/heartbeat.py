"""The heartbeats of simulated nodes: without them a real cluster marks its nodes dead within a minute.

Source: Kubernetes documentation, "Nodes", heartbeats; the node lifecycle controller counts a Lease whose
renewTime moves as a sign of life, whatever the time in it.
"""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Final

from batchproof.api.client import Api
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL
from batchproof.judgement.history import Json

EVERY_S: Final = 10.0
"""As a kubelet does: a quarter of the default of 40 s after which a node counts as dead."""

_LEASES: Final = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
_AT_ONCE: Final = 20


async def keep_nodes_alive(api: Api, cell: str) -> None:
    """Renew the Leases of a cell's nodes until this is cancelled."""
    while True:
        with contextlib.suppress(
            HarnessError
        ):  # scenarios find out for themselves whether the cluster answers
            await beat(api, cell)
        await asyncio.sleep(EVERY_S)


async def beat(api: Api, cell: str) -> None:
    """Renew the Lease of each node of a cell, and make those that are not there."""
    nodes = (await api.get(f"/api/v1/nodes?labelSelector={CELL_LABEL}%3D{cell}"))["items"]
    gate = asyncio.Semaphore(_AT_ONCE)

    async def renew(node: Json) -> None:
        async with gate:
            lease = lease_of(node, cell)
            path = f"{_LEASES}/{lease['metadata']['name']}"
            if not await api.patch(path, {"spec": lease["spec"]}, missing_ok=True):
                await api.create(_LEASES, lease)

    await asyncio.gather(*map(renew, nodes))


def lease_of(node: Json, cell: str) -> Json:
    """The Lease by which a node shows that it lives; it goes with the node."""
    name = node["metadata"]["name"]
    owner = {"apiVersion": "v1", "kind": "Node", "name": name, "uid": node["metadata"]["uid"]}
    now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": name, "labels": {CELL_LABEL: cell}, "ownerReferences": [owner]},
        "spec": {"holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": now},
    }
