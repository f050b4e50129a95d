"""Each rule of a model happens in programs: one whose precondition never holds would be dead."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from test_exploration_models import BEGINNINGS

from batchproof.exploration.generation import generate
from batchproof.exploration.program import State
from batchproof.exploration.rules import Model, ModelState


@pytest.mark.parametrize("begin", BEGINNINGS)
def test_each_rule_is_for_one_kind_and_happens_in_programs(begin: State) -> None:
    """A theme that no program is about would be dead as well."""
    assert isinstance(begin, ModelState)
    model: Model[Any] = begin.model
    assert all({it.kind for it in rule.actions} == {kind} for kind, rule in model.rules.items())

    happened = [action for one in islice(generate(begin, 1), 400) for action in one.actions]
    assert {it.kind for it in happened} == model.rules.keys()
    assert {model.theme(it) for it in happened} >= {*begin.themes}
