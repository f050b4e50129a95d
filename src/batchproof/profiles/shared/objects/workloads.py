"""What Kubernetes itself has for gangs: Workloads and PodGroups."""

from __future__ import annotations

from batchproof.ground.resources import WORKLOADS, Resource
from batchproof.judgement.objects.api_object import ApiObject
from batchproof.judgement.values import in_words

NATIVE_GROUPS = Resource("scheduling.k8s.io", "v1beta1", "podgroups")


class Workload(ApiObject, of=WORKLOADS, noun="Workload"):
    """A scheduling.k8s.io/v1beta1 Workload: what the PodGroups of pods are made from."""

    @property
    def policies(self) -> list[dict[str, object]]:
        """The scheduling policy of each of its templates."""
        return [it.get("schedulingPolicy") or {} for it in self.spec.get("podGroupTemplates") or []]

    @property
    def words(self) -> list[str]:
        """Its policies."""
        return [f"policies {in_words(self.policies)}"]


class NativeGroup(ApiObject, of=NATIVE_GROUPS, noun="native PodGroup"):
    """A scheduling.k8s.io/v1beta1 PodGroup."""

    @property
    def policy(self) -> dict[str, object]:
        """Its scheduling policy."""
        found: dict[str, object] = self.spec.get("schedulingPolicy") or {}
        return found

    @property
    def workload(self) -> str:
        """The name of the Workload that it is made from; empty: none."""
        return str((self.spec.get("workloadRef") or {}).get("workloadName", ""))

    @property
    def words(self) -> list[str]:
        """Its policy."""
        return [f"policy {in_words(self.policy)}"]
