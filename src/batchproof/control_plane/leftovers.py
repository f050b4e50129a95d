"""What runs have made in a cluster that is not theirs: found by the label, reported, and removed.

All that the harness makes carries the label ``batchproof.dev/cell``, whose value begins with ``bp-RUN-``, or
lies in a namespace that does. Nothing else is ever touched.

A run is alive while it renews the Leases of its nodes.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from batchproof.api.client import Api, ApiError
from batchproof.ground.resources import CELL_LABEL, RUNTIME_CLASSES
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

NAMESPACES: Final = "/api/v1/namespaces"
NODES: Final = "/api/v1/nodes"
VOLUMES: Final = "/api/v1/persistentvolumes"
LEASES: Final = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
ALIVE_S: Final = 60.0
_CELL: Final = re.compile(r"bp-(?P<run>[0-9a-f]{6})-[a-z0-9]+")
_SCHEDULING: Final = "scheduling.k8s.io"
_BUILT_IN: Final = re.compile(r"[^.]+|(?!.*\.x-k8s\.io$).*\.k8s\.io")
_REFUSED: Final = {403, 404, 405}
_AT_ONCE: Final = 20
_POLL_S: Final = 0.2


def cell_name(run: str, worker: str) -> str:
    """The name of a cell; its namespaces and nodes begin with it."""
    return f"bp-{run}-{worker}"


@dataclass(frozen=True, slots=True, order=True)
class Leftover:
    """One object that a run has made.

    Attributes:
        run: the id of the run.
        collection: the URL path of its collection.
        name: its name.
        seen: when the run last showed that it lives: a Lease's renewal, anything's creation.
    """

    run: str
    collection: str
    name: str
    seen: datetime

    @property
    def path(self) -> str:
        """Its own URL path."""
        return f"{self.collection}/{self.name}"

    def __str__(self) -> str:
        """In words: ``namespaces/bp-1a2b3c-gw0-1``."""
        return f"{self.collection.rpartition('/')[2]}/{self.name}"


async def find(api: Api, run: str | None = None) -> list[Leftover]:
    """All that runs (or one of them) have made, but for what lies in their namespaces.

    Raises:
        HarnessError: the API server does not answer, or does not let us see namespaces and nodes.
    """
    found = [*await _labelled(api, NAMESPACES), *await _labelled(api, NODES)]
    for collection in [LEASES, VOLUMES, RUNTIME_CLASSES.path(), *(await _custom(api))[0]]:
        try:
            found += await _labelled(api, collection)
        except ApiError as error:  # where we may not look we have made nothing
            if error.status not in _REFUSED:
                raise
    return [one for one in found if run in {None, one.run}]


def living(remnants: Iterable[Leftover], now: datetime) -> set[str]:
    """The runs that have shown within ALIVE_S that they live."""
    return {one.run for one in remnants if now - one.seen < timedelta(seconds=ALIVE_S)}


def summary(remnants: Collection[Leftover]) -> str:
    """How many of what: ``2 namespaces, 1 nodes``."""
    counts: dict[str, int] = defaultdict(int)
    for one in remnants:
        counts[one.collection.rpartition("/")[2]] += 1
    return ", ".join(f"{count} {what}" for what, count in counts.items())


async def remove(api: Api, remnants: Collection[Leftover], within_s: float) -> list[Leftover]:
    """Remove what runs have made, also what is stuck on a finalizer: namespaces first, then the rest.

    Returns:
        What is still there after ``within_s`` seconds.
    """
    custom = (await _custom(api))[1]
    namespaces = [one for one in remnants if one.collection == NAMESPACES]
    gate = asyncio.Semaphore(_AT_ONCE)

    async def removed(one: Leftover) -> None:
        async with gate:
            if one.collection == NAMESPACES:
                await _empty(api, one.name, custom)
            else:
                await api.patch(one.path, {"metadata": {"finalizers": None}}, missing_ok=True)
            await api.delete(one.path)

    await asyncio.gather(*map(removed, namespaces))
    left = await _awaited(api, namespaces, within_s)
    await asyncio.gather(*(removed(one) for one in remnants if one.collection != NAMESPACES))
    return left


async def _awaited(api: Api, namespaces: Collection[Leftover], within_s: float) -> list[Leftover]:
    left = list(namespaces)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            while left:
                there = {one.name for one in await _labelled(api, NAMESPACES)}
                left = [one for one in left if one.name in there]
                await asyncio.sleep(_POLL_S if left else 0)
    return left


async def _empty(api: Api, namespace: str, custom: Collection[str]) -> None:
    """Delete Jobs, pods, claims and custom objects of a namespace at once, so that no finalizer holds it."""
    jobs = f"/apis/batch/v1/namespaces/{namespace}/jobs"
    pods = f"/api/v1/namespaces/{namespace}/pods"
    claims = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    more = [collection.format(namespace=namespace) for collection in custom]
    for collection in (jobs, pods, claims, *more):
        try:
            items = (await api.get(collection, missing_ok=True)).get("items", [])
        except ApiError as error:
            if error.status in _REFUSED:
                continue
            raise
        for item in items:
            place = f"{collection}/{item['metadata']['name']}"
            if item["metadata"].get("finalizers"):
                await api.patch(place, {"metadata": {"finalizers": None}}, missing_ok=True)
            await api.delete(place, gracePeriodSeconds=0, propagationPolicy="Background")


async def _labelled(api: Api, collection: str) -> list[Leftover]:
    listed = await api.get(f"{collection}?labelSelector={CELL_LABEL}")
    remnants = (_remnant(collection, item) for item in listed["items"])
    return [one for one in remnants if one]


def _remnant(collection: str, item: Json) -> Leftover | None:
    """The object, if its label is one of ours: another client may use a label of that name."""
    metadata = item["metadata"]
    cell = metadata["labels"][CELL_LABEL]
    named = _CELL.fullmatch(cell)
    if named is None or not f"{metadata['name']}-".startswith(f"{cell}-"):
        return None
    seen = (item.get("spec") or {}).get("renewTime") if collection == LEASES else None
    return Leftover(
        named["run"], collection, metadata["name"], _moment(seen or metadata["creationTimestamp"])
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


async def _custom(api: Api) -> tuple[list[str], list[str]]:
    """The collections that the cluster has beside those of Kubernetes itself, and those of scheduling.

    Returns:
        Cluster-scoped ones, and namespaced ones with ``{namespace}`` in their path.
    """
    cluster, namespaced = [], []
    for group in (await api.get("/apis"))["groups"]:
        if group["name"] != _SCHEDULING and _BUILT_IN.fullmatch(group["name"]):
            continue
        for served in group["versions"] if group["name"] == _SCHEDULING else [group["preferredVersion"]]:
            base = f"/apis/{served['groupVersion']}"
            for resource in (await api.get(base, missing_ok=True)).get("resources", []):
                if "/" in resource["name"] or not {"list", "delete"} <= set(resource["verbs"]):
                    continue
                if resource["namespaced"]:
                    namespaced.append(f"{base}/namespaces/{{namespace}}/{resource['name']}")
                else:
                    cluster.append(f"{base}/{resource['name']}")
    return cluster, namespaced
