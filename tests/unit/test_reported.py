"""Reported inputs: one small right file, one wrong thing at a time; and those of the suite are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.specification.gherkin import parse_features
from batchproof.specification.mutants import load_mutants
from batchproof.specification.registry import load_registry
from batchproof.specification.reported import (
    REPORTED,
    failing,
    load_reported,
    of_reported,
    read_reported,
)

if TYPE_CHECKING:
    from pathlib import Path

RIGHT = """
job:
  - reports: [kubernetes/kubernetes#125410, "https://example.org/1205"]
    what: A pod turns Failed.
    scenarios: [FIN-043.1, FIN-015.2]
    open: No scenario has two pods.
gang:
  - what: A node shrinks.
    open: A node has less than before.
  - what: A disk is full.
    left-out: No disk is judged.
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / REPORTED).write_text(RIGHT)
    return tmp_path / REPORTED


def found(path: Path) -> list[str]:
    """What is wrong with a file beside the suite, by its lines."""
    findings = of_reported(path, load_registry(), list(parse_features()), load_mutants())
    return [f"{one.line}: {one.message}" for one in findings]


def test_a_reported_input_has_reports_scenarios_and_what_is_left(path: Path) -> None:
    first, second, third = load_reported(path.parent)
    assert (first.profile, first.line) == ("job", 3)
    assert first.reports == ("kubernetes/kubernetes#125410", "https://example.org/1205")
    assert first.scenarios == ("FIN-043.1", "FIN-015.2")
    assert first.requirements == ("FIN-043", "FIN-015")
    assert first.open == "No scenario has two pods."
    assert (second.profile, second.reports, second.scenarios, second.line) == ("gang", (), (), 8)
    assert (third.open, third.left_out) == ("", "No disk is judged.")
    assert found(path) == []


def test_without_a_file_nothing_is_reported(tmp_path: Path) -> None:
    assert read_reported(tmp_path / REPORTED) == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    what: A pod turns", "    mutant: x\n    what: A pod turns", "unknown key 'mutant'"),
        ("    open: A node has less than before.\n", "", "gang"),
        ("    left-out:", "    open: Much.\n    left-out:", "gang"),
        ("kubernetes/kubernetes#125410", "J1", "reports"),
        ("FIN-043.1", "FIN-043", "scenarios"),
        ("A pod turns Failed.", "A pod turns Failed", "what"),
    ],
)
def test_what_the_file_may_not_say_is_refused(path: Path, old: str, new: str, message: str) -> None:
    path.write_text(RIGHT.replace(old, new))
    with pytest.raises(UserError, match=message):
        load_reported(path.parent)
    assert found(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("FIN-043.1", "FIN-043.99", "3: there is no scenario FIN-043.99"),
        ("FIN-043.1", "FIN-999.1", "3: there is no scenario FIN-999.1"),
        ("FIN-043.1", "GNG-001.1", "3: GNG-001.1 is a scenario of the profile gang"),
        ("gang:", "gong:", "8: there is no profile gong; did you mean 'gang'?"),
        ("A disk is full.", "A node shrinks.", "10: line 8 says the same: A node shrinks."),
        (
            "    left-out:",
            "    scenarios: [GNG-001.1]\n    left-out:",
            "10: it is left out, and has scenarios: GNG-001.1",
        ),
    ],
)
def test_what_contradicts_the_suite_is_found(path: Path, old: str, new: str, message: str) -> None:
    path.write_text(RIGHT.replace(old, new))
    assert any(one.startswith(message) for one in found(path)), found(path)


def test_a_scenario_that_no_mutant_shows_to_fail_is_found(path: Path) -> None:
    mutants = [one for one in load_mutants() if one.requirement != "FIN-015"]
    (finding,) = of_reported(path, load_registry(), list(parse_features()), mutants)
    assert finding.message.startswith("FIN-015 has no mutant")


def test_what_fails_is_a_scenario_or_a_case_of_it() -> None:
    known = {"new": ["FIN-043.1a", "FIN-043.10", "FIN-015.2"], "old": ["FIN-004.1b"], "right": []}
    assert failing(("FIN-043.1", "FIN-004.1b"), known) == {"new": ("FIN-043.1a",), "old": ("FIN-004.1b",)}
    assert failing(("FIN-004.1a",), known) == {}


def test_the_reported_inputs_of_the_suite_are_right() -> None:
    assert found(suite.features() / REPORTED) == []
    assert {one.profile for one in load_reported(suite.features())} == {
        "job",
        "jobset",
        "gang",
        "volcano-job",
        "tfjob",
    }
