"""The page of capabilities says what the registry and the features say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from batchproof.profiles import profiles
from batchproof.specification.capabilities import capabilities
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

PAGE = Path(__file__).parents[2] / "docs/capabilities.md"
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
