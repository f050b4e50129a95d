"""Binding pods to nodes, and knowing which are bound before the watch shows it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.objects.resources import PODS
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.worker import Workers
from reference_controller.scheduler import api_json
from reference_controller.scheduler.attempt import Placement
from reference_controller.scheduler.objects import Pod

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

log = logging.getLogger(__name__)

WORKERS = 32
PATIENCE = 2
REFUSED = {403, 422}
"""With these replies the API server has not stored a binding."""


@dataclass(slots=True)
class _Binding:
    """A pod's binding: to be sent; sent with an unknown or bad end (`unclear`); or known to be `stored`.

    Attributes:
        refused: how often the API server said no.
        sending: an attempt is under way.
    """

    pod: Pod
    node: str
    unclear: bool = False
    stored: bool = False
    refused: int = 0
    sending: bool = False

    @property
    def doubtful(self) -> bool:
        """GNG-007: a pod without a gang that is refused again and again keeps its place from no other."""
        return self.refused >= PATIENCE and self.pod.group is None and not (self.sending or self.stored)


class Binder:
    """Binds many pods at once.

    From the decision on until the watch shows its node, a pod counts as bound (`assumed`), also while its
    binding fails and is retried, so it keeps its room, and cannot be given a second node. Between two
    attempts a `doubtful` one counts as waiting: each decision gives it a place again if it can.

    Args:
        runtime: what all controllers share.
        recorder: where events go.
        usable: whether a node may still be used for a pod.
        given_up: called when a pod does not count as bound any more although it is not.
    """

    def __init__(
        self,
        runtime: Runtime,
        recorder: EventRecorder,
        usable: Callable[[Pod, str], bool],
        given_up: Callable[[], None],
    ) -> None:
        self._client = runtime.client
        self._recorder = recorder
        self._usable = usable
        self._given_up = given_up
        self._bindings: dict[str, _Binding] = {}
        workers: Workers[str] = runtime.workers(self._attempt, WORKERS)
        self._queue = workers.queue

    @property
    def assumed(self) -> dict[str, str]:
        """The node of every pod that counts as bound although the watch does not show it, by UID."""
        return {uid: binding.node for uid, binding in self._bindings.items() if not binding.doubtful}

    @property
    def doubtful(self) -> frozenset[str]:
        """The UID of every pod whose binding is refused again and again, and not under way."""
        return frozenset(uid for uid, binding in self._bindings.items() if binding.doubtful)

    def bind(self, placements: Iterable[Placement]) -> None:
        """Have pods bound; they count as bound from now on (GNG-011)."""
        doubtful = self.doubtful
        for pod, node in placements:
            if pod.uid in doubtful:
                self._bindings[pod.uid].node = node
                doubtful -= {pod.uid}
            else:
                self._bindings[pod.uid] = _Binding(pod, node)
                self._queue.add(pod.uid)
        for uid in doubtful:
            self._forget(uid)

    def pod_changed(self, old: Pod | None, new: Pod | None) -> None:
        """The watch shows a pod: with its node, or gone, it needs no assumption any more."""
        if old is not None and new is None:
            self._forget(old.uid)
        elif new is not None and new.node:
            self._forget(new.uid)

    def _forget(self, uid: str) -> None:
        self._bindings.pop(uid, None)
        self._queue.forget(uid)

    async def _attempt(self, uid: str) -> None:
        if (binding := self._bindings.get(uid)) is None:
            return
        binding.sending = True
        try:
            await self._sync(uid)
        except ApiError as error:
            binding.refused += error.code in REFUSED
            raise
        finally:
            binding.sending = False
            if binding.doubtful:
                self._given_up()

    async def _sync(self, uid: str) -> None:
        """One attempt to bind. GNG-012: one that failed is made again, later and later.

        Raises:
            ApiError: the pod is not bound, or that is not known.
        """
        binding = self._bindings.get(uid)
        if binding is None or binding.stored:
            return
        if binding.unclear:
            await self._look(binding)
            if binding.stored or uid not in self._bindings:
                return
        try:
            await self._client.post(
                PODS.path(binding.pod, "binding"), api_json.binding(binding.pod, binding.node)
            )
        except ApiError:
            binding.unclear = True
            raise
        self._stored(binding)

    async def _look(self, binding: _Binding) -> None:
        """GNG-011: whether a binding that seemed to fail was stored. If not, is it still the right one?

        Raises:
            ApiError: that is not known; so the pod goes on counting as bound.
        """
        pod = binding.pod
        try:
            raw = await self._client.get(PODS.path(pod))
        except ApiError as error:
            if not error.not_found:
                raise
            self._give_up(pod)
            return
        metadata, node = raw["metadata"], raw["spec"].get("nodeName")
        if metadata["uid"] != pod.uid or (not node and metadata.get("deletionTimestamp")):
            self._give_up(pod)
        elif node:
            binding.node = node
            self._stored(binding)
        elif not self._usable(pod, binding.node):
            self._give_up(pod)

    def _stored(self, binding: _Binding) -> None:
        binding.stored = True
        pod = binding.pod
        message = f"Successfully assigned {pod.namespace}/{pod.name} to {binding.node}"
        self._recorder.record(pod, "Normal", "Scheduled", message)

    def _give_up(self, pod: Pod) -> None:
        log.info("%s/%s is not bound after all", pod.namespace, pod.name)
        self._forget(pod.uid)
        self._given_up()
