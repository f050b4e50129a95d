"""The verbs by which pods come to be: those of gangs, and those outside of all gangs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.api.client import ApiError
from batchproof.descriptor.dialect import filled, merged
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import (
    GANG_LABEL,
    HOST_LABEL,
    PODS,
    QUEUE_LABEL,
    RUNTIME_CLASSES,
    SIMULATED_TAINT,
    ZONE_LABEL,
)
from batchproof.judgement.history import Json
from batchproof.judgement.values import counted
from batchproof.profiles.gang import sentences
from batchproof.profiles.gang.phrases import SOMEBODY
from batchproof.profiles.gang.resources import DEVICE
from batchproof.profiles.gang.specs import PodSpec, Tolerated
from batchproof.profiles.gang.verbs.gang import Gang, KnownGangs
from batchproof.profiles.gang.verbs.nodes import HERE_LABEL, TAINT, Nodes
from batchproof.profiles.gang.verbs.queues import Queues
from batchproof.profiles.gang.verbs.setting import Setting, dialect_of
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable

REFUSALS = {400, 403, 422}
_GATE = "example.com/gate"
_FINALIZER = "example.com/keeps"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PLAIN = PodSpec()
_TOLERATIONS: dict[Tolerated, list[Json]] = {
    "": [],
    "the taint": [{"key": TAINT, "operator": "Exists"}],
    "every taint": [{"operator": "Exists"}],
    "another value of the taint": [{"key": TAINT, "operator": "Equal", "value": "other"}],
    "another taint": [{"key": f"{TAINT}-too", "operator": "Exists"}],
    "the taint once they run": [{"key": TAINT, "operator": "Exists", "effect": "NoExecute"}],
}
SINGLE_LABEL = "batchproof.dev/single"
"""The label of a pod of no gang, by which others can keep away from it: its name in the scenario."""


class GangPods:
    """The pods of one scenario, as they are created."""

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._dialect = dialect_of(world)
        self._setting = world.verbs(Setting)
        self._nodes = world.verbs(Nodes)
        self._queues = world.verbs(Queues)
        self._gangs = world.verbs(KnownGangs)
        self._runtimes: dict[str, str] = {}

    @verb(sentences.PODS_ADDED)
    def add_pods(self, name: str, pods: PodSpec) -> None:
        """Create pods of a gang."""
        gang = self._gangs[name]
        of = f" of {pods.cpus} CPUs" if pods.cpus else ""
        self._world.act(f"creates {counted(pods.count, 'pod')} of gang {name}{of}")
        labels = {GANG_LABEL: name}
        if gang.queue:
            queue = gang.queue.removeprefix(f"{self._namespace}-")
            labels[QUEUE_LABEL] = queue
            self._queues.want(queue, pods.count * int(pods.taken_cpus))
        bodies = []
        for _ in range(pods.count):
            pod = f"{name}-{len(gang.pods)}"
            gang.pods.append(pod)
            body = merged(self.body(pod, labels, pods, gang.priority), self.membership(gang, pods))
            if self._dialect.minimum.of == "pod":
                gang.asked[pod] = self._dialect.minimum.of_object(body)
            bodies.append(body)
        self.create_members(gang, bodies, deleted=pods.kept == "deleted")

    def membership(self, gang: Gang, pods: PodSpec = _PLAIN) -> Json:
        """What makes such a pod a member of the gang."""
        values = {**self.values(gang), "cpus": pods.taken_cpus, "task": pods.task or None}
        spelled: Json = filled(self._dialect.member, values)
        return spelled

    def values(self, gang: Gang) -> Json:
        """What templates may say of a gang."""
        return {
            "group": gang.name,
            "minimum": gang.minimum,
            "queue": gang.queue,
            "priorityClass": gang.priority,
            "cpus": "1",
            "leastCpus": None if gang.spec.least_cpus is None else str(gang.spec.least_cpus),
            "tasks": dict(gang.spec.tasks) or None,
            "namespace": self._namespace,
        }

    def move(self, gang: Gang, queue: str) -> None:
        """Label the pods of a gang with another queue, for facts: no scheduler goes by that label."""
        label = {"metadata": {"labels": {QUEUE_LABEL: queue}}}
        gang.refused = [merged(body, label) for body in gang.refused]
        for pod in set(gang.pods) - {body["metadata"]["name"] for body in gang.refused}:
            self._world.do(self._cell.api.patch(PODS.path(self._namespace, pod), label))

    @verb("the scheduling gates of gang {name:gang} are lifted")
    def lift_gates(self, name: str) -> None:
        """The gates of a gang's pods are taken off."""
        self._world.act(f"lifts the gates of gang {name}")
        for pod in self._gangs[name].pods:
            path = PODS.path(self._namespace, pod)
            self._world.do(self._cell.api.patch(path, {"spec": {"schedulingGates": None}}))

    @verb("a pod of another scheduler names the group of gang {name:gang}")
    def add_foreign(self, name: str) -> None:
        """Create a pod of another scheduler that names the group of a gang."""
        pod = f"{name}-foreign"
        self._world.act(f"creates pod {pod} of another scheduler, which names the group of gang {name}")
        body = self.body(pod, {}, PodSpec(scheduler=SOMEBODY))
        self.create_pod(merged(body, self.membership(self._gangs[name])))

    @verb("{pod:pod} runs on the node")
    def run_foreign(self, pod: PodSpec) -> None:
        """Create a pod of another scheduler, which binds it to the scenario's first node.

        Raises:
            HarnessError: it is a pod for the implementation, which binds it itself.
        """
        if not pod.scheduler:
            raise HarnessError(f"only a pod of another scheduler is bound by it: say so of pod {pod.name}")
        self._world.act(f"another scheduler binds pod {pod.name} of {pod.cpus} CPUs")
        self.create_pod(self.body(pod.name, {}, pod))
        target = {"apiVersion": "v1", "kind": "Node", "name": self._nodes.node_name(1)}
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod.name}, "target": target}
        self._world.do(self._cell.api.create(PODS.path(self._namespace, pod.name, "binding"), body))

    def owner(self, name: str) -> Json:
        """A reference to an object that owns pods and does nothing else; made when it is first needed."""
        path = f"/api/v1/namespaces/{self._namespace}/configmaps"
        owner = self._world.do(self._cell.api.get(f"{path}/{name}", missing_ok=True))
        if not owner:
            body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
            owner = self._world.do(self._cell.api.create(path, body))
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": owner["metadata"]["uid"]}
        return {**reference, "controller": True}

    def runtime(self, cpus: str) -> str:
        """The name of a RuntimeClass with an overhead of that many CPUs; created when first needed."""
        if cpus not in self._runtimes:
            body = {
                "apiVersion": "node.k8s.io/v1",
                "kind": "RuntimeClass",
                "handler": "simulated",
                "overhead": {"podFixed": {"cpu": cpus}},
            }
            self._runtimes[cpus] = self._world.create_in_cluster(RUNTIME_CLASSES, f"runtime-{cpus}", body)
        return self._runtimes[cpus]

    @verb(sentences.POD_CREATED)
    def add_single(self, pod: PodSpec) -> None:
        """Create a pod outside of all gangs, for the implementation or for another scheduler."""
        body = self.body(pod.name, {SINGLE_LABEL: pod.name}, pod)
        scheduler = f" for {body['spec']['schedulerName']}" if pod.scheduler else ""
        self._world.act(f"creates pod {pod.name}{scheduler}")
        if not pod.scheduler:
            body = self._dialect.outside(body, pod=pod.name, cpus=pod.taken_cpus, namespace=self._namespace)
        self.create_pod(body)
        self._world.do(self._cell.catch_up())

    def body(self, name: str, labels: dict[str, str], pod: PodSpec, priority: str | None = None) -> Json:
        """A pod as it is asked for.

        Args:
            name: its name.
            labels: its labels.
            pod: what is asked for.
            priority: the PriorityClass of one that has no priority of its own.
        """
        requests = {**({"cpu": pod.cpus} if pod.cpus else {}), **dict(pod.asking)}
        requests.pop("pods", None)  # each pod takes a place without asking for it
        resources = {"requests": requests, "limits": {DEVICE: requests[DEVICE]} if DEVICE in requests else {}}
        container: Json = {"name": "main", "image": "batchproof.dev/simulated", "resources": resources}
        spec: Json = {
            "schedulerName": pod.scheduler.format(scheduler=self._dialect.scheduler)
            or self._dialect.scheduler,
            "restartPolicy": "Never",
            "containers": [container],
            "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}, *_TOLERATIONS[pod.tolerated]],
            "nodeSelector": dict(pod.selector) or {HERE_LABEL: self._namespace},
            **_placed(labels, pod),
        }
        if pod.host_port:
            container["ports"] = [{"containerPort": pod.host_port, "hostPort": pod.host_port}]
        if pod.whole_cpus:
            spec["resources"] = {"requests": {"cpu": pod.whole_cpus}}
        if pod.runtime_cpus:
            spec["runtimeClassName"] = self.runtime(pod.runtime_cpus)
        if before := _init_containers(pod):
            spec["initContainers"] = before
        if its := f"{self._cell.name}-{pod.priority}" if pod.priority else priority:
            spec["priorityClassName"] = its
        if pod.claim:
            used = {"name": "storage", "persistentVolumeClaim": {"claimName": pod.claim}}
            spec["volumes"] = [used]
        if pod.kept == "gated":
            spec["schedulingGates"] = [{"name": _GATE}]
        metadata: Json = {"name": name, "labels": labels}
        if pod.kept == "deleted":
            metadata["finalizers"] = [_FINALIZER]
        if pod.owner:
            metadata["ownerReferences"] = [self.owner(pod.owner)]
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}

    def create_members(self, gang: Gang, bodies: Iterable[Json], *, deleted: bool = False) -> None:
        """Create pods of a gang; one that names what does not exist may be refused instead of waiting.

        Args:
            gang: the gang.
            bodies: the pods.
            deleted: each is deleted at once; a finalizer keeps it.
        """
        made = []
        for body in bodies:
            name = body["metadata"]["name"]
            gang.bodies[name] = body
            try:
                stored = self.create_pod(body)
            except ApiError as error:
                if not self._rightly_refused(gang, error):
                    raise
                self._world.act(f"pod {name} is refused: {error}")
                gang.refused.append(body)
                continue
            if deleted:
                stored = self._world.do(self._cell.api.delete(PODS.path(self._namespace, name)))
            made.append(stored)
        self._world.do(self._cell.see(PODS, made))

    def create_refused(self, gang: Gang) -> None:
        """Create the pods of a gang that admission has refused, now that what they name exists."""
        refused, gang.refused = gang.refused, []
        self.create_members(gang, refused)

    def _rightly_refused(self, gang: Gang, error: ApiError) -> bool:
        """Admission has refused what names a group or a queue that is not there, and says so."""
        lacks_group = gang.name not in self._gangs.made and "group" in str(error).lower()
        return error.status in REFUSALS and (lacks_group or self.lacks_queue(gang, error))

    def lacks_queue(self, gang: Gang, error: ApiError) -> bool:
        """Whether the queue that a gang names does not exist, and an error says so."""
        lacks = gang.queue is not None and not self._queues.knows(gang.queue)
        return lacks and "queue" in str(error).lower()

    def create_pod(self, body: Json) -> Json:
        """Create a pod; returns it as it is stored."""
        self._setting.see_set()
        stored: Json = self._world.do(self._cell.api.create(PODS.path(self._namespace), body))
        return stored


