"""The reasons of the bundled deviations, as they are loaded: each is whole, and can be read alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from batchproof.descriptor.implementation import document_of

_FOLDER = Path(__file__).parents[2] / "fixtures" / "implementations"
_DEVIATIONS = {
    path.stem: [(one["scenario"].split()[0], one["reason"]) for one in rows]
    for path in sorted(_FOLDER.glob("*.yaml"))
    if (rows := document_of(path).value.get("deviations"))
}
_REASONS = sorted({reason for them in _DEVIATIONS.values() for _, reason in them})
_CUT_OFF = re.compile(r"\b(as|at|by|for|from|in|of|on|since|to|until|with)$")
_REFERENCE = re.compile(r"^As ([A-Z]{3}-\d{3}\.\d+[a-z]?)")


def test_there_are_reasons() -> None:
    assert len(_DEVIATIONS) > 10
    assert len(_REASONS) > 150


@pytest.mark.parametrize("reason", _REASONS, ids=lambda it: it[:40])
def test_a_reason_is_whole(reason: str) -> None:
    """An unquoted ` #` starts a comment in YAML and ends the text; quotes in a block are a part of it."""
    assert not _CUT_OFF.search(reason), "it ends in a preposition: write it as a block (>-)"
    assert not reason.startswith(("'", '"'))
    assert not re.search(r"\babove\b", reason), "name the scenario: a report shows each reason alone"
    assert reason.endswith((".", ")")), reason


@pytest.mark.parametrize("name", _DEVIATIONS)
def test_a_reason_refers_to_a_deviation_of_the_same_descriptor(name: str) -> None:
    known = {scenario for scenario, _ in _DEVIATIONS[name]}
    for scenario, reason in _DEVIATIONS[name]:
        if referred := _REFERENCE.match(reason):
            assert referred[1] in known, f"{scenario}: {reason}"
