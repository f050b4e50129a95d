"""Pods a second of kube-controller-manager behind the proxy beside the same without it, in one run.

The ways take turns, so that the ratios hold when the machine's speed drifts::

    python benchmarks/proxy.py --pods 1000 --rounds 5

Each round starts kube-controller-manager, lets it make a small Job, and takes the time from the creation of
a Job with as many pods at once until all of them exist. ``direct`` speaks JSON to the API server itself,
``protobuf`` does so in Kubernetes' binary format, and ``proxy`` speaks to the proxy of a cell, which records
all requests, replies and changes as in any scenario; no claim is open.

The rate means something only on a machine that does nothing else; the CPU time a pod nearly anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import sys
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

from asking import count, exist
from direct import direct
from usage import cpu_s

from batchproof.api.client import Api
from batchproof.cell import Cell
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.plane import Plane
from batchproof.descriptor import implementation as descriptors
from batchproof.ground.errors import HarnessError
from batchproof.judgement.history import Json
from batchproof.processes.janitor import PROCESSES
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.running.environment import RunEnvironment, staged

if TYPE_CHECKING:
    from collections.abc import Iterator

WAYS = ("direct", "protobuf", "proxy")
_NAME = "kube-controller-manager"
_JSON = "--kube-api-content-type=application/json"
_PROTOBUF = "--kube-api-content-type=application/vnd.kubernetes.protobuf"
_WARM_UP = 20
_LIMIT_S = 120.0


@dataclass(frozen=True)
class HistoryIndex:
    """What one round of one way took.

    Attributes:
        rate: pods made a second.
        own_ms: CPU milliseconds a pod of this process, which is where proxy and recorder are.
        all_ms: the same of all processes of the run: with all processors busy, what the rate comes from.
    """

    rate: float
    own_ms: float
    all_ms: float


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pods", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    chosen = parser.parse_args()
    taken: dict[str, list[HistoryIndex]] = {way: [] for way in chosen.ways}
    implementation = descriptors.load(descriptors.find(_NAME))
    with staged(implementation, ClusterOptions(), lambda _: None) as stage, stage.plane() as plane:
        for turn in range(chosen.rounds + 1):
            for way in chosen.ways:
                one = _round(stage, plane, way, chosen.pods)
                if turn:  # the first turn warms up
                    taken[way].append(one)
                    print(f"{turn}: {way} {one.rate:.0f} pods/s, {one.all_ms:.2f} ms", file=sys.stderr)
    _print(taken, chosen.pods)


def _round(stage: RunEnvironment, plane: Plane, way: str, pods: int) -> HistoryIndex:
    started = _direct(stage, plane, way) if way in {"direct", "protobuf"} else _proxied(stage, plane)
    with started as namespace:
        return asyncio.run(_measure(plane, namespace, pods))


@contextlib.contextmanager
def _direct(stage: RunEnvironment, plane: Plane, way: str) -> Iterator[str]:
    """kube-controller-manager with nothing between it and the API server; gives a namespace."""
    namespace = f"bench-{secrets.token_hex(3)}"
    instead = {_JSON: _PROTOBUF} if way == "protobuf" else {}
    with direct(stage.implementation, stage.binaries, plane, {}, instead=instead):
        asyncio.run(_make_namespace(plane, namespace))
        yield namespace


async def _make_namespace(plane: Plane, name: str) -> None:
    async with Api(plane) as api:
        await api.create("/api/v1/namespaces", {"metadata": {"name": name}})


@contextlib.contextmanager
def _proxied(stage: RunEnvironment, plane: Plane) -> Iterator[str]:
    """kube-controller-manager behind the proxy of a cell, with a scenario begun; gives its namespace."""
    cell = Cell(f"bp-{secrets.token_hex(3)}-bench", plane, stage.program, WITH_JOBS)
    try:
        cell.call(cell.open())
        yield cell.call(cell.begin(spool=stage.run_dir / f"{cell.name}.jsonl")).namespace
    finally:
        cell.shut()


async def _measure(plane: Plane, namespace: str, pods: int) -> HistoryIndex:
    async with Api(plane) as api:
        await _make(api, namespace, "warm-up", _WARM_UP)
        await asyncio.sleep(1.5)  # the writes that follow a creation (status, events) are not to be measured
        others = [int(each.name) for each in (plane.run_dir / PROCESSES).iterdir() if each.name.isdigit()]
        own_before, others_before = sum(os.times()[:2]), cpu_s(others)
        took_s = await _make(api, namespace, "a", pods)
        own, all_others = sum(os.times()[:2]) - own_before, cpu_s(others) - others_before
        await _clear(api, namespace)
        return HistoryIndex(pods / took_s, own / pods * 1000, (own + all_others) / pods * 1000)


async def _make(api: Api, namespace: str, name: str, pods: int) -> float:
    """Create a Job and wait until all its pods exist; returns how many seconds that took."""
    place = f"/api/v1/namespaces/{namespace}/pods"
    before = await count(api, place)
    began = monotonic()
    await api.create(f"/apis/batch/v1/namespaces/{namespace}/jobs", _job(name, pods))
    await exist(api, place, before + pods, limit_s=_LIMIT_S)
    return monotonic() - began


async def _clear(api: Api, namespace: str) -> None:
    """Delete what was made, so that the next round finds the API server as this one did."""
    jobs, pods = f"/apis/batch/v1/namespaces/{namespace}/jobs", f"/api/v1/namespaces/{namespace}/pods"
    await api.delete(jobs, propagationPolicy="Background", gracePeriodSeconds=0)
    async with asyncio.timeout(_LIMIT_S):
        while await count(api, pods):
            with contextlib.suppress(HarnessError):  # on a busy machine it takes longer than a request may
                await api.delete(pods, gracePeriodSeconds=0)
            await asyncio.sleep(0.5)


def _job(name: str, pods: int) -> Json:
    container = {"name": "main", "image": "batchproof.dev/simulated"}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    spec = {"completions": pods, "parallelism": pods, "template": template}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": spec}


def _print(taken: dict[str, list[HistoryIndex]], pods: int) -> None:
    base = next(iter(taken))
    rounds = len(taken[base])
    print(f"{pods} pods; median of {rounds} rounds; a ratio is that to {base} in the same round")
    titles = ("pods/s", "ratio", "least", "most", "CPU ms", "ratio", "own ms")
    print(" " * 10, *(f"{title:>8}" for title in titles))
    for way, ones in taken.items():
        rates = [one.rate / other.rate for one, other in zip(ones, taken[base], strict=True)]
        costs = [other.all_ms / one.all_ms for one, other in zip(ones, taken[base], strict=True)]
        print(
            f"{way:<10} {median(o.rate for o in ones):>8.0f} {median(rates):>8.2f} {min(rates):>8.2f} "
            f"{max(rates):>8.2f} {median(o.all_ms for o in ones):>8.2f} {median(costs):>8.2f} "
            f"{median(o.own_ms for o in ones):>8.2f}"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
