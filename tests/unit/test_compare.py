"""Runs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
import report_sample as sample
from click.testing import CliRunner

from batchproof.commands.compare import command
from batchproof.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


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
    assert lines[0] == "| requirement | acme-jobs 2.3.1 | other-jobs 2.3.1 |"
    assert "| FIN-004 | failed | passed |" in lines


def test_one_implementation_stands_in_one_column_only(runs: tuple[str, str]) -> None:
    result = CliRunner().invoke(command, [runs[0], runs[0]])
    assert isinstance(result.exception, UserError)
    assert "acme-jobs 2.3.1" in str(result.exception)


def test_runs_of_different_profiles_are_not_compared(runs: tuple[str, str], tmp_path: Path) -> None:
    gang = written(tmp_path / "gang", sample.stream(sample.passing_scenarios()), name="g", profile="gang")
    result = CliRunner().invoke(command, [runs[0], gang])
    assert isinstance(result.exception, UserError)
    assert "gang, job" in str(result.exception)
