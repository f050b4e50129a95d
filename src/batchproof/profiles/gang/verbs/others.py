"""The verbs by which other clients change parts of pods and groups that decide nothing for a scheduler."""

from __future__ import annotations

from batchproof.api.client import ApiError
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import BUDGETS, GANG_LABEL, NODES, PODS, WORKLOADS
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.profiles.gang.verbs.gang import KnownGangs
from batchproof.profiles.gang.verbs.nodes import Nodes
from batchproof.profiles.gang.verbs.pods import GangPods
from batchproof.profiles.gang.verbs.queues import SHARED, Queues
from batchproof.profiles.gang.verbs.setting import dialect_of
from batchproof.profiles.gang.verbs.trees import Trees
from batchproof.profiles.shared.objects.workloads import Workload
from batchproof.profiles.shared.verbs import Pods
from batchproof.specification.verbs import verb
from batchproof.world import World

_NO_SUBRESOURCE = 404
"""The reply where the status of an object is no subresource: it is written with the rest."""
_HOLD = "example.com/holds"
_MARK = {"example.com/checked": "yes"}
_CHECKED = {
    "type": "example.com/Checked",
    "status": "True",
    "reason": "Checked",
    "message": "checked by another client",
    "lastTransitionTime": "2020-01-01T00:00:00Z",
}


