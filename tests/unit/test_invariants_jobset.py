"""Invariants of controllers of JobSets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from invariant_examples import assert_blameless, assert_broken
from test_facts_jobset import jobset, reports

if TYPE_CHECKING:
    from histories import Story

BREAKS = [
    pytest.param("JST-044", jobset("Completed", "Failed"), 2, "both are set", id="both ends"),
    pytest.param(
        "JST-044",
        reports(jobset("Completed"), restarts=1),
        *(3, "Completed is no longer set"),
        id="an end that is taken back",
    ),
    pytest.param("JST-023", jobset(restarts=2), 2, "0, then 2", id="two restarts at once"),
    pytest.param(
        "JST-023", reports(jobset(restarts=1), restarts=0), 3, "1, then 0", id="a restart that is forgotten"
    ),
]


@pytest.mark.parametrize(("requirement", "told", "decisive", "observed"), BREAKS)
def test_a_broken_invariant_of_jobsets(requirement: str, told: Story, decisive: int, observed: str) -> None:
    assert_broken(requirement, told, decisive, observed)


BLAMELESS = [
    pytest.param(reports(jobset(restarts=1), "Completed", restarts=1), id="a restart, then the end"),
    pytest.param(reports(jobset("Suspended"), "Failed"), id="a failure"),
]


@pytest.mark.parametrize("told", BLAMELESS)
def test_a_sound_life_of_a_jobset(told: Story) -> None:
    assert_blameless(told)
