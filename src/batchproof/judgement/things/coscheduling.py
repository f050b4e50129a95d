"""The group of scheduler-plugins: PodGroups."""

from __future__ import annotations

from batchproof.judgement.things.thing import Thing
from batchproof.resources import Resource

COSCHEDULING_GROUPS = Resource("scheduling.x-k8s.io", "v1alpha1", "podgroups")


class CoschedulingGroup(Thing, of=COSCHEDULING_GROUPS):
    """A scheduling.x-k8s.io/v1alpha1 PodGroup."""

    @property
    def words(self) -> list[str]:
        """Its minimum."""
        return [f"minMember={self.spec.get('minMember')}"]
