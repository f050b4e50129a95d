"""A deviation names values: which findings it covers, by their named and typed values."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from batchproof.ground.matching import agrees
from batchproof.judgement.facts import found
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.values import counted, named, said, stated

HAVE = {
    "bound": 2,
    "late": False,
    "pod": "a-x7f2",
    "reason": None,
    "cpus": 1.5,
    "conditions": ["Created", "Running", "Failed"],
    "none": [],
}


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"bound": 2},
        {"bound": 2.0},
        {"cpus": 1.5},
        {"late": False},
        {"bound": "any"},
        {"late": "any"},
        {"pod": "a-x7f2"},
        {"pod": "a-*"},
        {"reason": None},
        {"no such name": None},
        {"none": []},
        {"none": "any"},
        {"none": ["any"]},
        {"conditions": ["Created", "Running", "Failed"]},
        {"conditions": ["Created", "*ing", "Failed"]},
        {"conditions": ["any", "Failed"]},
        {"conditions": ["Created", "any"]},
        {"conditions": ["any", "Running", "any"]},
        {"conditions": ["any", "Created", "any", "Failed", "any"]},
        {"bound": 2, "pod": "*7f2", "late": False},
    ],
    ids=str,
)
def test_values_that_are_there_are_covered(wanted: dict[str, Any]) -> None:
    assert agrees(HAVE, wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        {"bound": 3},
        {"bound": "2"},
        {"bound": "*"},
        {"bound": True},
        {"bound": None},
        {"late": 0},
        {"late": True},
        {"late": None},
        {"pod": "b-*"},
        {"pod": ["a-x7f2"]},
        {"reason": "any"},
        {"reason": "none"},
        {"no such name": "any"},
        {"no such name": 2},
        {"none": None},
        {"none": ["*"]},
        {"none": "none"},
        {"conditions": []},
        {"conditions": "Created, Running, Failed"},
        {"conditions": ["Created", "Failed"]},
        {"conditions": ["any", "Running"]},
        {"conditions": ["Running", "any"]},
        {"conditions": ["any", "Failed", "any", "Created", "any"]},
        {"bound": 2, "pod": "b-*"},
    ],
    ids=str,
)
def test_other_values_are_not_covered(wanted: dict[str, Any]) -> None:
    assert not agrees(HAVE, wanted)


def test_one_is_not_true_and_true_is_not_one() -> None:
    assert not agrees({"it": True}, {"it": 1})
    assert not agrees({"it": 1}, {"it": True})


@pytest.mark.parametrize(
    ("shown", "text", "values"),
    [
        ("not bound", "not bound", {"observed": "not bound"}),
        (None, "none", {"observed": None}),
        (
            {"active": 1, "of": {"a": 2, "b": {}}},
            "active=1, of.a=2, of.b",
            {"active": 1, "of.a": 2, "of.b": None},
        ),
        (counted(1, "active pod"), "1 active pod", {"active_pods": 1}),
        (said("{bound} of {gang}", bound=2, gang="a"), "2 of a", {"bound": 2, "gang": "a"}),
        (said("{pods}", pods=[]), "none", {"pods": []}),
        (stated("1.5 CPUs", {"cpus": Fraction(3, 2)}), "1.5 CPUs", {"cpus": 1.5}),
        (stated("2 CPUs", {"cpus": Fraction(2)}), "2 CPUs", {"cpus": 2}),
        (
            stated("an end", {"at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "of": frozenset("ba")}),
            "an end",
            {"at": "2026-01-02T03:04:05Z", "of": ["a", "b"]},
        ),
        ([{"type": "Ready"}], "(type=Ready)", {"observed": [{"type": "Ready"}]}),
    ],
)
def test_a_finding_has_its_values_beside_its_words(shown: Any, text: str, values: dict[str, Any]) -> None:
    finding = found([], expected="more", observed=shown)

    assert (finding.observed, finding.values) == (text, values)
    assert type(finding.observed) is str
    assert named(shown) == values


def test_a_breach_of_an_invariant_has_its_values_too() -> None:
    finding = against(7, expected="none", observed=said("{pod} created", pod="a-0"))

    assert (finding.observed, finding.values) == ("a-0 created", {"pod": "a-0"})
