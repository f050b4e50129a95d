"""The verbs about pods: what users and the kubelet do to them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from batchproof.cell.kubelet import PLAIN
from batchproof.errors import HarnessError
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.indexes import active_among
from batchproof.judgement.facts.pods import active_pods
from batchproof.judgement.template import JOB
from batchproof.labels import SIMULATED_SCHEDULER
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.cell.kubelet import Ending
    from batchproof.judgement.facts import FactCall
    from batchproof.judgement.history import Json
    from batchproof.judgement.things.core import Pod

from batchproof.world.scenario import Scenario


class Pods(Scenario):
    """What users and the kubelet do to pods, those of Jobs first of all."""

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
        self.act(f"creates pod {name}")
        self.do(self._cell.api.create(self._path(PODS), body))
        self.do(self._cell.catch_up())

    def patch_pod(self, pod: Pod, metadata: Json) -> None:
        """Change a pod's metadata as a user would."""
        self.act(f"changes pod {pod.name}: {metadata}")
        self.do(self._cell.api.patch(self._path(PODS, pod.name), {"metadata": metadata}))

    def add_finalizer(self, pods: list[Pod], finalizer: str) -> None:
        """Put another client's finalizer on pods as they are observed; a pod that has changed is refused."""
        for pod in pods:
            version = pod.metadata["resourceVersion"]
            self.patch_pod(pod, {"resourceVersion": version, "finalizers": [*pod.finalizers, finalizer]})
        self.do(self._cell.catch_up())

    def delete_pods(self, pods: list[Pod], *, grace_s: int | None = None) -> None:
        """Delete pods as a user would."""
        options = {} if grace_s is None else {"gracePeriodSeconds": grace_s}
        for pod in pods:
            self.act(f"deletes pod {pod.name}")
            self.do(self._cell.api.delete(self._path(PODS, pod.name), **options))
        self.do(self._cell.catch_up())

    def wipe_pods(self, pods: list[Pod]) -> None:
        """Make pods vanish as a user can who insists: finalizers taken off, deleted without grace."""
        for pod in pods:
            self.patch_pod(pod, {"finalizers": None})
        self.delete_pods(pods, grace_s=0)

    def active(self, count: int | None = None, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` active pods of a Job (all if None); waits until there are so many.

        What replaces one that failed or was deleted may come after the documented delay.

        Raises:
            Inconclusive: the implementation does not provide them in time.
        """
        if count is not None:
            self._await(active_pods(job=job, at_least=count), job)
        pods = [pod for pod in self.seen.pods_of(self.seen.job(job)) if pod.active]
        return pods[:count]

    def active_of(self, indexes: list[int], *, job: str = JOB) -> list[Pod]:
        """The active pods of these indexes of an Indexed Job; waits until there is one of each.

        Raises:
            Inconclusive: the implementation does not provide them in time.
        """
        self._await(active_among(job=job, indexes=indexes), job)
        return [pod for pod in self.active(job=job) if pod.completion_index in indexes]

    def _await(self, pods: FactCall, job: str) -> None:
        """Wait for pods of a Job: as long as a replacement may take where some have failed or were deleted.

        What is seen late may be acted on late, also by who reads it anew each time.
        """
        owned = self.seen.owned(self.seen.job(job))
        succeeded = {uid for uid, pod in owned.finished.items() if pod.phase == "Succeeded"}
        late = any(view.until_s is None and view.delay_s for view in self.seen.withheld.values())
        slow = late or owned.made - owned.active.keys() - succeeded
        within = "recovery" if slow else "reaction"
        self.claim(eventually(pods, within=within, precondition=True))

    def pod(self, name: str) -> Pod:
        """The pod of that name as it is observed now.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        found = [pod for pod in self.seen.pods if pod.name == name]
        if not found:
            raise HarnessError(f"the scenario has no pod {name} now")
        return found[-1]

    def finished(self, count: int, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` finished pods of a Job that are still there.

        Raises:
            HarnessError: there are not so many: a step of the scenario is missing.
        """
        return self._chosen(count, "finished", [p for p in self._pods_of(job) if p.finished])

    def terminating(self, count: int, *, job: str = JOB) -> list[Pod]:
        """The oldest ``count`` terminating pods of a Job.

        Raises:
            HarnessError: there are not so many: a step of the scenario is missing.
        """
        return self._chosen(count, "terminating", [p for p in self._pods_of(job) if p.terminating])

    def _pods_of(self, job: str) -> list[Pod]:
        return self.seen.pods_of(self.seen.job(job))

    def _chosen(self, count: int, what: str, pods: list[Pod]) -> list[Pod]:
        if len(pods) < count:
            raise HarnessError(f"the scenario has {len(pods)} {what} pods now, not {count}")
        return pods[:count]

    def run_pods(self, count: int | None = None, *, ready: bool = False, job: str = JOB) -> None:
        """The kubelet starts pods of a Job."""
        self._play(
            "start running", self.active(count, job=job), lambda pod: self._kubelet.run(pod, ready=ready)
        )

    def succeed_pods(self, count: int | None = None, *, job: str = JOB) -> None:
        """The kubelet reports active pods of a Job as Succeeded."""
        self._play("succeed", self.active(count, job=job), lambda pod: self._kubelet.end(pod, 0))

    def succeed_in_turn(self, count: int, *, job: str = JOB) -> None:
        """The kubelet reports active pods of a Job as Succeeded, each once the one before is stored."""
        for pod in self.active(count, job=job):
            self.end_pods([pod], exit_code=0)

    def fail_pods(
        self, count: int | None = None, *, exit_code: int = 1, ending: Ending = PLAIN, job: str = JOB
    ) -> None:
        """The kubelet reports active pods of a Job as Failed."""
        pods = self.active(count, job=job)
        self._play("fail", pods, lambda pod: self._kubelet.end(pod, exit_code, ending))

    def restart_containers(self, times: list[int], *, container: str = "", job: str = JOB) -> None:
        """The kubelet has restarted a container in place, so often in the first pod, so often in the next."""
        pods = self.active(len(times), job=job)
        often = {pod.uid: number for pod, number in zip(pods, times, strict=True)}
        what = f"restart a container {', '.join(map(str, times))} times"
        self._play(what, pods, lambda pod: self._kubelet.restart(pod, often[pod.uid], container=container))

    def end_container(self, container: str, exit_code: int, *, job: str = JOB) -> None:
        """The kubelet reports that one container of an active pod of a Job has ended; the pod runs on."""
        pods = self.active(1, job=job)
        what = f"go on without container {container}, which ended with {exit_code}"
        self._play(what, pods, lambda pod: self._kubelet.end_container(pod, container, exit_code))

    def start_pods(self, pods: list[Pod], *, ready: bool = True) -> None:
        """The kubelet reports particular pods as running; they are ready, or no more."""
        what = "are running" if ready else "are running, and not ready"
        self._play(what, pods, lambda pod: self._kubelet.run(pod, ready=ready))

    def restart_pods(self, pods: list[Pod], times: int) -> None:
        """The kubelet has restarted the first container of particular pods so often, in place."""
        self._play(f"restart a container {times} times", pods, lambda pod: self._kubelet.restart(pod, times))

    def bind_pods(self, pods: list[Pod]) -> None:
        """Particular pods get a node, which has not started them yet."""
        self._play("are on a node", pods, self._kubelet.bind)

    def end_pods(self, pods: list[Pod], *, exit_code: int, ending: Ending = PLAIN) -> None:
        """The kubelet reports the end of particular pods, also of some that are being deleted."""
        what = "succeed" if exit_code == 0 else "fail"
        self._play(what, pods, lambda pod: self._kubelet.end(pod, exit_code, ending))

    def lose_pods(self, count: int, *, job: str = JOB) -> None:
        """The node of pods is lost: their phase is Unknown."""
        self._play("become Unknown", self.active(count, job=job), self._kubelet.unknown)

    def hold_terminations(self) -> None:
        """Pods that are deleted stay terminating until ``terminate_pods``."""
        self._kubelet.terminates = False

    def terminate_pods(self) -> None:
        """The kubelet ends all pods that are being deleted."""
        self.act("pods that are being deleted end")
        self.do(self._kubelet.terminate_all())

    @property
    def _kubelet(self) -> Any:
        return self._cell.kubelet

    def _play(self, what: str, pods: list[Pod], verb: Any) -> None:
        async def play() -> None:
            self._scene.act(f"{len(pods)} pods {what}: {', '.join(pod.name for pod in pods[:5])}")
            gate = asyncio.Semaphore(20)

            async def one(pod: Pod) -> None:
                async with gate:
                    await verb(pod)

            await asyncio.gather(*map(one, pods))
            await self._cell.catch_up()  # else the next step would take the same pods for active ones

        self.do(play())
