"""The gang scheduler at work: what changes leads to a decision, and a decision to bindings and reports."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from reference_controller.runtime import clock
from reference_controller.runtime.binder import Binder
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.informer import Informer
from reference_controller.runtime.reporter import Reporter
from reference_controller.scheduler import api_json
from reference_controller.scheduler.decide import decide
from reference_controller.scheduler.fit import suits
from reference_controller.scheduler.snapshot import Snapshot

if TYPE_CHECKING:
    from reference_controller.runtime.client import ApiClient
    from reference_controller.scheduler.dialects import Dialect
    from reference_controller.scheduler.objects import Pod

log = logging.getLogger(__name__)

GATHER_S = 0.01
AFTER_TROUBLE_S = 1.0


class Scheduler:
    """Watches nodes, pods, groups and queues, and carries out what `decide` decides."""

    def __init__(self, client: ApiClient, dialect: Dialect) -> None:
        self._changed = asyncio.Event()
        self._recorder = EventRecorder(client, dialect.scheduler)
        self._binder = Binder(client, self._recorder, self._usable, self._changed.set)
        self._reporter = Reporter(client, self._recorder, dialect)
        self._nodes = Informer(client, "/api/v1/nodes", api_json.read_node, self._something_changed)
        self._pods = Informer(client, "/api/v1/pods", dialect.read_pod, self._pod_changed)
        self._groups = Informer(client, dialect.groups_path, dialect.read_group, self._something_changed)
        self._queues = Informer(client, dialect.queues_path, api_json.read_queue, self._something_changed)
        self._informers: list[Informer[Any]] = [self._nodes, self._pods, self._groups]
        if dialect.queues:
            self._informers.append(self._queues)

    async def run(self) -> None:
        """Work for ever. GNG-013: nothing is decided before all caches are complete."""
        async with asyncio.TaskGroup() as group:
            for informer in self._informers:
                group.create_task(informer.run())
            for informer in self._informers:
                await informer.synced.wait()
            log.info("caches are complete")
            group.create_task(self._recorder.run())
            group.create_task(self._binder.run())
            group.create_task(self._reporter.run())
            group.create_task(self._decide_on_changes())

    # --- what changes ---

    def _something_changed(self, _old: object, _new: object) -> None:
        self._changed.set()

    def _pod_changed(self, old: Pod | None, new: Pod | None) -> None:
        self._binder.pod_changed(old, new)
        pod = new or old
        if pod is not None and (pod.ours or pod.node):
            self._changed.set()

    def _usable(self, pod: Pod, node: str) -> bool:
        known = self._nodes.objects.get(("", node))
        return known is not None and suits(known, pod.shape)

    # --- one decision ---

    async def _decide_on_changes(self) -> None:
        """GNG-016: whatever changes may let a gang run that has waited.

        Changes are gathered for a moment, and at least as long as the last decision took: so decisions take
        no more than half of the time, and their results are written in the other.
        """
        took_s = 0.0
        while True:
            await self._changed.wait()
            await asyncio.sleep(max(GATHER_S, took_s))
            self._changed.clear()
            began = clock.steady()
            try:
                self._decide()
            except Exception:
                # ROB-033: it must not end here, and may go better with what changes meanwhile.
                log.exception("no decision")
                await asyncio.sleep(AFTER_TROUBLE_S)
                self._changed.set()
            took_s = clock.steady() - began

    def _decide(self) -> None:
        decision = decide(self._snapshot(), clock.now())
        self._binder.bind(decision.bindings)
        self._reporter.tell(decision)

    def _snapshot(self) -> Snapshot:
        """GNG-011: what the watches show, and the own bindings that they do not show yet."""
        return Snapshot(
            nodes=tuple(self._nodes.objects.values()),
            pods=tuple(self._pods.objects.values()),
            groups=dict(self._groups.objects),
            queues={queue.name: queue for queue in self._queues.objects.values()},
            assumed=self._binder.assumed,
        )
