"""Runs side by side."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest
import report_sample as sample
from click.testing import CliRunner

from batchproof.commands.compare import command
from batchproof.ground.errors import UserError


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    """The folders of two runs: one with all kinds of verdicts, one of another implementation that passes."""
    return (
        written(tmp_path / "acme", sample.stream(sample.scenarios())),
        written(tmp_path / "other", sample.stream(sample.passing_scenarios()), name="other-jobs"),
    )


def written(folder: Path, records: list[dict[str, Any]], **changed: str) -> str:
    folder.mkdir()
    header = records[0]
    header["implementation"] |= {key: value for key, value in changed.items() if key != "profile"}
    header["profile"] = changed.get("profile", header["profile"])
    sample.write_stream(folder, records)
    return str(folder)


def test_each_requirement_is_a_row_and_each_run_a_column(runs: tuple[str, str]) -> None:
    told = orjson.loads(CliRunner().invoke(command, [*runs, "--json"]).stdout)
    assert list(told["implementations"]) == ["acme-jobs 2.3.1", "other-jobs 2.3.1"]
    rows = {row["id"]: row["verdicts"] for row in told["requirements"]}
    assert rows["FIN-004"] == {"acme-jobs 2.3.1": "failed", "other-jobs 2.3.1": "passed"}
    assert rows["TTL-001"]["acme-jobs 2.3.1"] == "skipped (not-declared)"


def test_the_exit_code_is_0_only_if_every_run_is_conformant(runs: tuple[str, str]) -> None:
    assert CliRunner().invoke(command, [*runs], standalone_mode=False).return_value == 1
    assert CliRunner().invoke(command, [runs[1]], standalone_mode=False).return_value == 0


def test_the_table_is_printed_for_people_and_as_markdown(runs: tuple[str, str]) -> None:
    assert "FIN-004" in CliRunner().invoke(command, [*runs], env={"COLUMNS": "120"}).stdout
    lines = CliRunner().invoke(command, [*runs, "--markdown"]).stdout.splitlines()
    assert "| requirement | acme-jobs 2.3.1 | other-jobs 2.3.1 | sentence |" in lines
    sentence = sample.REQUIREMENTS["FIN-004"][1]
    assert f"| FIN-004 (MUST) | **failed** | passed | {sentence} |" in lines


def test_the_page_has_what_each_run_came_to_and_by_what_it_was_judged(runs: tuple[str, str]) -> None:
    page = CliRunner().invoke(command, [*runs, "--markdown"]).stdout
    assert "| other-jobs 2.3.1 | 2026-11-21 | 1.37.0 | 9f86d081884c | " in page


def test_a_deviation_stands_with_what_was_expected_and_observed(runs: tuple[str, str]) -> None:
    told = orjson.loads(CliRunner().invoke(command, [*runs, "--json"]).stdout)
    deviation = next(one for one in told["deviations"] if one["implementation"] == "acme-jobs 2.3.1")
    assert (deviation["requirement"], deviation["issue"]) == (
        sample.WAIVER["requirement"],
        sample.WAIVER["issue"],
    )
    assert (deviation["fact"], deviation["admitted"]) == ("finalizers_kept", "recorded=false")
    seen = sample.unmet("FIN-003")
    assert (deviation["expected"], deviation["observed"]) == (seen["expected"], seen["observed"])
    page = CliRunner().invoke(command, [*runs, "--markdown"]).stdout
    assert f"| {deviation['requirement']} | acme-jobs 2.3.1 | {deviation['scenario']} |" in page
    row = next(line for line in page.splitlines() if line.startswith(f"| {deviation['requirement']} ("))
    assert row.split(" | ")[1] == "**deviation**"


def test_a_deviation_that_this_run_did_not_see_is_not_called_passed(tmp_path: Path) -> None:
    records = sample.stream(sample.passing_scenarios())
    passed = next(one for one in records if one.get("verdict") == "passed")
    admitted = sample.WAIVER | {"requirement": passed["requirement"], "scenario": passed["id"]}
    records[0]["implementation"]["deviations"] = [admitted | {"sometimes": True}]
    page = CliRunner().invoke(command, [written(tmp_path / "acme", records), "--markdown"]).stdout
    row = next(line for line in page.splitlines() if line.startswith(f"| {passed['requirement']} ("))
    assert row.split(" | ")[1] == "passed (not always)"
    assert "seen in 0 of 1 scenario, it is intermittent" in page


def test_each_run_says_what_was_not_judged(runs: tuple[str, str]) -> None:
    left = "TTLAfterFinished: 1 requirement (1 MUST), 1 scenario"
    told = orjson.loads(CliRunner().invoke(command, [*runs, "--json"]).stdout)
    assert told["not_judged"] == {"acme-jobs 2.3.1": [left], "other-jobs 2.3.1": []}
    assert f" | {left} |" in CliRunner().invoke(command, [*runs, "--markdown"]).stdout
    wide = {"COLUMNS": "300"}  # where it is narrow, the sentence is folded
    assert "without TTLAfterFinished" in CliRunner().invoke(command, [*runs], env=wide).stdout


def test_the_page_can_go_to_a_file(runs: tuple[str, str], tmp_path: Path) -> None:
    page = tmp_path / "new" / "page.md"
    result = CliRunner().invoke(command, [*runs, "--markdown", "-o", str(page)])
    assert result.stdout == ""
    assert page.read_text("utf-8") == CliRunner().invoke(command, [*runs, "--markdown"]).stdout


def page(folder: Path, *runs: str) -> str:
    path = folder / "page.html"
    result = CliRunner().invoke(command, [*runs, "-o", str(path)])
    assert result.stdout == ""
    return path.read_text("utf-8")


def rows(page: str) -> list[tuple[str, str]]:
    """The requirements of a page in its order, each with how far the runs agree in it."""
    return [(id_, how) for how, id_ in re.findall(r'<tbody class="r ([a-z]+)" id="([^"]+)"', page)]


def test_the_page_begins_with_what_the_runs_differ_in(runs: tuple[str, str], tmp_path: Path) -> None:
    made = page(tmp_path, *runs)
    assert "2 runs differ in 7 of 10 requirements" in made
    assert rows(made) == [
        ("FIN-004", "contested"),
        ("FIN-005", "contested"),
        ("FIN-003", "contested"),
        ("EXP-001", "differing"),
        ("EXP-002", "differing"),
        ("EXP-003", "differing"),
        ("TTL-001", "undeclared"),
        ("BAS-001", "same"),
        ("BAS-002", "same"),
        ("ROB-001", "same"),
    ]
    folded = made.index('<details class="fold">')
    assert made.index('id="TTL-001"') < folded < made.index('id="BAS-001"')


def test_a_verdict_leads_to_the_drawn_timeline_that_shows_it(tmp_path: Path) -> None:
    history = "histories/FIN-004.1 b.jsonl"
    broken = sample.stream([sample.scenario("FIN-004", "Broken", "failed", history=history)])
    folder = Path(written(tmp_path / "acme", broken))
    runs = str(folder), written(tmp_path / "other", sample.stream(sample.passing_scenarios()))
    assert 'href="acme/' not in page(tmp_path, *runs)  # nothing is there yet
    (folder / "histories").mkdir()
    (folder / history).write_text("{}")
    (folder / "index.html").touch()
    made = page(tmp_path, *runs)
    assert '<a class="tile failed" href="acme/index.html#FIN-004"' in made  # no timeline was drawn
    (folder / "timelines").mkdir()
    (folder / "timelines" / "FIN-004.1 b.html").touch()
    made = page(tmp_path / "below", *runs)
    assert '<a class="tile failed" href="../acme/timelines/FIN-004.1%20b.html"' in made


def test_the_page_names_runs_of_one_implementation_by_their_folders(tmp_path: Path) -> None:
    before = written(tmp_path / "before", sample.stream(sample.scenarios()))
    after = written(tmp_path / "after", sample.stream(sample.passing_scenarios()))
    made = page(tmp_path, before, after)
    assert '<th scope="col">acme-jobs 2.3.1 (before)</th><th scope="col">acme-jobs 2.3.1 (after)</th>' in made


def test_the_page_escapes_what_came_from_a_run(tmp_path: Path) -> None:
    hostile = sample.scenario("FIN-004", "Hostile", "failed")
    hostile["unmet"]["observed"] = sample.HOSTILE
    one = written(tmp_path / "one", sample.stream([hostile]), name=sample.HOSTILE.replace("\x1b", ""))
    two = written(tmp_path / "two", sample.stream(sample.passing_scenarios()))
    made = page(tmp_path, one, two)
    assert "<script>alert" not in made
    assert "\x1b" not in made
    assert "&lt;script&gt;alert" in made


def test_a_deviation_is_never_taken_for_a_pass_on_the_page(tmp_path: Path) -> None:
    one = written(tmp_path / "one", sample.stream(sample.scenarios()))
    two = written(tmp_path / "two", sample.stream(sample.scenarios()))
    made = page(tmp_path, one, two)
    (row,) = re.findall(r'<tbody class="r same" id="FIN-003">.*?</tr>', made, re.DOTALL)
    assert row.count("deviation") == 2
    assert "passed" not in row


def test_a_file_is_not_for_the_table_that_people_read(runs: tuple[str, str], tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [*runs, "-o", str(tmp_path / "page.md")])
    assert "add --json or --markdown" in result.stderr
    assert not (tmp_path / "page.md").exists()


def test_a_file_that_cannot_be_written_is_the_users_to_mend(runs: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(command, [*runs, "--markdown", "-o", str(tmp_path / "file" / "page.md")])
    assert isinstance(result.exception, UserError)
    assert "page.md cannot be written" in str(result.exception)


def test_runs_of_one_implementation_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    before = written(tmp_path / "before", sample.stream(sample.scenarios()))
    after = written(tmp_path / "after", sample.stream(sample.passing_scenarios()))
    other = written(tmp_path / "other", sample.stream(sample.passing_scenarios()), name="other-jobs")
    told = orjson.loads(CliRunner().invoke(command, [before, other, after, "--json"]).stdout)
    names = ["acme-jobs 2.3.1 (before)", "other-jobs 2.3.1", "acme-jobs 2.3.1 (after)"]
    assert list(told["implementations"]) == names
    rows = {row["id"]: row["verdicts"] for row in told["requirements"]}
    assert rows["FIN-004"] == dict(zip(names, ["failed", "passed", "passed"], strict=True))
    assert {one["implementation"] for one in told["deviations"]} == set(names)
    page = CliRunner().invoke(command, [before, after, "--markdown"]).stdout
    assert "| requirement | acme-jobs 2.3.1 (before) | acme-jobs 2.3.1 (after) | sentence |" in page


def test_folders_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    folders = []
    for day in ("monday", "tuesday"):
        (tmp_path / day).mkdir()
        folders.append(written(tmp_path / day / "results", sample.stream(sample.passing_scenarios())))
    told = orjson.loads(CliRunner().invoke(command, [*folders, "--json"]).stdout)
    assert list(told["implementations"]) == [f"acme-jobs 2.3.1 ({folder})" for folder in folders]


def test_runs_of_different_profiles_are_not_compared(runs: tuple[str, str], tmp_path: Path) -> None:
    gang = written(tmp_path / "gang", sample.stream(sample.passing_scenarios()), name="g", profile="gang")
    result = CliRunner().invoke(command, [runs[0], gang])
    assert isinstance(result.exception, UserError)
    assert "gang, job" in str(result.exception)
