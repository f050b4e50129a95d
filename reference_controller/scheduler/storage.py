"""Which nodes reach the storage that a pod claims, and what of it only one pod may use: GNG-072."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference_controller.scheduler.fit import any_holds
from reference_controller.scheduler.objects import Claim, Key, Node, Shape, Volume

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Storage:
    """The claims and the volumes that there are; nothing is bound to a claim here."""

    claims: Mapping[Key, Claim] = field(default_factory=dict)
    volumes: Mapping[Key, Volume] = field(default_factory=dict)

    def reached(self, node: Node, shape: Shape) -> bool:
        """Whether pods of this shape have all their storage on the node: each claim bound, its volume there.

        Source: Kubernetes documentation, Persistent Volumes, Node Affinity.
        """
        for key in shape.claims:
            claim = self.claims.get(key)
            volume = self.volumes.get(("", claim.volume)) if claim is not None and claim.volume else None
            if volume is None or not any_holds(volume.node_terms, node):
                return False
        return True

    def exclusive(self, shape: Shape) -> frozenset[Key]:
        """Those claims of a pod that no other pod may use beside it.

        Source: k8s.io/api core/v1, ReadWriteOncePod.
        """
        return frozenset(key for key in shape.claims if (it := self.claims.get(key)) and it.exclusive)
