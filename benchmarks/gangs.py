"""Gangs of 1 to 10,000 pods on 1,000 nodes: how fast they are bound, and whether each was bound whole.

The shapes are those of gangs in kube-scheduling-perf (10,000 pods in all, nodes of 16 CPUs, pods of 1 CPU),
here of a fourth of the pods and nodes by default; the reference and kube-scheduler 1.37 with native gangs
(KEP-4671) take turns on one control plane, without a limit of requests of their own::

    python benchmarks/gangs.py
    python benchmarks/gangs.py --pods 10000 --nodes 1000 --output gangs

First the groups are created, then the pods, 32 at once. Of each pod it is taken when its creation was
answered and when a watch showed it bound. What the watch showed is judged afterwards as any history is: no
gang was bound in part, no node has more than it holds. What is broken is printed, and the benchmark fails.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Self

from asking import together
from ending import quantile
from scheduling import FLAGS, GROUPS, group, kube_scheduler, make_node, pod, reference
from usage import cpu_s, peak_mib

from batchproof.api.client import Api
from batchproof.control_plane.assets import MODULE, Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.progress import unseen
from batchproof.descriptor.launch import GoProgram
from batchproof.evidence.replay import judge_history
from batchproof.ground.resources import NODES, PODS, Resource
from batchproof.judgement.claims import eventually
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.history import (
    Action,
    Change,
    ClaimClosed,
    ClaimOpened,
    History,
    HistoryHeader,
    Json,
    Saved,
)
from batchproof.processes.programs import run_directory
from batchproof.profiles.gang.facts.gangs import nothing_in_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduling import Contestant

    Key = tuple[str, str]

_PODGROUPS = Resource("scheduling.k8s.io", "v1beta1", "podgroups")
_NAMES = ("reference", "kube-scheduler")
_SHAPES = (1, 20, 500, 0)
"""How many pods a gang has; 0: all of them. Those that the pods do not suffice for are left out."""
_ROOM = 16
_LIMIT_S = 1800.0
_SETTLE_S = 2.0


@dataclass
class HistoryIndex:
    """What one round of one scheduler took.

    Attributes:
        window_s: from the first pod that was bound to the last.
        whole_s: from the creation of the first group until the last pod was bound.
        p50_s, p90_s, p99_s: from the creation of a pod until it was bound.
        cpu_s: of the scheduler.
        peak_mib: the most memory that it ever had.
        judged_s, judged_mib: what it took to judge the history.
        wrong: what is broken.
    """

    window_s: float
    whole_s: float
    p50_s: float
    p90_s: float
    p99_s: float
    cpu_s: float
    peak_mib: float
    judged_s: float = 0.0
    judged_mib: float = 0.0
    wrong: tuple[str, ...] = ()


def main() -> None:
    """Measure, judge and print a table; fails if a gang was not whole, or a node had too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, default in (("pods", 2500), ("nodes", 250), ("rounds", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument(
        "--members", type=int, nargs="+", default=_SHAPES, help="pods of a gang; 0: all of them"
    )
    parser.add_argument("--output", type=Path, help="a folder for gangs.json")
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.judge:
        _judge(chosen.judge)
        return
    if chosen.pods > chosen.nodes * _ROOM:
        parser.error(f"{chosen.pods} pods need at least {-(-chosen.pods // _ROOM)} nodes")
    members = [it or chosen.pods for it in chosen.members if it <= chosen.pods]
    binaries = Binaries(None, unseen)
    rival = binaries.of(GoProgram(MODULE, "k8s.io/kubernetes/cmd/kube-scheduler"))
    version = binaries.kubernetes_version
    with (
        run_directory() as run,
        tempfile.TemporaryDirectory() as folder,
        EmbeddedControlPlane(
            run.path, binaries.control_plane(), kubernetes_version=version, api_server_flags=FLAGS
        ) as plane,
    ):
        kubeconfig = run.path / "kubeconfig"
        kubeconfig.write_text(plane.kubeconfig(), encoding="utf-8")
        contestants = [reference(run.path, kubeconfig), kube_scheduler(run.path, kubeconfig, rival)]
        rounds = Rounds(contestants, chosen.pods, Path(folder))
        taken = asyncio.run(rounds.run(Api(plane), chosen.nodes, members, chosen.rounds))
    _print(taken, chosen.pods, chosen.nodes)
    if chosen.output:
        chosen.output.mkdir(parents=True, exist_ok=True)
        rows = [
            {"shape": shape, "scheduler": name, "rounds": [asdict(one) for one in ones]}
            for (shape, name), ones in taken.items()
        ]
        (chosen.output / "gangs.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if any(one.wrong for ones in taken.values() for one in ones):
        raise SystemExit("a gang was not whole, or a node had too much: see above")


class Rounds:
    """The rounds of some schedulers on one control plane.

    Args:
        contestants: the schedulers, which take turns.
        pods: how many there are in all.
        folder: for the histories.
    """

    def __init__(self, contestants: Sequence[Contestant], pods: int, folder: Path) -> None:
        self._contestants = contestants
        self._pods = pods
        self._folder = folder

    async def run(
        self, client: Api, nodes: int, members: Sequence[int], rounds: int
    ) -> dict[Key, list[HistoryIndex]]:
        """Make the nodes and play all shapes, each so often."""
        taken: dict[Key, list[HistoryIndex]] = {}
        async with client as api:
            await together(make_node(api, f"node-{number}", _ROOM) for number in range(nodes))
            for each in members:
                shape = f"{self._pods // each:,} x {each:,}"
                for turn in range(rounds):
                    for it in self._contestants:
                        one = await self._round(api, it, f"{it.name}-{each}-{turn}", each)
                        taken.setdefault((shape, it.name), []).append(one)
                        rate = self._pods / one.whole_s
                        print(f"{shape} {it.name}: {rate:.0f} pods/s", file=sys.stderr)
        return taken

    async def _round(self, api: Api, contestant: Contestant, namespace: str, members: int) -> HistoryIndex:
        await api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        pids = [contestant.process.pid]
        watched = _Watched(api, namespace, self._folder / f"{namespace}.jsonl")
        before_s = cpu_s(pids)
        async with watched, asyncio.timeout(_LIMIT_S):
            gangs = [f"gang-{number}" for number in range(self._pods // members)]
            watched.expect(gangs, members)
            groups = f"{GROUPS}/namespaces/{namespace}/podgroups"
            began_s = monotonic()
            await together(api.create(groups, group(gang, members)) for gang in gangs)
            await together(
                watched.create(pod(f"{gang}-{number}", gang, contestant.scheduler))
                for gang in gangs
                for number in range(members)
            )
            await watched.bound(len(gangs) * members)
            await asyncio.sleep(_SETTLE_S)  # what is bound twice, or too much, would be seen by then
        waits_s = sorted(watched.bound_s[name] - at_s for name, at_s in watched.created_s.items())
        last_s = max(watched.bound_s.values())
        taken = HistoryIndex(
            window_s=last_s - min(watched.bound_s.values()),
            whole_s=last_s - began_s,
            p50_s=quantile(waits_s, 0.5),
            p90_s=quantile(waits_s, 0.9),
            p99_s=quantile(waits_s, 0.99),
            cpu_s=cpu_s(pids) - before_s,
            peak_mib=peak_mib(pids),
        )
        await api.delete(f"/api/v1/namespaces/{namespace}/pods", gracePeriodSeconds=0)
        said = await asyncio.to_thread(_judged, watched.path)
        taken.judged_s, taken.judged_mib, taken.wrong = said["s"], said["MiB"], tuple(said["broken"])
        return taken


class _Watched:
    """Creates the pods of a namespace, and records the changes of nodes, groups and pods in a history.

    An async context manager: it watches for the length of its block.
    """

    def __init__(self, api: Api, namespace: str, path: Path) -> None:
        self.path = path
        self.created_s: dict[str, float] = {}
        self.bound_s: dict[str, float] = {}
        self._api = api
        self._places = {
            NODES: "/api/v1/nodes",
            _PODGROUPS: f"{GROUPS}/namespaces/{namespace}/podgroups",
            PODS: f"/api/v1/namespaces/{namespace}/pods",
        }
        began_s = monotonic()
        self._history = History(lambda: monotonic() - began_s, HistoryHeader(version="benchmark"), path)
        self._moved = asyncio.Event()
        self._watching: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for of, place in self._places.items():
            listed = await self._api.get(place)
            for body in listed["items"]:
                self._history.append(Change("ADDED", of, body))
            revision = listed["metadata"]["resourceVersion"]
            self._watching.append(asyncio.create_task(self._watch(of, place, revision)))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        self._history.append(ClaimOpened(1, eventually(nothing_in_part()).scaled(1.0, "GNG-001").to_json()))
        self._history.append(ClaimClosed(1))
        self._history.close()

    def expect(self, gangs: Sequence[str], minimum: int) -> None:
        """Say which gangs there are: these are judged."""
        for gang in gangs:
            self._history.append(
                Action(f"creates gang {gang} with minimum {minimum}", {"gang": gang, "minimum": minimum})
            )

    async def create(self, body: Json) -> None:
        """Create a pod."""
        await self._api.create(self._places[PODS], body)
        self.created_s[body["metadata"]["name"]] = monotonic()

    async def bound(self, count: int) -> None:
        """Wait until this number of pods is bound.

        Raises:
            RuntimeError: a watch ended meanwhile: what it should have shown would be missing.
        """
        while len(self.bound_s) < count:
            self._moved.clear()
            moved = asyncio.create_task(self._moved.wait())
            await asyncio.wait({moved, *self._watching}, return_when=asyncio.FIRST_COMPLETED)
            moved.cancel()
            for task in self._watching:
                if task.done():
                    raise RuntimeError("a watch ended before all pods were bound") from task.exception()

    async def _watch(self, of: Resource, place: str, revision: str) -> None:
        async for event in self._api.watch(place, revision):
            self._history.append(Change(event["type"], of, event["object"]))
            if of == PODS and event["object"]["spec"].get("nodeName"):
                self.bound_s.setdefault(event["object"]["metadata"]["name"], monotonic())
                self._moved.set()


def _judged(history: Path) -> Json:
    """Judge a history in a process of its own, so that its time and memory are known."""
    command = [sys.executable, __file__, "--judge", str(history)]
    said: Json = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return said


def _judge(history: Path) -> None:
    began = monotonic()
    conclusion = judge_history(Saved(history), "GNG-001", None)
    broken = sorted({f"{one.requirement} is broken" for one in conclusion.breaches})
    if conclusion.verdict is not Verdict.PASSED:
        broken.append(f"GNG-001: {conclusion.verdict.value}")
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"s": monotonic() - began, "MiB": mib, "broken": broken}))


def _print(taken: Mapping[Key, Sequence[HistoryIndex]], pods: int, nodes: int) -> None:
    print(f"{pods:,} pods, {nodes:,} nodes of {_ROOM} CPUs; ratios are to kube-scheduler in the same round\n")
    print("| gangs | scheduler | pods/s | ratio | window s | P50 s | P90 s | P99 s | CPU s | MiB | judged |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (shape, name), ones in taken.items():
        ratio = median(
            other.whole_s / one.whole_s for one, other in zip(ones, taken[shape, _NAMES[-1]], strict=True)
        )
        it = sorted(ones, key=lambda one: one.whole_s)[len(ones) // 2]
        wrong = "; ".join(sorted({text for one in ones for text in one.wrong}))
        print(
            f"| {shape} | {name} | {pods / it.whole_s:.0f} | {ratio:.2f} | {it.window_s:.1f} "
            f"| {it.p50_s:.2f} | {it.p90_s:.2f} | {it.p99_s:.2f} | {it.cpu_s:.1f} | {it.peak_mib:.0f} "
            f"| {wrong or 'no gang in part'}, in {it.judged_s:.1f} s, {it.judged_mib:.0f} MiB |"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
