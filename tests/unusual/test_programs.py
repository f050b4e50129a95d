"""Small programs that do what they must in ways of their own are accused of no MUST: see README.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ended

FOLDER = Path(__file__).parent
PROFILES = {"gang": 7, "job": 17, "tfjob": 4, "volcano": 4}
"""How many programs there are of each."""

PROGRAMS = sorted(it for profile in PROFILES for it in FOLDER.glob(f"{profile}/*.yaml"))


def test_each_profile_has_its_programs() -> None:
    there = [it.parent.name for it in PROGRAMS]
    assert {profile: there.count(profile) for profile in PROFILES} == PROFILES


@pytest.mark.parametrize("descriptor", PROGRAMS, ids=lambda it: f"{it.parent.name}/{it.stem}")
def test_a_program_that_is_right_in_its_own_way_is_accused_of_no_must(
    descriptor: Path, tmp_path: Path
) -> None:
    code, said = ended("run", "-i", descriptor, "-o", tmp_path / "found")

    assert code == 0, said
    told = json.loads((tmp_path / "found" / "report.json").read_text("utf-8"))["requirements"]
    judged = [each for each in told if each["level"] == "MUST" and each["verdict"] == "passed"]
    assert len(judged) > len(told) // 4, said
