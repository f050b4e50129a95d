"""Faults of random programs in every profile: views, restarts, and what stops an implementation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self, TypeAlias

from batchproof.exploration.program import ModelAction

if TYPE_CHECKING:
    from collections.abc import Mapping

Themed: TypeAlias = dict[str, dict[str, int]]
"""Faults in their words, with how many errors each means for the implementation, by theme."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fault that keeps the implementation from going on until it is taken away.

    Attributes:
        begins: the sentence that puts it in force.
        ends: the sentence that takes it away; empty: ``once the faults end``, which begins a claim.
        errors: about how many errors it means for the implementation.
    """

    begins: str
    ends: str = ""
    errors: int = 0


KILLED = "killed"
HELD = "held before taking effect"
DEATH = Block("the implementation is killed", "the implementation is started again")
UNBLOCK = ModelAction("unblock")
RESTART = ModelAction("restart")
FAULTY = {"fault", "restart", "crash", "block"}
"""The kinds of actions that are faults."""
MOST_FAULTS = 3
MOST_ERRORS = 4
"""After this many in a row, and twice as long a time after each, it can still recover in time."""


class FaultCatalog:
    """The faults that a profile has.

    Attributes:
        words: those of requests and views, as sentences say them.
        blocks: what keeps the implementation from going on, by name.
        errors: how many errors each means for the implementation, which waits for longer after each of them.
    """

    def __init__(self, themed: Themed, blocks: Mapping[str, Block], frozen: str = "a view is stale") -> None:
        """Collect them.

        Args:
            themed: the faults of requests and views.
            blocks: see above.
            frozen: the theme of all frozen views; empty: each is one of its own.
        """
        self._themes = {words: theme for theme, them in themed.items() for words in them}
        self._frozen = frozen
        self.words = tuple(self._themes)
        self.blocks = blocks
        self.errors = {words: errors for them in themed.values() for words, errors in them.items()}
        self.errors |= {name: block.errors for name, block in blocks.items()}

    def theme(self, action: ModelAction) -> str:
        """What a program is about in which a fault happens."""
        match action.kind:
            case "fault":
                return self._themes[action.words]
            case "block":
                view = self._frozen and action.words.startswith("view")
                return self._frozen if view else action.words
            case kind:
                return kind

    def said(self, action: ModelAction) -> str:
        """A fault as a sentence says it."""
        match action.kind:
            case "fault":
                return action.words
            case "restart":
                return "the implementation is killed and started again"
            case "crash":
                write = f"just {action.words} write {action.number}"
                return f"the implementation is killed {write} and started again"
            case _:
                return self.blocks[action.words].begins


def frozen(what: str) -> Block:
    """A view that shows nothing more."""
    return Block(f"the implementation's view of {what} is stale", f"the view of {what} catches up")


def crashes(writes: int) -> tuple[ModelAction, ...]:
    """The process is killed before or after one of its first writes."""
    return tuple(
        ModelAction("crash", (number,), moment)
        for number in range(1, writes + 1)
        for moment in ("before", "after")
    )


def views(*resources: str) -> Themed:
    """What happens to the views of resources, by theme; none of it is an error for the implementation."""
    return {
        "watches end": {
            f"the server ends the watches of {what}{gone}": 0
            for what in resources
            for gone in ("", " with 410")
        },
        "views are late": {
            f"{what} are seen {late} seconds late": 0 for what in resources for late in ("0.3", "1")
        },
    }


def kills(action: ModelAction) -> bool:
    """Whether a process dies by this fault."""
    return action.kind in {"restart", "crash"} or action == ModelAction("block", words=KILLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultBudget:
    """What every model knows of faults, and of what happens after the end.

    Attributes:
        block: the name of the fault that keeps the implementation from acting; empty: none does.
        faults: how many faults there were.
        errors: how many errors they mean for the implementation.
        revived: whatever is killed is started again, so nothing else may start it.
        epilogue: what happens after the end; empty: nothing.
    """

    block: str = ""
    faults: int = 0
    errors: int = 0
    revived: bool = False
    epilogue: str = ""

    def bears(self, action: ModelAction, errors: Mapping[str, int], most: int = MOST_ERRORS) -> bool:
        """Whether there have been so few faults that the implementation recovers from this one in time.

        Args:
            action: the fault.
            errors: how many each fault means.
            most: how many there may be in all.
        """
        return self.faults < MOST_FAULTS and self.errors + errors.get(action.words, 0) <= most

    def triggered(self, action: ModelAction, errors: Mapping[str, int]) -> Self:
        """The state once this fault is counted."""
        return replace(self, faults=self.faults + 1, errors=self.errors + errors.get(action.words, 0))

    def disturbed(self, action: ModelAction) -> Self:
        """The state once this fault is in force."""
        match action.kind:
            case "crash":
                return replace(self, revived=True)
            case "block":
                return replace(self, block=action.words)
            case _:
                return self

    def can_come(self, action: ModelAction) -> bool:
        """Whether this fault can come beside those that there are."""
        match action.kind:
            case "fault":
                return True
            case "block":
                return not (self.block or (action.words == KILLED and self.revived))
            case _:  # of a process that dies no request may be held, to be carried out when it is long dead
                dies = self.block != KILLED and not self.block.endswith(HELD)
                return dies and not self.revived and 0 not in action.numbers
