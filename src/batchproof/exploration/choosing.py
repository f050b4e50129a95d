"""Which of many random programs are played first: those that put together what was not together before.

Most bugs need one condition, or two at the same time (D. R. Kuhn, D. R. Wallace, A. M. Gallo: Software Fault
Interactions and Implications for Software Testing, IEEE TSE 30(6), 2004). To play a program takes seconds, to
draw one a millisecond. So many are drawn, and the one is taken that has the most pairs of traits which none
before had.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from batchproof.exploration.program import Program, State

Pair: TypeAlias = tuple[str, str]

FIRST: Final = 400
"""From how many the first program is chosen."""
MOST: Final = 2000
"""From how many a program is chosen at most."""
MORE: Final = 20
"""How many are drawn for each that is chosen, until there are so many."""


def varied(begin: State, programs: Iterator[Program]) -> Iterator[Program]:
    """The same programs in another order: those that have something new first.

    Args:
        begin: the state before anything.
        programs: any number of them, also without end.
    """
    known: set[Pair] = set()
    drawn: dict[Program, frozenset[Pair]] = {}
    wanted = FIRST
    while True:
        for program in islice(programs, wanted - len(drawn)):
            drawn[program] = pairs(begin, program)
        if not drawn:
            return
        chosen = max(drawn, key=lambda one: len(drawn[one] - known))  # of equals the first that was drawn
        known |= drawn.pop(chosen)
        wanted = min(MOST, len(drawn) + MORE)
        yield chosen


def pairs(begin: State, program: Program) -> frozenset[Pair]:
    """Each two traits of the actions of a program, in their order; the words of a fault are a trait too."""
    state, traits = begin, list[str]()
    for action in program.actions:
        traits += state.traits(action)
        if action.kind == "fault":  # one error may be taken for another: each is to be played early
            traits.append(action.words)
        _, state = state.after(action)
    return frozenset(combinations(traits, 2))
