"""The simulated kubelet: what a node does to pods, exactly when a step says so.

Its node's clock is ``BEHIND_S`` behind: what it reports as a pod's finish lies in the past, so that the delay
which a Job controller must keep after a failure (10 s and more) is over already. A scenario about that delay
says when a pod ended, by a clock that is right (``PodEnding``).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Literal

from batchproof.api.client import STRATEGIC_MERGE_PATCH, Api, ApiError
from batchproof.cell.scenario_run import ScenarioRun
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import HOST_LABEL, PODS, SIMULATED_SCHEDULER, SIMULATED_TAINT
from batchproof.judgement.history import Change, Json, Record
from batchproof.judgement.objects.core import Pod

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

BEHIND_S = 3600
_KILLED = 137
_NO_TRAFFIC = "node.kubernetes.io/exclude-from-external-load-balancers"
"""The label of nodes to which no cloud is to send traffic."""

_GONE = {404, 409}
_UID = "metadata.uid"
"""What validation (422) names if the pod of that name is another one by now."""


def node_body(
    name: str,
    labels: Mapping[str, str],
    *,
    unschedulable: bool = False,
    taint: str = "",
    effect: str = "NoSchedule",
) -> Json:
    """A simulated node as it is created; only what tolerates the taint of all of them lands there.

    Args:
        name: its name.
        labels: its labels.
        unschedulable: it is cordoned.
        taint: the key of a further taint of it.
        effect: that of this taint.
    """
    taints = [{"key": SIMULATED_TAINT, "effect": "NoSchedule"}]
    taints += [{"key": taint, "effect": effect}] if taint else []
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOST_LABEL: name, **labels, _NO_TRAFFIC: "true"}},
        "spec": {"taints": taints, **({"unschedulable": True} if unschedulable else {})},
    }


def node_status(resources: Mapping[str, str], *, ready: str = "True") -> Json:
    """The status of a simulated node with these resources; its condition Ready has the status ``ready``."""
    explanation = {"reason": "Simulated", "message": "simulated by batchproof"}
    condition = {"type": "Ready", "status": ready, **explanation}
    return {"capacity": resources, "allocatable": resources, "conditions": [condition]}


@dataclass(frozen=True, slots=True)
class PodEnding:
    """What is reported of the end of a pod beside its exit code.

    Attributes:
        container: the container that ends with the exit code; "": the first one.
        others: the exit code of all other containers.
        conditions: further conditions that the pod has from then on.
        ended_s_ago: when it ended, by a clock that is right; None: when the node's clock says. Less than 0:
            it has ended by a node's clock that is ahead.
        sidecars_ended_s_ago: when its sidecars ended, by such a clock; None: with the other containers.
        dated_by: what says when: ``containers``, or ``Ready`` where no container does, or ``all``.
        restarted_after: the exit code with which each container had ended before it was started again, once;
            None: none was.
    """

    container: str = ""
    others: int = 0
    conditions: tuple[Json, ...] = ()
    ended_s_ago: int | None = None
    sidecars_ended_s_ago: int | None = None
    dated_by: Literal["containers", "Ready", "all"] = "containers"
    restarted_after: int | None = None


PLAIN = PodEnding()


class Kubelet:
    """Plays the node of a cell for one scenario.

    Attributes:
        node: name of the node that pods are bound to.
        terminates: pods that are deleted end at once; else only when a step says so.
        starts: pods that a scheduler binds run at once; else they stay Pending, as while an image is pulled.
    """

    def __init__(
        self, api: Api, scene: ScenarioRun, node: str, ensure_node: Callable[[], Awaitable[None]]
    ) -> None:
        self._api = api
        self._scene = scene
        self._ensure_node = ensure_node
        self.node = node
        self.terminates = True
        self.starts = True
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._ended: set[str] = set()
        self._stop_listening = scene.history.listen(self._look)

    def _path(self, pod: Pod, subresource: str = "") -> str:
        return PODS.path(self._scene.namespace, pod.name, subresource)

    def _now(self, ago_s: int | None = None) -> str:
        """The time by the node's clock, or that many seconds ago by one that is right."""
        past = timedelta(seconds=BEHIND_S if ago_s is None else ago_s)
        return (datetime.now(UTC) - past).strftime("%Y-%m-%dT%H:%M:%SZ")

    async def bind(self, pod: Pod) -> None:
        """Put a pod on the node; one that is on it already stays."""
        if pod.spec.get("nodeName"):
            return
        await self._ensure_node()
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
        await self._report(pod, "Running", lambda _: self._started(), ready=ready)

    async def wait(self, pod: Pod) -> None:
        """The pod is Running, and each of its containers waits to be started again, after it has ended."""
        await self.bind(pod)
        await self._report(pod, "Running", lambda _: {"waiting": {"reason": "CrashLoopBackOff"}}, ready=False)

    async def restart(self, pod: Pod, times: int, *, container: str = "") -> None:
        """A container of a running pod (by default its first) has been started again so often, in place."""
        await self.bind(pod)
        restarts = {container or pod.spec["containers"][0]["name"]: times}
        await self._report(pod, "Running", lambda _: self._started(), ready=True, restarts=restarts)

    async def retry(self, pod: Pod, times: int, *, container: str) -> None:
        """An init container has failed and been started again so often: the pod is still Pending."""
        await self.bind(pod)

        def state(name: str) -> Json:
            return {"waiting": {"reason": "CrashLoopBackOff" if name == container else "PodInitializing"}}

        await self._report(pod, "Pending", state, ready=False, restarts={container: times})

    async def reject(self, pod: Pod) -> None:
        """The node has no room for a pod that a scheduler has bound to it: no container has been started."""
        await self.bind(pod)
        message = "Pod was rejected: Node didn't have enough resource: cpu"
        await self._store(pod, {"phase": "Failed", "reason": "OutOfcpu", "message": message})

    async def end_container(self, pod: Pod, container: str, exit_code: int) -> None:
        """One container of a pod has ended, and the others run on."""
        await self.bind(pod)
        at = self._now()

        def state(name: str) -> Json:
            if name != container:
                return self._started()
            times = {"startedAt": at, "finishedAt": at}
            return {"terminated": {"exitCode": exit_code, "reason": "Error", **times}}

        await self._report(pod, "Running", state, ready=False)

    def _started(self) -> Json:
        return {"running": {"startedAt": self._now()}}

    async def unknown(self, pod: Pod) -> None:
        """The node was lost: the phase of the pod is Unknown."""
        await self._api.patch(self._path(pod, "status"), {"status": {"phase": "Unknown"}})

    async def end(self, pod: Pod, exit_code: int, ending: PodEnding = PLAIN) -> None:
        """The pod's containers have ended: Succeeded with exit code 0, else Failed."""
        await self.bind(pod)
        if starting := self._playing.get(f"run {pod.uid}"):
            await starting
        at = self._now(ending.ended_s_ago)
        decides = ending.container or pod.spec["containers"][0]["name"]
        last_s = ending.sidecars_ended_s_ago
        last, lasting = (at, frozenset[str]()) if last_s is None else (self._now(last_s), pod.sidecars)

        def state(container: str) -> Json:
            code = exit_code if container == decides else ending.others
            finished = last if container in lasting else at
            times = {} if ending.dated_by == "Ready" else {"startedAt": at, "finishedAt": finished}
            return {"terminated": {"exitCode": code, "reason": "Error" if code else "Completed", **times}}

        ready_at = None if ending.dated_by == "containers" else at
        phase = "Failed" if exit_code else "Succeeded"
        conditions, before = ending.conditions, ending.restarted_after
        await self._report(
            pod, phase, state, ready=False, at=ready_at, conditions=conditions, restarted_after=before
        )

    async def _report(
        self,
        pod: Pod,
        phase: str,
        state: Callable[[str], Json],
        *,
        ready: bool,
        at: str | None = None,
        restarts: Mapping[str, int] | None = None,
        conditions: Iterable[Json] = (),
        restarted_after: int | None = None,
    ) -> None:
        """Report a pod: its phase, the state of each container by name, its conditions since some time."""
        since, is_ready = at or self._now(), "True" if ready else "False"
        earlier: Json = {}
        if restarted_after is not None:
            ended = {"exitCode": restarted_after, "reason": "Error", "startedAt": since, "finishedAt": since}
            earlier = {"restartCount": 1, "lastState": {"terminated": ended}}

        def statuses(kind: str) -> list[Json]:
            return [
                {
                    "name": container["name"],
                    "image": container["image"],
                    "imageID": "",
                    "ready": ready,
                    "restartCount": (restarts or {}).get(container["name"], 0),
                    "state": state(container["name"]),
                    **earlier,
                }
                for container in pod.spec.get(kind) or ()
            ]

        holds = {
            "PodScheduled": "True",
            "Initialized": "False" if phase == "Pending" else "True",
            "Ready": is_ready,
            "ContainersReady": is_ready,
        }
        usual = [{"type": kind, "status": value} for kind, value in holds.items()]
        status: Json = {
            "phase": phase,
            "startTime": since,
            "containerStatuses": statuses("containers"),
            "initContainerStatuses": statuses("initContainers"),
            "conditions": [{**condition, "lastTransitionTime": since} for condition in (*usual, *conditions)],
        }
        await self._store(pod, status)

    async def allocate(self, pod: Pod, requests: Json) -> None:
        """Report what the container of a running pod has; without that no pod can be resized."""
        has = {"resources": {"requests": requests}, "allocatedResources": requests}
        statuses = [{**one, **has} for one in pod.status["containerStatuses"]]
        await self._store(pod, {"phase": pod.phase, "containerStatuses": statuses})

    async def _store(self, pod: Pod, status: Json) -> None:
        """Write the status of a pod; what has ended, because it was deleted meanwhile, runs no more.

        As a kubelet's, the write names the UID: another pod may have the name by now; and it keeps the
        conditions that other clients have set, each known by its type (pkg/kubelet/status/status_manager.go).
        """
        async with self._turns[pod.uid]:
            if status["phase"] in {"Pending", "Running"} and pod.uid in self._ended:
                return
            if status["phase"] not in {"Pending", "Running"}:
                self._ended.add(pod.uid)
            body = {"metadata": {"uid": pod.uid}, "status": status}
            try:
                path = self._path(pod, "status")
                await self._api.patch(path, body, missing_ok=True, content_type=STRATEGIC_MERGE_PATCH)
            except ApiError as error:
                if _UID not in str(error):
                    raise

    async def terminate(self, pod: Pod, exit_code: int = _KILLED) -> None:
        """End a pod that is being deleted: its containers end, then the kubelet removes it."""
        if not pod.finished:
            await (self.end(pod, exit_code) if pod.node else self._give_up(pod))
        options = {"gracePeriodSeconds": 0, "preconditions": {"uid": pod.uid}}
        try:
            await self._api.delete(self._path(pod), **options)
        except ApiError as error:
            if error.status not in _GONE:  # another pod of that name: ours is gone
                raise

    async def _give_up(self, pod: Pod) -> None:
        """A pod that is being deleted before it came to a node has failed."""
        await self._store(pod, {"phase": "Failed"})

    def _look(self, record: Record) -> None:
        """Run a pod as soon as a scheduler has bound it, and end one as soon as it is being deleted."""
        change = record.entry
        if not isinstance(change, Change) or change.resource != PODS or change.type == "DELETED":
            return
        pod = Pod(change.object)
        if pod.node and not pod.node.startswith(self.node.removesuffix("node")):
            return  # it is on a real node, whose own kubelet sees to it
        if not pod.node and pod.spec.get("schedulerName") != SIMULATED_SCHEDULER:
            return  # a scheduler's, and the pod garbage collector of a cluster comes by every 20 seconds only
        if pod.deleting and self.terminates:
            # One that no scheduler will place is ended by that garbage collector, which we play too.
            self._play(f"end {pod.uid}", partial(self.terminate, pod))
        elif self.starts and pod.node not in {"", self.node} and pod.phase == "Pending":
            self._play(f"run {pod.uid}", partial(self.run, pod, ready=True))

    def _play(self, what: str, part: Callable[[], Awaitable[None]]) -> None:
        """Play a part once, beside all else.

        It is made in its task: one that is cancelled before it begins leaves nothing that waits.
        """

        async def play() -> None:
            try:
                await part()
            except HarnessError as error:
                self._scene.fail(error)

        if what not in self._playing:
            self._playing[what] = asyncio.create_task(play())

    async def terminate_all(self) -> None:
        """Let every pod end that is being deleted, now and from now on."""
        self.terminates = True
        deleting = [p for p in self._scene.seen.pods if p.deleting and f"end {p.uid}" not in self._playing]
        await asyncio.gather(*(self.terminate(pod) for pod in deleting))

    async def stop(self) -> None:
        """Play no more."""
        self._stop_listening()
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)
