"""The groups of gangs that no other profile has: those of the reference scheduler and of kube-batch."""

from __future__ import annotations

from batchproof.ground.resources import Resource
from batchproof.judgement.objects.api_object import ApiObject
from batchproof.judgement.values import in_words

REFERENCE_GROUPS = Resource("gang.batchproof.dev", "v1", "podgroups")
KUBE_BATCH_GROUPS = Resource("scheduling.incubator.k8s.io", "v1alpha1", "podgroups")


class ReferenceGroup(ApiObject, of=REFERENCE_GROUPS):
    """A gang.batchproof.dev/v1 PodGroup."""

    @property
    def words(self) -> list[str]:
        """Its minimum."""
        return [f"minMember={in_words(self.spec.get('minMember'))}"]


class KubeBatchGroup(ApiObject, of=KUBE_BATCH_GROUPS):
    """A scheduling.incubator.k8s.io/v1alpha1 PodGroup."""

    @property
    def words(self) -> list[str]:
        """Its minimum."""
        return [f"minMember={in_words(self.spec.get('minMember'))}"]
