"""Feature files as data: nothing is lost, and every scenario knows its requirement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pytest_bdd.parser import FeatureParser

from batchproof.evidence.plan import needs
from batchproof.ground.errors import UserError
from batchproof.specification.gherkin import parse_features, read_features, repeated_cases
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from pathlib import Path

FEATURE = """@slow
Feature: Finalizers

  Background:
    Given a namespace

  @FIN-003
  Scenario: Outside of a rule
    Given a Job
    When it runs
    And it ends
    Then it is counted
    But not twice

  @FIN-004
  Rule: No finalizer goes first

    Background:
      Given 2 nodes

    Scenario: With the requirement of the rule
      Given a Job

    @FIN-005 @fault @cap-TTLAfterFinished
    Scenario Outline: With <count> pods
      Given a Job with <count> pods in phase <phase>
      Examples:
        | count | phase  |
        | 1     | Failed |
        | 2     |        |
      Examples: more
        | phase     | count |
        | Succeeded | 3     |
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "finalizers.feature").write_text(FEATURE)
    return tmp_path


def test_a_scenario_inherits_tags_and_the_nearest_requirement_counts(folder: Path) -> None:
    outside, of_rule, own = parse_features(folder)
    assert (outside.tags, outside.requirements, outside.rule) == (("slow", "FIN-003"), ("FIN-003",), None)
    assert (of_rule.tags, of_rule.requirements) == (("slow", "FIN-004"), ("FIN-004",))
    assert of_rule.rule == "No finalizer goes first"
    assert own.tags == ("slow", "FIN-004", "FIN-005", "fault", "cap-TTLAfterFinished")
    assert own.requirements == ("FIN-005",)
    assert own.capabilities == {"TTLAfterFinished"}
    assert own.needs_fault
    assert not of_rule.needs_fault


def test_steps_know_what_they_are_and_where(folder: Path) -> None:
    outside, of_rule, _ = parse_features(folder)
    assert [(step.keyword, step.kind) for step in outside.steps] == [
        ("Given", "given"),
        ("When", "when"),
        ("And", "and"),
        ("Then", "then"),
        ("But", "and"),
    ]
    assert (outside.line, outside.steps[0].line) == (8, 9)
    assert [step.text for step in of_rule.background] == ["a namespace", "2 nodes"]


def test_ids_of_cases_join_the_values_of_the_example(folder: Path) -> None:
    outside, _, own = parse_features(folder)
    assert outside.id == "job/finalizers.feature::Outside of a rule"
    assert [(case.id, case.example) for case in outside.cases] == [(outside.id, None)]
    name = "job/finalizers.feature::With <count> pods"
    assert [case.id for case in own.cases] == [f"{name}[1-Failed]", f"{name}[2-]", f"{name}[Succeeded-3]"]
    assert own.cases[0].values == (("count", "1"), ("phase", "Failed"))
    assert own.is_outline
    assert not outside.is_outline


def test_a_second_scenario_of_one_name_is_kept_although_pytest_bdd_drops_it(tmp_path: Path) -> None:
    path = tmp_path / "a.feature"
    path.write_text("Feature: A\n  Scenario: S\n    Given x\n  Scenario: S\n    Given y\n")
    assert len(FeatureParser(str(tmp_path), "a.feature").parse().scenarios) == 1
    scenarios = parse_features(tmp_path)
    assert [scenario.line for scenario in scenarios] == [2, 4]
    assert repeated_cases(scenarios) == ["a.feature::S"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Feature: A\n  Scenario: S\n    Given x\n    Thn y\n", "bad.feature:4: not valid Gherkin"),
        ("Feature: A\n  Scenario: S\n    Given x\nFeature: B\n", "bad.feature:4: not valid Gherkin"),
        ("", "bad.feature:1: there is no Feature in this file"),
        ("# only a comment\n", "bad.feature:1: there is no Feature in this file"),
    ],
)
def test_what_is_not_gherkin_is_blamed_by_file_and_line(folder: Path, text: str, message: str) -> None:
    (folder / "bad.feature").write_text(text)
    with pytest.raises(UserError, match=message):
        parse_features(folder)
    features, problems = read_features(folder)
    assert len(features) == 1
    assert len(problems) == 1


def test_a_folder_without_features_has_no_scenarios(tmp_path: Path) -> None:
    assert parse_features(tmp_path) == []


def test_a_scenario_needs_what_its_tags_name_beside_its_requirement() -> None:
    many = "GNG-003.1"

    assert needs()[many] == {"SurplusPods"}
    assert load_registry()["GNG-003"].capability is None
