"""What changes lead to a decision, and a decision to bindings and reports."""

from __future__ import annotations

from typing import assert_never

from reference_controller.decision import Decision
from reference_controller.objects.resources import BUDGETS, CLAIMS, NODES, PODS, VOLUMES
from reference_controller.runtime import clock
from reference_controller.runtime.loop import Loop, Sync
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.scheduler.binder import Binder
from reference_controller.runtime.scheduler.evictor import Evictor
from reference_controller.runtime.scheduler.releaser import Releaser
from reference_controller.runtime.scheduler.reporter import Reporter
from reference_controller.scheduler import api_json
from reference_controller.scheduler.actions import Action, BindPods, EvictPods, ReleaseGroups, Report
from reference_controller.scheduler.dialects import Dialect
from reference_controller.scheduler.fit import suits
from reference_controller.scheduler.objects import Pod
from reference_controller.scheduler.reconcile import reconcile
from reference_controller.scheduler.snapshot import Snapshot
from reference_controller.scheduler.storage import Storage

GATHER_S = 0.01
CLUSTER = "cluster"
"""The one key: all gangs are decided on at once."""


class Scheduler:
    """Watches nodes, pods, groups and queues, and carries out what is decided."""

    def __init__(self, runtime: Runtime, dialect: Dialect) -> None:
        recorder = runtime.recorder(dialect.scheduler)
        self._binder = Binder(runtime, recorder, self._usable, self._something_changed)
        self._evictor = Evictor(runtime, recorder)
        self._releaser = Releaser(runtime, dialect)
        self._reporter = Reporter(runtime, recorder, dialect)
        self._nodes = runtime.informer(NODES, api_json.read_node)
        self._pods = runtime.informer(PODS, dialect.read_pod)
        self._nodes.subscribe(self._something_changed)
        self._pods.subscribe(self._pod_changed)
        self._claims = runtime.informer(CLAIMS, api_json.read_claim)
        self._claims.subscribe(self._something_changed)
        self._volumes = runtime.informer(VOLUMES, api_json.read_volume)
        self._volumes.subscribe(self._something_changed)
        self._budgets = runtime.informer(BUDGETS, api_json.read_budget)
        self._budgets.subscribe(self._something_changed)
        self._groups = None
        if dialect.groups:
            self._groups = runtime.informer(dialect.group_resource, dialect.read_group)
            self._groups.subscribe(self._something_changed)
        self._queues = None
        if dialect.queues:
            self._queues = runtime.informer(dialect.queue_resource, dialect.read_queue)
            self._queues.subscribe(self._something_changed)
        loop: Loop[str] = runtime.loop(self._begin, 1)
        self._queue = loop.queue
        self._took_s = 0.0

    # --- what changes ---

    def _something_changed(self, _old: object = None, _new: object = None) -> None:
        """GNG-016: whatever changes may let a gang run that has waited.

        Changes are gathered for a moment, and at least as long as the last decision took: so decisions take
        no more than half of the time, and their results are written in the other.
        """
        self._queue.add_after(CLUSTER, max(GATHER_S, self._took_s))

    def _pod_changed(self, old: Pod | None, new: Pod | None) -> None:
        self._binder.pod_changed(old, new)
        self._evictor.pod_changed(old, new)
        pod = new or old
        if pod is not None and (pod.ours or pod.node or pod.group):
            self._something_changed()

    def _usable(self, pod: Pod, node: str) -> bool:
        known = self._nodes.objects.get(("", node))
        return known is not None and suits(known, pod.shape)

    # --- one decision ---

    def _begin(self, _key: str) -> SchedulerSync:
        return SchedulerSync(self)

    def snapshot(self) -> Snapshot:
        """GNG-011: what the watches show, and the own bindings that they do not show yet."""
        queues = self._queues.objects.values() if self._queues is not None else ()
        return Snapshot(
            nodes=tuple(self._nodes.objects.values()),
            pods=tuple(self._pods.objects.values()),
            groups=dict(self._groups.objects) if self._groups is not None else {},
            queues={queue.name: queue for queue in queues},
            assumed=self._binder.assumed,
            evicted=self._evictor.evicted,
            doubtful=self._binder.doubtful,
            storage=Storage(dict(self._claims.objects), dict(self._volumes.objects)),
            budgets=tuple(self._budgets.objects.values()),
        )

    def carry_out(self, action: Action) -> None:
        """Have it done: neither waits for the API server."""
        match action:
            case BindPods():
                self._binder.bind(action.placements)
            case EvictPods():
                self._evictor.evict(action.pods)
            case ReleaseGroups():
                self._releaser.release(action.groups)
            case Report():
                self._reporter.tell(action)
            case _:
                assert_never(action)

    def took(self, duration_s: float) -> None:
        """So long the last decision took."""
        self._took_s = duration_s


class SchedulerSync(Sync[Snapshot, Action]):
    """One decision for the whole cluster."""

    def __init__(self, scheduler: Scheduler) -> None:
        super().__init__()
        self._scheduler = scheduler
        self._began = clock.steady()

    async def observe(self) -> Snapshot:
        """The cluster as it is known now."""
        return self._scheduler.snapshot()

    def reconcile(self, observed: Snapshot, now: float) -> Decision[Action]:
        """See `scheduler.decide`."""
        return reconcile(observed, now)

    async def carry_out(self, action: Action, observed: Snapshot) -> None:  # noqa: ARG002 - the action says it
        """Bind or report."""
        self._scheduler.carry_out(action)
        self._scheduler.took(clock.steady() - self._began)
