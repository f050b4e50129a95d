"""A Job of 1,000 to 100,000 completions, or 1,000 Jobs of 100: what is counted, how fast, at what cost.

The reference and kube-controller-manager take turns on one control plane. Each works with nothing between it
and the API server (``direct``), or behind the proxy of a cell, which records all to disk (``proxy``)::

    python benchmarks/large.py --pods 1000 10000 --output large
    python benchmarks/large.py --pods 100000 --ways direct --output large
    python benchmarks/large.py --pods 100 --jobs 1000 --ways direct

The Jobs are Indexed; at most 1,000 pods of a Job run at once. Each pod succeeds as soon as it is seen. When a
third is counted the controller is killed and started again; behind the proxy its watches are closed as well
when two thirds are. In the end all counts, indexes and pods have to be exact: what is not is printed, and the
benchmark fails. What the proxy recorded is judged afterwards, with all invariants, in a process of its own.

OUTPUT gets ``large.json`` and ``large.svg``. A rate means something only on a machine that does nothing else;
a ratio, which is made within one round, nearly anywhere.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import resource
import secrets
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

from direct import direct
from ending import Waves, quantile
from live import behind
from plot import Line, chart
from usage import cpu_s, resident_mib

from batchproof.api.client import Api
from batchproof.cell import Cell
from batchproof.cell.instance import LaunchPlan
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.choice import ClusterOptions
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.evidence.replay import judge_history
from batchproof.ground.errors import HarnessError
from batchproof.judgement.history import Json, Request, Saved
from batchproof.processes.janitor import PROCESSES
from batchproof.profiles.shared.collections import WITH_JOBS
from batchproof.running.environment import staged
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ending import Account

    Key = tuple[int, str, str]

NAMES = ("reference", "kube-controller-manager")
WAYS = ("direct", "proxy")
_AT_ONCE = 1000
_LOOK_EVERY_S = 1.0
_LONG = 100.0
_LEAST_S, _EACH_S = 300.0, 0.05


@dataclass
class HistoryIndex:
    """What one round took.

    Attributes:
        seconds: from the creation of the first Job to the last that is Complete.
        created_s, counted_s: from then until the last pod was made, and counted.
        lag_p50_s, lag_p99_s: from the end of the k-th pod until k pods were counted, over all k.
        cpu_s: of the controller.
        peak_mib: the most that the controller was seen to have resident.
        memory_mib: the most that each kind of process was seen to have.
        status_writes: how often the status of a Job changed.
        requests_a_pod: of the controller, watches and lists included; 0 where they are not recorded.
        wrong: what is not exact.
        behind_s: how late the recorder was at the most; 0 without one.
        judged_s, judged_mib: what it took to judge the history; 0 without one.
        over_time: seconds, pods that ended, pods that are counted, MiB of the controller, at each look.
    """

    seconds: float = 0.0
    created_s: float = 0.0
    counted_s: float = 0.0
    lag_p50_s: float = 0.0
    lag_p99_s: float = 0.0
    cpu_s: float = 0.0
    peak_mib: float = 0.0
    memory_mib: dict[str, float] = field(default_factory=dict)
    status_writes: int = 0
    requests_a_pod: float = 0.0
    wrong: list[str] = field(default_factory=list)
    behind_s: float = 0.0
    judged_s: float = 0.0
    judged_mib: float = 0.0
    over_time: list[tuple[float, int, int, float]] = field(default_factory=list)


class Controller:
    """The controller of a round: what its processes are, and how it is killed and started again.

    Args:
        namespace: where its Jobs are.
        pids: its processes, now.
        restart: kill it and start it again.
        close_watches: end its watches; None: it cannot be done.
    """

    def __init__(
        self,
        namespace: str,
        pids: Callable[[], list[int]],
        restart: Callable[[], None],
        close_watches: Callable[[], None] | None = None,
    ) -> None:
        self.namespace = namespace
        self.pids = pids
        self._restart = restart
        self.close_watches = close_watches
        self._used_s = 0.0

    def restart(self) -> None:
        """Kill it and start it again; what it has used so far counts."""
        self._used_s += cpu_s(self.pids())
        self._restart()

    @property
    def cpu_s(self) -> float:
        """The CPU seconds of all its processes, those that were killed included."""
        return self._used_s + cpu_s(self.pids())


def main() -> None:
    """Measure, print a table and write what was measured; fails if anything is not exact."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pods", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--names", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--output", type=Path, help="a folder for large.json and large.svg")
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.judge:
        _judge(chosen.judge)
        return
    taken: dict[tuple[int, str, str], list[HistoryIndex]] = {}
    of = {name: descriptors.load(descriptors.find(name)) for name in chosen.names}
    binaries = Binaries(None, unseen)
    first = of[chosen.names[0]]
    with staged(first, ClusterOptions(), lambda _: None) as stage, stage.plane() as plane:
        for pods in chosen.pods:
            for turn in range(1, chosen.rounds + 1):
                for way in chosen.ways:
                    for name in chosen.names:
                        began = _WAYS[way]
                        one = _round(
                            began, of[name], binaries.of_processes(of[name]), plane, chosen.jobs, pods
                        )
                        taken.setdefault((pods, way, name), []).append(one)
                        rate = chosen.jobs * pods / one.seconds
                        print(f"{turn}: {pods} {way} {name}: {rate:.0f} pods/s", file=sys.stderr)
    _print(taken, chosen.jobs)
    if chosen.output:
        _write(taken, chosen.jobs, chosen.output)
    if any(one.wrong for ones in taken.values() for one in ones):
        raise SystemExit("not all is exact: see above")