def _init_containers(pod: PodSpec) -> list[Json]:
    """A sidecar, and what runs before the pod's container; the sidecar runs beside both."""
    asked = (
        (pod.sidecar_cpus, {"name": "beside", "restartPolicy": "Always"}),
        (pod.init_cpus, {"name": "before"}),
    )
    return [
        {**of, "image": "batchproof.dev/simulated", "resources": {"requests": {"cpu": cpus}}}
        for cpus, of in asked
        if cpus
    ]


def _placed(labels: dict[str, str], pod: PodSpec) -> Json:
    """The part of a pod's spec that says where it may be, by others and by the zone of the node."""
    placed = _lying(labels, pod)
    asked = [("In", zone) for zone in pod.node_zone.split(" or ") if zone]
    asked += [("NotIn", pod.outside_zone)] if pod.outside_zone else []
    if asked:
        terms = [
            {"matchExpressions": [{"key": ZONE_LABEL, "operator": operator, "values": [zone]}]}
            for operator, zone in asked
        ]
        affinity = {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": terms}}}
        placed["affinity"] = {**placed.get("affinity", {}), **affinity}
    return placed


def _lying(labels: dict[str, str], pod: PodSpec) -> Json:
    """The part of a pod's spec that says how it must lie to others; those of its gang have these labels."""
    apart = {SINGLE_LABEL: pod.apart_from, GANG_LABEL: pod.apart_from_gang}
    others = {label: name for label, name in apart.items() if name}
    labels = others or labels
    term: Json = {"labelSelector": {"matchLabels": {**labels}}}
    match "no two on one node" if others else pod.placed:
        case "no two on one node":
            kind, term["topologyKey"] = "podAntiAffinity", HOST_LABEL
        case "all in one zone":
            kind, term["topologyKey"] = "podAffinity", ZONE_LABEL
        case "spread evenly over the zones":
            even = {"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "topologyKey": ZONE_LABEL}
            return {"topologySpreadConstraints": [{**term, **even}]}
        case _:
            return {}
    return {"affinity": {kind: {_REQUIRED: [term]}}}
