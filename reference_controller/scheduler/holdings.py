"""What each gang has, and so whose turn it is where pods are placed one by one."""

from __future__ import annotations

from operator import add

from reference_controller.scheduler.objects import Pod
from reference_controller.scheduler.room import PODS, Amounts, Site
from reference_controller.scheduler.snapshot import Gang, GangKey


class Holdings:
    """The accounts of the gangs during one decision.

    Args:
        site: says which resources count, what pods take of them, and how much the nodes have in all.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._held: dict[GangKey, Amounts] = {}

    def charge(self, gang: Gang, pod: Pod) -> None:
        """A pod of the gang takes room from now on."""
        self._held[gang.key] = tuple(map(add, self._holds(gang), self._site.amounts(pod.shape)))

    def share(self, gang: Gang) -> float:
        """GNG-039: its dominant share: which part of all it has of the resource of which it has most."""
        columns = zip(self._site.resources, self._holds(gang), self._site.total, strict=True)
        return max((held / total for name, held, total in columns if total and name != PODS), default=0.0)

    def _holds(self, gang: Gang) -> Amounts:
        held = self._held.get(gang.key)
        return self._site.sum(gang.bound) if held is None else held
