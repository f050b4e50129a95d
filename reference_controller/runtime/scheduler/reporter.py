"""Reports about gangs, pods and queues: written somewhat later, so that many changes make one write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.objects.resources import PODS
from reference_controller.runtime import clock
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.worker import Workers
from reference_controller.scheduler import api_json
from reference_controller.scheduler.actions import Report
from reference_controller.scheduler.dialects import Dialect
from reference_controller.scheduler.objects import GroupStatus, Pod, PodGroup, Queue, QueueStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    Write = Callable[[], Awaitable[Any]]

DELAY_S = 0.5
WORKERS = 8

Key = tuple[str, str, str]


class Reporter:
    """Writes what the last decision wanted reported.

    What is about to be written is dropped if a later decision does not want it any more: a gang that waits
    for a moment only is not reported.

    Args:
        runtime: what all controllers share.
        recorder: where events go.
        dialect: how groups are reported.
    """

    def __init__(self, runtime: Runtime, recorder: EventRecorder, dialect: Dialect) -> None:
        self._client = runtime.client
        self._recorder = recorder
        self._dialect = dialect
        workers: Workers[Key] = runtime.workers(self._sync, WORKERS)
        self._queue = workers.queue
        self._wanted: dict[Key, tuple[int, Write]] = {}
        self._written: dict[Key, int] = {}

    def tell(self, report: Report) -> None:
        """Have this reported, and nothing that was wanted before."""
        wanted: dict[Key, tuple[int, Write]] = {}
        for group, found in report.groups:
            status = self._dialect.spelled(group, found)
            if status != group.status:
                wanted["PodGroup", group.namespace, group.name] = group.version, self._group(group, status)
        for pod, message in report.pods:
            wanted["Pod", pod.namespace, pod.name] = pod.version, self._pod(pod, message)
        for queue, due in report.queues if self._dialect.tells_of_queues else ():
            wanted["Queue", "", queue.name] = queue.version, self._of_queue(queue, due)
        self._wanted = wanted
        self._written = {key: version for key, version in self._written.items() if key in wanted}
        for key in wanted:
            self._queue.add_after(key, DELAY_S)

    async def _sync(self, key: Key) -> None:
        """Write, unless what is to be changed has been written by us and the watch does not show it yet."""
        version, write = self._wanted.get(key, (0, None))
        if write is not None and version >= self._written.get(key, 0):
            raw = await write()
            self._written[key] = int(raw["metadata"]["resourceVersion"])

    def _group(self, group: PodGroup, status: GroupStatus) -> Write:
        async def write() -> Any:
            body = self._dialect.group_with_status(group, status)
            return await self._client.put(self._dialect.status_path(group), body)

        return write

    def _pod(self, pod: Pod, message: str) -> Write:
        """GNG-015: the pod's condition and an event."""

        async def write() -> Any:
            patch = api_json.unschedulable(pod, message, clock.now())
            raw = await self._client.patch(PODS.path(pod, "status"), patch)
            self._recorder.record(pod, "Warning", "FailedScheduling", message)
            return raw

        return write

    def _of_queue(self, queue: Queue, status: QueueStatus) -> Write:
        async def write() -> Any:
            path = self._dialect.queue_resource.path(queue, "status")
            return await self._client.put(path, api_json.queue_with_status(queue, status))

        return write
