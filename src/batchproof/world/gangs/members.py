"""The verbs about the pods of gangs, and about pods outside of all gangs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from batchproof.api.client import ApiError
from batchproof.descriptor.dialect import filled, merged
from batchproof.errors import HarnessError
from batchproof.labels import GANG_LABEL, QUEUE_LABEL, SIMULATED_TAINT, ZONE_LABEL
from batchproof.resources import PODS
from batchproof.world.gangs.nodes import HERE_LABEL
from batchproof.world.gangs.queues import Queues
from batchproof.world.gangs.setting import DEVICE

if TYPE_CHECKING:
    from batchproof.cell import Cell
    from batchproof.descriptor.dialect import Dialect
    from batchproof.judgement.history import Json
    from batchproof.judgement.things.core import Pod
    from batchproof.world.pods import Pods

Placed: TypeAlias = Literal["apart", "in one zone", "spread"]
"""How the pods of a gang must lie: no two on one node; all in one zone; evenly in all zones."""
Kept: TypeAlias = Literal["gated", "deleted"]

REFUSALS = {400, 403, 422}
_SOMEBODY = "somebody-else"
_GATE = "example.com/gate"
_FINALIZER = "example.com/keeps"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


@dataclass(slots=True)
class Gang:
    """A gang of the scenario.

    Attributes:
        name: its name, and that of its object.
        minimum: how many of its pods must be bound at once.
        queue: the full name of its queue; None for what the implementation takes by default.
        priority: the full name of its PriorityClass; None for none.
        pods: the names of its pods so far.
        refused: those that admission has refused, because the group or the queue does not exist.
        group: the name of its object where that is another; a Job's is named by whoever makes it.
        asked: what stands for the minimum in each object as it was made, by the object's name.
        least_cpus: how many CPUs there must be in all for it; None if its group does not say that.
        tasks: how many pods of each task must be bound at once; None if its group does not say that.
        whole: its pods give way only together.
        loose: it has no minimum: ``minimum`` is 1.
        one_zone: its group says that its pods belong into one zone.
        tree: the tree that its group is a part of.
    """

    name: str
    minimum: int
    queue: str | None = None
    priority: str | None = None
    pods: list[str] = field(default_factory=list)
    refused: list[Json] = field(default_factory=list)
    group: str = ""
    asked: dict[str, Any] = field(default_factory=dict)
    least_cpus: int | None = None
    tasks: dict[str, int] | None = None
    whole: bool = False
    loose: bool = False
    one_zone: bool = False
    tree: str | None = None


class Members(Queues):
    """The pods of one scenario."""

    def __init__(self, world: Pods, cell: Cell, dialect: Dialect) -> None:
        super().__init__(world, cell, dialect)
        self._gangs: dict[str, Gang] = {}
        self._made: set[str] = set()

    def __getitem__(self, name: str) -> Gang:
        """The gang of that name.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        if name not in self._gangs:
            raise HarnessError(f"the scenario has no gang {name}")
        return self._gangs[name]

    def add_pods(
        self,
        name: str,
        count: int,
        *,
        cpus: str = "1",
        owner: str = "",
        placed: Placed | None = None,
        asking: dict[str, str] | None = None,
        kept: Kept | None = None,
        selector: dict[str, str] | None = None,
        task: str | None = None,
        priority: str | None = None,
        claim: str | None = None,
    ) -> None:
        """Create pods of a gang.

        Args:
            name: the gang.
            count: how many.
            cpus: what each asks for; empty: nothing.
            owner: the object that is their controller.
            placed: how they must lie to each other.
            asking: what each asks for beside CPUs.
            kept: why they cannot be bound: a scheduling gate, or they are being deleted.
            selector: the labels of the nodes that they may be on; those of the scenario if None.
            task: the task of the gang that they do.
            priority: their priority; that of the gang if None.
            claim: the PersistentVolumeClaim that they use.
        """
        gang = self[name]
        self._world.act(f"creates {count} pods of gang {name}{f' of {cpus} CPUs' if cpus else ''}")
        labels = {GANG_LABEL: name}
        own = f"{self._cell.name}-{priority}" if priority else gang.priority
        spec: Json = {"priorityClassName": own, **_lying(labels, placed)}
        spec |= {"nodeSelector": selector} if selector else {}
        used = {"name": "storage", "persistentVolumeClaim": {"claimName": claim}}
        spec |= {"volumes": [used]} if claim else {}
        metadata: Json = {"ownerReferences": [self._owner(owner)]} if owner else {}
        match kept:
            case "gated":
                spec["schedulingGates"] = [{"name": _GATE}]
            case "deleted":
                metadata["finalizers"] = [_FINALIZER]
        if gang.queue:
            queue = gang.queue.removeprefix(f"{self._namespace}-")
            labels[QUEUE_LABEL] = queue
            self._wanted[queue] = self._wanted.get(queue, 0) + count * int(cpus or 0)
        for _ in range(count):
            pod = f"{name}-{len(gang.pods)}"
            gang.pods.append(pod)
            body = merged(self._pod(pod, labels, cpus, spec, asking), {"metadata": metadata})
            body = merged(body, self._membership(gang, cpus, task))
            if self.dialect.minimum.of == "pod":
                gang.asked[pod] = self.dialect.minimum.of_object(body)
            self._create_member(gang, body)
            if kept == "deleted":
                self._world.do(self._cell.api.delete(PODS.path(self._namespace, pod)))
        self._world.do(self._cell.catch_up())

    def _membership(self, gang: Gang, cpus: str = "1", task: str | None = None) -> Json:
        """What makes a pod with so many CPUs a member of the gang."""
        values = {**self._values(gang), "cpus": cpus or "0", "task": task}
        spelled: Json = filled(self.dialect.member, values)
        return spelled

    def _values(self, gang: Gang) -> Json:
        """What templates may say of a gang."""
        return {
            "group": gang.name,
            "minimum": gang.minimum,
            "queue": gang.queue,
            "priorityClass": gang.priority,
            "cpus": "1",
            "leastCpus": None if gang.least_cpus is None else str(gang.least_cpus),
            "tasks": gang.tasks,
            "namespace": self._namespace,
        }

    def lift_gates(self, name: str) -> None:
        """The gates of a gang's pods are taken off."""
        self._world.act(f"lifts the gates of gang {name}")
        for pod in self[name].pods:
            path = PODS.path(self._namespace, pod)
            self._world.do(self._cell.api.patch(path, {"spec": {"schedulingGates": None}}))
        self._world.do(self._cell.catch_up())

    def add_foreign(self, name: str) -> None:
        """Create a pod of another scheduler that names the group of a gang."""
        pod = f"{name}-foreign"
        self._world.act(f"creates pod {pod} of another scheduler, which names the group of gang {name}")
        body = self._pod(pod, {}, "1", {"schedulerName": _SOMEBODY})
        self._create_pod(merged(body, self._membership(self[name])))
        self._world.do(self._cell.catch_up())

    def run_foreign(self, pod: str, *, cpus: str) -> None:
        """Create a pod of another scheduler, which binds it to the scenario's first node."""
        self._world.act(f"another scheduler binds pod {pod} of {cpus} CPUs")
        self._create_pod(self._pod(pod, {}, cpus, {"schedulerName": _SOMEBODY}))
        target = {"apiVersion": "v1", "kind": "Node", "name": self.node_name(1)}
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod}, "target": target}
        self._world.do(self._cell.api.create(PODS.path(self._namespace, pod, "binding"), body))
        self._world.do(self._cell.catch_up())

    def delete_single(self, pod: str) -> None:
        """A user deletes a pod."""
        self._world.delete_pods([self._world.pod(pod)])

    def _owner(self, name: str) -> Json:
        """A reference to an object that owns pods and does nothing else; made when it is first needed."""
        path = f"/api/v1/namespaces/{self._namespace}/configmaps"
        owner = self._world.do(self._cell.api.get(f"{path}/{name}", missing_ok=True))
        if not owner:
            body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
            owner = self._world.do(self._cell.api.create(path, body))
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": owner["metadata"]["uid"]}
        return {**reference, "controller": True}

    def add_single(
        self,
        pod: str,
        *,
        cpus: str = "1",
        scheduler: str = "",
        owner: str = "",
        gated: bool = False,
        priority: str = "",
        spec: Json | None = None,
    ) -> None:
        """Create a pod outside of all gangs, for the implementation or for another scheduler."""
        self._world.act(f"creates pod {pod}{f' for {scheduler}' if scheduler else ''}")
        own = {"schedulerName": scheduler or self.dialect.scheduler, **(spec or {})}
        own |= {"schedulingGates": [{"name": _GATE}]} if gated else {}
        own |= {"priorityClassName": f"{self._cell.name}-{priority}"} if priority else {}
        body = self._pod(pod, {}, cpus, own)
        if owner:
            body["metadata"]["ownerReferences"] = [self._owner(owner)]
        if not scheduler:
            body = self.dialect.outside(body, pod=pod, cpus=cpus or "0", namespace=self._namespace)
        self._create_pod(body)
        self._world.do(self._cell.catch_up())

    def _pod(
        self, name: str, labels: dict[str, str], cpus: str, spec: Json, asking: dict[str, str] | None = None
    ) -> Json:
        requests = {**({"cpu": cpus} if cpus else {}), **(asking or {})}
        resources = {"requests": requests, "limits": {DEVICE: requests[DEVICE]} if DEVICE in requests else {}}
        container = {"name": "main", "image": "batchproof.dev/simulated", "resources": resources}
        base: Json = {
            "schedulerName": self.dialect.scheduler,
            "restartPolicy": "Never",
            "containers": [container],
            "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
            "nodeSelector": {HERE_LABEL: self._namespace},
        }
        given = {key: value for key, value in {**base, **spec}.items() if value is not None}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "labels": labels},
            "spec": given,
        }

    def _create_member(self, gang: Gang, body: Json) -> None:
        """Create a pod of a gang; one that names what does not exist may be refused instead of waiting."""
        try:
            self._create_pod(body)
        except ApiError as error:
            if not self._rightly_refused(gang, error):
                raise
            self._world.act(f"pod {body['metadata']['name']} is refused: {error}")
            gang.refused.append(body)

    def _rightly_refused(self, gang: Gang, error: ApiError) -> bool:
        """Admission has refused what names a group or a queue that is not there, and says so."""
        lacks_group = gang.name not in self._made and "group" in str(error).lower()
        return error.status in REFUSALS and (lacks_group or self._lacks_queue(gang, error))

    def _lacks_queue(self, gang: Gang, error: ApiError) -> bool:
        known = {self._queue_name(name) for name in self._weights}
        return gang.queue not in {None, *known} and "queue" in str(error).lower()

    def _create_pod(self, body: Json) -> None:
        self._see_set()
        self._world.do(self._cell.api.create(PODS.path(self._namespace), body))

    def end(self, name: str, count: int | None = None, *, exit_code: int = 0) -> None:
        """The oldest running pods of a gang succeed, or fail with an exit code."""
        self._world.end_pods(self._running(name)[:count], exit_code=exit_code)

    def delete_running(self, name: str, count: int) -> None:
        """A user deletes the oldest running pods of a gang."""
        self._world.delete_pods(self._running(name)[:count])

    def wipe_running(self, name: str, count: int) -> None:
        """The oldest running pods of a gang are gone at once, without having ended."""
        self._world.wipe_pods(self._running(name)[:count])

    def _running(self, name: str) -> list[Pod]:
        return [pod for pod in self._world.seen.pods if pod.gang == name and pod.node and not pod.finished]

    def end_queue(self, name: str, count: int) -> None:
        """The oldest running pods of a queue succeed."""
        pods = self._world.seen.pods
        running = [p for p in pods if p.labels.get(QUEUE_LABEL) == name and p.node and not p.finished]
        self._world.end_pods(running[:count], exit_code=0)

    def end_single(self, pod: str) -> None:
        """A pod outside of all gangs succeeds."""
        self._world.end_pods([self._world.pod(pod)], exit_code=0)

    def end_all(self) -> None:
        """All running pods succeed, whether they are of a gang or not."""
        running = [pod for pod in self._world.seen.pods if pod.node and not pod.finished]
        self._world.end_pods(running, exit_code=0)

    def end_bound(self) -> list[str]:
        """All running pods of gangs succeed; returns whose they were."""
        running = {pod.gang for pod in self._world.seen.pods if pod.gang and pod.node and not pod.finished}
        for gang in sorted(running):
            self.end(gang)
        return sorted(running)


def _lying(labels: dict[str, str], placed: Placed | None) -> Json:
    """The part of a pod's spec that says how it must lie to pods of these labels."""
    term: Json = {"labelSelector": {"matchLabels": {**labels}}}
    match placed:
        case "apart":
            kind, term["topologyKey"] = "podAntiAffinity", "kubernetes.io/hostname"
        case "in one zone":
            kind, term["topologyKey"] = "podAffinity", ZONE_LABEL
        case "spread":
            even = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "topologyKey": ZONE_LABEL}
            return {"topologySpreadConstraints": [{**term, **even}]}
        case _:
            return {}
    return {"affinity": {kind: {_REQUIRED: [term]}}}
