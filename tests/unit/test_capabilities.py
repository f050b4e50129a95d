"""The page of capabilities says what the registry and the features say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
import report_sample

from batchproof.profiles import profiles
from batchproof.report.records import NOT_DECLARED, Header, RequirementRecord, ScenarioRecord
from batchproof.report.scope import not_judged
from batchproof.specification import gherkin
from batchproof.specification.capabilities import capabilities
from batchproof.specification.gherkin import Case, parse_features
from batchproof.specification.registry import Registry, load_registry

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = Path(__file__).parents[2] / "docs/reference/capabilities.md"
ROW = re.compile(r"^\| `(\w+)` \| (.+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


@pytest.mark.parametrize("profile", profiles())
def test_every_capability_of_a_profile_is_in_the_docs_with_its_counts(profile: str) -> None:
    section = PAGE.read_text("utf-8").partition(f"## `{profile}`\n")[2].partition("\n## ")[0]
    told = [(name, int(needed), int(played)) for name, _, needed, played in ROW.findall(section)]
    there = capabilities(profile, load_registry(), parse_features())
    assert told == [(one.name, len(one.requirements), one.scenarios) for one in there]


def test_a_capability_says_how_much_it_adds() -> None:
    (only,) = capabilities("volcano-job", load_registry(), parse_features())
    assert only.name == "Admission"
    assert only.text == f"{len(only.requirements)} requirements and {only.scenarios} scenarios"


@pytest.mark.parametrize("profile", profiles())
def test_a_report_counts_as_not_judged_what_the_docs_say(profile: str) -> None:
    """Each capability is left out alone, and all else declared: what a run then did not judge."""
    registry = load_registry().of_profile(profile)
    scenarios = [one for one in parse_features() if one.feature.startswith(f"{profile}/")]
    there = capabilities(profile, registry, scenarios)
    for left_out in there:
        played = [
            played_without(left_out.name, scenario, case, registry)
            for scenario in scenarios
            for case in scenario.cases
        ]
        judged = {one.requirement for one in played if one.verdict == "passed"}
        skipped = dict.fromkeys(one.requirement for one in played if one.requirement not in judged)
        (found,) = not_judged(
            header({one.name for one in there} - {left_out.name}, registry), skipped, played
        )
        assert (found.capability, {*found.requirements}, found.scenarios) == (
            left_out.name,
            {*left_out.requirements},
            left_out.scenarios,
        )


def header(declared: Iterable[str], registry: Registry) -> Header:
    """That of a run of an implementation with these capabilities."""
    sample = report_sample.header()
    del sample["record"]
    known = {
        id_: RequirementRecord(level=one.level, sentence=one.sentence, capability=one.capability)
        for id_, one in registry.items()
    }
    implementation = {**sample["implementation"], "capabilities": sorted(declared)}
    read = msgspec.convert({"record": "header", **sample, "implementation": implementation}, Header)
    return msgspec.structs.replace(read, requirements=known)


def played_without(
    left_out: str, scenario: gherkin.Scenario, case: Case, registry: Registry
) -> ScenarioRecord:
    """The record of a scenario: skipped where it needs what is left out, else passed."""
    (id_,) = scenario.requirements
    needs = scenario.capabilities | {registry[id_].capability}
    return ScenarioRecord(
        id=case.id,
        name=scenario.name,
        title=case.title,
        feature=scenario.feature,
        requirement=id_,
        level=registry[id_].level,
        verdict="skipped" if left_out in needs else "passed",
        reason=NOT_DECLARED if left_out in needs else "",
        tags=scenario.tags,
    )
