"""What the model of a Job counts, and what is possible by that."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from batchproof.exploration.job_actions import (
    CREATION_FAULTS,
    CREATION_LOST,
    ENDING,
    ERRORS,
    GOING_ON,
    MAKING,
    theme,
)
from batchproof.exploration.troubles import FAULTY, KILLED, MOST_FAULTS, Troubled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from batchproof.exploration.program import Action

WORK_QUEUE = "work-queue"
FATEFUL = {"succeed", "fail", "run", "delete", "lose"}
SPECIFYING = {"parallelism", "backoffLimit", "suspend", "resume"}
_RESTARTS = "killed"
"""Stands in an epilogue that kills the implementation and starts it again."""
_SLOW_FAILURES = 2
"""How many failures there may be where a pod was deleted: it ends now, and delays the next for longer."""


@dataclass(frozen=True, slots=True)
class JobCounts(Troubled):
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
        epilogue: what happens after the end; empty: nothing.
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
    epilogue: str = ""
    removed: str = ""

    # -- what the counts come to

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

    # -- what is possible

    def offers(self) -> Mapping[str, Sequence[Action]]:
        """The actions that are possible now, by theme."""
        found: defaultdict[str, list[Action]] = defaultdict(list)
        if self.over and (self.epilogue or self.faults >= MOST_FAULTS):
            return found
        for action in MAKING if not self.kind else ENDING if self.over else GOING_ON:
            if self.allows(action):
                found[theme(action)].append(action)
        return found

    def allows(self, action: Action) -> bool:
        """Whether this action is possible now."""
        number = action.numbers[0] if action.numbers else 1
        if action.kind in FAULTY:
            return self.bears(action, ERRORS) and self.can_come(action) and self._strikable(action)
        if action.kind == "create":
            return not self.kind and self._countable(action)
        if not self.kind:
            return False
        if action.kind in FATEFUL:
            return number > 0 and self._fated(action.kind, number)
        if action.kind in SPECIFYING:
            return self._changeable(action.kind, number)
        return self._possible(action)

    def _strikable(self, action: Action) -> bool:
        """Whether this fault leaves one end only."""
        about_creations = action.words in CREATION_FAULTS
        if not self.kind:
            return action.kind == "fault" and about_creations and action.words != CREATION_LOST
        match action.kind:
            case "fault":  # a work queue has no second chance to be told how many pods there are
                return not (self.kind == WORK_QUEUE and about_creations)
            case "block":
                return not self.removed
            case _:
                return not (action.kind == "crash" and _RESTARTS in self.epilogue)

    def _possible(self, action: Action) -> bool:
        """Whether this can happen besides."""
        match action.kind:
            case "clear":
                ended = self.succeeded + self.failed
                return ended > 0 and self.done.isdisjoint({"clear", "delete"}) and not self.removed
            case "hold":
                return not (self.held or self.over or "delete" in self.done)
            case "remove":
                return not (self.over or self.held or self.unseen)
            case "label":
                return not (self.removed or "label" in self.done)
            case "unblock":
                return bool(self.block)
            case _:
                restarts = _RESTARTS in action.words
                return not (self.epilogue or self.removed or (restarts and self.revived))

    def _countable(self, action: Action) -> bool:
        """Whether there is such a Job, and something to do for it."""
        completions, parallelism, _ = action.numbers
        return parallelism > 0 and (action.words == WORK_QUEUE) == (completions == 0)

    def _fated(self, kind: str, number: int) -> bool:
        """Whether this can happen to so many pods, and leaves one end only."""
        if number > self.reach:
            return False
        queue = self.kind == WORK_QUEUE
        match kind:
            case "succeed":
                # What replaces a pod that failed unseen may be there or not: nobody knows which is the last.
                return not (queue and "fail" in self.unseen)
            case "fail":
                slow = "delete" in self.done and self.failed + number > _SLOW_FAILURES
                return not (slow or self._could_do_both(number))
            case "delete":
                return not (self.held or self.failed or "delete" in self.done or (queue and self.succeeded))
            case "lose":
                return "lose" not in self.done and not (queue and self.block)
            case _:
                return True

    def _could_do_both(self, failures: int) -> bool:
        """A work queue with a success and too many failures may end in either way (BAS-059)."""
        queue = self.kind == WORK_QUEUE
        return bool(queue and self.succeeded and self.failed + failures > self.limit)

    def _changeable(self, kind: str, number: int) -> bool:
        """Whether the user may change the Job: not while what happened to its pods was not seen."""
        if self.over or self.unseen or (self.kind == WORK_QUEUE and (self.succeeded or self.block)):
            return False
        if self._would_turn(kind, number):
            return False
        match kind:
            case "parallelism":
                return number != self.parallelism
            case "suspend":
                return not self.suspended
            case "resume":
                return self.suspended
            case _:
                return not self.block and number != self.limit and "limit" not in self.done

    def _would_turn(self, kind: str, number: int) -> bool:
        """Whether a change takes back, in part, what the implementation may be about to do.

        As many pods may be there as are wanted in the end while it is still removing some of them: nobody
        knows whether what happens to these then counts. A dead process is about to do nothing.
        """
        alive = self.block != KILLED
        return alive and self.heading * self.changed_to(kind, number).heading < 0
