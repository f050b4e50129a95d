"""``explore`` finds what is wrong and what no scenario was written for, each in a short time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import ended
from planted import wrong

from batchproof.specification.mutants import Mutant, load_mutants

FOLDER = Path(__file__).parent


LIKE = {
    "job": "reference",
    "gang": "reference-scheduler",
    "tfjob": "reference-tfjob",
    "volcano-job": "reference-volcano-job",
}
WITHIN = {"job": "2m", "gang": "1m", "tfjob": "2m", "volcano-job": "2m"}
_DEFECTS = [pytest.param(one, id=f"{one.path.stem}-{one.name}") for one in load_mutants(FOLDER)]


def explored(profile: str, length: str, implementation: Path | str, found: Path) -> tuple[int, str]:
    """The exit code of an exploration, and all that it said."""
    # The time is for finding; that what is found gets smaller is tried in tests/integration.
    how = ("--profile", profile, "--for", length, "--seed", "1", "--first", "--as-found", "-o", found)
    return ended("explore", "-i", implementation, *how)


@pytest.mark.parametrize("defect", _DEFECTS)
def test_what_is_wrong_is_found(defect: Mutant, tmp_path: Path) -> None:
    profile, found = defect.path.stem, tmp_path / "found"
    descriptor = wrong(tmp_path, defect.name, among=FOLDER, like=LIKE[profile])

    code, said = explored(profile, WITHIN[profile], descriptor, found)

    assert code == 1, said
    summary = json.loads((found / "explored.json").read_text("utf-8"))
    assert any(one["confirmed"] for one in summary["found"]), said


@pytest.mark.parametrize("profile", LIKE)
def test_nothing_is_found_in_what_is_right(profile: str, tmp_path: Path) -> None:
    found = tmp_path / "found"

    code, said = explored(profile, "5m", LIKE[profile], found)

    assert code == 0, said
    assert json.loads((found / "explored.json").read_text("utf-8"))["verdicts"]["passed"] > 0
