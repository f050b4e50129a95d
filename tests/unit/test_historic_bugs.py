"""The table of historic bugs speaks of scenarios and descriptors that there are; its page says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from batchproof.evidence.plan import features
from batchproof.ground.yaml_text import values

_ROOT = Path(__file__).parents[2]
_BUGS: list[dict[str, Any]] = values((_ROOT / "tests/historic/bugs.yaml").read_text("utf-8"))[0]
_PAGE = (_ROOT / "docs/historic-bugs.md").read_text("utf-8")
_TITLES = {case.id: case.title for one in features(None) for case in one.cases}


@pytest.mark.parametrize("bug", _BUGS, ids=lambda bug: bug["bug"])
def test_a_bug_has_a_scenario_and_a_row(bug: dict[str, Any]) -> None:
    title = _TITLES[bug["scenario"]]
    rows = [line for line in _PAGE.splitlines() if line.startswith(f"| {bug['bug']} |")]
    assert len(rows) == 1
    for said in (bug["issue"], bug["scenario"], title):
        assert said in rows[0]


@pytest.mark.parametrize("bug", _BUGS, ids=lambda bug: bug["bug"])
def test_a_bug_is_looked_for_in_descriptors_that_there_are(bug: dict[str, Any]) -> None:
    assert bug["found_in"]
    assert bug["not_in"]
    for name in (*bug["found_in"], *bug["not_in"]):
        bundled = _ROOT / "fixtures/implementations" / f"{name}.yaml"
        assert bundled.is_file() or (_ROOT / "tests/historic" / name).is_file()


def test_bugs_of_operators_are_deviations_of_their_descriptors() -> None:
    section = _PAGE.partition("## TFJobs and Volcano Jobs")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if "#" in line and line.startswith("|")]
    known = set()
    for name in ("training-operator", "volcano-controllers"):
        text = (_ROOT / "fixtures/implementations" / f"{name}.yaml").read_text("utf-8")
        known |= {one["scenario"] for one in values(text)[0]["deviations"]}
    assert len(rows) == 11
    assert {row[2].split(",")[0] for row in rows} <= known
    assert all(_TITLES[row[2].split(",")[0]] == row[3] for row in rows)
