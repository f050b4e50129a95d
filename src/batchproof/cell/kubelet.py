"""The simulated kubelet: what a node does to pods, exactly when a step says so.

Its node's clock is ``BEHIND_S`` behind: what it reports as a pod's finish lies in the past, so that the delay
which a Job controller must keep after a failure (10 s and more) is over already. A scenario about that delay
sets the clock right.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from batchproof.api import ApiError
from batchproof.errors import HarnessError

if TYPE_CHECKING:
    from batchproof.api import Api
    from batchproof.cell.scene import Scene
    from batchproof.history import Json, Record
    from batchproof.observed import Pod

BEHIND_S = 3600
_KILLED = 137
_GONE = {404, 409}


class Kubelet:
    """Plays the node of a cell for one scenario.

    Attributes:
        node: name of the node that pods are bound to.
        terminates: pods that are deleted end at once; else only when a step says so.
    """

    def __init__(self, api: Api, scene: Scene, node: str) -> None:
        self._api = api
        self._scene = scene
        self.node = node
        self.terminates = True
        self.behind_s = BEHIND_S
        self._ending: dict[str, asyncio.Task[None]] = {}
        self._stop_listening = scene.history.listen(self._look)

    def _path(self, pod: Pod, subresource: str = "") -> str:
        path = f"/api/v1/namespaces/{self._scene.namespace}/pods/{pod.name}"
        return f"{path}/{subresource}" if subresource else path

    def _now(self) -> str:
        return (datetime.now(UTC) - timedelta(seconds=self.behind_s)).strftime("%Y-%m-%dT%H:%M:%SZ")

    async def bind(self, pod: Pod) -> None:
        """Put a pod on the node; one that is on it already stays."""
        if pod.spec.get("nodeName"):
            return
        target = {"apiVersion": "v1", "kind": "Node", "name": self.node}
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod.name}, "target": target}
        try:
            await self._api.create(self._path(pod, "binding"), body)
        except ApiError as error:
            if error.status not in _GONE:  # it is being deleted, or gone already: so is the wish to run it
                raise

    async def run(self, pod: Pod, *, ready: bool = False) -> None:
        """The pod's containers have started; the pod is ready, or not yet."""
        await self.bind(pod)
        await self._report(pod, "Running", {"running": {"startedAt": self._now()}}, ready=ready)

    async def unknown(self, pod: Pod) -> None:
        """The node was lost: the phase of the pod is Unknown."""
        await self._api.patch(self._path(pod, "status"), {"status": {"phase": "Unknown"}})

    async def end(self, pod: Pod, exit_code: int) -> None:
        """The pod's containers have ended: Succeeded with exit code 0, else Failed."""
        await self.bind(pod)
        now = self._now()
        reason = "Error" if exit_code else "Completed"
        state = {"exitCode": exit_code, "reason": reason, "startedAt": now, "finishedAt": now}
        phase = "Failed" if exit_code else "Succeeded"
        await self._report(pod, phase, {"terminated": state}, ready=False)

    async def _report(self, pod: Pod, phase: str, state: Json, *, ready: bool, restarts: int = 0) -> None:
        now, is_ready = self._now(), "True" if ready else "False"
        containers = [
            {
                "name": container["name"],
                "image": container["image"],
                "imageID": "",
                "ready": ready,
                "restartCount": restarts,
                "state": state,
            }
            for container in pod.spec["containers"]
        ]
        conditions = [
            {"type": kind, "status": is_ready, "lastTransitionTime": now}
            for kind in ("Ready", "ContainersReady")
        ]
        status: dict[str, Any] = {
            "phase": phase,
            "startTime": now,
            "containerStatuses": containers,
            "conditions": [{"type": "Initialized", "status": "True", "lastTransitionTime": now}, *conditions],
        }
        await self._api.patch(self._path(pod, "status"), {"status": status}, missing_ok=True)

    async def terminate(self, pod: Pod, exit_code: int = _KILLED) -> None:
        """End a pod that is being deleted: its containers end, then the kubelet lets it go."""
        if not pod.finished:
            await self.end(pod, exit_code)
        options = {"gracePeriodSeconds": 0, "preconditions": {"uid": pod.uid}}
        try:
            await self._api.delete(self._path(pod), **options)
        except ApiError as error:
            if error.status not in _GONE:  # another pod of that name: ours is gone
                raise

    def _look(self, record: Record) -> None:
        """Begin to end a pod as soon as it is being deleted, if nothing holds it."""
        change = record.entry
        if not self.terminates or getattr(change, "resource", "") != "pods" or change.kind != "change":
            return
        for pod in self._scene.seen.pods:
            if pod.deleting and pod.spec.get("nodeName") and pod.uid not in self._ending:
                self._ending[pod.uid] = asyncio.create_task(self._terminate(pod))

    async def _terminate(self, pod: Pod) -> None:
        try:
            await self.terminate(pod)
        except HarnessError as error:
            self._scene.fail(error)

    async def terminate_all(self) -> None:
        """Let every pod end that is being deleted, now and from now on."""
        self.terminates = True
        deleting = [p for p in self._scene.seen.pods if p.deleting and p.uid not in self._ending]
        await asyncio.gather(*(self.terminate(pod) for pod in deleting))

    async def stop(self) -> None:
        """Play no more."""
        self._stop_listening()
        for task in self._ending.values():
            task.cancel()
        await asyncio.gather(*self._ending.values(), return_exceptions=True)
