"""The verbs about the pods of gangs, and about pods outside of all gangs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from batchproof.api.client import ApiError
from batchproof.descriptor.dialect import filled, merged
from batchproof.errors import HarnessError
from batchproof.labels import GANG_LABEL, QUEUE_LABEL, SIMULATED_TAINT
from batchproof.resources import PODS
from batchproof.world.gangs.nodes import HERE_LABEL
from batchproof.world.gangs.queues import Queues

if TYPE_CHECKING:
    from batchproof.cell import Cell
    from batchproof.descriptor.dialect import Dialect
    from batchproof.judgement.history import Json
    from batchproof.world.pods import Pods

_REFUSALS = {400, 403, 422}
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
    """

    name: str
    minimum: int
    queue: str | None = None
    priority: str | None = None
    pods: list[str] = field(default_factory=list)
    refused: list[Json] = field(default_factory=list)


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
        self, name: str, count: int, *, cpus: str = "1", owner: str = "", apart: bool = False
    ) -> None:
        """Create pods of a gang.

        Args:
            name: the gang.
            count: how many.
            cpus: what each asks for; empty: nothing.
            owner: the object that is their controller.
            apart: no two may be on one node.
        """
        gang = self[name]
        self._world.act(f"creates {count} pods of gang {name}{f' of {cpus} CPUs' if cpus else ''}")
        labels = {GANG_LABEL: name}
        spec: Json = {"priorityClassName": gang.priority}
        if apart:
            spec["affinity"] = {"podAntiAffinity": {_REQUIRED: [_apart(labels)]}}
        metadata = {"ownerReferences": [self._owner(owner)]} if owner else {}
        if gang.queue:
            queue = gang.queue.removeprefix(f"{self._namespace}-")
            labels[QUEUE_LABEL] = queue
            self._wanted[queue] = self._wanted.get(queue, 0) + count * int(cpus or 0)
        for _ in range(count):
            pod = f"{name}-{len(gang.pods)}"
            gang.pods.append(pod)
            body = merged(self._pod(pod, labels, cpus, spec), {"metadata": metadata})
            self._create_member(gang, merged(body, filled(self.dialect.member, {"group": name})))
        self._world.do(self._cell.catch_up())

    def _owner(self, name: str) -> Json:
        """A reference to an object that owns pods and does nothing else; made when it is first needed."""
        path = f"/api/v1/namespaces/{self._namespace}/configmaps"
        owner = self._world.do(self._cell.api.get(f"{path}/{name}", missing_ok=True))
        if not owner:
            body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
            owner = self._world.do(self._cell.api.create(path, body))
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": owner["metadata"]["uid"]}
        return {**reference, "controller": True}

    def add_single(self, pod: str, *, cpus: str = "1", scheduler: str = "", spec: Json | None = None) -> None:
        """Create a pod outside of all gangs, for the implementation or for another scheduler."""
        self._world.act(f"creates pod {pod}{f' for {scheduler}' if scheduler else ''}")
        body = self._pod(
            pod, {}, cpus, {"schedulerName": scheduler or self.dialect.scheduler, **(spec or {})}
        )
        self._create_pod(body)
        self._world.do(self._cell.catch_up())

    def _pod(self, name: str, labels: dict[str, str], cpus: str, spec: Json) -> Json:
        requests = {"cpu": cpus} if cpus else {}
        container = {"name": "main", "image": "batchproof.dev/simulated", "resources": {"requests": requests}}
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
            if error.status not in _REFUSALS or not self._dangling(gang):
                raise
            self._world.act(f"pod {body['metadata']['name']} is refused: {error}")
            gang.refused.append(body)

    def _dangling(self, gang: Gang) -> bool:
        """The gang has no group, or names a queue that is not there."""
        known = {self._queue_name(name) for name in self._weights}
        return gang.name not in self._made or (gang.queue is not None and gang.queue not in known)

    def _create_pod(self, body: Json) -> None:
        self._world.do(self._cell.api.create(PODS.path(self._namespace), body))

    def end(self, name: str, count: int | None = None, *, exit_code: int = 0) -> None:
        """The oldest running pods of a gang succeed, or fail with an exit code."""
        running = [pod for pod in self._world.seen.pods if pod.gang == name and pod.node and not pod.finished]
        self._world.end_pods(running[:count], exit_code=exit_code)

    def end_queue(self, name: str, count: int) -> None:
        """The oldest running pods of a queue succeed."""
        pods = self._world.seen.pods
        running = [p for p in pods if p.labels.get(QUEUE_LABEL) == name and p.node and not p.finished]
        self._world.end_pods(running[:count], exit_code=0)

    def end_single(self, pod: str) -> None:
        """A pod outside of all gangs succeeds."""
        self._world.end_pods([self._world.pod(pod)], exit_code=0)

    def end_bound(self) -> list[str]:
        """All running pods of gangs succeed; returns whose they were."""
        running = {pod.gang for pod in self._world.seen.pods if pod.gang and pod.node and not pod.finished}
        for gang in sorted(running):
            self.end(gang)
        return sorted(running)


def _apart(labels: dict[str, str]) -> Json:
    """The term of an anti-affinity: not on one node with a pod of these labels."""
    return {"labelSelector": {"matchLabels": labels}, "topologyKey": "kubernetes.io/hostname"}
