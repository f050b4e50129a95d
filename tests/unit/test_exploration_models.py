"""What holds of the models of all profiles: each of their programs can be played, and says what it claims."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchproof.exploration.generation import generate, program
from batchproof.exploration.program import State, script
from batchproof.exploration.rules import Model, ModelState
from batchproof.ground.errors import UserError
from batchproof.ground.suite import steps
from batchproof.profiles import profiles
from batchproof.running.exploring.explore import rules_of
from batchproof.specification.registry import load_registry
from batchproof.specification.vocabulary import definitions, load_steps

if TYPE_CHECKING:
    from random import Random

_CAPABILITIES = frozenset({"Suspension", "ChangeableMinimum", "GroupObjects"})
_BEGINNINGS = [
    pytest.param(one.name, one.rules(_CAPABILITIES), id=one.name) for one in profiles().values() if one.rules
]
BEGINNINGS = [pytest.param(one.values[1], id=one.id) for one in _BEGINNINGS]
_REGISTRY = load_registry()


@pytest.mark.parametrize(("profile", "begin"), _BEGINNINGS)
@settings(max_examples=50, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_each_action_of_a_program_is_possible(profile: str, begin: State, random: Random) -> None:
    drawn = program(begin, random)
    one = script(begin, drawn)

    assert one.program == drawn
    assert {it.judges for it in one.sentences} - {""} <= _REGISTRY.of_profile(profile).keys()
    assert script(begin, drawn) == one


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_each_sentence_has_one_definition(begin: State) -> None:
    modules = load_steps(steps())
    scripts = [script(begin, one) for one in islice(generate(begin, 1), 40)]

    sentences = {(it.kind, it.text) for one in scripts for it in one.sentences}
    assert not [it for it in sorted(sentences) if len(definitions(modules, *it)) != 1]


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_each_rule_is_for_one_kind_and_many_happen_in_programs(begin: State) -> None:
    """In few programs; tests/exhaustive looks at more, and there each rule happens."""
    assert isinstance(begin, ModelState)
    model: Model[Any] = begin.model
    assert all({it.kind for it in rule.actions} == {kind} for kind, rule in model.rules.items())

    happened = {action.kind for one in islice(generate(begin, 1), 40) for action in one.actions}
    assert happened <= model.rules.keys()
    assert 2 * len(happened) > len(model.rules)


def test_a_profile_without_a_model_cannot_be_explored() -> None:
    [without] = [one.name for one in profiles().values() if not one.rules]
    with pytest.raises(UserError, match=f"the profile {without} has no model .*explore one of job, gang"):
        rules_of(without)
    assert all(rules_of(one.name) for one in profiles().values() if one.rules)
