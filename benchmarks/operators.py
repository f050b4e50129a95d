"""TFJobs and Volcano Jobs: the references beside the real controllers, on the same API server, in one run.

They take turns, so that the ratios hold when the machine's speed drifts::

    python benchmarks/operators.py --profile tfjob volcano-job --jobs 100 --pods 10 --rounds 3

In each turn a controller is started, without the proxy, and first brings a single Job to its end: then it is
awake. Two times are taken of many Jobs that are created at once: until all their pods exist (``create``), and
from the first pod that succeeds until each Job has ended and says that all its pods have succeeded
(``count``, the kubelet's part included); then the CPU seconds of the controller for both, and the most memory
that it had.

The kubelet is played here, and of Volcano's scheduler that it lets each PodGroup in.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets
import statistics
import sys
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from asking import exist, together
from direct import direct
from usage import cpu_s, peak_mib

from batchproof.api.client import Api
from batchproof.control_plane.assets import Binaries
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.manifests import install
from batchproof.control_plane.plane import Plane
from batchproof.control_plane.progress import unseen
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import NAMESPACES, PODS, Resource
from batchproof.judgement.history import Json
from batchproof.processes.programs import Process, free_ports, run_directory
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.tfjob.objects import TFJOBS, TFJob
from batchproof.profiles.tfjob.specs import TFJobSpec
from batchproof.profiles.tfjob.verbs import tfjob_body
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS, VolcanoJob
from batchproof.profiles.volcano_job.specs import TaskSpec, VolcanoJobSpec
from batchproof.profiles.volcano_job.words import tasks_of, volcano_job_body

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
    from pathlib import Path

T = TypeVar("T")
_LIMIT_S = 300.0
_LOOK_EVERY_S = 0.2
_QUEUE = "bench"
_FIGURES = {"create": "pods/s", "count": "pods/s", "cpu_s": "CPU s", "memory": "MiB"}


@dataclass(frozen=True)
class Work:
    """What the controllers of a profile work on.

    Attributes:
        names: the implementations that take turns, the reference first.
        jobs: the resource of the Jobs.
        body: a Job of that name that ends when that many pods have succeeded.
        ended: a Job has ended well, and counts that many succeeded pods.
        groups: its pods wait until a scheduler lets their PodGroup in.
    """

    names: tuple[str, str]
    jobs: Resource
    body: Callable[[str, int], Json]
    ended: Callable[[Json, int], bool]
    groups: bool


@dataclass(frozen=True)
class Size:
    """The given number of Jobs, each of the given number of pods."""

    jobs: int
    pods: int

    @property
    def all_pods(self) -> int:
        """The pods of all Jobs."""
        return self.jobs * self.pods


@dataclass(frozen=True)
class Contestant:
    """An implementation with what it is started with."""

    implementation: Implementation
    binaries: Mapping[str, Path]
    crds: tuple[Path, ...]
    ports: Mapping[str, int]


def _tfjob(name: str, pods: int) -> Json:
    settings = (("successPolicy", "AllWorkers"),)
    return tfjob_body(name, TFJobSpec(replicas=(("Worker", pods),), settings=settings))


def _tfjob_ended(raw: Json, pods: int) -> bool:
    job = TFJob(raw)
    return bool(job.condition("Succeeded")) and job.counts("Worker")["succeeded"] == pods


def _volcano_job(name: str, pods: int) -> Json:
    tasks = tasks_of(VolcanoJobSpec(tasks=(TaskSpec(count=pods),)))
    return volcano_job_body(name, tasks, [f"minAvailable {pods}"], queue=_QUEUE)


def _volcano_job_ended(raw: Json, pods: int) -> bool:
    job = VolcanoJob(raw)
    return job.phase == "Completed" and job.number("succeeded") == pods


_WORKS = {
    "tfjob": Work(("reference-tfjob", "training-operator"), TFJOBS, _tfjob, _tfjob_ended, groups=False),
    "volcano-job": Work(
        ("reference-volcano-job", "volcano-controllers"),
        VOLCANO_JOBS,
        _volcano_job,
        _volcano_job_ended,
        groups=True,
    ),
}


def main() -> None:
    """Measure and print a table for each profile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--profile", nargs="+", choices=_WORKS, default=list(_WORKS))
    for name, default in (("jobs", 100), ("pods", 10), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--alone", action="store_true", help="only the references: nothing else is built")
    chosen = parser.parse_args()
    size = Size(chosen.jobs, chosen.pods)
    binaries = Binaries(None, unseen)
    for profile in chosen.profile:
        work = _WORKS[profile]
        contestants = [_contestant(name, binaries) for name in work.names[: 1 if chosen.alone else 2]]
        with (
            run_directory() as run,
            EmbeddedControlPlane(
                run.path, binaries.control_plane(), kubernetes_version=binaries.kubernetes_version
            ) as plane,
        ):
            taken = _turns(plane, work, contestants, size, chosen.rounds)
        _print(taken, profile, size, chosen.rounds)


def _contestant(name: str, binaries: Binaries) -> Contestant:
    implementation = descriptors.load(descriptors.find(name))
    names = sorted(implementation.ports)
    return Contestant(
        implementation,
        binaries.of_processes(implementation),
        binaries.crds(implementation),
        dict(zip(names, free_ports(len(names)), strict=True)),
    )


def _turns(
    plane: Plane, work: Work, contestants: list[Contestant], size: Size, rounds: int
) -> dict[str, dict[str, list[float]]]:
    """What each turn of each took, by the name of the implementation and what was measured."""
    taken: dict[str, dict[str, list[float]]] = {each.implementation.name: {} for each in contestants}
    asyncio.run(_prepare(plane, work, contestants))
    for turn in range(rounds + 1):
        for each in contestants:
            with direct(each.implementation, each.binaries, plane, each.ports) as processes:
                found = asyncio.run(_watched(processes, _turn(plane, work, processes, size)))
            asyncio.run(_clear(plane))
            if turn:  # the first turn warms up
                for name, value in found.items():
                    taken[each.implementation.name].setdefault(name, []).append(value)
    return taken


async def _prepare(plane: Plane, work: Work, contestants: list[Contestant]) -> None:
    """Make what each of them needs; where two define the same, the definition of the reference is taken.

    The reference of Volcano keeps in a Job's status which indexes are done: Volcano's definition drops that.
    """
    async with Api(plane) as api:
        for each in contestants:
            objects = descriptors.objects(each.implementation, each.ports)
            await install(api, each.crds, [it for it in objects if not _asks(it)], make=True)
        if work.groups:
            body = {"apiVersion": QUEUES.api_version, "kind": "Queue", "metadata": {"name": _QUEUE}}
            await api.create(QUEUES.path(), {**body, "spec": {"weight": 1}})


def _asks(body: Json) -> bool:
    """A webhook configuration that names a webhook, which is supporting here and so left out."""
    return any(each.get("rules") for each in body.get("webhooks") or ())


async def _watched(processes: list[Process], playing: Coroutine[Any, Any, T]) -> T:
    """What comes of a turn, unless a process ends meanwhile.

    Raises:
        HarnessError: one has ended.
    """
    turn = asyncio.create_task(playing)
    while not turn.done():
        await asyncio.wait({turn}, timeout=_LOOK_EVERY_S)
        for process in processes:
            if not process.alive:
                turn.cancel()
                raise HarnessError(
                    f"{process.name} ended with {process.returncode}. It said:\n{process.said()}"
                )
    return turn.result()


async def _turn(plane: Plane, work: Work, processes: list[Process], size: Size) -> dict[str, float]:
    pids = [process.pid for process in processes]
    async with Api(plane) as api:
        await _round(api, work, pids, Size(1, size.pods))
        return await _round(api, work, pids, size)


async def _round(api: Api, work: Work, pids: list[int], size: Size) -> dict[str, float]:
    namespace = f"bench-{secrets.token_hex(3)}"
    await api.create(NAMESPACES.path(), {"metadata": {"name": namespace}})
    jobs, pods = work.jobs.path(namespace), PODS.path(namespace)
    cpu_before = cpu_s(pids)
    async with _scheduled(api, namespace, wanted=work.groups):
        began = monotonic()
        await together(api.create(jobs, work.body(f"job-{n}", size.pods)) for n in range(size.jobs))
        await exist(api, pods, size.all_pods, limit_s=_LIMIT_S)
        created_s = monotonic() - began
    listed = (await api.get(pods))["items"]
    await together(_report(api, pod, "Running", {"running": {}}) for pod in listed)
    revision = (await api.get(jobs))["metadata"]["resourceVersion"]
    began = monotonic()
    ending = asyncio.create_task(_all_ended(api, work, jobs, revision, size))
    terminated = {"terminated": {"exitCode": 0, "reason": "Completed"}}
    await together(_report(api, pod, "Succeeded", terminated) for pod in listed)
    async with asyncio.timeout(_LIMIT_S):
        await ending
    return {
        "create": size.all_pods / created_s,
        "count": size.all_pods / (monotonic() - began),
        "cpu_s": cpu_s(pids) - cpu_before,
        "memory": peak_mib(pids),
    }


@contextlib.asynccontextmanager
async def _scheduled(api: Api, namespace: str, *, wanted: bool) -> AsyncIterator[None]:
    """A scheduler with much room lets every PodGroup of a namespace in, for the length of a block."""
    if not wanted:
        yield
        return
    groups = PODGROUPS.path(namespace)
    revision = (await api.get(groups))["metadata"]["resourceVersion"]

    async def let_in() -> None:
        async for event in api.watch(groups, revision):
            if event["type"] == "ADDED":
                name = event["object"]["metadata"]["name"]
                await api.patch(PODGROUPS.path(namespace, name), {"status": {"phase": "Inqueue"}})

    letting_in = asyncio.create_task(let_in())
    try:
        yield
    finally:
        letting_in.cancel()
        await asyncio.gather(letting_in, return_exceptions=True)


async def _report(api: Api, pod: Json, phase: str, state: Json) -> None:
    """Report a pod as the kubelet does: its phase, and the state of each container."""
    metadata, runs = pod["metadata"], phase == "Running"
    containers = [
        {"name": it["name"], "image": it["image"], "imageID": "", "ready": runs, "restartCount": 0}
        for it in pod["spec"]["containers"]
    ]
    status = {"phase": phase, "containerStatuses": [{**it, "state": state} for it in containers]}
    place = PODS.path(metadata["namespace"], metadata["name"])
    await api.patch(f"{place}/status", {"status": status})


async def _all_ended(api: Api, work: Work, jobs: str, revision: str, size: Size) -> None:
    ended: set[str] = set()
    async for event in api.watch(jobs, revision):
        if work.ended(event["object"], size.pods):
            ended.add(event["object"]["metadata"]["name"])
        if len(ended) == size.jobs:
            return


async def _clear(plane: Plane) -> None:
    """Delete all that was made, so that the next turn finds the API server as this one did."""
    async with Api(plane) as api:
        listed = (await api.get(NAMESPACES.path()))["items"]
        names = [it["metadata"]["name"] for it in listed if it["metadata"]["name"].startswith("bench-")]
        await together(api.delete(NAMESPACES.path(name=name)) for name in names)
        await asyncio.gather(*(_gone(api, NAMESPACES.path(name=name)) for name in names))


async def _gone(api: Api, place: str) -> None:
    """Wait until an object is gone."""
    async with asyncio.timeout(_LIMIT_S):
        while await api.get(place, missing_ok=True):  # noqa: ASYNC110 - nothing else shows it
            await asyncio.sleep(_LOOK_EVERY_S)


def _print(taken: Mapping[str, Mapping[str, list[float]]], profile: str, size: Size, rounds: int) -> None:
    print(f"{profile}: {size.jobs} Jobs of {size.pods} pods; median of {rounds} rounds")
    print(f"{'':<8}", *(f"{name:>24}" for name in taken), f"{'ratio':>8}" if len(taken) > 1 else "")
    for what, unit in _FIGURES.items():
        medians = [statistics.median(figures[what]) for figures in taken.values()]
        ratio = f"{medians[0] / medians[1]:>8.2f}" if len(medians) > 1 and medians[1] else ""
        print(f"{what:<8}", *(f"{value:>24.2f}" for value in medians), ratio, f"({unit})")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
