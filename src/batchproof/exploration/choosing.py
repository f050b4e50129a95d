"""Which of many random programs are played first: those that put together what was not together before.

Most bugs need one condition, or two at the same time (D. R. Kuhn, D. R. Wallace, A. M. Gallo: Software Fault
Interactions and Implications for Software Testing, IEEE TSE 30(6), 2004). To play a program takes seconds, to
draw one a millisecond. Several are drawn, and the one is taken that has the most pairs of traits which few
before had.
"""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush, heapreplace
from itertools import combinations, count, islice
from math import fsum
from typing import TYPE_CHECKING, Final, TypeAlias

from batchproof.exploration.program import Program, State

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair: TypeAlias = tuple[str, str]
_Waiting: TypeAlias = "tuple[float, int, Program, frozenset[Pair]]"

FIRST: Final = 400
"""From how many the first program is chosen."""
MOST: Final = 2000
"""From how many a program is chosen at most."""
MORE: Final = 20
"""How many are drawn for each that is chosen, until there are that many."""
AGAIN: Final = 0.7
"""What a pair is worth each further time that it is played: to show what is wrong may take luck."""


def varied(begin: State, programs: Iterator[Program]) -> Iterator[Program]:
    """The same programs in another order: those that have something new first.

    Args:
        begin: the state before anything.
        programs: any number of them, also without end.
    """
    played, number = Counter[Pair](), count()
    waiting: list[_Waiting] = []  # a heap; of equals the first that was drawn
    wanted = FIRST
    while True:
        for program in islice(programs, wanted - len(waiting)):
            both = pairs(begin, program)
            heappush(waiting, (-_news(both, played), next(number), program, both))
        if not waiting:
            return
        chosen, both = _newest(waiting, played)
        played.update(both)
        wanted = min(MOST, len(waiting) + MORE)
        yield chosen


def _newest(waiting: list[_Waiting], played: Counter[Pair]) -> tuple[Program, frozenset[Pair]]:
    """Take what has the most that is new; what was reckoned earlier can only have become less since."""
    while True:
        before, number, program, both = waiting[0]
        now = -_news(both, played)
        if now == before:
            heappop(waiting)
            return program, both
        heapreplace(waiting, (now, number, program, both))


def _news(both: frozenset[Pair], played: Counter[Pair]) -> float:
    """How much is new about these pairs: fsum, so that the order of a set does not matter."""
    return fsum(AGAIN ** played[pair] for pair in both)


def pairs(begin: State, program: Program) -> frozenset[Pair]:
    """Each two traits of the actions of a program, in their order; the words of a fault are a trait too."""
    state, traits = begin, list[str]()
    for action in program.actions:
        traits += state.traits(action)
        if action.kind == "fault":  # two errors may look the same: each is to be played early
            traits.append(action.words)
        _, state = state.after(action)
    return frozenset(combinations(traits, 2))
