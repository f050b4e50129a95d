"""Pods bound a second by the reference scheduler beside kube-scheduler, on the same API server, in one run.

The two take turns with native gangs (KEP-4671), so that the ratio holds when the machine's speed drifts::

    python benchmarks/scheduling.py --gangs 50 --members 10 --nodes 50 --rounds 5

All pods exist and wait for their PodGroups. Then these are created, and two things are measured until the
last pod has a node: the time, and the CPU seconds that the scheduler's process used.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass
from math import nan
from time import monotonic
from typing import TYPE_CHECKING

from asking import together
from usage import cpu_s

from batchproof.api.client import Api
from batchproof.cell.kubelet import node_body, node_status
from batchproof.control_plane.assets import MODULE, Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.progress import unseen
from batchproof.descriptor.launch import GoProgram
from batchproof.ground.resources import GANG_LABEL, SIMULATED_TAINT
from batchproof.judgement.history import Json
from batchproof.processes.environment import bare
from batchproof.processes.programs import Process, run_directory, spawn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FLAGS = ("--runtime-config=scheduling.k8s.io/v1beta1=true", "--feature-gates=GenericWorkload=true")
GROUPS = "/apis/scheduling.k8s.io/v1beta1"
_LIMIT_S = 300.0


@dataclass(frozen=True)
class Size:
    """How much is scheduled in one round."""

    gangs: int
    members: int
    nodes: int

    @property
    def pods(self) -> int:
        """All pods of a round."""
        return self.gangs * self.members


@dataclass(frozen=True)
class Contestant:
    """A scheduler that runs: the name that pods ask for it by, and its process."""

    name: str
    scheduler: str
    process: Process


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, default in (("gangs", 50), ("members", 10), ("nodes", 50), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    size = Size(chosen.gangs, chosen.members, chosen.nodes)
    binaries = Binaries(None, unseen)
    parts = binaries.control_plane()
    rival = binaries.of(GoProgram(MODULE, "k8s.io/kubernetes/cmd/kube-scheduler"))
    version = binaries.kubernetes_version
    with (
        run_directory() as run,
        EmbeddedControlPlane(run.path, parts, kubernetes_version=version, api_server_flags=FLAGS) as plane,
    ):
        kubeconfig = run.path / "kubeconfig"
        kubeconfig.write_text(plane.kubeconfig(), encoding="utf-8")
        contestants = [reference(run.path, kubeconfig), kube_scheduler(run.path, kubeconfig, rival)]
        taken = asyncio.run(_measure(Api(plane), contestants, size, chosen.rounds))
    _print(taken, size, chosen.rounds)


def reference(run: Path, kubeconfig: Path) -> Contestant:
    """Start the reference scheduler."""
    argv = [sys.executable, "-m", "reference_controller", "scheduler", "--groups=native"]
    argv.append(f"--kubeconfig={kubeconfig}")
    process = spawn(argv, run_dir=run, name="reference", log=run / "reference.log", env=bare(run))
    return Contestant("reference", "batchproof", process)


def kube_scheduler(run: Path, kubeconfig: Path, binary: Path | None) -> Contestant:
    """Start kube-scheduler."""
    argv = [
        str(binary),
        f"--kubeconfig={kubeconfig}",
        "--feature-gates=GenericWorkload=true",
        "--leader-elect=false",
        # JSON for both, so that the API server has as much to do for the one as for the other.
        "--kube-api-content-type=application/json",
        "--kube-api-qps=10000",
        "--kube-api-burst=10000",
        "--secure-port=0",
        "--authentication-skip-lookup=true",
    ]
    process = spawn(argv, run_dir=run, name="kube-scheduler", log=run / "kube-scheduler.log", env=bare(run))
    return Contestant("kube-scheduler", "default-scheduler", process)


async def _measure(
    client: Api, contestants: Iterable[Contestant], size: Size, rounds: int
) -> dict[tuple[str, str], list[float]]:
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)
    async with client as api:
        room = -(-size.pods // size.nodes) * 2
        await together(make_node(api, f"node-{number}", room) for number in range(size.nodes))
        for turn in range(rounds + 1):
            for contestant in contestants:
                measured = await _round(api, contestant, size, f"{contestant.name}-{turn}")
                for name, value in measured.items():
                    if turn:  # the first turn warms up
                        taken[contestant.name, name].append(value)
    return taken


async def _round(api: Api, contestant: Contestant, size: Size, namespace: str) -> dict[str, float]:
    await api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
    pods = f"/api/v1/namespaces/{namespace}/pods"
    names = [
        (f"gang-{gang}", f"pod-{gang}-{number}")
        for gang in range(size.gangs)
        for number in range(size.members)
    ]
    await together(api.create(pods, pod(name, gang, contestant.scheduler)) for gang, name in names)
    revision = (await api.get(pods))["metadata"]["resourceVersion"]
    await asyncio.sleep(2)  # until both schedulers have seen the pods, and reported that they wait
    groups = f"{GROUPS}/namespaces/{namespace}/podgroups"
    watching = asyncio.create_task(_all_bound(api, pods, revision, size.pods))
    cpu_before, began = cpu_s([contestant.process.pid]), monotonic()
    await together(api.create(groups, group(f"gang-{gang}", size.members)) for gang in range(size.gangs))
    async with asyncio.timeout(_LIMIT_S):
        await watching
    took_s, used_s = monotonic() - began, cpu_s([contestant.process.pid]) - cpu_before
    await api.delete(pods, gracePeriodSeconds=0)
    return {"bind": size.pods / took_s, "cpu_s": used_s}


async def _all_bound(api: Api, pods: str, revision: str, count: int) -> None:
    bound: set[str] = set()
    async for event in api.watch(pods, revision):
        if event["object"]["spec"].get("nodeName"):
            bound.add(event["object"]["metadata"]["name"])
        if len(bound) == count:
            return


async def make_node(api: Api, name: str, room: int) -> None:
    """Create a node with this number of CPUs."""
    body = node_body(name, {})
    await api.create("/api/v1/nodes", body)
    await api.patch(
        f"/api/v1/nodes/{name}/status",
        {"status": node_status({"cpu": str(room), "memory": "64Gi", "pods": "500"})},
    )
    await api.patch(f"/api/v1/nodes/{name}", {"spec": {"taints": body["spec"]["taints"]}})


def group(name: str, minimum: int) -> Json:
    """A native PodGroup."""
    policy = {"gang": {"minCount": minimum}}
    return {
        "apiVersion": "scheduling.k8s.io/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name},
        "spec": {"schedulingPolicy": policy},
    }


def pod(name: str, gang: str, scheduler: str) -> Json:
    """A pod of a gang, which needs one CPU."""
    container = {"name": "main", "image": "batchproof.dev/simulated", "resources": {"requests": {"cpu": "1"}}}
    spec = {
        "schedulerName": scheduler,
        "schedulingGroup": {"podGroupName": gang},
        "containers": [container],
        "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
    }
    metadata = {"name": name, "labels": {GANG_LABEL: gang}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _print(taken: dict[tuple[str, str], list[float]], size: Size, rounds: int) -> None:
    print(f"{size.gangs} gangs of {size.members} pods on {size.nodes} nodes; median of {rounds} rounds")
    print(f"{'':<8} {'reference':>12} {'kube-scheduler':>26} {'ratio':>8}")
    for what, unit in (("bind", "pods/s"), ("cpu_s", "CPU s")):
        ours, theirs = (statistics.median(taken[name, what]) for name in ("reference", "kube-scheduler"))
        print(f"{what:<8} {ours:>12.2f} {theirs:>26.2f} {ours / theirs if theirs else nan:>8.2f}  ({unit})")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
