"""What the model of a Job counts: it never looks at a cluster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from batchproof.exploration.troubles import FaultBudget

WORK_QUEUE = "work-queue"


@dataclass(frozen=True, slots=True)
class JobCounts(FaultBudget):
    """What a model knows of the Job.

    Attributes:
        kind: ``Job``, ``Indexed`` or ``work-queue``; empty: there is none yet.
        active: how many active pods there are at least; exactly, if ``settled``.
        settled: the implementation was seen to have come to what was wanted of it.
        counted: it was seen to have counted all that ended.
        changed: the user has changed the Job since it was settled.
        unseen: the pods that ended, and how, since the block began.
        heading: in the block the user has changed the Job to more pods (1) or to fewer (-1); 0: to neither.
        owes: the requirement that the next wait for pods speaks of.
        died: a process was killed.
        held: deleted pods stay terminating.
        lingering: some of its pods do when its end is decided, so that it cannot have ended.
        done: what may happen once, and has.
        removed: how the user deletes the Job; empty: not at all.
    """

    kind: str = ""
    completions: int = 0
    parallelism: int = 0
    limit: int = 0
    suspended: bool = False
    succeeded: int = 0
    failed: int = 0
    active: int = 0
    settled: bool = False
    counted: bool = True
    changed: bool = False
    unseen: frozenset[str] = frozenset()
    heading: int = 0
    owes: str = "BAS-015"
    died: bool = False
    held: bool = False
    lingering: bool = False
    done: frozenset[str] = frozenset()
    removed: str = ""

    @property
    def doomed(self) -> bool:
        """More pods have failed than backoffLimit says (FAIL-001)."""
        return self.failed > self.limit

    @property
    def complete(self) -> bool:
        """As many have succeeded as it asks for; of a work queue one, when no pod is left (BAS-026)."""
        if self.kind == WORK_QUEUE:
            return self.succeeded > 0 and not self.active and not self.suspended
        return bool(self.kind) and self.succeeded >= self.completions

    @property
    def over(self) -> bool:
        """Its end is decided."""
        return self.doomed or self.complete or bool(self.removed)

    @property
    def wanted(self) -> int:
        """How many active pods there have to be once all has settled."""
        if self.suspended or self.over:
            return 0
        if self.kind == WORK_QUEUE:
            return self.active if self.succeeded else self.parallelism
        return min(self.parallelism, self.completions - self.succeeded)

    @property
    def reach(self) -> int:
        """How many pods something can happen to now."""
        if not self.kind or self.over:
            return 0
        if self.block:
            return 0 if self.changed else self.active
        return self.wanted

    def changed_to(self, kind: str, number: int) -> Self:
        """The Job as the user changes it, and in which direction that is."""
        match kind:
            case "parallelism":
                changed = replace(self, parallelism=number)
            case "suspend" | "resume":
                changed = replace(self, suspended=kind == "suspend")
            case _:
                return replace(self, limit=number)
        more = (changed.wanted > self.wanted) - (changed.wanted < self.wanted)
        return replace(changed, heading=more or self.heading) if self.block else changed

    @property
    def queue(self) -> bool:
        """It is a work queue."""
        return self.kind == WORK_QUEUE

    def once(self, what: str) -> Self:
        """What may happen once has happened."""
        return replace(self, done=self.done | {what})
