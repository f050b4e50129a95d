"""The verbs about what users and the kubelet do to pods of gang scenarios: they end, are deleted, vanish."""

from __future__ import annotations

from batchproof.api.client import STRATEGIC_MERGE_PATCH
from batchproof.ground.resources import PODS, QUEUE_LABEL
from batchproof.judgement.objects.core import Pod
from batchproof.profiles.gang import sentences
from batchproof.profiles.gang.verbs.gang import KnownGangs
from batchproof.profiles.gang.verbs.pods import GangPods
from batchproof.profiles.gang.verbs.queues import SHARED
from batchproof.profiles.gang.verbs.unseen import UNSEEN, Seen, changing
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.profiles.shared.verbs import Pods
from batchproof.specification.verbs import verb
from batchproof.world import World

_MISSED = "the implementation misses that a waiting pod of gang {name:gang} is deleted"


class PodOutcomes:
    """What happens to the pods of one scenario."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._gangs = world.verbs(KnownGangs)
        self._pods = world.verbs(Pods)

    @verb(sentences.GANG_SUCCEEDS)
    @verb(sentences.SOME_SUCCEED)
    @verb(sentences.SOME_FAIL, exit_code=1)
    def end(self, name: str, count: int | None = None, *, exit_code: int = 0) -> None:
        """The oldest running pods of a gang succeed, or fail with an exit code."""
        self._pods.end_pods(self._gangs.running(name)[:count], exit_code=exit_code)

    @verb("the pods of gang {name:gang} succeed and are deleted")
    def end_and_delete(self, name: str) -> None:
        """The running pods of a gang succeed; then a user deletes them."""
        names = {pod.name for pod in self._gangs.running(name)}
        self.end(name)
        ended = [pod for pod in self._world.seen.pods if pod.name in names and pod.finished]
        self._pods.delete_pods(ended)

    @verb("a user deletes {count:d} running [pod|pods] of gang {name:gang}")
    def delete_running(self, name: str, count: int) -> None:
        """A user deletes the oldest running pods of a gang."""
        self._pods.delete_pods(self._gangs.running(name)[:count])

    @verb("{count:d} running [pod|pods] of gang {name:gang} [count?vanishes|vanish]")
    def wipe_running(self, name: str, count: int) -> None:
        """The oldest running pods of a gang are gone at once, without having ended."""
        self._pods.wipe_pods(self._gangs.running(name)[:count])

    @verb("a user deletes {count:d} waiting [pod|pods] of gang {name:gang}")
    def delete_waiting(self, name: str, count: int) -> None:
        """A user deletes the newest pods of a gang that are not bound."""
        self._pods.delete_pods(self._gangs.waiting(name)[-count:])

    @verb(_MISSED, not_in_place=UNSEEN)
    def delete_waiting_unseen(self, name: str) -> None:
        """The newest waiting pod of a gang is deleted, and no watch of the implementation shows that."""
        with changing(self._world, PODS, "missed"):
            self._pods.wipe_pods([self._gangs.waiting(name)[-1]])

    @verb("a waiting pod of gang {name:gang} is deleted and created again")
    @verb(f"{_MISSED} and created again", not_in_place=UNSEEN, seen="missed")
    def replace_waiting(self, name: str, seen: Seen = "") -> None:
        """The newest waiting pod of a gang is gone, and is created again under its name."""
        with changing(self._world, PODS, seen):
            self._replace(name, self._gangs.waiting(name)[-1])

    @verb("a running pod of gang {name:gang} vanishes and is created again")
    def replace_running(self, name: str) -> None:
        """The oldest running pod of a gang is gone without having ended, and is created again."""
        self._replace(name, self._gangs.running(name)[0])

    def _replace(self, name: str, pod: Pod) -> None:
        self._pods.wipe_pods([pod])
        self._world.act(f"creates pod {pod.name} of gang {name} again")
        self._world.verbs(GangPods).create_pod(self._gangs[name].bodies[pod.name])
        self._world.do(self._world.cell.catch_up())

    @verb("{count:d} running [pod|pods] of queue {name:word} [count?succeeds|succeed]", not_in_place=SHARED)
    def end_queue(self, name: str, count: int) -> None:
        """The oldest running pods of a queue succeed: room appears."""
        self._world.mark("room appears")
        pods = self._world.seen.pods
        running = [p for p in pods if p.labels.get(QUEUE_LABEL) == name and p.node and not p.finished]
        self._pods.end_pods(running[:count], exit_code=0)

    @verb(sentences.POD_SUCCEEDS)
    def end_single(self, pod: str) -> None:
        """A pod outside of all gangs succeeds."""
        self._pods.end_pods([self._pods.pod(pod)], exit_code=0)

    @verb("pod {pod:word} vanishes")
    def wipe_single(self, pod: str) -> None:
        """A pod outside of all gangs is gone at once, without having ended."""
        self._pods.wipe_pods([self._pods.pod(pod)])

    @verb("all pods that run succeed")
    def end_all(self) -> None:
        """All running pods succeed, whether they are of a gang or not."""
        running = [pod for pod in self._world.seen.pods if pod.node and not pod.finished]
        self._pods.end_pods(running, exit_code=0)

    @verb("the pods of the gang that was bound succeed")
    def end_bound(self) -> list[str]:
        """All running pods of gangs succeed; returns whose they were."""
        running = {
            gang_of(pod) for pod in self._world.seen.pods if gang_of(pod) and pod.node and not pod.finished
        }
        for gang in sorted(running):
            self.end(gang)
        return sorted(running)

    @verb("a user resizes pod {pod:word} to {cpus:digits} [CPU|CPUs]")
    @verb(
        "a user resizes pod {pod:word} to {cpus:digits} [CPU|CPUs], which its node has not done yet",
        pending=True,
    )
    def resize(self, pod: str, cpus: str, *, pending: bool = False) -> None:
        """A user changes what the container of a running pod requests; pending: it still has what it had."""
        resized, kubelet = self._pods.pod(pod), self._world.cell.kubelet
        (container,) = resized.spec["containers"]
        self._world.do(kubelet.allocate(resized, container["resources"]["requests"]))
        self._world.act(f"resizes pod {pod} to {cpus} CPUs")
        wanted = {"name": container["name"], "resources": {"requests": {"cpu": cpus}}}
        body = {"spec": {"containers": [wanted]}}
        path = f"{self._world.path(PODS, pod)}/resize"
        self._world.do(self._world.cell.api.patch(path, body, content_type=STRATEGIC_MERGE_PATCH))
        if not pending:
            self._world.do(kubelet.allocate(resized, {"cpu": cpus}))

    @verb("the pods that are being deleted end one after another")
    def terminate_in_turn(self) -> None:
        """The kubelet ends the pods that are being deleted, a second between one and the next."""
        terminating = [pod for pod in self._world.seen.pods if pod.terminating]
        for pod in sorted(terminating, key=lambda one: one.name):
            self._world.act(f"ends pod {pod.name}, which is being deleted")
            self._world.do(self._world.cell.kubelet.terminate(pod))
            self._world.let_pass(1)

    @verb("pod {pod:word} is deleted, but stays terminating")
    def delete_single(self, pod: str) -> None:
        """A user deletes a pod, which stays terminating."""
        self._pods.hold_terminations()
        self._pods.delete_pods([self._pods.pod(pod)])
