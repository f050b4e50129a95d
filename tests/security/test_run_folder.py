"""Another user plants folders where runs are kept: nothing in them is run, followed or removed."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import pytest
from attacks import NEEDS_ROOT, as_another_user, ends, shared

from batchproof.ground.errors import HarnessError
from batchproof.processes import janitor
from batchproof.processes.programs import RunDir, farewell, outside, run_directory

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.quick

PLANTED = "batchproof-deadbeef"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's temporary folder, for all users."""
    folder = shared(tmp_path / "tmp")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def runs(tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all runs of the victim, a user who has started one before."""
    assert temporary.is_dir()
    folder = tmp_path / "runs"
    monkeypatch.setenv("BATCHPROOF_RUNS", str(folder))
    folder.mkdir(mode=0o700)
    return folder


def plant(folder: Path, proof: Path) -> None:
    """A run that seems to have been left behind: its lock is a file of the victim, its farewell a command."""
    planted = folder / PLANTED
    (planted / "farewells").mkdir(parents=True)
    (planted / "processes").mkdir()
    (planted / "janitor").symlink_to("/etc/passwd")
    (planted / "farewells" / "x").write_text(f"sh\n-c\nid > {proof}")
    for one in (planted, planted / "farewells", planted / "processes"):
        one.chmod(0o700)


def a_run_begins_and_ends() -> None:
    with ends(), run_directory():
        pass  # its end is that of the janitor, which looks first for what earlier runs have left


@NEEDS_ROOT
def test_a_folder_that_another_user_planted_in_the_temporary_folder_is_left_alone(
    temporary: Path, runs: Path, tmp_path: Path
) -> None:
    as_another_user(partial(plant, temporary, tmp_path / "pwned"))
    a_run_begins_and_ends()
    assert not (tmp_path / "pwned").exists()
    assert (temporary / PLANTED).is_dir()
    assert list(runs.iterdir()) == []


@NEEDS_ROOT
def test_a_link_to_a_folder_of_another_user_is_not_followed(
    temporary: Path, runs: Path, tmp_path: Path
) -> None:
    as_another_user(partial(plant, temporary, tmp_path / "pwned"))
    (runs / PLANTED).symlink_to(temporary / PLANTED)
    a_run_begins_and_ends()
    assert not (tmp_path / "pwned").exists()
    assert (temporary / PLANTED / "farewells" / "x").exists()


@NEEDS_ROOT
def test_runs_are_not_kept_in_a_folder_of_another_user(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_another_user(partial(plant, temporary / "runs", tmp_path / "pwned"))
    monkeypatch.setenv("BATCHPROOF_RUNS", str(temporary / "runs"))
    with pytest.raises(HarnessError, match=r"belongs to another user \(uid 65534\)"):
        RunDir()
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o750, 0o701])
def test_runs_are_not_kept_in_a_folder_that_is_open_to_others(runs: Path, tmp_path: Path, mode: int) -> None:
    plant(runs, tmp_path / "pwned")
    runs.chmod(mode)
    with pytest.raises(HarnessError, match=r"is open to others \(mode 7..\): chmod 700 it"):
        RunDir()
    assert not (tmp_path / "pwned").exists()


def test_runs_are_not_kept_where_every_user_can_exchange_the_folder(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    runs.rename(open_to_all / "runs")
    monkeypatch.setenv("BATCHPROOF_RUNS", str(open_to_all / "runs"))
    with pytest.raises(HarnessError, match=r"every user can exchange what is in it"):
        RunDir()


@NEEDS_ROOT
@pytest.mark.parametrize("mode", [0o755, 0o1777])
@pytest.mark.parametrize("variable", ["BATCHPROOF_RUNS", "TMPDIR"])
def test_a_run_has_no_folder_below_one_of_another_user(
    runs: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, variable: str, mode: int
) -> None:
    theirs = temporary / "theirs"

    def offer() -> None:
        theirs.mkdir()
        theirs.chmod(mode)

    as_another_user(offer)
    (theirs / "inner").mkdir(mode=0o700)
    monkeypatch.setenv(variable, str(theirs / "inner"))
    monkeypatch.setattr("tempfile.tempdir", os.environ["TMPDIR"])
    with pytest.raises(HarnessError, match=r"uid 65534 owns it, and can exchange what is in it: .*theirs'"):
        RunDir()
    assert not list(runs.iterdir())
    assert not list((theirs / "inner").iterdir())


def test_runs_are_not_kept_behind_a_link(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    (temporary / "runs").symlink_to(elsewhere)
    monkeypatch.setenv("BATCHPROOF_RUNS", str(temporary / "runs"))
    with pytest.raises(HarnessError, match="cannot be made"):
        RunDir()
    assert list(elsewhere.iterdir()) == []


def left_behind(runs: Path, said: Path) -> Path:
    """What a run of the victim has left whose janitor was killed, with a farewell."""
    left = runs / PLANTED
    for one in (left, left / "farewells", left / "processes"):
        one.mkdir(mode=0o700)
    (left / "janitor").write_text("held\n")
    (left / "farewells" / "x").write_text(f"touch\n{said}")
    return left


def test_what_a_run_of_the_same_user_has_left_is_cleaned_up(runs: Path, tmp_path: Path) -> None:
    left_behind(runs, tmp_path / "said")
    a_run_begins_and_ends()
    assert (tmp_path / "said").exists()
    assert list(runs.iterdir()) == []


@pytest.mark.parametrize("part", ["", "farewells"])
def test_no_command_is_run_from_a_folder_that_others_could_write(
    runs: Path, tmp_path: Path, part: str
) -> None:
    (left_behind(runs, tmp_path / "said") / part).chmod(0o770)
    a_run_begins_and_ends()
    assert not (tmp_path / "said").exists()


@pytest.mark.parametrize("file", ["janitor", "farewells/x", "processes/1", "mark", "outside"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_nothing_waits_for_a_pipe_or_follows_a_link(runs: Path, tmp_path: Path, file: str, kind: str) -> None:
    left = left_behind(runs, tmp_path / "said")
    (left / file).unlink(missing_ok=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(f"touch\n{tmp_path / 'followed'}")
    os.mkfifo(left / file) if kind == "pipe" else (left / file).symlink_to(elsewhere)
    a_run_begins_and_ends()
    assert not (tmp_path / "followed").exists()
    assert elsewhere.exists()


@NEEDS_ROOT
def test_a_file_of_another_user_is_no_command(runs: Path, tmp_path: Path) -> None:
    left = left_behind(runs, tmp_path / "said")
    os.chown(left / "farewells" / "x", 65534, 65534)
    a_run_begins_and_ends()
    assert not (tmp_path / "said").exists()


def test_the_second_folder_of_a_run_is_not_exchanged_for_another(
    runs: Path, temporary: Path, tmp_path: Path
) -> None:
    """A user who can write to the temporary folder moves it away, and puts a link in its place."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    with run_directory() as run:
        assert run.path.parent == runs
        beside = outside(run.path)
        assert beside.parent == temporary
        beside.rename(temporary / "moved")
        beside.symlink_to(precious)
    assert (precious / "file").exists()


def test_promises_are_kept_by_the_run_that_made_them(runs: Path, tmp_path: Path) -> None:
    with run_directory() as run:
        farewell(run.path, "x", ["touch", tmp_path / "said"])
    assert (tmp_path / "said").exists()
    assert list(runs.iterdir()) == []


def test_a_race_for_the_folder_of_all_runs_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is a link at one moment and a folder at the next: what is opened is what was looked at."""
    around = tmp_path / "around"
    around.mkdir()
    target = tmp_path / "target"
    target.mkdir(mode=0o755)
    monkeypatch.setenv("BATCHPROOF_RUNS", str(around / "runs"))
    for turn in range(200):
        path = around / "runs"
        if turn % 2:
            path.symlink_to(target)
        else:
            path.mkdir(mode=0o700)
        try:
            os.close(janitor.open_folder(str(path)))
            assert not turn % 2
        except OSError:
            assert turn % 2
        path.unlink() if turn % 2 else path.rmdir()
