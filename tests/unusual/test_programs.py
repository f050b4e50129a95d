"""Small programs that do what they must in ways of their own are accused of no MUST: see README.md."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from command import ended

from tests.unusual.descriptors import PROGRAMS, descriptor

if TYPE_CHECKING:
    from pathlib import Path

PROFILES = {"gang": 7, "job": 17, "tfjob": 4, "volcano": 4}
"""How many programs there are of each."""


def test_each_profile_has_its_programs() -> None:
    there = [it.partition("/")[0] for it in PROGRAMS]
    assert {profile: there.count(profile) for profile in PROFILES} == PROFILES


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_is_right_in_its_own_way_is_accused_of_no_must(program: str, tmp_path: Path) -> None:
    (tmp_path / "program.yaml").write_text(descriptor(program), "utf-8")

    code, said = ended("run", "-i", tmp_path / "program.yaml", "-o", tmp_path / "found")

    assert code == 0, said
    told = json.loads((tmp_path / "found" / "report.json").read_text("utf-8"))["requirements"]
    judged = [each for each in told if each["level"] == "MUST" and each["verdict"] == "passed"]
    assert len(judged) > len(told) // 4, said
    code, said = ended("replay", tmp_path / "found")
    assert code == 0, f"what the suite demands of a scenario is what other programs did: {said}"
