"""What the model of a TFJob knows of its replicas: which there have to be, and what a failure means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

from batchproof.exploration.troubles import FaultBudget

CHIEF, PS, WORKER = "Chief", "PS", "Worker"
TYPES = (CHIEF, PS, WORKER)
NEVER, BY_EXIT_CODE, ON_FAILURE = "Never", "ExitCode", "OnFailure"
ALL_WORKERS = "AllWorkers"
Replica: TypeAlias = tuple[str, int]
"""Its type and its index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TFJobCounts(FaultBudget):
    """What a model knows of the TFJob.

    Attributes:
        capabilities: what the implementation declares.
        counts: how many replicas it has of each of ``TYPES``; no Worker: there is no TFJob yet.
        restarts: its restartPolicy.
        cleans: its cleanPodPolicy.
        succeeds: whose success is its own where it has no Chief.
        done: the replicas that have succeeded.
        lost: those whose pod has to be replaced.
        ran: the pods of all others run.
        settled: that there is a pod for each was claimed.
        outcome: Succeeded or Failed; empty: neither yet.
        suspended: by its user.
        unseen: in the block pods have ended: ``some`` succeeded, or ``lost``; empty: none did.
        changed: in the block the user has changed the TFJob.
        failures: how many pods have failed and were replaced.
        owes: the requirement that the next claim about its pods speaks of.
        did: what may happen once, and has.
    """

    capabilities: frozenset[str] = frozenset()
    counts: tuple[int, int, int] = (0, 0, 0)
    restarts: str = NEVER
    cleans: str = "None"
    succeeds: str = "Worker0"
    done: frozenset[Replica] = frozenset()
    lost: frozenset[Replica] = frozenset()
    ran: bool = False
    settled: bool = False
    outcome: str = ""
    suspended: bool = False
    unseen: str = ""
    changed: bool = False
    failures: int = 0
    owes: str = "TFJ-001"
    did: frozenset[str] = frozenset()

    @property
    def there(self) -> bool:
        """There is a TFJob."""
        return self.counts[-1] > 0

    @property
    def replicas(self) -> tuple[Replica, ...]:
        """All that it has to have."""
        return tuple((of, i) for of, count in zip(TYPES, self.counts, strict=True) for i in range(count))

    @property
    def deciders(self) -> tuple[Replica, ...]:
        """The replicas that have to succeed (TFJ-034, TFJ-035)."""
        if self.counts[0]:
            return ((CHIEF, 0),)
        every = tuple(it for it in self.replicas if it[0] == WORKER)
        return every if self.succeeds == ALL_WORKERS else every[:1]

    def replaces(self, fate: str) -> bool:
        """Whether a pod of which this becomes is replaced (TFJ-022, TFJ-025, TFJ-018, TFJ-056)."""
        by_signal = self.restarts == BY_EXIT_CODE and fate == "signal"
        return fate == "vanish" or self.restarts == ON_FAILURE or by_signal

    def changed_by_user(self, **what: Any) -> Self:
        """The TFJob as its user changes it; in a block nothing else may change then."""
        return replace(self, settled=False, ran=False, changed=bool(self.block), **what)

    @property
    def left(self) -> int:
        """How many pods are left when it is cleaned up (TFJ-038)."""
        ended = len(self.done) + (self.outcome == "Failed")
        return {"None": len(self.replicas), "Running": ended}.get(self.cleans, 0)