class OtherClients:
    """What other clients do to the pods and groups of one scenario."""

    def __init__(self, world: World) -> None:
        self._world, self._cell, self._namespace = world, world.cell, world.scene.namespace
        self._gangs = world.verbs(KnownGangs)
        self._gang_pods = world.verbs(GangPods)
        self._pods = world.verbs(Pods)

    @verb("another client annotates the waiting pods of gang {name:gang}")
    def annotate_waiting(self, name: str) -> None:
        """Another client gives the pods of a gang that are not bound an annotation of its own."""
        for pod in self._gangs.waiting(name):
            self._pods.patch_pod(pod, {"annotations": _MARK})

    @verb("another client marks the waiting pods of gang {name:gang} as scheduled", status="True")
    @verb("another client takes the conditions from the waiting pods of gang {name:gang}")
    def set_scheduled(self, name: str, status: str = "") -> None:
        """Another client leaves the condition PodScheduled alone to the waiting pods of a gang, or none."""
        for pod in self._gangs.waiting(name):
            left = [{"type": "PodScheduled", "status": status}] if status else []
            self._patch_status(pod, {"conditions": left})

    def _patch_status(self, pod: Pod, status: Json) -> None:
        self._world.act(f"another client changes the status of pod {pod.name}: {status}")
        path = PODS.path(self._namespace, pod.name, "status")
        self._world.do(self._cell.api.patch(path, {"status": status}))

    @verb("another client marks {count:d} waiting [pod|pods] of gang {name:gang} as failed")
    def fail_waiting(self, name: str, count: int) -> None:
        """Another client sets the phase of the newest pods of a gang that are not bound to Failed."""
        self._pods.set_phase(self._gangs.waiting(name)[-count:], "Failed")

    @verb("{count:d} running [pod|pods] of gang {name:gang} [count?becomes|become] Unknown")
    def lose_running(self, name: str, count: int) -> None:
        """The node of the oldest running pods of a gang is not heard any more, and their phase is Unknown."""
        self._pods.set_phase(self._gangs.running(name)[:count], "Unknown")

    @verb("a PodDisruptionBudget protects the pods of gang {name:gang}")
    @verb("a PodDisruptionBudget lets {allowed:d} [pod|pods] of gang {name:gang} be evicted")
    def protect(self, name: str, allowed: int = 0) -> None:
        """A user lets no more pods of a gang be disrupted, and the status says so as its controller does."""
        needed = 100  # more than a scenario has: the status alone says how many may be disrupted
        self._world.act(f"adds a PodDisruptionBudget for gang {name}, which allows {allowed}")
        spec = {"minAvailable": needed, "selector": {"matchLabels": {GANG_LABEL: name}}}
        body: Json = {"apiVersion": BUDGETS.api_version, "kind": "PodDisruptionBudget", "spec": spec}
        body["metadata"] = {"name": f"{name}-stays"}
        path = self._world.do(self._cell.belongings.make(BUDGETS.path(self._namespace), body))
        pods = {"currentHealthy": 0, "desiredHealthy": needed, "expectedPods": 0}
        change = {"status": {"observedGeneration": 1, "disruptionsAllowed": allowed, **pods}}
        self._world.do(self._cell.api.patch(f"{path}/status", change))

    @verb("another client annotates and labels the group of gang {name:gang}, and owns it")
    def mark_group(self, name: str) -> None:
        """Another client gives the object of a gang an annotation, a label and an owner."""
        owner = {**self._gang_pods.owner("left"), "controller": False}
        metadata = {"annotations": _MARK, "labels": _MARK, "ownerReferences": [owner]}
        self._patch_group(name, {"metadata": metadata})

    @verb("another client annotates and labels tree {name:tree}, and owns it")
    def mark_tree(self, name: str) -> None:
        """Another client gives a group of groups an annotation, a label and an owner."""
        resource = self._world.verbs(Trees).spelled.spelling.resource
        owner = {**self._gang_pods.owner("left"), "controller": False}
        metadata = {"annotations": _MARK, "labels": _MARK, "ownerReferences": [owner]}
        self._world.act(f"another client changes tree {name}: {metadata}")
        self._world.do(self._cell.api.patch(resource.path(self._namespace, name), {"metadata": metadata}))

    @verb("another client annotates the first node", number=1)
    def mark_node(self, number: int) -> None:
        """Another client gives the scenario's node of that number an annotation."""
        self._world.act(f"another client annotates node-{number}")
        path = NODES.path(name=self._world.verbs(Nodes).node_name(number))
        self._world.do(self._cell.api.patch(path, {"metadata": {"annotations": _MARK}}))

    @verb("another client annotates and labels queue {name:word}", not_in_place=SHARED)
    def mark_queue(self, name: str) -> None:
        """Another client gives a queue an annotation and a label."""
        self._world.verbs(Queues).mark_queue(name, _MARK)

    @verb("another client changes the phase and the conditions of the group of gang {name:gang}")
    def change_status(self, name: str) -> None:
        """Another client says in the status of a gang's object that it is pending, and that it is checked."""
        status = {"phase": "Pending", "conditions": [_CHECKED]}
        try:
            self._patch_group(name, {"status": status}, "status")
        except ApiError as error:
            if error.status != _NO_SUBRESOURCE:
                raise
            self._patch_group(name, {"status": status})

    def _patch_group(self, name: str, change: Json, subresource: str = "") -> None:
        group = dialect_of(self._world).group
        if group is None:
            raise HarnessError("the pods alone make a gang: the scenario needs GroupObjects")
        self._world.act(f"another client changes the group of gang {name}: {change}")
        path = group.resource.path(self._namespace, name, subresource)
        self._world.do(self._cell.api.patch(path, change))

    @verb("another client changes the minimum in the Workload of the Job to {minimum:d}")
    def change_workload(self, minimum: int) -> None:
        """Another client changes how many pods a gang made from a Workload needs."""
        workload = self._workload()
        policy = {"gang": {"minCount": minimum}}
        templates = [{**one, "schedulingPolicy": policy} for one in workload.spec["podGroupTemplates"]]
        self._patch_workload(workload, {"spec": {"podGroupTemplates": templates}})

    @verb("another client annotates and labels the Workload of the Job")
    def mark_workload(self) -> None:
        """Another client gives a Workload an annotation and a label."""
        self._patch_workload(self._workload(), {"metadata": {"annotations": _MARK, "labels": _MARK}})

    @verb("another client deletes the Workload of the Job, which a finalizer holds")
    def hold_workload(self) -> None:
        """Another client puts a finalizer on a Workload and deletes it, so that it stays terminating."""
        workload = self._workload()
        self._patch_workload(workload, {"metadata": {"finalizers": [_HOLD]}})
        self._world.act(f"another client deletes Workload {workload.name}")
        self._world.do(self._cell.api.delete(WORKLOADS.path(self._namespace, workload.name)))

    def _workload(self) -> Workload:
        """The only Workload.

        Raises:
            Inconclusive: there is none, or another one too.
        """
        there = [it for it in self._world.seen.objects(WORKLOADS).values() if isinstance(it, Workload)]
        if len(there) != 1:
            self._world.lack("one Workload")
        return there[0]

    def _patch_workload(self, workload: Workload, change: Json) -> None:
        self._world.act(f"another client changes Workload {workload.name}: {change}")
        path = WORKLOADS.path(self._namespace, workload.name)
        self._world.do(self._cell.api.patch(path, change))
