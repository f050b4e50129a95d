"""The group of scheduler-plugins: PodGroups."""

from __future__ import annotations

from batchproof.ground.resources import Resource
from batchproof.judgement.objects.api_object import ApiObject
from batchproof.judgement.values import in_words

COSCHEDULING_GROUPS = Resource("scheduling.x-k8s.io", "v1alpha1", "podgroups")


class CoschedulingGroup(ApiObject, of=COSCHEDULING_GROUPS):
    """A scheduling.x-k8s.io/v1alpha1 PodGroup."""

    @property
    def words(self) -> list[str]:
        """Its minimum."""
        return [f"minMember={in_words(self.spec.get('minMember'))}"]
