"""The verbs about what other clients do to a TFJob and to what it has, and what they have of its names."""

from __future__ import annotations

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Pod
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.services import SERVICES
from batchproof.profiles.shared.objects.volcano import PODGROUPS
from batchproof.profiles.shared.verbs import Pods
from batchproof.profiles.tfjob.facts.groups import tfjob_group
from batchproof.profiles.tfjob.facts.tfjobs import pod_of_replica, tfjob
from batchproof.profiles.tfjob.objects import TFJOBS
from batchproof.specification.verbs import verb
from batchproof.world import World

_REPLICA = "{kind:replica_type} {index:d}"
_MARK = {"batchproof.dev/colour": "red"}
_HOLD = "batchproof.dev/keep"
_UNSCHEDULABLE = {
    "type": "Unschedulable",
    "status": "True",
    "reason": "NotEnoughResources",
    "message": "simulated by batchproof",
    "transitionID": "1",
}


class TFJobOthers:
    """Other clients, which change what is there, or have made it."""

    def __init__(self, world: World) -> None:
        self._world = world

    # -- names

    @verb(f"another client has a pod of the name of {_REPLICA}")
    def take_pod_name(self, kind: str, index: int) -> None:
        """Create a pod that no TFJob controls, with the name of that of a replica."""
        self._world.verbs(Pods).create_pod(self._name(kind, index))

    @verb(f"another client has a service of the name of {_REPLICA}")
    def take_service_name(self, kind: str, index: int) -> None:
        """Create a service that no TFJob controls, with the name of that of a replica."""
        self._create_service(self._name(kind, index))

    @verb(f"another client deletes its pod of the name of {_REPLICA}")
    def free_pod_name(self, kind: str, index: int) -> None:
        """Delete the pod that no TFJob controls."""
        pods = self._world.verbs(Pods)
        pods.wipe_pods([pods.pod(self._name(kind, index))])

    # -- the TFJob

    @verb("another client makes the TFJob the child of an object")
    def give_owner(self) -> None:
        """Give the TFJob an owner, which does not control it."""
        self._change(TFJOBS, JOB, {"metadata": {"ownerReferences": [self._parent()]}}, "gives an owner to")

    @verb("a finalizer of another client holds the TFJob")
    def hold(self) -> None:
        """Put a finalizer on the TFJob, so that it stays when it is deleted."""
        it = self._world.found(tfjob(self._world.seen), "the TFJob")
        finalizers = [*it.metadata.get("finalizers", []), _HOLD]
        self._change(TFJOBS, JOB, {"metadata": {"finalizers": finalizers}}, "puts a finalizer on")

    @verb("the user deletes the TFJob")
    def delete(self) -> None:
        """Delete the TFJob; what it controls is left to the garbage collector."""
        self._world.act(f"deletes TFJob {JOB}")
        self._world.remove(TFJOBS, JOB, propagation="Background")

    @verb("another client takes the conditions from the TFJob")
    def take_conditions(self) -> None:
        """Write a status of the TFJob that has no conditions."""
        self._change(TFJOBS, f"{JOB}/status", {"status": {"conditions": None}}, "takes the conditions from")

    # -- its pods and services

    @verb(f"another client takes the annotations from the pod of {_REPLICA}")
    def take_annotations(self, kind: str, index: int) -> None:
        """Take all annotations from the pod of a replica."""
        self._world.verbs(Pods).patch_pod(self._pod(kind, index), {"annotations": None})

    @verb(f"another client changes the group that the pod of {_REPLICA} names")
    def regroup_pod(self, kind: str, index: int) -> None:
        """Have the pod of a replica name another group, as Volcano reads it."""
        annotations = {"scheduling.k8s.io/group-name": "other"}
        self._world.verbs(Pods).patch_pod(self._pod(kind, index), {"annotations": annotations})

    @verb(f"another client sets DisruptionTarget of the pod of {_REPLICA}")
    def disrupt(self, kind: str, index: int) -> None:
        """Say of the pod of a replica that it is about to be disrupted."""
        self._world.verbs(Pods).set_condition([self._pod(kind, index)], "DisruptionTarget")

    @verb(f"the user deletes the service of {_REPLICA}")
    def delete_service(self, kind: str, index: int) -> None:
        """Delete the service of a replica."""
        name = self._name(kind, index)
        self._world.act(f"deletes service {name}")
        self._world.remove(SERVICES, name)

    @verb(f"another client annotates the service of {_REPLICA}", what="annotates")
    @verb(f"another client labels the service of {_REPLICA}", what="labels")
    @verb(f"another client changes the selector of the service of {_REPLICA}", what="selector")
    def change_service(self, kind: str, index: int, *, what: str) -> None:
        """Change the annotations, the labels or the selector of the service of a replica."""
        change: Json = {"metadata": {"annotations" if what == "annotates" else "labels": _MARK}}
        if what == "selector":
            change = {"spec": {"selector": _MARK}}
        self._change(SERVICES, self._name(kind, index), change, f"changes ({what})")

    # -- its PodGroup

    @verb("another client annotates the PodGroup of the TFJob", what="annotations")
    @verb("another client labels the PodGroup of the TFJob", what="labels")
    def mark_group(self, *, what: str) -> None:
        """Change the annotations or the labels of the PodGroup."""
        self._change_group({"metadata": {what: _MARK}}, f"changes the {what} of")

    @verb("another client gives the PodGroup of the TFJob another owner")
    def share_group(self) -> None:
        """Give the PodGroup a second owner, which does not control it."""
        owners = [*self._group().metadata.get("ownerReferences", []), self._parent()]
        self._change_group({"metadata": {"ownerReferences": owners}}, "gives another owner to")

    @verb("another client sets minMember of the PodGroup of the TFJob to {count:d}")
    def set_minimum(self, count: int) -> None:
        """Change how many pods the PodGroup needs."""
        self._change_group({"spec": {"minMember": count}}, f"sets minMember to {count} of")

    @verb("another client moves the PodGroup of the TFJob to queue {name:name}")
    def move_group(self, name: str) -> None:
        """Change the queue of the PodGroup, as admission or an administrator does."""
        self._change_group({"spec": {"queue": name}}, f"moves to queue {name}")

    @verb("the scheduler reports that the PodGroup of the TFJob is Unschedulable")
    def report_unschedulable(self) -> None:
        """Set a condition of the PodGroup, which has no status subresource."""
        self._change_group({"status": {"conditions": [_UNSCHEDULABLE]}}, "reports as Unschedulable")

    @verb("the user deletes the PodGroup of the TFJob")
    def delete_group(self) -> None:
        """Delete the PodGroup."""
        group = self._group()
        self._world.act(f"deletes PodGroup {group.name}")
        self._world.remove(self._kind(group), group.name)

    @verb("a finalizer of another client holds the PodGroup of the TFJob", held=True)
    @verb("the finalizer is taken off the PodGroup of the TFJob", held=False)
    def hold_group(self, *, held: bool) -> None:
        """Put a finalizer on the PodGroup, or take it off."""
        change = {"metadata": {"finalizers": [_HOLD] if held else None}}
        self._change_group(change, f"{'puts a finalizer on' if held else 'takes the finalizer off'}")

    def _change_group(self, change: Json, text: str) -> None:
        group = self._group()
        self._change(self._kind(group), group.name, change, text)

    def _group(self) -> ApiObject:
        return self._world.found(tfjob_group(self._world.seen), "the PodGroup of the TFJob")

    @staticmethod
    def _kind(group: ApiObject) -> Resource:
        return group.resource or PODGROUPS

    # -- all of them

    def _change(self, resource: Resource, name: str, change: Json, text: str) -> None:
        self._world.act(f"another client {text} {resource.singular} {name.removesuffix('/status')}")
        self._world.patch(resource, name, change)

    def _parent(self) -> Json:
        """An object that may own others."""
        made = self._create_service("parent")
        return {"apiVersion": "v1", "kind": "Service", "name": "parent", "uid": made["metadata"]["uid"]}

    def _create_service(self, name: str) -> Json:
        body: Json = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}}
        self._world.act(f"another client creates service {name}")
        return self._world.create(
            SERVICES, {**body, "spec": {"clusterIP": "None", "selector": {"batchproof.dev/of": "another"}}}
        )

    def _name(self, kind: str, index: int) -> str:
        job = tfjob(self._world.seen)
        return f"{job.name if job else JOB}-{kind.lower()}-{index}"

    def _pod(self, kind: str, index: int) -> Pod:
        return self._world.found(pod_of_replica(self._world.seen, kind, index), f"the pod of {kind} {index}")
