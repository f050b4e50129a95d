"""Volcano's PodGroups and queues: what controllers make for its scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.ground.resources import Resource
from batchproof.judgement.objects.api_object import ApiObject, quantity
from batchproof.judgement.values import in_words

if TYPE_CHECKING:
    from fractions import Fraction

PODGROUPS = Resource("scheduling.volcano.sh", "v1beta1", "podgroups")
QUEUES = Resource("scheduling.volcano.sh", "v1beta1", "queues")
_PHASES = ("pending", "inqueue", "running", "unknown", "completed")
"""The phases of PodGroups that a queue counts."""


class PodGroup(ApiObject, of=PODGROUPS, noun="PodGroup"):
    """A scheduling.volcano.sh/v1beta1 PodGroup."""

    @property
    def phase(self) -> str:
        """Pending until the scheduler lets it in; then Inqueue, Running and so on."""
        return str(self.status.get("phase") or "Pending")

    @property
    def words(self) -> list[str]:
        """Its phase and its minimum."""
        return [self.phase, f"minMember={in_words(self.spec.get('minMember'))}"]


class Queue(ApiObject, of=QUEUES, noun="queue"):
    """A scheduling.volcano.sh/v1beta1 Queue."""

    @property
    def state(self) -> str:
        """Open, Closing, Closed or Unknown; empty before the first status."""
        return str(self.status.get("state", ""))

    @property
    def groups(self) -> dict[str, int]:
        """How many of its PodGroups are in each phase, by its status; zeros are left out."""
        return {phase: int(self.status[phase]) for phase in _PHASES if self.status.get(phase)}

    @property
    def allocated(self) -> dict[str, Fraction]:
        """What its pods have of each resource, as the scheduler reports it; zeros are left out."""
        told = {name: quantity(str(it)) for name, it in (self.status.get("allocated") or {}).items()}
        return {name: amount for name, amount in told.items() if amount}

    @property
    def words(self) -> list[str]:
        """Its state and the phases of its PodGroups."""
        return [self.state, *(f"{phase}={count}" for phase, count in self.groups.items())]

    @property
    def values(self) -> dict[str, Any]:
        """The same by name, the counts of 0 too."""
        return {"state": self.state or None, **dict.fromkeys(_PHASES, 0), **self.groups}
