"""The fault grid: what differs only under a fault is found and blamed, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted import wrong

if TYPE_CHECKING:
    from pathlib import Path

    from runs import Start

MAKES_ROOM = "BAS-015 and followed"


def test_what_differs_only_under_a_fault_is_found_and_blamed(ended: Start, tmp_path: Path) -> None:
    descriptor = wrong(tmp_path, "creations-without-a-reply-are-waited-for", "time_scale: 0.5\n")

    run = ended("run", "-i", descriptor, "-k", MAKES_ROOM, "--faults", "rate-limits,lost-replies", "-n", "3")

    verdicts = {one["fault"]: (one["requirement"], one["verdict"]) for one in run.scenarios}
    assert verdicts == {
        "": ("BAS-015", "passed"),
        "rate-limits": ("ROB-039", "passed"),
        "lost-replies": ("ROB-022", "failed"),
    }, run.said
    assert run.process.returncode == 1
    assert "NOT CONFORMANT because ROB-022 failed" in run.said
    again = ended("replay", run.output)
    assert "3 scenarios judged again, all as recorded" in again.said


def test_the_reference_ends_under_faults_as_without(ended: Start) -> None:
    run = ended("run", "-k", MAKES_ROOM, "--faults", "conflicts,lost-replies,crashes", "-n", "3")

    assert {one["verdict"] for one in run.scenarios} == {"passed"}, run.said
    assert run.process.returncode == 0


def test_an_unknown_fault_profile_is_refused(ended: Start) -> None:
    run = ended("run", "--faults", "nonsense")

    assert run.process.returncode == 2
    assert "closed-watches" in run.said


def test_a_feature_file_is_not_played_under_faults(ended: Start, tmp_path: Path) -> None:
    (tmp_path / "my.feature").write_text("Feature: mine\n", "utf-8")

    run = ended("run", "--faults", "crashes", "--feature", tmp_path / "my.feature")

    assert run.process.returncode == 2
    assert "leave out --faults or --feature" in run.said
