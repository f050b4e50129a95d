"""The core group: pods, nodes, events; and Leases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, LEASES, NODES, PODS, TRACKING_FINALIZER, ZONE_LABEL
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import ApiObject, quantity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


class Pod(ApiObject, of=PODS, noun="pod"):
    """A pod as the API server shows it.

    Attributes:
        tracking: the finalizer by which the implementation tracks pods.
    """

    tracking = TRACKING_FINALIZER

    @property
    def phase(self) -> str:
        """The pod's phase."""
        return str(self.status.get("phase", ""))

    @property
    def finished(self) -> bool:
        """The pod is Succeeded or Failed."""
        return self.phase in {"Succeeded", "Failed"}

    @property
    def active(self) -> bool:
        """The pod is neither finished nor being deleted."""
        return not self.finished and not self.deleting

    @property
    def terminating(self) -> bool:
        """The pod is being deleted but not finished."""
        return self.deleting and not self.finished

    @property
    def ready(self) -> bool:
        """The pod's Ready condition is true."""
        conditions = self.status.get("conditions") or []
        return any((it.get("type"), it.get("status")) == ("Ready", "True") for it in conditions)

    @property
    def tracked(self) -> bool:
        """The pod carries the tracking finalizer."""
        return self.tracking in self.finalizers

    @property
    def labels(self) -> dict[str, str]:
        """The pod's labels."""
        return self.metadata.get("labels") or {}

    @property
    def annotations(self) -> dict[str, str]:
        """The pod's annotations."""
        return self.metadata.get("annotations") or {}

    @property
    def gates(self) -> frozenset[str]:
        """The names of the pod's scheduling gates."""
        return frozenset(gate["name"] for gate in self.spec.get("schedulingGates") or ())

    @property
    def node(self) -> str:
        """The node that the pod is bound to; empty before."""
        return str(self.spec.get("nodeName") or "")

    @property
    def sidecars(self) -> frozenset[str]:
        """The names of its init containers that are restarted always, and so end last."""
        containers = self.spec.get("initContainers") or ()
        return frozenset(it["name"] for it in containers if it.get("restartPolicy") == "Always")

    @property
    def containers(self) -> list[Json]:
        """What is reported of each of its containers, the init containers first."""
        return [one for kind in ("initC", "c") for one in self.status.get(f"{kind}ontainerStatuses") or ()]

    def affine(self, labels: Mapping[str, str]) -> bool:
        """Whether its required node affinity lets it onto a node with these labels."""
        affinity = (self.spec.get("affinity") or {}).get("nodeAffinity") or {}
        required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
        terms = [term.get("matchExpressions") or () for term in required.get("nodeSelectorTerms") or [{}]]
        return any(
            all((labels.get(it["key"]) in it["values"]) != (it.get("operator") == "NotIn") for it in term)
            for term in terms
        )

    @property
    def words(self) -> list[str]:
        """Its phase, whether it is being deleted, its finalizers."""
        deleting = "deleting" if self.deleting else ""
        finalizers = f"finalizers {','.join(self.finalizers)}" if self.finalizers else ""
        return [self.phase, deleting, finalizers]


class Node(ApiObject, of=NODES, noun="node"):
    """A node as the API server shows it."""

    @property
    def allocatable(self) -> dict[str, Fraction]:
        """What the node has for pods."""
        return {name: quantity(amount) for name, amount in (self.status.get("allocatable") or {}).items()}

    @property
    def zone(self) -> str:
        """The zone that the node is in; empty if it names none."""
        return str((self.metadata.get("labels") or {}).get(ZONE_LABEL, ""))

    def suits(self, pod: Pod) -> bool:
        """The node is ready, not cordoned, has the labels that the pod selects and no taint it does not bear.

        The harness's pods select by nodeSelector and by values of labels in a node affinity, and tolerate by
        key and effect: its taints have no value. A taint with the effect PreferNoSchedule keeps no pod away.
        Admission lets every pod bear ``not-ready`` for some minutes once it runs (NoExecute); that allows no
        binding.
        """
        states = [(c["type"], c["status"]) for c in self.status.get("conditions") or []]
        tolerations = [each for each in pod.spec.get("tolerations") or [] if not each.get("value")]
        borne = {(each.get("key"), each.get("effect", "")) for each in tolerations}
        taints = [(taint["key"], taint["effect"]) for taint in self.spec.get("taints") or []]
        tolerated = all(
            effect == "PreferNoSchedule" or borne & {(key, effect), (key, ""), (None, "")}
            for key, effect in taints
        )
        labels = self.metadata.get("labels") or {}
        suits = (pod.spec.get("nodeSelector") or {}).items() <= labels.items() and pod.affine(labels)
        ready = ("Ready", "True") in states and not self.spec.get("unschedulable")
        return ready and tolerated and suits


class Event(ApiObject, of=EVENTS):
    """A core Event."""

    @property
    def words(self) -> list[str]:
        """Its reason and message."""
        return [self.raw.get("reason", ""), self.raw.get("message", "")]


class Lease(ApiObject, of=LEASES, noun="Lease"):
    """A coordination.k8s.io Lease."""
