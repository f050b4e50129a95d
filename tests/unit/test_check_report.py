"""What a check says at its end: for each failure how to run it alone, and where its log is."""

from __future__ import annotations

import runpy
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "check_report.py"))
failures: Callable[..., Iterator[str]] = SCRIPT["failures"]
rows: Callable[[dict[str, Any], float], Iterator[tuple[str, float, bool]]] = SCRIPT["rows"]

CASES = """\
<testsuites><testsuite>
<testcase classname="tests.unit.test_x" name="test_good" time="1"/>
<testcase classname="tests.unit.test_x" name="test_bad[it's a.b]" time="1"><failure/></testcase>
<testcase classname="tests.unit.test_x.TestA" name="test_in" time="1"><error/></testcase>
<testcase classname="tests.unit.test_x" name="test_no" time="1"><skipped/></testcase>
<testcase classname="" name="tests.unit.test_y" time="1"><error/></testcase>
</testsuite></testsuites>
"""
SCENARIOS = """\
<testsuites><testsuite>
<testcase group="GNG-001" name="GNG-001 A gang waits" time="1"><failure/></testcase>
<testcase group="GNG-002" name="GNG-002 A gang is bound" time="1"/>
</testsuite></testsuites>
"""


def told(*commands: tuple[list[str], int], name: str = "unit") -> dict[str, Any]:
    """What tox writes of an environment."""
    test = [
        {"command": words, "retcode": code, "elapsed": 2.0, "run_id": f"commands[{number}]"}
        for number, (words, code) in enumerate(commands)
    ]
    good = all(code == 0 for _, code in commands)
    environment = {"setup": [], "test": test, "result": {"success": good}}
    return {"testenvs": {name: environment, ".pkg": {"test": [{"retcode": None}]}, "idle": {"python": {}}}}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which an environment has run twice: the newest log counts."""
    logs = tmp_path / ".tox" / "unit" / "log"
    logs.mkdir(parents=True)
    (tmp_path / "tests" / "unit").mkdir(parents=True)
    for module in ("test_x.py", "test_y.py"):
        (tmp_path / "tests" / "unit" / module).touch()
    for name in ("3-commands[0].log", "12-commands[0].log", "13-commands[1].log"):
        (logs / name).touch()
    return tmp_path


def test_a_test_that_failed_is_named_with_its_command_and_its_log(checkout: Path) -> None:
    (checkout / "unit.xml").write_text(CASES)
    lines = list(
        failures(told((["/x/pytest", f"--junit-xml={checkout}/unit.xml", "tests/unit"], 1)), checkout)
    )
    log = ".tox/unit/log/12-commands[0].log"
    first, second = "tests/unit/test_x.py::test_bad[it's a.b]", "tests/unit/test_x.py::TestA::test_in"
    broken = "tests/unit/test_y.py"
    assert lines == [
        f"FAILED unit: {first}   alone: ./check unit -- {shlex.quote(first)}   log: {log}",
        f"FAILED unit: {second}   alone: ./check unit -- {second}   log: {log}",
        f"FAILED unit: {broken}   alone: ./check unit -- {broken}   log: {log}",
    ]


def test_of_a_test_that_is_known_to_be_flaky_that_is_said(checkout: Path) -> None:
    (checkout / "unit.xml").write_text(CASES)
    told_so = {"tests/unit/test_x.py::TestA::test_in": "known to be flaky since 2026-11-01: the disk"}
    words = ["/x/pytest", f"--junit-xml={checkout}/unit.xml", "tests/unit"]
    lines = [*failures(told((words, 1)), checkout, told_so)]
    assert [line.endswith("   known to be flaky since 2026-11-01: the disk") for line in lines] == [
        False,
        True,
        False,
    ]


def test_a_scenario_that_failed_is_named_with_the_run_that_plays_it_alone(checkout: Path) -> None:
    (checkout / "results").mkdir()
    (checkout / "results" / "junit.xml").write_text(SCENARIOS)
    run = ["/x/batchproof", "run", "--profile", "gang", "--output", str(checkout / "results")]
    [line] = failures(told((["true"], 0), (run, 1)), checkout)
    assert line == (
        "FAILED unit: GNG-001 A gang waits   alone: ./run --profile gang -k GNG-001   "
        "log: .tox/unit/log/13-commands[1].log"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["/x/ruff", "check", "."],
        ["/x/pytest", "--junit-xml=/nowhere/unit.xml", "tests/unit"],
        ["/x/batchproof", "run", "--output", "/nowhere"],
        ["/x/batchproof", "replay", "/nowhere"],
    ],
    ids=" ".join,
)
def test_a_command_that_says_nothing_of_its_parts_is_named_itself(checkout: Path, words: list[str]) -> None:
    [line] = failures(told((words, 2)), checkout)
    assert line.startswith(f"FAILED unit: {Path(words[0]).name} ")
    assert line.endswith("   alone: ./check unit   log: .tox/unit/log/12-commands[0].log")


def test_an_environment_that_could_not_begin_is_named(checkout: Path) -> None:
    result = {"testenvs": {"unit": {"result": {"success": False}}}}
    assert list(failures(result, checkout)) == ["FAILED unit   alone: ./check unit   log: .tox/unit/log"]


def test_what_went_well_is_not_named(checkout: Path) -> None:
    (checkout / "unit.xml").write_text(CASES)
    good = told((["/x/pytest", f"--junit-xml={checkout}/unit.xml"], 0))
    assert not list(failures(good, checkout))
    assert [(name.split()[0], took_s, fine) for name, took_s, fine in rows(good, 1.5)] == [
        ("unit", 2.0, True),
        ("pytest", 2.0, True),
        ("all", 1.5, True),
    ]
