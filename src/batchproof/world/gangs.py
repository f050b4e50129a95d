"""The verbs of gang scenarios: nodes, gangs in whatever dialect, queues, and the witnesses of "not bound"."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from batchproof.api.client import ApiError
from batchproof.cell.belongings import PRIORITIES
from batchproof.cell.kubelet import node_body, node_status
from batchproof.descriptor.dialect import filled, merged
from batchproof.documents import at
from batchproof.errors import HarnessError
from batchproof.judgement.claims import always, eventually, never, now, proof
from batchproof.judgement.facts.gangs import (
    bound_since_ever,
    gang_bound_at_most,
    group_made,
    nothing_in_part,
    one_more_bound,
    pod_bound,
    room_was_free,
)
from batchproof.labels import CELL_LABEL, GANG_LABEL, QUEUE_LABEL, SCENE_LABEL, SIMULATED_TAINT
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.cell import Cell
    from batchproof.descriptor.dialect import Dialect
    from batchproof.judgement.history import Json
    from batchproof.world.pods import Pods

Flaw: TypeAlias = Literal["not ready", "cordoned", "tainted", "elsewhere"]
"""Why a node is none for the scenario's pods; ``elsewhere``: it lacks the label that they select."""

_TAINTS = {"tainted": "example.com/tainted", "not ready": "node.kubernetes.io/not-ready"}
"""The further taint of such a node; a cluster's node lifecycle controller marks what is not ready."""

NOTHING_IN_PART = "GNG-003"
"""Judged at the end of every gang scenario: when all has come to rest, no gang is bound in part."""
HERE_LABEL = "batchproof.dev/here"
PROBE_LABEL = "batchproof.dev/probe"
PROBE_CPU = "50m"
_REFUSALS = {400, 403, 422}
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PROBE_NODE = {"cpu": "100m", "memory": "1Gi", "pods": "100"}


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


