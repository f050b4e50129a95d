"""The sentences of a run, for pytest-bdd: one step definition of each kind, which looks up what is meant.

pytest-bdd asks pytest about each definition at each step of a scenario. With some hundreds of them that took
longer than all else that is done for a step; and ``explore`` looks sentences up without pytest anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import given, then, when
from pytest_bdd.parsers import StepParser

from batchproof.specification.vocabulary import load_steps, meaning
from batchproof.suite import steps

if TYPE_CHECKING:
    from batchproof.world import World


class AnySentence(StepParser):
    """Every sentence, as it is."""

    def parse_arguments(self, name: str) -> dict[str, str]:
        """The sentence itself."""
        return {"sentence": name}

    def is_matching(self, name: str) -> bool:  # noqa: ARG002 - whichever it is
        """Always: whether it means anything is found when it is played."""
        return True


ANY = AnySentence("any sentence")


@given(ANY)
def set_up(world: World, sentence: str) -> None:
    """``Given ...``."""
    _play(world, "given", sentence)


@when(ANY)
def make_happen(world: World, sentence: str) -> None:
    """``When ...``."""
    _play(world, "when", sentence)


@then(ANY)
def claim(world: World, sentence: str) -> None:
    """``Then ...``."""
    _play(world, "then", sentence)


def _play(world: World, kind: str, sentence: str) -> None:
    function, said = meaning(load_steps(steps()), kind, sentence)
    function(world=world, **said)
