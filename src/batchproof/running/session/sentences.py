"""The sentences of a run, for pytest-bdd: one step definition of each kind, which looks up what is meant.

pytest-bdd asks pytest about each definition at each step of a scenario. With some hundreds of them that took
longer than all else that is done for a step; and ``explore`` looks sentences up without pytest anyway.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING

from pytest_bdd import given, then, when
from pytest_bdd.parsers import StepParser

from batchproof.ground.suite import steps
from batchproof.profiles import verbs
from batchproof.specification.vocabulary import load_steps, meaning

if TYPE_CHECKING:
    from types import ModuleType

    import pytest


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
def set_up(request: pytest.FixtureRequest, sentence: str) -> None:
    """``Given ...``."""
    _play(request, "given", sentence)


@when(ANY)
def make_happen(request: pytest.FixtureRequest, sentence: str) -> None:
    """``When ...``."""
    _play(request, "when", sentence)


@then(ANY)
def claim(request: pytest.FixtureRequest, sentence: str) -> None:
    """``Then ...``."""
    _play(request, "then", sentence)


@cache
def modules() -> list[ModuleType]:
    """The modules of the steps, loaded.

    Raises:
        UserError: one cannot be loaded.
    """
    return load_steps(steps())


def _play(request: pytest.FixtureRequest, kind: str, sentence: str) -> None:
    function, said = meaning(modules(), kind, sentence)
    asked = inspect.signature(function).parameters.keys() - said
    function(**{name: _asked(request, name) for name in asked}, **said)


def _asked(request: pytest.FixtureRequest, name: str) -> object:
    """What a step asks for by name: verbs of a profile, or a fixture."""
    make = verbs().get(name)
    return request.getfixturevalue("world").verbs(make) if make else request.getfixturevalue(name)
