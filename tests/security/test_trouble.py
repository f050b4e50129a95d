"""Trouble of batchproof itself ends with one sentence and 3: it never looks like a verdict."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from attacks import NEEDS_ROOT, Ended

from batchproof.cli import main
from batchproof.ground import files
from batchproof.ground.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attacks import CommandLine

pytestmark = pytest.mark.quick


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)], check=False)
    if mounted.returncode:
        pytest.skip("this container may not mount: the limit of file sizes is tried instead")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def small_files() -> Iterator[None]:
    """No file may grow beyond 1 KiB."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def in_one_sentence(ended: Ended) -> bool:
    return ended.sound and ended.err.startswith("batchproof: ") and ended.err.count("\n") == 1


@NEEDS_ROOT
def test_a_full_disk_ends_a_report(batchproof: CommandLine, results: Path, small_disk: Path) -> None:
    shutil.copy(results / "results.jsonl", small_disk)
    ended = batchproof("report", small_disk)
    assert (ended.code, in_one_sentence(ended)) == (3, True), ended.err
    assert "cannot be written: No space left on device" in ended.err
    assert not list(small_disk.glob(".*"))


@NEEDS_ROOT
def test_a_full_disk_leaves_the_file_that_was_there(small_disk: Path) -> None:
    files.write(small_disk, "report", b"old")
    with pytest.raises(HarnessError, match="No space left on device"):
        files.write(small_disk, "report", b"x" * 100_000)
    assert [one.name for one in small_disk.iterdir()] == ["report"]
    assert (small_disk / "report").read_bytes() == b"old"


@NEEDS_ROOT
@pytest.mark.parametrize("option", ["--junit", "-o"])
def test_a_full_disk_ends_what_is_written_elsewhere(
    batchproof: CommandLine, results: Path, small_disk: Path, option: str
) -> None:
    (small_disk / "filled").write_bytes(b"x" * 64 * 1024)
    command = ("report", results) if option == "--junit" else ("compare", "--json", results)
    ended = batchproof(*command, option, small_disk / "out")
    assert (ended.code, in_one_sentence(ended)) == (3, True), ended.err


@pytest.mark.parametrize("command", [["report"], ["compare", "--json", "-o"]], ids=" ".join)
def test_a_limit_of_file_sizes_ends_a_command(
    monkeypatch: pytest.MonkeyPatch, results: Path, tmp_path: Path, command: list[str]
) -> None:
    where = [tmp_path / "out"] if "-o" in command else []
    said = StringIO()
    monkeypatch.setattr(sys, "stderr", said)  # those of pytest are files too
    monkeypatch.setattr(sys, "stdout", StringIO())
    monkeypatch.setattr(sys, "argv", ["batchproof", *map(str, [*command, *where, results])])
    with small_files(), pytest.raises(SystemExit) as stopped:
        main()
    ended = Ended(int(str(stopped.value.code)), "", said.getvalue())
    assert (ended.code, in_one_sentence(ended)) == (3, True), ended.err
    assert "File too large" in ended.err


@pytest.mark.parametrize("option", ["--junit", "-o"])
def test_a_path_that_cannot_be_written_is_wrong_use(
    batchproof: CommandLine, results: Path, tmp_path: Path, option: str
) -> None:
    (tmp_path / "file").touch()
    command = ("report", results) if option == "--junit" else ("compare", "--json", results)
    for path in (tmp_path / "file" / "out", "/proc/out", "/dev/full", tmp_path / ("x" * 300)):
        ended = batchproof(*command, option, path)
        assert (ended.code, in_one_sentence(ended)) == (2, True), ended.err


@pytest.mark.parametrize(
    "command",
    [
        ["run", "-o"],
        ["run", "-o", "out", "--junit"],
        ["run", "--faults", "all", "-o", "out", "--junit"],
        ["watch", "-o"],
        ["explore", "-o"],
        ["mutants", "-o"],
    ],
    ids=" ".join,
)
def test_a_run_does_not_begin_if_it_could_not_be_reported(
    batchproof: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = batchproof(*command, "/proc/none/x")
    assert (ended.code, ended.sound) == (2, True), ended.err
    assert "/proc/none" in ended.err


def test_a_cache_that_is_lost_is_told(
    batchproof: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BATCHPROOF_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("GOPROXY", "off")
    for command in (["control-plane", "build"], ["control-plane", "list"], ["control-plane", "clean"]):
        ended = batchproof(*command)
        assert ended.sound, ended.err
        assert ended.code in {0, 2, 3}
    ended = batchproof("smoke", "reference")
    assert ended.code in {2, 3}
    assert ended.sound, ended.err


def test_a_program_of_the_control_plane_that_is_damaged_is_told(
    batchproof: CommandLine, tmp_path: Path
) -> None:
    for name in ("etcd", "kube-apiserver", "kube-controller-manager"):
        (tmp_path / name).write_bytes(b"\x7fELF\x02\x01\x01 cut off")
        (tmp_path / name).chmod(0o755)
    ended = batchproof("smoke", "reference", "--assets", tmp_path)
    assert ended.code in {2, 3}
    assert ended.sound, ended.err
    assert str(tmp_path) in ended.err
