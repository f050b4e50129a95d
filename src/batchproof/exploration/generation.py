"""Programs at random: the same seed gives the same programs in the same order (ADR 0018)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from batchproof.exploration.program import ModelAction, Program, State

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ACTIONS: Final = 12
MOST_THEMES: Final = 5
"""How many themes a program is about at most."""
ABOUT: Final = 0.7
"""How often it is one of its themes that happens next, where any of them can."""


def program(begin: State, random: Random) -> Program:
    """A program of up to ``MOST_ACTIONS`` actions, each possible where it stands.

    It is about a few themes only, so that these come together more often (A. Groce and others: Swarm Testing,
    ISSTA 2012).
    """
    state, actions = begin, list[ModelAction]()
    few = random.randint(1, MOST_THEMES)
    themes = set(random.sample(begin.themes, few))
    for _ in range(random.randint(2, MOST_ACTIONS)):
        offers = state.offers()
        about = sorted(themes.intersection(offers))
        besides = sorted(set(offers).difference(begin.themes))
        offered = about if about and (not besides or random.random() < ABOUT) else besides
        if not offered:
            break
        action = random.choice(offers[random.choice(offered)])
        _, state = state.after(action)
        actions.append(action)
    return Program(tuple(actions))


def generate(begin: State, seed: int) -> Iterator[Program]:
    """Programs without end, none twice, decided by a seed."""
    random, seen = Random(seed), set[Program]()  # noqa: S311 - a seed is to be played again, not secret
    while True:
        one = program(begin, random)
        if one.actions and one not in seen:
            seen.add(one)
            yield one