class Gangs:
    """Nodes, gangs and queues of one scenario.

    Before each claim about a gang its minimum is read back from the implementation's own object: a gang that
    something has changed is not judged.
    """

    def __init__(self, world: Pods, cell: Cell, dialect: Dialect) -> None:
        self._world = world
        self._cell = cell
        self.dialect = dialect
        self._gangs: dict[str, Gang] = {}
        self._made: set[str] = set()
        self._nodes = 0
        self._probes = 0
        self._weights: dict[str, int] = {}
        self._wanted: dict[str, int] = {}
        self._cpus = 0

    @property
    def _namespace(self) -> str:
        return self._world.scene.namespace

    def __getitem__(self, name: str) -> Gang:
        """The gang of that name.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        if name not in self._gangs:
            raise HarnessError(f"the scenario has no gang {name}")
        return self._gangs[name]

    # -- nodes

    def add_node(self, cpus: str, *, flaw: Flaw | None = None) -> None:
        """Add a simulated node, or one that the scenario's pods cannot be bound to."""
        if not self._nodes:
            self._make_node("probes", _PROBE_NODE, {PROBE_LABEL: self._namespace})
        self._nodes += 1
        name = f"node-{self._nodes}"
        self._cpus += 0 if flaw else int(cpus)
        labels = {} if flaw == "elsewhere" else {HERE_LABEL: self._namespace}
        resources = {"cpu": cpus, "memory": "64Gi", "pods": "110"}
        self._world.act(f"adds {name} with {cpus} CPUs{f' ({flaw})' if flaw else ''}")
        self._make_node(name, resources, labels, flaw)
        self._world.do(self._cell.catch_up())

    def _make_node(
        self, name: str, resources: dict[str, str], labels: dict[str, str], flaw: Flaw | None = None
    ) -> None:
        labels = {**labels, CELL_LABEL: self._cell.name, SCENE_LABEL: self._namespace}
        body = node_body(
            f"{self._namespace}-{name}",
            labels,
            unschedulable=flaw == "cordoned",
            taint=_TAINTS.get(flaw or "", ""),
        )
        self._world.do(
            self._cell.belongings.make_node(body, node_status(resources, ready=flaw != "not ready"))
        )

    # -- gangs and queues

    def add_queue(self, name: str, weight: int) -> None:
        """Add a queue with a weight.

        Raises:
            HarnessError: the dialect has no queues: the scenario needs the capability Queues.
        """
        queue = self.dialect.queue
        if queue is None:
            raise HarnessError(f"the dialect {self.dialect.name} has no queues")
        self._world.act(f"adds queue {name} of weight {weight}", queue=name, weight=weight)
        self._weights[name] = weight
        metadata = {"name": self._queue_name(name), "labels": {CELL_LABEL: self._cell.name}}
        self._world.do(
            self._cell.belongings.make(queue.resource.path(), queue.object(metadata, weight=weight))
        )

    def _queue_name(self, name: str) -> str:
        return f"{self._namespace}-{name}"

    def add(
        self,
        name: str,
        minimum: int,
        *,
        queue: str | None = None,
        priority: str | None = None,
        made: bool = True,
    ) -> None:
        """Add a gang without pods; not ``made``: its pods will name a group that does not exist yet."""
        gang = Gang(
            name,
            minimum,
            self._queue_name(queue) if queue else None,
            f"{self._cell.name}-{priority}" if priority else None,
        )
        self._gangs[name] = gang
        if priority and priority not in PRIORITIES:
            raise HarnessError(f"there is no priority {priority!r}; there is {', '.join(PRIORITIES)}")
        if made:
            self.make(name)

    def make(self, name: str) -> None:
        """Create the object of a gang.

        Raises:
            HarnessError: something changed its minimum at once.
        """
        gang, group = self[name], self.dialect.group
        self._world.act(f"creates gang {name} with minimum {gang.minimum}", gang=name, minimum=gang.minimum)
        body = group.object(
            {"name": name}, minimum=gang.minimum, queue=gang.queue, priorityClass=gang.priority
        )
        made = self._world.do(self._cell.api.create(group.resource.path(self._namespace), body))
        self._made.add(name)
        self._world.do(self._cell.catch_up())
        self._see_minimum(gang, made)
        refused, gang.refused = gang.refused, []
        for pod in refused:
            self._create_member(gang, pod)
        self._world.do(self._cell.catch_up())

    def add_job(self, name: str, minimum: int, completions: int) -> None:
        """Create a Job of so many completions whose pods, as many as the minimum at once, are a gang.

        Raises:
            Inconclusive: the implementation makes no group with that minimum: there is no gang to be judged.
        """
        if self.dialect.job is None:
            raise HarnessError("the dialect has no gang Jobs: the scenario needs the capability GangJobs")
        self._gangs[name] = Gang(name, minimum)
        text = f"creates gang Job {name} of {completions} completions with minimum {minimum}"
        self._world.act(text, gang=name, minimum=minimum)
        pod = self._pod(name, {GANG_LABEL: name}, "1", {})
        template = {"metadata": {"labels": pod["metadata"]["labels"]}, "spec": pod["spec"]}
        spec = {"completions": completions, "parallelism": minimum, "completionMode": "Indexed"}
        body = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": name},
            "spec": {**spec, "template": template},
        }
        path = JOBS.path(self._namespace)
        self._world.do(
            self._cell.api.create(path, merged(body, filled(self.dialect.job, {"minimum": minimum})))
        )
        made = group_made(
            resource=str(self.dialect.group.resource), path=self.dialect.minimum, minimum=minimum
        )
        self._world.claim(eventually(made, precondition=True))

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

    # -- verdicts

    def see_minimums(self) -> None:
        """See that every gang still has the minimum that it was given.

        Raises:
            HarnessError: one has not: nothing can be said of it.
        """
        groups = self._world.seen.objects.get(self.dialect.group.resource, {}).values()
        for group in groups:
            if group.name in self._gangs:
                self._see_minimum(self._gangs[group.name], group.raw)

    def _see_minimum(self, gang: Gang, group: Json) -> None:
        effective = at(self.dialect.minimum, group)
        if effective != gang.minimum:
            raise HarnessError(
                f"gang {gang.name} was created with minimum {gang.minimum}, but {self.dialect.minimum} "
                f"of its {self.dialect.group.kind} is {effective}: something (a webhook?) has changed it"
            )

    def claim_waits(self, name: str, *, room: int | None) -> None:
        """Claim that no pod of a gang is bound, with both witnesses.

        Room for so many of its pods (None: for its whole minimum) was free all the time, and the
        implementation was alive before and after: it bound a probe, a pod outside that disturbs nothing.

        Raises:
            Unmet: one more was bound.
            Inconclusive: a witness is missing.
        """
        self.see_minimums()
        since = self._world.seen.last
        self._claim_alive()
        self._world.claim(always(gang_bound_at_most(gang=name, count=0)))
        self._claim_alive()
        self._world.claim(now(gang_bound_at_most(gang=name, count=0)))
        if self[name].refused:  # none can be bound: that is how the implementation lets them wait
            return
        at_least = self[name].minimum if room is None else room
        free = room_was_free(gang=name, at_least=at_least, at_most=room, since=since)
        self._world.claim(now(free, precondition=True))

    def claim_pod_waits(self, pod: str) -> None:
        """Claim that a pod outside of all gangs is not bound while the implementation binds others.

        Raises:
            Unmet: it was bound.
            Inconclusive: the implementation was not seen alive.
        """
        self._claim_alive()
        self._world.claim(never(pod_bound(pod=pod)))
        self._claim_alive()

    def claim_all_run(self) -> None:
        """Claim that one gang after the other is bound, each ending soon after, until none is left."""
        waiting = set(self._gangs)
        while waiting:
            self.see_minimums()
            self._world.claim(eventually(one_more_bound(gangs=sorted(waiting)), within="settle"))
            whole = {name for name in waiting if self._whole(name)}
            for name in sorted(whole):
                self.end(name)
            waiting -= whole

    def _whole(self, name: str) -> bool:
        return len(bound_since_ever(self._world.seen, name)) >= len(self[name].pods)

    def _claim_alive(self) -> None:
        self._probes += 1
        name = f"probe-{self._probes}"
        selector = {PROBE_LABEL: self._namespace}
        self.add_single(name, cpus=PROBE_CPU, spec={"nodeSelector": selector})
        self._world.claim(proof(pod_bound(pod=name)))
        self.end_single(name)

    @property
    def signs(self) -> Json:
        """By which signs a gang is reported as not schedulable: for the fact ``reported``."""
        signs = [asdict(sign) for sign in self.dialect.unschedulable]
        return {"resource": str(self.dialect.group.resource), "signs": signs}

    @property
    def shares(self) -> Json:
        """What the weighted max-min share of each queue follows from, for the fact ``shares_given``."""
        wanted = {queue: str(self._wanted.get(queue, 0)) for queue in self._weights}
        return {"total": str(self._cpus), "weights": dict(self._weights), "wanted": wanted, "pod": "1"}

    def settle(self) -> None:
        """Wait until no gang is bound in part: GNG-003 speaks of what is so when all has come to rest."""
        self.see_minimums()
        self._world.claim(replace(eventually(nothing_in_part()), requirement=NOTHING_IN_PART))


def _apart(labels: dict[str, str]) -> Json:
    """The term of an anti-affinity: not on one node with a pod of these labels."""
    return {"labelSelector": {"matchLabels": labels}, "topologyKey": "kubernetes.io/hostname"}
