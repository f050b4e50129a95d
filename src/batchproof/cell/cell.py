"""The cell of a pytest worker: everything that one scenario after the other happens in."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from batchproof import __version__
from batchproof.api.client import Api
from batchproof.api.stamps import Stamps
from batchproof.cell.audit import Audit
from batchproof.cell.cluster_objects import ClusterObjects, Leftovers
from batchproof.cell.heartbeat import keep_nodes_alive
from batchproof.cell.instance import Instance, LaunchPlan
from batchproof.cell.kubelet import Kubelet
from batchproof.cell.loop import new_loop
from batchproof.cell.recorder import Recorder
from batchproof.cell.scenario_run import ScenarioRun
from batchproof.cell.scope import Collection
from batchproof.control_plane.manifests import install, see_served
from batchproof.control_plane.plane import Plane
from batchproof.descriptor.dialect import Dialect
from batchproof.descriptor.implementation import objects
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import BUILT_IN_MANAGER, Resource
from batchproof.judgement.faults import Call
from batchproof.judgement.history import EXITED, HistoryHeader, Json, Origin, ProcessChange, Record
from batchproof.processes.scheduling import Queued, queued, queued_here
from batchproof.proxy.transport import Proxy
from batchproof.proxy.view import View

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping, Sequence
    from pathlib import Path

T = TypeVar("T")
_WATCHDOG_S = 0.05
_LOGS_AT = 5
"""Every fifth time that the watchdog looks for processes that have ended, it shortens their logs too."""
_CATCH_UP_S = 10.0
MEDDLED = "batchproof.dev/changed"
"""The annotation that another client changes: it means nothing to any controller."""


class Cell:
    """One implementation with its own view of an API server, its node and its scenarios.

    Made in the main thread of a worker; its coroutines run on a loop in a thread of its own (``call``).

    Attributes:
        name: unique on the API server; namespaces and the node begin with it.
        scene: the running scenario.
        instance: the implementation, as it runs in most scenarios: alone.
        replicas: those that run instead of it in this scenario and elect a leader.
        belongings: what it has on the API server.
        kubelet: the cell's node, playing for the running scenario.
    """

    def __init__(
        self, name: str, plane: Plane, program: LaunchPlan, collections: Sequence[Collection]
    ) -> None:
        self.name = name
        self._collections = tuple(collections)
        self.plane = plane
        alone = program.implementation.isolation == "control-plane" and plane.traits.disposable
        self.view = View(name, whole=alone)
        served_as = program.implementation.control_plane.served_as
        stamps = Stamps()
        guarded = not plane.traits.disposable
        self.proxy = Proxy(plane, self.view, guarded=guarded, stamps=stamps, served_as=served_as)
        self.api = Api(plane, stamps)
        self._audit = Audit(plane.audit_log, name, stamps)
        self.belongings = ClusterObjects(self.api, name)
        self.instance = Instance(program, self.proxy, plane.run_dir, name)
        self._numbers = itertools.count(1)
        self._spare: list[Instance] = []
        self.replicas: list[Instance] = []
        self.scene: ScenarioRun | None = None
        self.kubelet: Kubelet
        self._recorder: Recorder
        self._noted: set[int] = set()
        self._scenes = 0
        self._meddled = 0
        self._sweeping: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._heartbeats: asyncio.Task[None] | None = None
        self._loop = new_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"cell {name}", daemon=True)
        self._thread.start()

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the cell's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    @property
    def dialect(self) -> Dialect | None:
        """How gangs are spelled for the implementation."""
        return self.instance.program.implementation.dialect

    @property
    def managed_by(self) -> str | None:
        """``spec.managedBy`` of the Jobs that the implementation handles."""
        return self.instance.program.implementation.managed_by

    # -- the cell's life

    async def open(self) -> None:
        """Start the proxy, and make what the implementation needs to find on the API server."""
        _collect_seldom()
        await self.proxy.start()
        await self.api.__aenter__()
        if self.plane.traits.controlled:
            self._heartbeats = asyncio.create_task(keep_nodes_alive(self.api, self.name))
        program = self.instance.program
        needed = objects(program.implementation, self.instance.ports, ca_bundle=self.instance.ca_bundle)
        await install(self.api, program.crds, needed, make=self.plane.traits.disposable)
        if self.dialect:
            queue = self.dialect.queue
            if status_resource := self.dialect.status_resource:
                await see_served(self.api, status_resource, namespaced=True)
            for spelled in (*([queue] if queue else ()), *(it.spelling for it in self.dialect.setting)):
                await see_served(self.api, spelled.resource, namespaced=spelled.namespaced)
            await self.belongings.make_priorities()

    async def close(self) -> None:
        """End a scenario that still runs, stop the implementation, and end all connections."""
        await self.finish(disturbed=False)
        self.instance.stop()
        for each in self._spare:
            each.stop()
        await asyncio.gather(*self._background, return_exceptions=True)
        if self._heartbeats:
            self._heartbeats.cancel()
            await asyncio.gather(self._heartbeats, return_exceptions=True)
        await self.proxy.stop()
        await self.api.__aexit__(None, None, None)

    def shut(self) -> None:
        """Close the cell and its loop; an error while it closes changes no verdict."""
        try:
            self.call(self.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5)

    # -- the implementation

    async def use(self, program: LaunchPlan) -> None:
        """From now on run another program (the reference with another defect)."""
        if program != self.instance.program:
            if self._sweeping:  # what is left of the last scenario may need its surroundings to be deleted
                await self._sweeping
            self.instance.run_another(program)

    async def start(self) -> None:
        """Start the implementation."""
        await self._start(self.instance)

    async def _start(self, instance: Instance) -> None:
        number = next(self._numbers)
        if self.scene:
            self.scene.process(number, "started")
        await instance.start(number)
        if self.scene:
            self.scene.process(number, "ready")

    async def replicate(self, count: int, namespace: str) -> None:
        """Run this many replicas, which elect a leader, in place of the one, until the scenario ends."""
        program = self.instance.program
        self.kill()
        for position in range(count):
            if position == len(self._spare):
                self._spare.append(Instance(program, self.proxy, self.plane.run_dir, self.name))
            replica = self._spare[position]
            replica.program = program.replica(position + 1)
            replica.namespace = namespace
            self.replicas.append(replica)
            await self._start(replica)

    def replica(self, number: int) -> Instance:
        """The replica whose instance has that number."""
        return next(each for each in self.replicas if each.number == number)

    def kill_replica(self, number: int) -> None:
        """Kill one replica, now."""
        self.replica(number).kill()
        if self.scene:
            self.scene.process(number, "killed")

    @property
    def alive(self) -> bool:
        """The implementation runs, or one replica of it."""
        return any(each.alive for each in self.replicas or [self.instance])

    def kill(self) -> None:
        """Kill the implementation, now."""
        self.instance.kill()
        self.proxy.gates.close_watches()  # the watches of the dead are not those of its successor
        if self.scene:
            self.scene.process(self.instance.number, "killed")

    def keep_running(self) -> None:
        """Start the implementation again whenever it is killed in this scenario, as a node would."""
        scene = self.scene
        assert scene is not None  # noqa: S101 - a step of a scenario asks for it
        reviving: asyncio.Task[None] | None = None

        async def revive() -> None:
            try:
                await self.start()
            except HarnessError as error:
                scene.fail(error)

        def look(record: Record) -> None:
            nonlocal reviving
            if isinstance(record.entry, ProcessChange) and record.entry.what == "killed":
                if reviving:  # it may write, and be killed for it, before it is seen to be ready
                    reviving.cancel()
                reviving = asyncio.create_task(revive())
                self._background.add(reviving)
                reviving.add_done_callback(self._background.discard)

        scene.history.listen(look)

    # -- a scenario

    async def make_namespace(self, name: str) -> None:
        """Make a further namespace for the running scenario; it goes with it."""
        await self.belongings.make_namespace(name, with_account=self.plane.traits.controlled)

    async def begin(
        self, *, time_scale: float = 1.0, spool: Path | None = None, origin: Origin | None = None
    ) -> ScenarioRun:
        """Make a namespace, watch it, see that the implementation runs: the stage of one scenario.

        Args:
            time_scale: the factor of all deadlines and tolerances.
            spool: where the history is written as it happens; None: it is kept in memory.
            origin: of what it is the history.
        """
        if self._sweeping and self.dialect:  # a scheduler would count what is left of the last scenario
            await self._sweeping
        self._scenes += 1
        namespace = f"{self.name}-{self._scenes}"
        self._audit.begin()
        made = await self.belongings.make_namespace(namespace, with_account=self.plane.traits.controlled)
        header = self._header(time_scale, origin)
        scene = ScenarioRun(namespace, self.kill, meddle=self._meddle, header=header, spool=spool)
        self._noted.clear()
        self._note_exits(scene)  # between two scenarios: what heals it is ours, so the next history has it
        if not self.instance.alive:
            await self.instance.start(next(self._numbers))
        scene.process(self.instance.number, "ready")
        self.scene = self.proxy.scene = scene
        self._recorder = Recorder(
            self.api,
            scene,
            {each.resource: each.path(namespace) for each in self._collections},
            made["metadata"]["resourceVersion"],
        )
        self.kubelet = Kubelet(self.api, scene, self.belongings.node, self.belongings.ensure_node)
        watchdog = asyncio.create_task(self._watch_over(scene))
        self._background.add(watchdog)
        watchdog.add_done_callback(self._background.discard)
        return scene

    def _header(self, time_scale: float, origin: Origin | None) -> HistoryHeader:
        return HistoryHeader(
            version=__version__,
            time_scale=time_scale,
            manager=self.managed_by or BUILT_IN_MANAGER,
            finalizer=self.instance.program.implementation.finalizer,
            audited=self._audit.kept,
            origin=origin,
        )

    async def _meddle(self, call: Call) -> None:
        """Change the object that a request names, as another client would: it gets a new resourceVersion."""
        path = call.resource.path(call.namespace, call.name)
        self._meddled += 1
        change = {"metadata": {"annotations": {MEDDLED: str(self._meddled)}}}
        await self.api.patch(path, change, missing_ok=True)

    async def _watch_over(self, scene: ScenarioRun) -> None:
        """Note in the history when a process ends that the harness did not kill."""
        for look in itertools.count():
            if self.scene is not scene:
                return
            self._note_exits(scene)
            if look % _LOGS_AT == 0:
                for each in (self.instance, *self.replicas):
                    each.shorten_logs()
            await asyncio.sleep(_WATCHDOG_S)

    def _note_exits(self, scene: ScenarioRun) -> None:
        """Record each process that ended by itself; one of the surroundings takes the scenario with it."""
        for instance in (self.instance, *self.replicas):
            for process, supporting in instance.ended():
                if process.pid in self._noted:
                    continue
                self._noted.add(process.pid)
                last_words = f"{process.name}: exit code {process.returncode}\n{process.tail()}"
                if supporting:
                    scene.fail(HarnessError(f"a part of the harness ended unexpectedly: {last_words}"))
                else:
                    scene.process(instance.number, f"{EXITED}: {last_words}")

    def queued(self) -> Queued:
        """How long the threads on which the implementation's progress depends have waited for a processor.

        These are its own, and that of the cell's loop, through which its requests and events pass; to be
        called there.
        """
        pids = [pid for each in (self.instance, *self.replicas) for pid in each.judged_pids]
        return queued(pids) | queued_here()

    @property
    def exited(self) -> bool:
        """The implementation has ended by itself in this scenario, and was not started again."""
        ended = [one for each in self.replicas or [self.instance] for one in each.ended()]
        return any(not supporting for _, supporting in ended)

    async def last_look(self) -> None:
        """Note what has ended since the watchdog looked."""
        if self.scene:
            self._note_exits(self.scene)

    async def audit(self) -> None:
        """Note in the history what was written around the proxy.

        Raises:
            HarnessError: it cannot be known.
        """
        if self.scene:
            for write in await self._audit.found(self.api):
                self.scene.history.append(write)

    async def finish(self, *, disturbed: bool) -> None:
        """End the scenario: nothing of it reaches the next; ``disturbed``: the implementation neither."""
        scene = self.scene
        if scene is None:
            return
        self.scene = self.proxy.scene = None
        scene.lift_all()
        self.proxy.let_all_pass()
        for each in self.replicas:
            each.kill()
        self.replicas = []
        await self.kubelet.stop()
        await self._recorder.stop()
        if disturbed:
            self.instance.kill()
        leavings = self.belongings.hand_over()
        sweep = self._sweep(leavings, self._left(scene, leavings))
        self._sweeping = sweeping = asyncio.create_task(sweep)
        self._background.add(sweeping)
        sweeping.add_done_callback(self._background.discard)

    def _left(self, scene: ScenarioRun, leavings: Leftovers) -> list[Collection]:
        """What something may be left of: on a cluster that is thrown away, what was seen in the scenario."""
        if not self.plane.traits.disposable or leavings.namespaces != (scene.namespace,):
            return list(self._collections)
        return [each for each in self._collections if scene.seen.newest_revision(each.resource)]

    async def _sweep(self, leavings: Leftovers, collections: Sequence[Collection]) -> None:
        """Delete what the scenario made, also what is stuck on a finalizer, if that is still possible."""
        with contextlib.suppress(HarnessError):  # an error while it closes changes no verdict
            await self.belongings.sweep(leavings, collections, whole=not self.plane.traits.disposable)

    async def catch_up(self, only: Resource | None = None) -> int:
        """Wait until the recorder has seen what the API server holds.

        It waits for what the implementation has written, too: no list has an object that is gone again.

        Args:
            only: of one resource; None: of all that is recorded, but for events.

        Returns:
            The revision up to which every change of that is in the history.

        Raises:
            HarnessError: the recorder does not catch up within the limit.
        """
        if (scene := self.scene) is None:
            return 0

        async def one(each: Collection) -> int:
            written = scene.unshown(each.resource)
            listed = await self.api.get(each.path(scene.namespace))
            listed_at = int(listed["metadata"]["resourceVersion"])
            await self._until_recorded(scene, each.resource, listed_at, listed["items"], written)
            scene.shown(each.resource, written)
            return listed_at

        wanted = [each for each in self._collections if each.prompt and only in {None, each.resource}]
        return min(await asyncio.gather(*map(one, wanted)), default=0)

    async def see(self, resource: Resource, stored: Iterable[Json]) -> None:
        """Wait until the recorder has seen objects as the harness has just written them.

        It asks the API server nothing: what the implementation has done meanwhile may be seen later.

        Args:
            resource: of which they are; one that is not recorded is not waited for.
            stored: the objects as they are stored.

        Raises:
            HarnessError: the recorder does not catch up within the limit.
        """
        if self.scene and resource in self.recorded:
            await self._until_recorded(self.scene, resource, 0, stored)

    async def _until_recorded(
        self,
        scene: ScenarioRun,
        resource: Resource,
        listed_at: int,
        stored: Iterable[Json],
        written: Mapping[str, int] | None = None,
    ) -> None:
        """Wait until these objects are in the history, and none that was gone by ``listed_at`` is there.

        Args:
            scene: with the history.
            resource: of which they are.
            listed_at: the revision of the list that has them.
            stored: the objects.
            written: the revisions of further objects that have to be in it, by UID; they may be gone.
        """
        metadata = [one["metadata"] for one in stored]
        stands = {it["uid"]: int(it["resourceVersion"]) for it in metadata}
        try:
            async with asyncio.timeout(_CATCH_UP_S):
                await scene.until(scene.seen.caught_up(resource, listed_at, stands, written))
        except TimeoutError as error:
            raise HarnessError(f"the recorder of {resource.plural} is {_CATCH_UP_S:g} s behind") from error

    @property
    def recorded(self) -> list[Resource]:
        """The resources whose changes the history holds; events come when they come."""
        return [each.resource for each in self._collections if each.prompt]

    async def check(self) -> None:
        """See that the API server still answers.

        Raises:
            HarnessError: it does not: what was observed says nothing about the implementation.
        """
        try:
            await self.api.request("GET", "/api/v1/namespaces/default")
        except HarnessError as error:
            raise HarnessError(f"the API server failed during the scenario: {error}") from error


def _collect_seldom() -> None:
    """Let Python look for circles less often: JSON has none, and a look at all that is kept costs a lot.

    With its defaults the collector takes longer than the parsing of what passes (benchmarks/RESULTS.md).
    """
    gc.freeze()  # what was imported stays
    gc.set_threshold(50_000, 20, 100)
