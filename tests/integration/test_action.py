"""The GitHub action: its steps are run, with what GitHub would give them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from batchproof.ground import suite

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = suite.checkout() or Path()
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"] if "id" in step}


class Runner:
    """What GitHub has for a job: folders, files for outputs and the summary, and the inputs of the action."""

    def __init__(self, folder: Path, **inputs: str) -> None:
        self.folder = folder
        self.inputs = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | inputs
        program = folder / "temp" / "batchproof" / "bin"
        program.mkdir(parents=True)
        for name in () if inputs.get("image") else ("batchproof", "python"):
            (program / name).symlink_to(Path(sys.executable).with_name(name))
        self.outputs, self.summary = folder / "outputs", folder / "summary"
        self.outputs.touch()

    def run(self, step: str) -> subprocess.CompletedProcess[str]:
        """Run the script of a step as a runner does: by bash, with its environment."""
        given = {name: self._expanded(str(value)) for name, value in STEPS[step].get("env", {}).items()}
        given.pop("BATCHPROOF_CACHE", None)  # that of the machine, in which the programs are built already
        where = {
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_OUTPUT": str(self.outputs),
            "GITHUB_PATH": str(self.folder / "path"),
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]["run"]],
            cwd=self.folder,
            env={**os.environ, **where, **given},
            capture_output=True,
            text=True,
            check=False,
        )

    def told(self) -> Mapping[str, str]:
        """The outputs that steps have written."""
        return dict(line.split("=", 1) for line in self.outputs.read_text().splitlines())

    def _expanded(self, value: str) -> str:
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: self.inputs[found[1]], value)


def test_a_scheduler_is_judged_by_its_own_profile_and_the_summary_says_the_verdict(tmp_path: Path) -> None:
    runner = Runner(tmp_path, implementation="reference-scheduler", expression="GNG-002", workers="2")
    judged = runner.run("judge")
    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert runner.run("told").returncode == 0
    told = runner.told()
    assert told["verdict"] == "NO FAILURE"
    assert (tmp_path / told["page"]).is_file()
    assert runner.summary.read_text().startswith("## reference-scheduler")
    assert "GNG" not in told["verdict"]


def test_a_run_that_cannot_begin_has_no_verdict(tmp_path: Path) -> None:
    runner = Runner(tmp_path, implementation="./none.yaml")
    assert runner.run("judge").returncode == 2
    assert runner.run("told").returncode == 0
    assert "verdict" not in runner.told()


@pytest.mark.parametrize("implementation", ["reference", "kube-scheduler"])
def test_the_key_of_the_cache_is_that_of_what_is_built(tmp_path: Path, implementation: str) -> None:
    keys = set()
    for name in (implementation, "volcano"):
        runner = Runner(tmp_path / name, implementation=name)
        done = runner.run("pins")
        assert done.returncode == 0, done.stderr
        keys.add(runner.told()["digest"])
    assert len(keys) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)
