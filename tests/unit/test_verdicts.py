"""Mutants that no scenario has killed are judged a second time."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
import pytest
import report_sample as sample

from batchproof.running.mutants.verdicts import Verdicts
from batchproof.running.plays import Play
from batchproof.running.progress import RunProgress
from batchproof.running.session.record import MUTANT, RECORD

if TYPE_CHECKING:
    from pathlib import Path

SCENARIO = sample.scenario("FIN-004", "Pods keep their finalizer")["id"]


def judging(folder: Path, *names: str) -> Verdicts:
    defects: list[Any] = [SimpleNamespace(name=name, requirement="FIN-004", edits=()) for name in names]
    progress = RunProgress(io.StringIO(), what="mutant", bad=("survived",))
    plays = [Play(SCENARIO, mutant=name) for name in names]
    return Verdicts(defects, plays, output=folder, run_dir=folder, progress=progress)


def reports(verdicts: Verdicts, name: str, verdict: str) -> None:
    record = sample.scenario("FIN-004", "Pods keep their finalizer", verdict)
    if verdict == "inconclusive":
        record["reason"] = "no proof of life"
    told: Any = SimpleNamespace(
        nodeid=SCENARIO, when="call", **{RECORD: orjson.dumps(record).decode(), MUTANT: name}
    )
    verdicts.pytest_runtest_logreport(told)


@pytest.mark.parametrize("verdict", ["passed", "inconclusive"])
def test_a_survivor_is_judged_again(tmp_path: Path, verdict: str) -> None:
    verdicts = judging(tmp_path, "a", "b")
    reports(verdicts, "a", verdict)
    reports(verdicts, "b", "failed")

    assert verdicts.play_again() == [Play(SCENARIO, mutant="a")]
    reports(verdicts, "a", "failed")

    assert set(verdicts.catches) == {"a", "b"}
    assert verdicts.second == {"a"}
    assert verdicts.misses["a"] == []
    [kept] = verdicts.records["a"]
    assert kept.verdict == "failed"
    assert (kept.first is None) == (verdict == "passed")


def test_what_survives_then_too_counts_once(tmp_path: Path) -> None:
    verdicts = judging(tmp_path, "a")
    reports(verdicts, "a", "passed")
    verdicts.play_again()
    reports(verdicts, "a", "passed")

    assert [miss.scenario for miss in verdicts.misses["a"]] == [SCENARIO]


def test_many_survivors_are_no_bad_moment(tmp_path: Path) -> None:
    names = [f"mutant-{number}" for number in range(4)]
    verdicts = judging(tmp_path, *names)
    for name in names:
        reports(verdicts, name, "passed")

    assert verdicts.play_again() == []
