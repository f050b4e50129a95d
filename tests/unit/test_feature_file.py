"""What is run of the file after ``--feature``: its scenarios, or one sentence says why it cannot be."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import forked
import pytest

from batchproof.evidence.plan import catalogue
from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.running.feature_file import NamedFile, named_file
from batchproof.running.runner import check_suite

if TYPE_CHECKING:
    import subprocess

ELECTION = "job/election.feature"


def of_suite(path: str) -> Path:
    """The whole path of a file of the suite."""
    return (suite.features() / path).resolve()


def dry_run(*arguments: str, where: Path) -> subprocess.CompletedProcess[str]:
    return forked.asked("run", "--dry-run", *arguments, cwd=where)


@pytest.mark.parametrize(
    ("profile", "expression", "selected"),
    [
        (None, "", ELECTION),
        ("job", "", ELECTION),
        (None, "ROB-002 or lease", f"{ELECTION} and (ROB-002 or lease)"),
    ],
)
def test_a_file_of_the_suite_is_a_selection_of_it(
    profile: str | None, expression: str, selected: str
) -> None:
    assert named_file(of_suite(ELECTION), profile, expression) == NamedFile("job", None, selected)


def test_a_file_of_the_suite_runs_its_scenarios_with_their_ids_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to(suite.features(), target_is_directory=True)
    ran = dry_run("--feature", f"there/{ELECTION}", where=tmp_path)
    *rows, last = ran.stdout.splitlines()
    expected = [id_ for id_, one in catalogue().items() if one.feature == ELECTION]
    assert [row.split()[0] for row in rows] == expected
    assert last == f"{len(expected)} scenarios for reference 0.1.0"
    assert not ran.stderr


def test_a_file_of_the_suite_is_of_its_own_profile() -> None:
    assert named_file(of_suite("gang/order.feature"), None, "").profile == "gang"
    with pytest.raises(UserError, match=r"gang/order\.feature is of the profile gang, not job$"):
        named_file(of_suite("gang/order.feature"), "job", "")


def test_a_small_suite_is_found_by_its_path() -> None:
    file = (suite.suites() / "ai-conformance.feature").resolve()
    assert named_file(file, None, "") == NamedFile("gang", suite.suites() / file.name, "")
    with pytest.raises(UserError, match="--feature ai-conformance judges the profile gang, not job"):
        named_file(file, "job", "")


def test_another_file_is_played_instead_of_the_suite(tmp_path: Path) -> None:
    file = tmp_path / "mine.feature"
    assert named_file(file, None, "FIN-004") == NamedFile(None, file, "FIN-004")
    assert named_file(file, "gang", "") == NamedFile("gang", file, "")


@pytest.mark.parametrize("name", ["a[1].feature", "a::b.feature", "a.txt", "feature"])
def test_a_name_that_cannot_be_played_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="--feature: "):
        named_file(tmp_path / name, None, "")


def test_a_file_with_requirements_of_another_profile_is_refused_with_the_option_that_helps(
    tmp_path: Path,
) -> None:
    file = Path(shutil.copy(of_suite("gang/order.feature"), tmp_path))
    check_suite("gang", [file])
    with pytest.raises(UserError, match=r"GNG-\d+ is a requirement .* gang, not job: .* --profile gang$"):
        check_suite("job", [file])


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "there is no Feature in this file"), ("Feature: Nothing\n", "has no scenario")],
)
def test_a_file_without_scenarios_ends_in_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mine.feature").write_text(text, "utf-8")
    ran = dry_run("--feature", "mine.feature", where=tmp_path)
    assert ran.returncode == 2
    assert not ran.stdout
    [line] = ran.stderr.splitlines()
    assert message in line


def test_a_small_suite_is_listed_for_nobody_who_does_not_claim_its_profile(tmp_path: Path) -> None:
    for options in (["--profile", "job"], ["-i", "reference"]):
        ran = dry_run("--suite", "ai-conformance", *options, where=tmp_path)
        assert ran.returncode == 2
        [line] = ran.stderr.splitlines()
        assert "gang" in line
