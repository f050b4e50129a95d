"""What plays tests again and again: what it plays, and what it says of them."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


SCRIPT = runpy.run_path(str(ROOT / "scripts" / "soak.py"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], [("integration", 0), ("security", 0)]),
        (["job", "gang"], [("job", 0), ("gang", 0)]),
        (["wheel", "wheel"], [("wheel", 0)]),
        (["tests/unit/test_soak.py::test_a", "tests/unit/test_tiers.py"], [("unit", 2)]),
        (["tests/integration/test_run.py"], [("integration", 1)]),
        (["tests/exhaustive"], [("unit-full", 1)]),
    ],
)
def test_it_plays_what_the_words_mean(words: list[str], expected: list[tuple[str, int]]) -> None:
    found = SCRIPT["plays"](words)
    assert [(one.name, len(one.tests)) for one in found] == expected
    assert [one.profile for one in found] == [name in {"job", "gang"} for name, _ in expected]


def test_a_tier_means_all_its_environments() -> None:
    assert {"lint", "conformance", "wheel"} <= {one.name for one in SCRIPT["plays"](["quick"])}


@pytest.mark.parametrize("word", ["none", "tests/unit/test_none.py", "tests/shared"])
def test_a_word_that_means_nothing_is_refused(word: str) -> None:
    ended = subprocess.run(
        [sys.executable, ROOT / "scripts" / "soak.py", word], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "nothing in tests/" in ended.stderr or "no environment of tox.ini plays" in ended.stderr


def test_what_was_red_stands_first_with_its_first_log_and_what_is_slow_next() -> None:
    row, case = SCRIPT["Row"], SCRIPT["Case"]
    rows = {name: row(name) for name in ("green", "red", "slow", "retried")}
    for number in (1, 2, 3):
        log = Path(f"{number}.log")
        rows["green"].add(case("green", "", 1.0, red=False, retried=False), log)
        rows["slow"].add(case("slow", "", 2.0, red=False, retried=False), log)
        rows["retried"].add(case("retried", "ABC-001", 1.0, red=False, retried=number == 1), log)
        rows["red"].add(case("red", "", 5.0 - number, red=number > 1, retried=False), log)
    worst, others = SCRIPT["table"](rows.values())
    assert [one.name for one in worst] == ["red", "retried"]
    assert [one.name for one in others] == ["slow", "green"]
    assert (worst[0].runs, worst[0].red, worst[0].slowest_s, worst[0].log) == (3, 2, 4.0, "2.log")
    assert str(worst[0]).split() == ["3", "2", "0", "4.0", "s", "red", "2.log"]


def test_what_is_busy_beside_it_ends_with_it() -> None:
    """Also if it is killed: what is busy sees that another process is its parent now."""
    starter = (
        "import os, subprocess, sys\nsubprocess.Popen([sys.executable, '-c', sys.argv[1], str(os.getpid())])"
    )
    # It ends when the last process does that has its standard output.
    subprocess.run([sys.executable, "-c", starter, SCRIPT["_BUSY"]], stdout=subprocess.PIPE, check=True)


def test_the_rates_are_those_of_all_plays() -> None:
    row = SCRIPT["Row"]
    rows = [row("a", runs=300, red=1, undecided=1), row("b", runs=100, retried=2)]
    told = SCRIPT["rates"](rows, 20, 4)
    assert told.startswith("20 runs beside 4 busy processes on ")
    assert told.endswith(": 400 plays, 1 red (0.25 %), 1 of them inconclusive, 2 retried (0.50 %)")
    assert SCRIPT["rates"]([], 1, 0).endswith(
        ": 0 plays, 0 red (0.00 %), 0 of them inconclusive, 0 retried (0.00 %)"
    )


def test_of_the_plays_failed_and_inconclusive_ones_are_counted_apart_and_what_was_not_judged_is_no_play() -> (
    None
):
    case = SCRIPT["Case"]
    found = [
        case("passed", "ABC-001", 1.0, red=False, retried=True),
        case("failed", "ABC-002", 1.0, red=True, retried=False),
        case("undecided", "ABC-003", 1.0, red=True, retried=True, undecided=True),
        case("broke before it began", "", 0.0, red=True, retried=False),
        case("not declared", "ABC-004", 0.0, red=False, retried=False),
    ]
    assert SCRIPT["measured"](found) == (4, 2, 1, 2)
    assert SCRIPT["measured"]([]) == (0, 0, 0, 0)


def test_an_inconclusive_scenario_of_a_junit_report_is_undecided(tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text(
        '<s><testcase name="ABC-001 a" group="ABC-001" time="1.5"><error type="inconclusive"/></testcase>'
        '<testcase name="ABC-002 b" group="ABC-002" time="1.5"><failure type="MUST not met"/></testcase>'
        '<testcase name="ABC-003 c" group="ABC-003" time="1.5"/></s>',
        "utf-8",
    )
    found = SCRIPT["cases"](tmp_path, report)
    assert [(one.red, one.undecided) for one in found] == [(True, True), (True, False), (False, False)]


def test_rates_are_recorded_with_the_commit_only_of_profiles_and_only_in_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    bare, checkout = tmp_path / "bare", tmp_path / "checkout"
    bare.mkdir()
    author = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q", checkout], check=True)
    subprocess.run(
        ["git", *author, "-C", checkout, "commit", "-q", "--allow-empty", "-m", "a"],
        check=True,
    )
    job = SCRIPT["plays"](["job"])

    assert re.fullmatch("[0-9a-f]{7,40}", SCRIPT["to_record"](job, checkout))
    with pytest.raises(SCRIPT["NotRecordedError"], match="name one, such as job"):
        SCRIPT["to_record"](SCRIPT["plays"](["integration"]), checkout)
    with pytest.raises(SCRIPT["NotRecordedError"], match="names the commit: "):
        SCRIPT["to_record"](job, bare)
