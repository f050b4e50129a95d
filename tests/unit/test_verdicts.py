"""Planted defects that no scenario has caught are tried a second time."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
import pytest
import report_sample as sample

from batchproof.running.defects.verdicts import Verdicts
from batchproof.running.progress import RunProgress
from batchproof.running.session.collect import DEFECT
from batchproof.running.session.record import RECORD

if TYPE_CHECKING:
    from pathlib import Path

SCENARIO = sample.scenario("FIN-004", "Pods keep their finalizer")["id"]


def judging(folder: Path, *names: str) -> Verdicts:
    defects: list[Any] = [SimpleNamespace(name=name, requirement="FIN-004", edits=()) for name in names]
    progress = RunProgress(io.StringIO(), what="planted defect", bad=("not caught",))
    pairs = [(name, SCENARIO) for name in names]
    return Verdicts(defects, pairs, output=folder, run_dir=folder, progress=progress)


def reports(verdicts: Verdicts, name: str, verdict: str) -> None:
    record = sample.scenario("FIN-004", "Pods keep their finalizer", verdict)
    if verdict == "inconclusive":
        record["reason"] = "no proof of life"
    told: Any = SimpleNamespace(
        nodeid=SCENARIO, when="call", **{RECORD: orjson.dumps(record).decode(), DEFECT: name}
    )
    verdicts.pytest_runtest_logreport(told)


@pytest.mark.parametrize("verdict", ["passed", "inconclusive"])
def test_what_is_not_caught_is_tried_again(tmp_path: Path, verdict: str) -> None:
    verdicts = judging(tmp_path, "a", "b")
    reports(verdicts, "a", verdict)
    reports(verdicts, "b", "failed")

    assert verdicts.play_again() == [("a", SCENARIO)]
    reports(verdicts, "a", "failed")

    assert set(verdicts.catches) == {"a", "b"}
    assert verdicts.second == {"a"}
    assert verdicts.misses["a"] == []
    [kept] = verdicts.records["a"]
    assert kept.verdict == "failed"
    assert (kept.first is None) == (verdict == "passed")


def test_what_is_not_caught_then_either_is_missed_once(tmp_path: Path) -> None:
    verdicts = judging(tmp_path, "a")
    reports(verdicts, "a", "passed")
    verdicts.play_again()
    reports(verdicts, "a", "passed")

    assert [miss.scenario for miss in verdicts.misses["a"]] == [SCENARIO]


def test_many_that_are_not_caught_are_no_bad_moment(tmp_path: Path) -> None:
    names = [f"defect-{number}" for number in range(4)]
    verdicts = judging(tmp_path, *names)
    for name in names:
        reports(verdicts, name, "passed")

    assert verdicts.play_again() == []
