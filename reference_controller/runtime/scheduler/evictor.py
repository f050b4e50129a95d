"""Evicting pods, and knowing which are before the watch shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.objects.api_json import deletion
from reference_controller.objects.resources import PODS
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.worker import Workers
from reference_controller.scheduler import api_json
from reference_controller.scheduler.objects import Pod

if TYPE_CHECKING:
    from collections.abc import Iterable

WORKERS = 8
MESSAGE = "its room is for a gang of higher priority, or of a queue below its share"


class Evictor:
    """Evicts pods: reports why in their status, and deletes them.

    From the decision on until the watch shows it deleted, a pod counts as leaving (`evicted`), also while its
    deletion fails and is retried, so no other pod is evicted instead.

    Args:
        runtime: what all controllers share.
        recorder: where events go.
    """

    def __init__(self, runtime: Runtime, recorder: EventRecorder) -> None:
        self._client = runtime.client
        self._recorder = recorder
        self._pods: dict[str, Pod] = {}
        workers: Workers[str] = runtime.workers(self._sync, WORKERS)
        self._queue = workers.queue

    @property
    def evicted(self) -> frozenset[str]:
        """The UID of every pod that counts as leaving although the watch does not show it."""
        return frozenset(self._pods)

    def evict(self, pods: Iterable[Pod]) -> None:
        """Have pods evicted; they count as leaving from now on."""
        for pod in pods:
            self._pods[pod.uid] = pod
            self._queue.add(pod.uid)

    def pod_changed(self, old: Pod | None, new: Pod | None) -> None:
        """The watch shows a pod deleted, ended or gone: it needs no assumption any more."""
        if old is not None and new is None:
            self._forget(old.uid)
        elif new is not None and (new.deleting or new.finished):
            self._forget(new.uid)

    def _forget(self, uid: str) -> None:
        self._pods.pop(uid, None)
        self._queue.forget(uid)

    async def _sync(self, uid: str) -> None:
        """One attempt to evict; one that failed is made again, later and later.

        Raises:
            ApiError: the pod is not evicted, or that is not known.
        """
        pod = self._pods.get(uid)
        if pod is None:
            return
        try:
            told = api_json.evicted(pod, MESSAGE, clock.now())
            await self._client.patch(PODS.path(pod, "status"), told)
            await self._client.delete(PODS.path(pod), deletion(pod.uid))
        except ApiError as error:
            if not error.not_found:
                raise
            return  # the watch will show it
        self._recorder.record(pod, "Normal", "Preempted", MESSAGE)
