"""What breaks around an implementation never accuses it: API servers, workers, disks."""

from __future__ import annotations

import os
import signal
import subprocess
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Run, Start

SEVERAL = "FIN-001 or FIN-003 or FIN-007 or FIN-008 or FIN-021 or BAS-014 or BAS-015 or BAS-016"

HELD = """
    # The first scenario that has done a step stands still, until the file "go-on" is there.
    import os, pathlib, time

    HERE = pathlib.Path(os.environ["HELD"])

    def pytest_bdd_after_step():
        try:
            (HERE / "held").touch(exist_ok=False)
        except FileExistsError:
            return
        (HERE / "pid").write_text(f"{os.getpid()}\\n")
        while not (HERE / "go-on").exists():
            time.sleep(0.02)
"""


@pytest.fixture
def held(tmp_path: Path) -> dict[str, str]:
    """An environment in which one scenario is held while others are judged: so the run is not over too early.

    The file ``pid`` says in which worker, and ``go-on`` lets it go on.
    """
    (tmp_path / "held_scenario.py").write_text(dedent(HELD))
    return {"PYTEST_PLUGINS": "held_scenario", "PYTHONPATH": str(tmp_path), "HELD": str(tmp_path)}


def who_holds(run: Run, tmp_path: Path) -> int:
    """The worker in which a scenario is held, once one is."""
    pid = tmp_path / "pid"
    run.until("a scenario is held", lambda: pid.exists() and pid.read_text().endswith("\n"))
    return int(pid.read_text())


@pytest.mark.parametrize("part", [pytest.param("kube-apiserver", marks=pytest.mark.quick), "etcd"])
def test_a_control_plane_that_dies_makes_what_runs_errored(
    start: Start, held: dict[str, str], tmp_path: Path, part: str
) -> None:
    run = start("run", "-i", "reference", "-k", SEVERAL, "-n", "2", env=held)
    who_holds(run, tmp_path)
    run.wait_for_scenario()
    [pid] = run.pids(f"/{part} ")
    os.kill(pid, signal.SIGKILL)
    (tmp_path / "go-on").touch()
    assert run.end() == 1, run.said
    verdicts = list(run.verdicts().values())
    assert set(verdicts) == {"passed", "errored"}, run.said
    assert len(verdicts) == len(run.records()[0]["planned"])
    assert run.footer["complete"] is True
    assert run.report["verdict"]["conformity"] == "not-proven"
    assert run.report["verdict"]["failed"] == []
    for one in run.scenarios:
        assert one["verdict"] == "passed" or one["error"]
        assert one["unmet"] is None
    assert "Traceback" not in run.said
    run.nothing_is_left()


def test_a_scenario_whose_worker_dies_is_played_again_and_the_others_are_judged(
    start: Start, held: dict[str, str], tmp_path: Path
) -> None:
    run = start("run", "-i", "reference", "-k", SEVERAL, "-n", "2", env=held)
    worker = who_holds(run, tmp_path)
    run.wait_for_scenario()
    os.kill(worker, signal.SIGKILL)
    assert run.end() == 0, run.said
    [lost] = [one for one in run.plays if one["verdict"] == "errored"]
    assert lost["reason"] == "the worker was lost"
    assert lost["requirement"]
    [again] = [one for one in run.scenarios if one["first"]]
    assert (again["id"], again["verdict"]) == (lost["id"], "passed")
    assert again["first"]["why"] == "the worker was lost"
    assert len(run.verdicts()) == len(run.records()[0]["planned"])
    assert set(run.verdicts().values()) == {"passed"}, run.said
    assert run.footer["complete"] is True
    assert "1 scenario was retried: not judged the first time" in run.said
    run.nothing_is_left()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
@pytest.mark.quick
def test_a_full_disk_is_no_verdict(start: Start, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(disk)], check=True)
    try:
        run = start("run", "-k", SEVERAL, "-n", "2", "-o", disk / "results")
        assert run.end() == 3, run.said
        run.nothing_is_left()
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert "results.jsonl cannot be written: No space left on device" in run.said.splitlines()[-1]
    assert "Traceback" not in run.said
    assert "INTERNALERROR" not in run.said