@contextlib.contextmanager
def _direct(
    implementation: Implementation, binaries: Mapping[str, Path], plane: Plane, _: Path
) -> Iterator[Controller]:
    """A controller with nothing between it and the API server."""
    namespace = f"large-{secrets.token_hex(3)}"
    asyncio.run(_make_namespace(plane, namespace))
    with contextlib.ExitStack() as running:

        def start() -> list[int]:
            started = direct(implementation, binaries, plane, {})
            return [process.pid for process in running.enter_context(started)]

        def restart() -> None:
            running.close()
            pids[:] = start()

        pids = start()
        yield Controller(namespace, lambda: pids, restart)


@contextlib.contextmanager
def _proxied(
    implementation: Implementation, binaries: Mapping[str, Path], plane: Plane, history: Path
) -> Iterator[Controller]:
    """A controller behind the proxy of a cell, which records all into a history."""
    program = LaunchPlan(implementation, binaries, (), {})
    cell = Cell(f"bp-{secrets.token_hex(3)}-bench", plane, program, WITH_JOBS)
    try:
        cell.call(cell.open())
        world = World(cell, requirement="x", sentences={"x": "large"}, scale=_LONG, spool=history)
        restart = world.process.restart
        yield Controller(
            world.scene.namespace, lambda: cell.instance.pids, restart, world.faults.close_watches
        )
    finally:
        cell.shut()


_WAYS = {"direct": _direct, "proxy": _proxied}


def _round(  # noqa: PLR0917 - who, where and how much
    way: Callable[..., contextlib.AbstractContextManager[Controller]],
    implementation: Implementation,
    binaries: Mapping[str, Path],
    plane: Plane,
    jobs: int,
    pods: int,
) -> HistoryIndex:
    with tempfile.TemporaryDirectory() as folder:
        history = Path(folder) / "history.jsonl"
        with way(implementation, binaries, plane, history) as controller:
            try:
                taken = asyncio.run(_measure(controller, plane, jobs, pods))
            except TimeoutError as error:
                raise SystemExit(
                    f"{implementation.name}: {jobs} Jobs of {pods} pods were not Complete in time; try fewer "
                    "with --pods, or look for what stopped the controller"
                ) from error
        if history.exists():
            _add_history(taken, history, jobs * pods)
        return taken


async def _make_namespace(plane: Plane, name: str) -> None:
    async with Api(plane) as api:
        await api.create("/api/v1/namespaces", {"metadata": {"name": name}})


