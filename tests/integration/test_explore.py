"""Random exploration: a defect is found, made small, written down, and found again by what was written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from planted import wrong

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start

DEFECT, BREAKS = "pods-without-finalizer", "FIN-001"
FOR_PROGRAMS = ("--quiet", "--json")


def test_a_defect_is_found_made_small_and_found_again(ended: Start, tmp_path: Path) -> None:
    descriptor, found = wrong(tmp_path, DEFECT), tmp_path / "found"

    until = ["--first", "--for", "1h"]  # until it is found, however many programs are played in a second
    explored = ended(
        "explore", "-i", descriptor, *until, "--seed", "1", "-n", "2", "-o", found, *FOR_PROGRAMS
    )

    assert explored.process.returncode == 1, explored.said
    summary = json.loads(explored.said)
    assert summary == json.loads((found / "explored.json").read_text("utf-8"))
    [first] = [one for one in summary["found"] if one["requirement"] == BREAKS]
    assert first["confirmed"]
    assert first["steps"] <= first["steps_found"]
    assert (found / first["history"]).stat().st_size
    assert f'href="{BREAKS}.html"' in (found / "index.html").read_text("utf-8")
    assert "<svg" in (found / f"{BREAKS}.html").read_text("utf-8")
    again = ended("run", "-i", descriptor, "--feature", found / f"{BREAKS}.feature", "-n", "1")
    assert again.process.returncode == 1, again.said
    assert [(one["requirement"], one["verdict"]) for one in again.scenarios] == [(BREAKS, "failed")]


def test_what_cannot_be_explored_is_refused(ended: Start) -> None:
    length = ended("explore", "--for", "soon")
    profile = ended("explore", "--profile", "no-such")

    assert (length.process.returncode, profile.process.returncode) == (2, 2)
    assert "'soon' is no length of time" in length.said
    assert "'no-such' is not one of 'job', 'gang'" in profile.said


def test_ctrl_c_tells_what_was_found_until_then(start: Start, tmp_path: Path) -> None:
    run = start("explore", "--for", "1h", "--seed", "1", "-n", "1", "-o", tmp_path / "found")
    assert run.process.stdout is not None
    until = ""
    while "programs, " not in until and "program, " not in until:
        until = run.process.stdout.readline()
        assert until, "it ended by itself"
    run.interrupt()

    assert run.end() == 0, run.said
    assert ", interrupted" in run.said
    assert json.loads((tmp_path / "found" / "explored.json").read_text("utf-8"))["interrupted"]
