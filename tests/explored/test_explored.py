"""``explore`` finds wrong controllers that no scenario was written for, each within two minutes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from planted import wrong

from batchproof.specification.defects import load_defects

FOLDER = Path(__file__).parent
_COMMAND = (sys.executable, "-c", "from batchproof.cli import main; main()")


@pytest.mark.parametrize("defect", [one.name for one in load_defects(FOLDER)])
def test_a_wrong_controller_is_found(defect: str, tmp_path: Path) -> None:
    descriptor, found = wrong(tmp_path, defect, among=FOLDER), tmp_path / "found"

    explored = subprocess.run(
        [*_COMMAND, "explore", "-i", descriptor, "--for", "2m", "--seed", "1", "--first", "-o", found],
        check=False,
        capture_output=True,
        text=True,
    )

    assert explored.returncode == 1, explored.stdout + explored.stderr
    summary = json.loads((found / "explored.json").read_text("utf-8"))
    assert any(one["confirmed"] for one in summary["found"]), explored.stdout


def test_nothing_is_found_in_what_is_right(tmp_path: Path) -> None:
    found = tmp_path / "found"

    explored = subprocess.run(
        [*_COMMAND, "explore", "--for", "5m", "--seed", "1", "-o", found],
        check=False,
        capture_output=True,
        text=True,
    )

    assert explored.returncode == 0, explored.stdout + explored.stderr
    assert json.loads((found / "explored.json").read_text("utf-8"))["verdicts"]["passed"] > 0
