"""Programs at random, by Hypothesis: the same seed gives the same programs in the same order (ADR 0018)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from batchproof.exploration.program import Action, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from batchproof.exploration.program import State

T = TypeVar("T")
MOST_ACTIONS = 12
AT_ONCE = 50
"""Programs that are made together, by one seed."""
_FAR = 10**40
"""Hypothesis prefers numbers that stand in the source code which is loaded: there are none from here on."""


@st.composite
def programs(draw: st.DrawFn, begin: State) -> Program:
    """Programs of up to ``MOST_ACTIONS`` actions, each possible where it stands."""
    state, actions = begin, list[Action]()
    for _ in range(_one_of(draw, range(2, MOST_ACTIONS + 1))):
        offers = state.offers()
        if not offers:
            break
        action = _one_of(draw, offers[_one_of(draw, sorted(offers))])
        _, state = state.after(action)
        actions.append(action)
    return Program(tuple(actions))


def _one_of(draw: st.DrawFn, options: Sequence[T]) -> T:
    """One of several, whatever else is loaded: ``sampled_from`` would draw others after another import."""
    return options[draw(st.integers(_FAR, _FAR + len(options) - 1)) - _FAR]


def generate(begin: State, chosen: int) -> Iterator[Program]:
    """Programs without end, none twice, decided by a seed."""
    seen: set[Program] = set()
    for part in range(1_000_000):
        batch: list[Program] = []
        _collect(begin, chosen * 1_000_000 + part, batch.append)
        for program in batch:
            if program.actions and program not in seen:
                seen.add(program)
                yield program


def _collect(begin: State, of: int, take: Callable[[Program], None]) -> None:
    @seed(of)
    @settings(
        max_examples=AT_ONCE,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(programs(begin))
    def collect(program: Program) -> None:
        take(program)

    collect()
