"""The GitHub action: its steps are run, with what GitHub would give them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from action import Runner

if TYPE_CHECKING:
    from pathlib import Path


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
