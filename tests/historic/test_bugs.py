"""The suite finds bugs of real Job controllers where they are, and not where they are not.

``bugs.yaml`` says which, and in which versions. Each version is run once, with all that is judged in it.
"""

from __future__ import annotations

import functools
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import ended

from batchproof.report.records import ScenarioRecord, UnmetClaim
from batchproof.report.results import read_results

_HERE = Path(__file__).parent
_LIMIT_S = 3 * 3600
"""For one version, the building of all that it needs included."""


@dataclass(frozen=True)
class Bug:
    """A row of ``bugs.yaml``, which says what is what."""

    bug: str
    issue: str
    requirement: str
    scenario: str
    select: str
    found_in: tuple[str, ...]
    not_in: tuple[str, ...]
    seen: tuple[str, ...]


def _bug(row: dict[str, Any]) -> Bug:
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    return Bug(**fields)


BUGS = [_bug(row) for row in yaml.safe_load((_HERE / "bugs.yaml").read_text("utf-8"))]


@functools.cache
def _judged(implementation: str) -> dict[str, ScenarioRecord]:
    """The scenarios of all bugs that this implementation is to have, or not to have, by their ids."""
    wanted = [one.select for one in BUGS if implementation in (*one.found_in, *one.not_in)]
    name = str(_HERE / implementation) if implementation.endswith(".yaml") else implementation
    with tempfile.TemporaryDirectory() as folder:
        selection = ["-k", " or ".join(f"({select})" for select in wanted), "-n", "4", "-o", folder]
        _, said = ended("run", "-i", name, *selection, within_s=_LIMIT_S)
        sys.stdout.write(said)
        return {one.id: one for one in read_results(Path(folder)).scenarios}


def _pairs(which: str) -> list[Any]:
    """Each bug with each implementation that it is found in, or not in."""
    pairs = [(one, name) for one in BUGS for name in getattr(one, which)]
    return [pytest.param(one, name, id=f"{one.bug}-{name.removesuffix('.yaml')}") for one, name in pairs]


def _said(found: UnmetClaim) -> str:
    """All that a finding says, on one line."""
    return " ".join([found.expected, found.observed, *(moment.what for moment in found.timeline)])


@pytest.mark.parametrize(("bug", "implementation"), _pairs("found_in"))
def test_a_bug_is_found_where_it_is(bug: Bug, implementation: str) -> None:
    one = _judged(implementation)[bug.scenario]
    assert one.unmet, f"{one.verdict}: {one.error or one.reason}"
    assert one.unmet.requirement == bug.requirement
    for words in bug.seen:
        assert words in _said(one.unmet)


@pytest.mark.parametrize(("bug", "implementation"), _pairs("not_in"))
def test_a_bug_is_not_found_where_it_is_not(bug: Bug, implementation: str) -> None:
    one = _judged(implementation)[bug.scenario]
    assert one.verdict == "passed", one.error or one.reason
