"""However a run ends, it leaves nothing behind, and what it has written tells the truth."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from runs import Start

LONG = "IDX or FIN and not FIN-009 and not FIN-010 and not FIN-042"
"""A hundred scenarios, of which none is skipped. The first ends soon: none waits longer than seconds."""


@pytest.mark.parametrize(
    ("workers", "number"),
    [
        ("1", signal.SIGINT),
        pytest.param("4", signal.SIGINT, marks=pytest.mark.quick),
        ("4", signal.SIGTERM),
    ],
)
def test_ctrl_c_and_sigterm_end_cleanly_with_a_report_marked_incomplete(
    start: Start, workers: str, number: signal.Signals
) -> None:
    run = start("run", "-i", "reference", "-k", LONG, "-n", workers)
    run.wait_for_scenario()
    sockets = run.sockets()
    assert len(sockets) >= 2  # the API server's, and a proxy's
    if number == signal.SIGINT:
        run.interrupt()
    else:
        os.kill(run.process.pid, number)
    assert run.end() == 1, run.said
    run.nothing_is_left(sockets)
    assert run.footer["complete"] is False
    assert run.footer["reason"] == "interrupted"
    verdict = run.report["verdict"]
    assert (verdict["complete"], verdict["reason"], verdict["exit_code"]) == (False, "interrupted", 1)
    assert "INCOMPLETE (interrupted)" in run.said
    assert "INCOMPLETE (interrupted)" in (run.output / "index.html").read_text()
    assert (run.output / "junit.xml").exists()
    assert "Traceback" not in run.said
    assert set(run.verdicts().values()) == {"passed"}


@pytest.mark.parametrize("part", ["janitor.py", "/etcd ", "/kube-apiserver "])
def test_ctrl_c_while_the_control_plane_starts_leaves_nothing(start: Start, part: str) -> None:
    run = start("run", "-i", "reference", "-k", LONG, "-n", "2")
    run.until(f"{part} runs", lambda: run.pids(part))
    run.interrupt()
    assert run.end() in {1, 130}, run.said
    assert "Traceback" not in run.said
    run.nothing_is_left()


def test_ctrl_c_twice_leaves_nothing_either(start: Start) -> None:
    run = start("run", "-i", "reference", "-k", LONG, "-n", "2")
    run.wait_for_scenario()
    sockets = run.sockets()
    workers = run.workers()
    run.interrupt()
    run.until("a worker has ended", lambda: set(workers) - set(run.workers()))
    run.interrupt()
    assert run.end() in {1, 130}, run.said
    run.nothing_is_left(sockets)


@pytest.mark.parametrize("workers", ["1", pytest.param("4", marks=pytest.mark.quick)])
def test_a_killed_run_leaves_nothing_but_results_that_nobody_believes(start: Start, workers: str) -> None:
    run = start("run", "-i", "reference", "-k", LONG, "-n", workers)
    run.wait_for_scenario()
    sockets = run.sockets()
    os.kill(run.process.pid, signal.SIGKILL)
    assert run.end() == -signal.SIGKILL
    run.nothing_is_left(sockets)
    assert run.records()[-1]["record"] == "scenario"
    assert not (run.output / "report.json").exists()
    for command in ("report", "replay"):
        refused = start(command, run.output)
        assert refused.end() == 2, refused.said
        assert "ends without a footer: the run was interrupted, so its results cannot be used" in refused.said
        assert "Traceback" not in refused.said
