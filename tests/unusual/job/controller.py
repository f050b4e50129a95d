"""The loops: when a Job is looked at, and how what was decided is carried out."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.unusual.job import ways
from tests.unusual.job.api import CONFLICT, GONE, NOT_FOUND, Api, ApiError, path_of
from tests.unusual.job.decide import Choices, Memory, Plan, decide
from tests.unusual.job.model import INDEX, TRACKING, Job, Pod, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from tests.unusual.job.ways import Release, Remove, Write

Json = dict[str, Any]
Key = tuple[str, str]
_LONGEST_RETRY_S = 20.0
_RESYNC_S = 30.0


@dataclass(frozen=True)
class Program:
    """A controller: how it decides, and how it acts.

    Attributes:
        choices: how it decides.
        write: how it writes a status.
        release: how it takes the finalizer off a pod.
        remove: how it removes a surplus pod, which is released and deleted.
        propagation: how it deletes a Job whose time to live is over; empty: it leaves that to others.
        names: what of its metadata names a new pod, by Job and index.
        order: what is done first.
        at_once: how many pods are created at once; 0: first one, then twice as many each time.
        stops_at_errors: what is refused ends a look at a Job; else all else is done.
        in_turn: one request is made after the other.
        looks_every_s: how often it looks at all Jobs, in seconds, and never else; 0: when something changes.
        pause_s: how long it leaves a Job alone after it has looked at it.
    """

    choices: Choices = field(default_factory=Choices)
    write: Write = ways.put_status
    release: Release = ways.release_by_strategic_patch
    remove: Remove = ways.release_then_delete
    propagation: str = "Foreground"
    names: Callable[[Job, int | None], Json] = ways.usual_name
    order: tuple[str, ...] = ("status", "release", "delete", "create")
    at_once: int = 0
    stops_at_errors: bool = False
    in_turn: bool = False
    looks_every_s: float = 0.0
    pause_s: float = 0.2


class Controller:
    """Looks at Jobs one by one, each in a task of its own."""

    def __init__(self, api: Api, program: Program) -> None:
        self._api = api
        self._program = program
        self._woken: dict[Key, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._memories: dict[str, Memory] = {}
        self._changed: dict[Key, int] = {}
        self._owners: dict[str, Key] = {}

    async def run(self) -> None:
        """Work until the process ends."""
        await asyncio.gather(self._follow("jobs"), self._follow("pods"), self._look_regularly())

    # -- when

    async def _follow(self, resource: str) -> None:
        """See every change of a resource; begin again whenever the watch ends."""
        version = ""
        while True:
            try:
                if not version:
                    listed = await self._api.ask("GET", path_of(resource))
                    version = listed["metadata"]["resourceVersion"]
                    self._saw(resource, listed["items"])
                async for event in self._api.watch(path_of(resource), version):
                    version = event["object"]["metadata"]["resourceVersion"]
                    if event["type"] != "BOOKMARK":
                        self._saw(resource, [event["object"]])
            except ApiError as error:
                version = "" if error.status == GONE else version
                await asyncio.sleep(1.0)

    def _saw(self, resource: str, items: Iterable[Json]) -> None:
        if self._program.looks_every_s:
            return
        for raw in items:
            namespace = raw["metadata"]["namespace"]
            if resource == "jobs":
                key = namespace, raw["metadata"]["name"]
                self._changed[key] = raw["metadata"].get("generation", 0)
                self._wake(key)
                continue
            pod = Pod(raw)
            key = namespace, pod.controller["name"] if pod.of_a_job else ""
            if key[1] or not pod.controller:
                self._wake(key)
            if (before := self._owners.get(pod.uid, key)) != key:
                self._wake(before)
            self._owners[pod.uid] = key

    async def _look_regularly(self) -> None:
        """Look at everything from time to time."""
        while True:
            if self._program.looks_every_s:
                try:
                    for resource in ("jobs", "pods"):
                        self._look_at((await self._api.ask("GET", path_of(resource)))["items"], resource)
                except ApiError:
                    pass
            await asyncio.sleep(self._program.looks_every_s or _RESYNC_S)

    def _look_at(self, items: Iterable[Json], resource: str) -> None:
        for raw in items:
            namespace, pod = (
                raw["metadata"]["namespace"],
                Pod({"spec": {}, **raw}) if resource == "pods" else None,
            )
            if pod is None:
                self._wake((namespace, raw["metadata"]["name"]))
            elif pod.of_a_job and pod.tracked:
                self._wake((namespace, pod.controller["name"]))
            elif not pod.controller:
                self._wake((namespace, ""))

    def _wake(self, key: Key) -> None:
        if key not in self._woken:
            self._woken[key] = asyncio.Event()
            task = asyncio.create_task(self._attend(key))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._woken[key].set()

    async def _attend(self, key: Key) -> None:
        """Look at one Job, again and again: later and later while something fails."""
        woken, failures, wait_s = self._woken[key], 0, 0.0
        again_s: float | None = None
        generation = self._changed.get(key)
        while True:
            if failures:
                await self._wait_out(
                    key, generation, max(wait_s, min(2.0 ** (failures - 1), _LONGEST_RETRY_S)), asked=wait_s
                )
            else:
                try:
                    async with asyncio.timeout(again_s):
                        await woken.wait()
                except TimeoutError:
                    pass
            woken.clear()
            generation = self._changed.get(key)
            try:
                again_s, did = await self._look(key)
                failures, wait_s = 0, 0.0
                if did:
                    woken.set()
            except ApiError as error:
                sys.stderr.write(f"{key} {error.status} {error}\n")
                failures, wait_s = (0 if error.status == CONFLICT else failures + 1), error.wait_s
                if not failures:
                    woken.set()
            await asyncio.sleep(self._program.pause_s)

    async def _wait_out(self, key: Key, generation: int | None, wait_s: float, *, asked: float) -> None:
        """Wait before the next attempt; a change of the Job ends that, unless the server asked for it."""
        until = time.monotonic() + wait_s
        while (left_s := until - time.monotonic()) > 0:
            if not asked and self._changed.get(key) != generation:
                return
            await asyncio.sleep(min(left_s, 0.2))

    # -- what

    async def _look(self, key: Key) -> tuple[float | None, bool]:
        """Read all that concerns a Job, decide, and act; returns when to look again, and whether it acted.

        Raises:
            ApiError: something was refused; all else was done.
        """
        namespace, name = key
        job = await self._read(namespace, name) if name else None
        listed = await self._api.ask("GET", path_of("pods", namespace))
        pods = [Pod(it) for it in listed["items"]]
        if not name:
            return None, await self._release_strays(namespace, pods)
        mine = [it for it in pods if it.of_a_job and it.controller["name"] == name]
        current = job.uid if job else ""
        left = [it for it in mine if it.tracked and it.controller["uid"] != current]
        errors: list[ApiError] = []
        did = await self._safely(errors, self._all([self._release(namespace, it) for it in left]))
        if job is None or not job.ours:
            if errors:
                raise errors[0]
            return None, did
        claimed = await self._claim(job, pods)
        if claimed:
            return None, True
        mine = [it for it in mine if it.controller["uid"] == job.uid]
        return await self._act(job, mine, errors, did=did)

    async def _act(
        self, job: Job, pods: list[Pod], errors: list[ApiError], *, did: bool
    ) -> tuple[float | None, bool]:
        memory, now = self._memories.setdefault(job.uid, Memory()), time.time()
        memory.take(job, pods, now)
        plan = decide(job, pods, memory, self._program.choices, now)
        for step in self._program.order:
            did |= await self._safely(errors, getattr(self, f"_do_{step}")(job, plan))
            if errors and self._program.stops_at_errors:
                break
        if errors:
            raise max(errors, key=lambda it: (it.wait_s, it.status != CONFLICT))
        return await self._expire(job, plan, now), did

    async def _safely(self, errors: list[ApiError], part: Coroutine[Any, Any, bool]) -> bool:
        """Do a part; what is refused is kept for later."""
        try:
            return await part
        except ApiError as error:
            errors.append(error)
            return False

    async def _read(self, namespace: str, name: str) -> Job | None:
        try:
            return Job(await self._api.ask("GET", path_of("jobs", namespace, name)))
        except ApiError as error:
            if error.status != NOT_FOUND:
                raise
            return None

    async def _do_status(self, job: Job, plan: Plan) -> bool:
        if plan.status is None:
            return False
        await self._program.write(self._api, job, plan.status)
        for event in plan.events:
            await self._tell(job, *event)
        return True

    async def _do_release(self, job: Job, plan: Plan) -> bool:
        return await self._all([self._release(job.namespace, pod) for pod in plan.release])

    async def _release(self, namespace: str, pod: Pod) -> None:
        await _or_gone(self._program.release(self._api, namespace, pod))

    async def _do_delete(self, job: Job, plan: Plan) -> bool:
        removals = [self._remove(job, pod) for pod in plan.surplus]
        return await self._all([*removals, *(self._delete(job, pod) for pod in plan.doomed)])

    async def _remove(self, job: Job, pod: Pod) -> None:
        await _or_gone(self._program.remove(self._api, job.namespace, pod))
        await self._tell(job, "Normal", "SuccessfulDelete", f"Deleted pod: {pod.name}")

    async def _delete(self, job: Job, pod: Pod) -> None:
        await _or_gone(ways.delete(self._api, job.namespace, pod))
        await self._tell(job, "Normal", "SuccessfulDelete", f"Deleted pod: {pod.name}")

    async def _do_create(self, job: Job, plan: Plan) -> bool:
        """Create pods, so many at once, and no more after one that was refused."""
        size, left = self._program.at_once or 1, plan.create
        while left:
            batch, left = left[:size], left[size:]
            await self._all([self._create(job, index) for index in batch])
            size = self._program.at_once or 2 * size
        return bool(plan.create)

    async def _create(self, job: Job, index: int | None) -> None:
        try:
            made = await self._api.ask("POST", path_of("pods", job.namespace), self._new_pod(job, index))
        except ApiError as error:
            if "being terminated" not in str(error):
                await self._tell(job, "Warning", "FailedCreate", f"Error creating: {error}")
            raise
        await self._tell(job, "Normal", "SuccessfulCreate", f"Created pod: {made['metadata']['name']}")

    def _new_pod(self, job: Job, index: int | None) -> Json:
        template = job.spec["template"]
        meta = template.get("metadata") or {}
        labels, annotations = {**meta.get("labels", {})}, {**meta.get("annotations", {})}
        spec = {**template["spec"]}
        if index is not None:
            labels[INDEX] = annotations[INDEX] = str(index)
            spec["hostname"] = f"{job.name}-{index}"
            for kind in ("containers", "initContainers"):
                spec[kind] = [_with_index(it) for it in spec.get(kind, [])]
        metadata = {"labels": labels, "annotations": annotations, "finalizers": [TRACKING]}
        metadata |= {"ownerReferences": [ways.reference(job)], **self._program.names(job, index)}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}

    async def _claim(self, job: Job, pods: list[Pod]) -> bool:
        """Adopt pods that match and have no controller, release those that match no longer."""
        if job.deleting or job.finished:
            return False
        adopted = [it for it in pods if not it.controller and not it.deleting and job.matches(it)]
        strayed = [it for it in pods if it.controller.get("uid") == job.uid and not job.matches(it)]
        requests = [_or_gone(ways.adopt(self._api, job, it)) for it in adopted]
        return await self._all([*requests, *(_or_gone(ways.disown(self._api, job, it)) for it in strayed)])

    async def _release_strays(self, namespace: str, pods: list[Pod]) -> bool:
        """Take the finalizer off pods without a controller, unless a Job is about to adopt them."""
        strays = [it for it in pods if it.tracked and not it.controller]
        if not strays:
            return False
        listed = await self._api.ask("GET", path_of("jobs", namespace))
        jobs = [Job(it) for it in listed["items"]]
        wanting = [it for it in jobs if not it.deleting and not (it.ours and it.finished)]
        held = {it.uid for it in strays if not it.deleting and any(job.matches(it) for job in wanting)}
        for job in wanting:
            self._wake((job.namespace, job.name))
        return await self._all([self._release(namespace, it) for it in strays if it.uid not in held])

    async def _expire(self, job: Job, plan: Plan, now: float) -> float | None:
        """Delete a finished Job whose time to live is over; returns when to look again."""
        ttl, end = (
            job.spec.get("ttlSecondsAfterFinished"),
            job.condition("Complete") or job.condition("Failed"),
        )
        if ttl is None or not end or job.deleting or not self._program.propagation:
            return plan.again_s
        left_s = seconds(end["lastTransitionTime"]) + float(ttl) - now
        if left_s <= 0:
            options: Json = {
                "propagationPolicy": self._program.propagation,
                "preconditions": {"uid": job.uid},
            }
            options |= {"apiVersion": "v1", "kind": "DeleteOptions"}
            await _or_gone(self._api.ask("DELETE", path_of("jobs", job.namespace, job.name), options))
        return max(left_s, 0.1)

    async def _tell(self, job: Job, kind: str, reason: str, message: str) -> None:
        """Write an Event; that it fails does not matter."""
        about = {"apiVersion": "batch/v1", "kind": "Job", "name": job.name}
        about |= {"namespace": job.namespace, "uid": job.uid}
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        event: Json = {"apiVersion": "v1", "kind": "Event", "metadata": {"generateName": f"{job.name}."}}
        event |= {"involvedObject": about, "type": kind, "reason": reason, "message": message[:1000]}
        event |= {"firstTimestamp": at, "lastTimestamp": at, "count": 1, "source": {"component": "unusual"}}
        with contextlib.suppress(ApiError):
            await self._api.ask("POST", path_of("events", job.namespace), event)

    async def _all(self, requests: list[Coroutine[Any, Any, Any]]) -> bool:
        """Do all of these; returns whether there were any.

        Raises:
            ApiError: one was refused, after all were made.
        """
        errors: list[ApiError] = []
        if self._program.in_turn:
            for request in requests:
                await self._safely(errors, request)
        else:
            await asyncio.gather(*(self._safely(errors, it) for it in requests))
        if errors:
            raise errors[0]
        return bool(requests)


async def _or_gone(request: Coroutine[Any, Any, Any]) -> None:
    """Make a request; what is gone already is no error."""
    try:
        await request
    except ApiError as error:
        if error.status != NOT_FOUND:
            raise


def _with_index(container: Json) -> Json:
    """A container that has the index of its pod in the environment, unless its user has set that."""
    variables = container.get("env", [])
    if any(it["name"] == "JOB_COMPLETION_INDEX" for it in variables):
        return container
    path = f"metadata.annotations['{INDEX}']"
    mine = {"name": "JOB_COMPLETION_INDEX", "valueFrom": {"fieldRef": {"fieldPath": path}}}
    return {**container, "env": [*variables, mine]}


def main(program: Program) -> None:
    """Run a program with the kubeconfig that its command line names."""

    async def run() -> None:
        await Controller(Api(Path(sys.argv[1])), program).run()

    asyncio.run(run())
