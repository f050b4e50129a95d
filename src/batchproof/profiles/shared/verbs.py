"""The verbs about pods, whichever client created them: what users and the kubelet do to them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from batchproof.api.client import STRATEGIC_MERGE_PATCH
from batchproof.cell.kubelet import PLAIN, PodEnding
from batchproof.ground.resources import PODS, SIMULATED_SCHEDULER
from batchproof.judgement.history import TERMINATES, Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted, subject_and_verb
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Pods:
    """What users and the kubelet do to particular pods."""

    def __init__(self, world: World) -> None:
        self._world = world

    def create_pod(self, name: str, **metadata: Any) -> None:
        """Create a pod that no controller made, with labels, finalizers, ownerReferences as given."""
        spec = {
            "restartPolicy": "Never",
            "schedulerName": SIMULATED_SCHEDULER,
            "containers": [{"name": "main", "image": "batchproof.dev/simulated"}],
        }
        body = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, **metadata},
            "spec": spec,
        }
        self._world.act(f"creates pod {name}")
        made = self._world.do(self._world.cell.api.create(self._world.path(PODS), body))
        self._world.do(self._world.cell.see(PODS, [made]))

    def patch_pod(self, pod: Pod, metadata: Json) -> None:
        """Change a pod's metadata as a user would."""
        self._world.act(f"changes pod {pod.name}: {metadata}")
        self._world.do(self._world.cell.api.patch(self._world.path(PODS, pod.name), {"metadata": metadata}))

    @verb("a user labels pod {name:word}")
    def label_pod(self, name: str) -> None:
        """A user labels a pod, which changes nothing else about it."""
        self.patch_pod(self.pod(name), {"labels": {"batchproof.dev/colour": "red"}})

    def add_finalizer(self, pods: list[Pod], finalizer: str) -> None:
        """Put another client's finalizer on pods as they are observed; a pod that has changed is refused."""
        for pod in pods:
            version = pod.metadata["resourceVersion"]
            self.patch_pod(pod, {"resourceVersion": version, "finalizers": [*pod.finalizers, finalizer]})

    def set_phase(self, pods: list[Pod], phase: str, reason: str = "") -> None:
        """Another client, such as the pod garbage collector, sets the phase of pods; all else stays."""
        status = {"phase": phase, **({"reason": reason} if reason else {})}
        for pod in pods:
            self._world.act(f"sets the phase of pod {pod.name} to {phase} {reason}".rstrip())
            path = f"{self._world.path(PODS, pod.name)}/status"
            self._world.do(self._world.cell.api.patch(path, {"status": status}))

    def delete_pods(self, pods: list[Pod], *, grace_s: int | None = None) -> None:
        """Delete pods as a user would."""
        options = {} if grace_s is None else {"gracePeriodSeconds": grace_s}
        for pod in pods:
            self._world.act(f"deletes pod {pod.name}")
            self._delete(pod, **options)
        self._world.do(self._world.cell.catch_up(PODS))

    def delete_all(self, of: str, pods: list[Pod]) -> None:
        """Delete the pods that a Job still has, as one action: how many the implementation decides."""
        self._world.act(f"deletes the pods of {of}: {', '.join(pod.name for pod in pods) or 'none is left'}")
        for pod in pods:
            self._delete(pod)
        self._world.do(self._world.cell.catch_up(PODS))

    def _delete(self, pod: Pod, **options: Any) -> None:
        self._world.do(self._world.cell.api.delete(self._world.path(PODS, pod.name), **options))

    def wipe_pods(self, pods: list[Pod]) -> None:
        """Remove pods as a user can by force: without their finalizers, deleted without a grace period."""
        for pod in pods:
            self.patch_pod(pod, {"finalizers": None})
        self.delete_pods(pods, grace_s=0)

    def pod(self, name: str) -> Pod:
        """The pod of that name as it is observed now.

        Raises:
            Inconclusive: there is none.
        """
        found = [pod for pod in self._world.seen.pods if pod.name == name]
        return self._world.found(found[-1] if found else None, f"pod {name}")

    def start_pods(self, pods: list[Pod], *, ready: bool = True) -> None:
        """The kubelet reports particular pods as running; they are ready, or no more."""
        what = "are running" if ready else "are running, and not ready"
        self.play(what, pods, lambda pod: self._world.cell.kubelet.run(pod, ready=ready))

    def wait_pods(self, pods: list[Pod]) -> None:
        """The kubelet reports particular pods as running, whose containers wait to be started again."""
        self.play("are running, and their containers wait", pods, self._world.cell.kubelet.wait)

    def set_condition(self, pods: list[Pod], kind: str, status: str = "True") -> None:
        """Another client sets a condition of pods; all else stays."""
        condition = {
            "type": kind,
            "status": status,
            "reason": "Simulated",
            "message": "simulated by batchproof",
        }
        for pod in pods:
            is_ = "" if status == "True" else f" to {status}"
            self._world.act(f"sets the condition {kind} of pod {pod.name}{is_}")
            path, body = f"{self._world.path(PODS, pod.name)}/status", {"status": {"conditions": [condition]}}
            self._world.do(self._world.cell.api.patch(path, body, content_type=STRATEGIC_MERGE_PATCH))

    def restart_pods(self, pods: list[Pod], times: int) -> None:
        """The kubelet has restarted the first container of particular pods so often, in place."""
        self.play(
            f"restart a container {counted(times, 'time')}",
            pods,
            lambda pod: self._world.cell.kubelet.restart(pod, times),
        )

    def bind_pods(self, pods: list[Pod]) -> None:
        """Particular pods get a node, which has not started them yet."""
        self.play("are on a node", pods, self._world.cell.kubelet.bind)

    def end_pods(self, pods: list[Pod], *, exit_code: int, ending: PodEnding = PLAIN) -> None:
        """The kubelet reports the end of particular pods, also of some that are being deleted."""
        what = "succeed" if exit_code == 0 else "fail"
        self.play(what, pods, lambda pod: self._world.cell.kubelet.end(pod, exit_code, ending))

    @verb("deleted pods stay terminating")
    def hold_terminations(self) -> None:
        """Pods that are deleted stay terminating until ``terminate_pods``."""
        self._world.cell.kubelet.terminates = False

    @verb("pods that are bound stay Pending")
    def hold_starts(self) -> None:
        """Pods that a scheduler binds do not run: the node has not started their containers yet."""
        self._world.cell.kubelet.starts = False

    @verb("the pods that are being deleted succeed", exit_code=0)
    @verb("the pods that are being deleted fail with exit code {exit_code:d}")
    def end_terminating(self, exit_code: int) -> None:
        """The kubelet reports the end of all pods that are being deleted; they are there still."""
        pods = [pod for pod in self._world.seen.pods if pod.terminating]
        self.end_pods(pods, exit_code=exit_code)

    @verb("the pods that are being deleted end")
    @verb("the terminating pods end", once={})
    def terminate_pods(self) -> None:
        """The kubelet ends all pods that are being deleted."""
        self._world.act(TERMINATES)
        self._world.do(self._world.cell.kubelet.terminate_all())

    def play(self, what: str, pods: list[Pod], verb: Callable[[Pod], Awaitable[object]]) -> None:
        """The kubelet does something to each of these pods; the recorder has shown it when this returns.

        Args:
            what: what the pods do, for the history, as of several: ``are running``.
            pods: which.
            verb: of the kubelet.
        """

        async def play() -> None:
            acts = subject_and_verb(len(pods), "pod", what)
            self._world.scene.act(f"{acts}: {', '.join(pod.name for pod in pods[:5])}")
            gate = asyncio.Semaphore(20)

            async def one(pod: Pod) -> None:
                async with gate:
                    await verb(pod)

            await asyncio.gather(*map(one, pods))
            # Else a verb that chooses again, in the same step, would take the same pods for active ones.
            await self._world.cell.catch_up(PODS)

        self._world.do(play())
