"""The verbs about pods of no Volcano Job that a user gives to Volcano's scheduler."""

from __future__ import annotations

from batchproof.ground.resources import PODS
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted
from batchproof.profiles.shared.verbs import Pods
from batchproof.profiles.volcano_job.facts.jobs import queue_of
from batchproof.profiles.volcano_job.facts.pods import GROUP_NAME
from batchproof.profiles.volcano_job.objects import CONFIG_MAPS, REPLICA_SETS, STATEFUL_SETS
from batchproof.profiles.volcano_job.verbs import UNSEEN
from batchproof.specification.verbs import verb
from batchproof.world import World

OWNER = "owner"
"""The name of the scenario's ReplicaSet, or StatefulSet."""

_LABELS = {"app": OWNER}


class NormalPods:
    """Pods of users, and a ReplicaSet or a StatefulSet that controls some of them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._made = 0
        self._owner = ""
        self._group = ""
        self._scheduler = ""

    @verb("pod {name:word} for the scheduler {scheduler:word} requests {cpus:d} [CPU|CPUs]")
    @verb(
        "pod {name:word} for the scheduler {scheduler:word} requests {cpus:d} [CPU|CPUs] in the queue",
        queued=True,
    )
    @verb(
        "pod {name:word} for the scheduler {scheduler:word} requests {cpus:d} [CPU|CPUs]"
        " and names PodGroup {group:word}"
    )
    @verb(
        "pod {name:word} for the scheduler {scheduler:word} requests {cpus:d} [CPU|CPUs]"
        " and is critical for the cluster",
        priority="system-cluster-critical",
    )
    def create(
        self,
        name: str,
        scheduler: str,
        *,
        cpus: int = 1,
        queued: bool = False,
        owner: Json | None = None,
        group: str = "",
        priority: str = "",
    ) -> None:
        """Create a pod that this scheduler is to bind.

        Args:
            name: its name.
            scheduler: the name of the scheduler.
            cpus: how many it requests.
            queued: it names the queue of the scenario.
            owner: an owner reference of it.
            group: the PodGroup that it names; "": none.
            priority: its PriorityClass, which is always there; "": none.
        """
        queue = queue_of(self._world.seen) if queued else None
        container = {
            "name": "main",
            "image": "batchproof.dev/simulated",
            "resources": {"requests": {"cpu": str(cpus)}},
        }
        metadata: Json = {"name": name, "labels": _LABELS}
        if queue:
            metadata["annotations"] = {"scheduling.volcano.sh/queue-name": queue.name}
        if group:
            metadata["annotations"] = {GROUP_NAME: group}
        if owner:
            metadata["ownerReferences"] = [owner]
        spec: Json = {"restartPolicy": "Never", "schedulerName": scheduler, "containers": [container]}
        if priority:
            spec["priorityClassName"] = priority
        self._world.act(f"creates pod {name} for the scheduler {scheduler}")
        self._world.create(PODS, {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})

    @verb(
        "a second later pod {name:word} for the scheduler {scheduler:word} requests {cpus:d} [CPU|CPUs],"
        " which no watch shows",
        not_in_place=UNSEEN,
    )
    def create_unseen(self, name: str, scheduler: str, cpus: int) -> None:
        """Create a pod once what came before it was observed; its own watch events are held back."""
        self._world.let_pass(1)
        self._world.faults.freeze(PODS)
        self.create(name, scheduler, cpus=cpus)

    @verb("pod {name:word} for the scheduler {scheduler:word} has an owner that does not control it")
    def create_in_family(self, name: str, scheduler: str) -> None:
        """Create a pod with an owner, a ConfigMap, that is not its controller."""
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "parent"}}
        made = self._world.create(CONFIG_MAPS, body)
        uid = made["metadata"]["uid"]
        owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "parent", "uid": uid}
        self.create(name, scheduler, owner=owner)

    @verb("a ReplicaSet of {count:d} pods for the scheduler {scheduler:word}")
    @verb("a ReplicaSet of {count:d} pods for the scheduler {scheduler:word} that name PodGroup {group:word}")
    def create_owned(self, count: int, scheduler: str, group: str = "") -> None:
        """Create a ReplicaSet, and the given number of pods as its controller would make them."""
        self._scheduler = scheduler
        self._group = group
        self._world.act(f"creates a ReplicaSet of {counted(count, 'pod')}")
        containers = [{"name": "main", "image": "batchproof.dev/simulated"}]
        annotations = {GROUP_NAME: group} if group else {}
        metadata = {"labels": _LABELS, "annotations": annotations}
        template = {"metadata": metadata, "spec": {"containers": containers}}
        spec = {"replicas": count, "selector": {"matchLabels": _LABELS}, "template": template}
        body = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": OWNER}, "spec": spec}
        made = self._world.create(REPLICA_SETS, body)
        self._owner = made["metadata"]["uid"]
        self._create_pods(count)

    def _create_pods(self, count: int) -> None:
        uid = self._owner
        reference = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": OWNER,
            "controller": True,
            "uid": uid,
        }
        for _ in range(count):
            self._made += 1
            self.create(f"{OWNER}-{self._made}", self._scheduler, owner=reference, group=self._group)

    @verb("a StatefulSet of {count:d} pods for the scheduler volcano, each requesting {cpus:d} [CPU|CPUs]")
    def create_stateful(self, count: int, cpus: int) -> None:
        """Create a StatefulSet, and its pods as its controller would make them, by their names."""
        self._world.act(f"creates a StatefulSet of {counted(count, 'pod')}")
        metadata = {"name": OWNER}
        body = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata}
        made = self._world.create(STATEFUL_SETS, {**body, "spec": self._stateful_spec(count, cpus)})
        self._owner = made["metadata"]["uid"]
        for index in range(count):
            self._create_stateful_pod(index, cpus)

    def _stateful_spec(self, count: int, cpus: int) -> Json:
        resources = {"requests": {"cpu": str(cpus)}}
        containers = [{"name": "main", "image": "batchproof.dev/simulated", "resources": resources}]
        template = {"metadata": {"labels": _LABELS}, "spec": {"containers": containers}}
        selector = {"matchLabels": _LABELS}
        return {"replicas": count, "serviceName": OWNER, "selector": selector, "template": template}

    def _create_stateful_pod(self, index: int, cpus: int) -> None:
        reference: Json = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": OWNER}
        reference |= {"controller": True, "uid": self._owner}
        self.create(f"{OWNER}-{index}", "volcano", cpus=cpus, owner=reference)

    @verb("the user changes the StatefulSet to {count:d} [pod|pods], each requesting {cpus:d} [CPU|CPUs]")
    def change_stateful(self, count: int, cpus: int) -> None:
        """Change the StatefulSet, and replace its pods, the last one first, as its controller would."""
        self._world.act(f"changes the StatefulSet to {counted(count, 'pod')} of {counted(cpus, 'CPU')}")
        self._world.patch(STATEFUL_SETS, OWNER, {"spec": self._stateful_spec(count, cpus)})
        for pod in sorted(self._owned(), key=lambda pod: pod.name, reverse=True):
            self._world.verbs(Pods).delete_pods([pod], grace_s=0)
        for index in range(count):
            self._create_stateful_pod(index, cpus)

    @verb("the pods of the ReplicaSet run")
    def run(self) -> None:
        """The kubelet runs the pods of the ReplicaSet."""
        self._world.verbs(Pods).start_pods(self._owned())

    def delete_owned(self) -> None:
        """Delete the ReplicaSet and its pods, which the garbage collector may come to late."""
        pods = self._owned()
        self._world.act("deletes the ReplicaSet")
        self._world.remove(REPLICA_SETS, OWNER)
        self._world.verbs(Pods).delete_pods(pods)

    def _owned(self) -> list[Pod]:
        return [pod for pod in self._world.seen.pods if pod.controller]

    @verb("the user changes the ReplicaSet to {count:d} [pod|pods]")
    def scale(self, count: int) -> None:
        """Scale the ReplicaSet, and delete or create pods, as its controller would."""
        self._world.act(f"changes the ReplicaSet to {counted(count, 'pod')}")
        self._world.patch(REPLICA_SETS, OWNER, {"spec": {"replicas": count}})
        there = [pod for pod in self._owned() if pod.active]
        if surplus := there[count:]:
            self._world.verbs(Pods).delete_pods(surplus, grace_s=0)
        self._create_pods(count - len(there))
