"""``batchproof diff``, as a person, a program and CI see it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import forked
import orjson
import pytest
import report_sample as sample
from click.testing import CliRunner

from batchproof.commands.diff import command

if TYPE_CHECKING:
    import subprocess


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    """The folders of a run with all kinds of verdicts, and of one in which all passed."""
    for name, scenarios in (("bad", sample.scenarios()), ("good", sample.passing_scenarios())):
        (tmp_path / name).mkdir()
        sample.write_stream(tmp_path / name, sample.stream(scenarios))
    return str(tmp_path / "bad"), str(tmp_path / "good")


def diff(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return forked.asked("diff", *arguments, env=env)


def test_the_exit_code_is_1_if_anything_got_worse_and_2_for_what_is_no_run(
    runs: tuple[str, str], tmp_path: Path
) -> None:
    bad, good = runs
    assert diff(bad, good).returncode == 0
    assert diff(good, bad).returncode == 1
    (tmp_path / "none").mkdir()
    nothing = diff(good, str(tmp_path / "none"))
    assert nothing.returncode == 2
    assert "give the output folder of a run" in nothing.stderr


def test_strict_is_a_gate_that_running_less_does_not_open(runs: tuple[str, str], tmp_path: Path) -> None:
    _, good = runs
    less, cut = tmp_path / "less", tmp_path / "cut"
    for folder in (less, cut):
        folder.mkdir()
    [first, *_] = sample.passing_scenarios()
    suite = {**sample.header()["suite"], "selection": first["requirement"]}
    sample.write_stream(less, sample.stream([first], required=[], suite=suite))
    whole = sample.passing_scenarios()
    sample.write_stream(cut, sample.stream(whole, complete=False, reason="interrupted"))
    for folder in (less, cut):
        assert diff(good, str(folder)).returncode == 0
        strict = diff(good, str(folder), "--strict")
        assert strict.returncode == 1
        assert "FAILED by --strict: " in strict.stdout.replace("\n", " ")
        assert "FAILED by --strict: " in diff(good, str(folder), "--strict", "--markdown").stdout
        assert json.loads(diff(good, str(folder), "--strict", "--json").stdout)["failed"]
        assert not json.loads(diff(good, str(folder), "--json").stdout)["failed"]
    assert diff(good, good, "--strict").returncode == 0


def test_people_read_the_worst_first_and_the_sum_last(runs: tuple[str, str]) -> None:
    bad, good = runs
    lines = diff(good, bad).stdout.splitlines()
    heads = [line for line in lines if line.startswith(("newly", "still", "fixed"))]
    assert [" ".join(one.split("  ")[0].split()) for one in heads[:3]] == ["newly broken"] * 3
    assert "newly not judged" in heads[3]
    place = next(number for number, line in enumerate(lines) if line.startswith("newly broken  FIN-004"))
    assert lines[place + 1] == "  passed -> failed in 4 histories, 1 of its own scenarios"
    assert lines[-1].startswith("3 newly broken, ")
    assert "WORSE" in lines[-1]


def test_programs_read_json(runs: tuple[str, str]) -> None:
    bad, good = runs
    told = orjson.loads(diff(bad, good, "--json").stdout)
    assert "FIN-004" in [one["id"] for one in told["fixed"]]
    assert (told["newly_broken"], told["worse"]) == ([], [])
    assert told["old"]["version"] == "2.3.1"


def test_a_job_summary_has_a_table_for_each_kind_and_no_html_from_outside(runs: tuple[str, str]) -> None:
    bad, good = runs
    page = diff(good, bad, "--markdown").stdout
    assert "### newly broken (3)" in page
    sentence = sample.REQUIREMENTS["FIN-004"][1]
    assert (
        f"| FIN-004 (MUST) | passed | failed in 4 histories, 1 of its own scenarios | {sentence} |"
        in page.splitlines()
    )
    hostile = sample.stream(sample.passing_scenarios())
    hostile[0]["implementation"]["name"] = "<img src=x> [a](http://b)"
    sample.write_stream(Path(good), hostile)
    page = diff(good, good, "--markdown").stdout
    assert "<img" not in page
    assert "[a](" not in page


def test_json_and_markdown_at_once_are_wrong_use(runs: tuple[str, str]) -> None:
    result = CliRunner().invoke(command, [*runs, "--json", "--markdown"])
    assert result.exit_code == 2
    assert "choose one" in result.stderr
