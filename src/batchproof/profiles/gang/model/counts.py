"""What the model of a scheduler of gangs counts, and what has to be bound by that.

It counts CPUs and pods of one CPU each, and no more. What has to be bound is known where the counts leave no
choice: of those that wait some are too big for what is free, and the others fit together or are one. Else it
is *open* which of them gets the room.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from batchproof.exploration.troubles import FaultBudget

GANGS = "abc"
MOST_PODS = 6
"""How many pods a gang may have before more are added to it."""
MOST_CPUS = 12
MOST_SINGLES = 2


@dataclass(frozen=True, slots=True)
class GangModel:
    """What a model knows of a gang.

    Attributes:
        pods: how many it has been given.
        bound: how many of them have been bound for sure.
        ended: how many of these have ended.
        made: its group exists.
        told: that it waits has been claimed.
    """

    minimum: int
    pods: int
    bound: int = 0
    ended: int = 0
    made: bool = True
    told: bool = False

    @property
    def whole(self) -> bool:
        """It has its minimum of pods."""
        return self.made and self.pods >= self.minimum

    @property
    def waiting(self) -> int:
        """How many of its pods could be bound if there were room."""
        return self.pods - self.bound if self.whole else 0

    @property
    def running(self) -> int:
        """How many of its pods run."""
        return self.bound - self.ended


@dataclass(frozen=True, slots=True)
class GangCounts(FaultBudget):
    """What is known after some actions.

    Attributes:
        capabilities: what the implementation declares.
        cpus: of all nodes together.
        gangs: in the order of their names.
        singles: how many pods without a gang have been created.
        alone: how many of them were bound and run.
        lone: how many of them wait.
        open: it is not known which pods are bound.
        settled: what had to be bound was claimed.
        owes: the requirement that the next claim about bound pods speaks of.
    """

    capabilities: frozenset[str] = frozenset()
    cpus: int = 0
    gangs: tuple[GangModel, ...] = ()
    singles: int = 0
    alone: int = 0
    lone: int = 0
    open: bool = False
    settled: bool = True
    owes: str = "GNG-007"

    @property
    def free(self) -> int:
        """How many CPUs nothing is bound to."""
        return self.cpus - self.alone - sum(one.running for one in self.gangs)

    @property
    def waits(self) -> bool:
        """Whether anything waits for room."""
        return self.lone > 0 or any(one.waiting for one in self.gangs)

    def rested(self) -> Self:
        """The state once what has to be bound is bound."""
        if self.settled or self.open:
            return self
        bound = self._decided()
        if bound is None:
            return replace(self, open=True, settled=True)
        gangs = tuple(replace(one, bound=count) for one, count in zip(self.gangs, bound, strict=True))
        return replace(self, gangs=gangs, alone=self.alone + self.lone, lone=0, settled=True)

    def _decided(self) -> list[int] | None:
        """How many pods of each gang have to be bound by now, if there is no choice."""
        bound = [one.bound for one in self.gangs]
        waiting = [
            it for it, one in enumerate(self.gangs) if one.waiting and (one.bound or one.minimum <= self.free)
        ]
        if sum(self.gangs[it].waiting for it in waiting) + self.lone <= self.free:
            for it in waiting:
                bound[it] += self.gangs[it].waiting
            return bound
        if self.lone or len(waiting) > 1:
            return None
        bound[waiting[0]] += min(self.gangs[waiting[0]].waiting, self.free)
        return bound

    @property
    def known(self) -> Self:
        """The state once what has to be bound was waited for, if the implementation can act."""
        return self if self.block else self.rested()

    def can(self, capability: str) -> bool:
        """Whether the implementation declares a capability."""
        return capability in self.capabilities

    def gang(self, name: str) -> GangModel:
        """The gang of this name."""
        return self.gangs[GANGS.index(name)]

    def changed(self, name: str, owes: str, **what: Any) -> Self:
        """The counts after something of a gang has changed, and what the next claim speaks of then."""
        number = GANGS.index(name)
        gangs = (*self.gangs[:number], replace(self.gangs[number], **what), *self.gangs[number + 1 :])
        return replace(self, gangs=gangs, settled=False, owes=owes or self.owes)
