"""What the model of a TFJob knows of its replicas, and what is possible by that."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from batchproof.exploration.tfjob_actions import (
    ALL,
    ALL_WORKERS,
    BY_EXIT_CODE,
    CHIEF,
    ERRORS,
    EXIT_CODES,
    MOST_REPLICAS,
    NEVER,
    ON_FAILURE,
    PS,
    TYPES,
    WORKER,
    theme,
)
from batchproof.exploration.troubles import FAULTY, MOST_FAULTS, Troubled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from batchproof.exploration.program import Action

Replica: TypeAlias = tuple[str, int]
"""Its type and its index."""
FATEFUL = {"succeed", *EXIT_CODES, "vanish"}
CHANGING = {"scale", "suspend", "resume"}
_RESTARTS = "killed"
"""Stands in an epilogue that kills the implementation and starts it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TFJobCounts(Troubled):
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
        epilogue: what happens after the end; empty: nothing.
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
    epilogue: str = ""

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
        """Those who have to succeed (TFJ-034, TFJ-035)."""
        if self.counts[0]:
            return ((CHIEF, 0),)
        every = tuple(it for it in self.replicas if it[0] == WORKER)
        return every if self.succeeds == ALL_WORKERS else every[:1]

    def replaces(self, fate: str) -> bool:
        """Whether a pod of which this becomes is replaced (TFJ-022, TFJ-025, TFJ-018, TFJ-056)."""
        by_signal = self.restarts == BY_EXIT_CODE and fate == "signal"
        return fate == "vanish" or self.restarts == ON_FAILURE or by_signal

    # -- what is possible

    def offers(self) -> Mapping[str, Sequence[Action]]:
        """The actions that are possible now, by theme."""
        found: defaultdict[str, list[Action]] = defaultdict(list)
        if self.outcome and (self.epilogue or self.faults >= MOST_FAULTS):
            return found
        for action in ALL:
            if self.allows(action):
                found[theme(action)].append(action)
        return found

    def allows(self, action: Action) -> bool:
        """Whether this action is possible now."""
        if not self.there:
            return self._begins(action)
        if action.kind in FAULTY:
            once = self.epilogue and action.kind in {"crash", "block"}
            return not once and self.bears(action, ERRORS) and self.can_come(action)
        if action.kind in FATEFUL:
            replica = (action.words, action.numbers[0])
            return replica in self.replicas and self._befalls(action.kind, replica)
        if action.kind in CHANGING:
            return self._changeable(action)
        return self._besides(action)

    def _besides(self, action: Action) -> bool:
        """Whether this can happen besides."""
        match action.kind:
            case "unblock":
                return bool(self.block)
            case "annotate":
                return not self.outcome and "annotate" not in self.did
            case kind:
                again = _RESTARTS in action.words and self.revived
                return (
                    kind == "epilogue" and bool(self.outcome) and not (self.epilogue or self.block or again)
                )

    def _begins(self, action: Action) -> bool:
        """Whether it can happen before there is a TFJob."""
        if action.kind == "fault":
            return "creation" in action.words and self.bears(action, ERRORS)
        if action.kind != "create":
            return False
        chiefs, ps, workers = action.numbers
        fits = 0 <= chiefs <= 1 and 0 <= ps <= MOST_REPLICAS and 0 < workers <= MOST_REPLICAS
        return fits and not (chiefs and ALL_WORKERS in action.words)

    def _befalls(self, kind: str, replica: Replica) -> bool:
        """Whether this can happen to the pod of a replica, and leaves one end only."""
        if self.outcome or self.suspended or replica in self.done or (kind == "succeed" and replica[0] == PS):
            return False
        if self.block and (self.changed or self.unseen == "lost" or not self.ran):
            return False  # nobody knows which pod it would happen to
        if kind == "vanish":  # what it means of one that ran is said of OnFailure only
            return self.restarts == ON_FAILURE or not (self.ran or self.block)
        return not (self.block and self.unseen and self.replaces(kind))

    def _changeable(self, action: Action) -> bool:
        """Whether the user may change the TFJob: once in a block, and not while what happened is unseen."""
        if self.outcome or (self.block and (self.unseen or self.changed)):
            return False
        match action.kind:
            case "resume":
                return self.suspended
            case "suspend":  # what has succeeded before may be forgotten or not
                return "Suspension" in self.capabilities and not (self.suspended or self.done)
            case _:
                [count] = action.numbers
                same = count == self.counts[-1] or not 0 < count <= MOST_REPLICAS
                return not (same or self.suspended or any(of == WORKER for of, _ in self.done))