async def _measure(controller: Controller, plane: Plane, jobs: int, pods: int) -> HistoryIndex:
    """Create the Jobs, disturb the controller, wait until all are Complete, and remove them."""
    all_pods, taken = jobs * pods, HistoryIndex()
    async with Api(plane) as api:
        waves = Waves(api, controller.namespace)
        before_s, began = controller.cpu_s, monotonic()
        looking = asyncio.create_task(_look(controller, plane, waves.account, taken))
        async with waves, asyncio.timeout(_LEAST_S + all_pods * _EACH_S):
            for number in range(jobs):
                await api.create(f"{_jobs(controller.namespace)}", _job(f"job-{number}", pods))
            await waves.counted(all_pods // 3)
            await asyncio.to_thread(controller.restart)
            await waves.counted(2 * all_pods // 3)
            if controller.close_watches:
                await asyncio.to_thread(controller.close_watches)
            await waves.completed(jobs)
        taken.seconds = monotonic() - began
        looking.cancel()
        taken.cpu_s = controller.cpu_s - before_s
        _account(taken, waves.account, began, jobs, pods)
        await _clear(api, controller.namespace)
    return taken


def _account(taken: HistoryIndex, account: Account, began_s: float, jobs: int, pods: int) -> None:
    """Add what the watches saw."""
    lags_s = account.lags_s
    taken.lag_p50_s, taken.lag_p99_s = quantile(lags_s, 0.5), quantile(lags_s, 0.99)
    taken.created_s = account.created_s[-1] - began_s
    taken.counted_s = account.counted_s[-1] - began_s
    taken.status_writes = account.writes
    taken.wrong = account.wrong(jobs, pods)


async def _look(controller: Controller, plane: Plane, account: Account, taken: HistoryIndex) -> None:
    """Look at the processes, and how far all is, once a second, until it is cancelled."""
    began_s = monotonic()
    while True:
        own = resident_mib(controller.pids())
        of_all = resident_mib(
            int(it.name) for it in (plane.run_dir / PROCESSES).iterdir() if it.name.isdigit()
        )
        taken.peak_mib = max(taken.peak_mib, sum(own.values()))
        for name, mib in of_all.items():
            taken.memory_mib[name] = max(mib, taken.memory_mib.get(name, 0.0))
        now_s = monotonic()
        ended, counted = len(account.ended_s), len(account.counted_s)
        taken.over_time.append((now_s - began_s, ended, counted, sum(own.values())))
        await asyncio.sleep(_LOOK_EVERY_S)


def _jobs(namespace: str) -> str:
    return f"/apis/batch/v1/namespaces/{namespace}/jobs"


def _job(name: str, pods: int) -> Json:
    container = {"name": "main", "image": "batchproof.dev/simulated"}
    spec = {
        "completionMode": "Indexed",
        "completions": pods,
        "parallelism": min(pods, _AT_ONCE),
        "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
    }
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": spec}


async def _clear(api: Api, namespace: str) -> None:
    """Delete what was made, so that the next round finds the API server as this one did."""
    await api.delete(_jobs(namespace), propagationPolicy="Orphan")
    while (await api.get(f"/api/v1/namespaces/{namespace}/pods?limit=1"))["items"]:
        with contextlib.suppress(HarnessError):  # deleting this many can take longer than a request may
            await api.delete(f"/api/v1/namespaces/{namespace}/pods", gracePeriodSeconds=0)


def _add_history(taken: HistoryIndex, history: Path, pods: int) -> None:
    """Add what the history of a round shows, and what it takes to judge it."""
    asked = sum(isinstance(record.entry, Request) for record in Saved(history))
    taken.requests_a_pod = asked / pods
    taken.behind_s = max(behind(Saved(history)), default=0.0)
    command = [sys.executable, __file__, "--judge", str(history)]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    taken.judged_s, taken.judged_mib = said["s"], said["MiB"]
    taken.wrong += said["broken"]


def _judge(history: Path) -> None:
    """Judge a history by all invariants, and print what it took and what is broken."""
    began = monotonic()
    breaches = judge_history(Saved(history), "BAS-002", None).breaches
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    broken = sorted({f"{one.requirement} is broken" for one in breaches})
    print(json.dumps({"s": monotonic() - began, "MiB": mib, "broken": broken}))


def _print(taken: Mapping[Key, Sequence[HistoryIndex]], jobs: int) -> None:
    """The table: medians of all rounds, and the ratio to kube-controller-manager in the same round."""
    print(
        "| pods | way | controller | pods/s | ratio | lag P50 s | lag P99 s | CPU ms a pod | MiB "
        "| status writes |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (pods, way, name), ones in taken.items():
        others = taken.get((pods, way, NAMES[-1]), ones)
        ratio = median(other.seconds / one.seconds for one, other in zip(ones, others, strict=True))
        middle = sorted(ones, key=lambda one: one.seconds)[len(ones) // 2]
        number = jobs * pods
        print(
            f"| {jobs} x {pods:,} | {way} | {name} | {number / middle.seconds:.0f} | {ratio:.2f} "
            f"| {middle.lag_p50_s:.2f} | {middle.lag_p99_s:.2f} | {middle.cpu_s / number * 1000:.2f} "
            f"| {middle.peak_mib:.0f} | {middle.status_writes} |"
        )
        if middle.judged_s:
            print(
                f"  recorded: {middle.behind_s:.2f} s late at the most, "
                f"{middle.requests_a_pod:.2f} requests a pod; "
                f"judged in {middle.judged_s:.1f} s with {middle.judged_mib:.0f} MiB"
            )
        for text in sorted({text for one in ones for text in one.wrong}):
            print(f"  WRONG: {text}")
    sys.stdout.flush()


def _write(taken: Mapping[Key, Sequence[HistoryIndex]], jobs: int, folder: Path) -> None:
    """Write all figures as JSON, and the first rounds as a drawing."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {"jobs": jobs, "pods": pods, "way": way, "controller": name, "rounds": [asdict(one) for one in ones]}
        for (pods, way, name), ones in taken.items()
    ]
    (folder / "large.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    lines = [
        Line(
            f"{jobs} x {pods:,} {way}: {name}", [(at_s, counted) for at_s, _, counted, _ in ones[0].over_time]
        )
        for (pods, way, name), ones in taken.items()
        if pods == max(pods for pods, _, _ in taken)
    ]
    drawn = chart("Pods that are counted", "seconds", lines)
    (folder / "large.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
