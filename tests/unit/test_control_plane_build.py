"""What is built, under which key, with which Go, and how a failure is explained."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

import pytest

from batchproof.control_plane import build, cache
from batchproof.control_plane.build import GoModule
from batchproof.control_plane.progress import shown, unseen
from batchproof.control_plane.toolchain import parse_version
from batchproof.control_plane.tools import ToolFailed
from batchproof.ground.errors import HarnessError, UserError

if TYPE_CHECKING:
    from pathlib import Path

BUILD = """
version: 1.2.3
commands: {server: example.com/thing/cmd/server, agent: example.com/thing/cmd/agent}
variables: {example.com/thing/version.version: v1.2.3}
"""


@pytest.fixture(autouse=True)
def _private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHPROOF_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "thing"
    folder.mkdir()
    (folder / "go.mod").write_text("module thing\n\ngo 1.26.1\n")
    (folder / "go.sum").write_text("example.com/thing v1.2.3 h1:abc=\n")
    (folder / "build.yaml").write_text(BUILD)
    return folder


def test_a_module_says_what_is_built(folder: Path) -> None:
    module = GoModule.read(folder)
    assert (module.name, module.version, module.go) == ("thing", "1.2.3", (1, 26, 1))
    assert module.command("example.com/thing/cmd/agent") == "agent"
    with pytest.raises(UserError, match="cmd/other is not among the commands"):
        module.command("example.com/thing/cmd/other")


def test_an_old_module_needs_the_oldest_go_that_knows_tools(folder: Path) -> None:
    (folder / "go.mod").write_text("module thing\n\ngo 1.19\n")
    assert GoModule.read(folder).go == (1, 24, 0)


@pytest.mark.parametrize("name", ["go.mod", "go.sum", "build.yaml"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UserError, match=f"it has no {name}"):
        GoModule.read(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: 1.2\ncommands: {a: b}", "needs a version"),
        ("version: 1.2.3", "needs a version .* and commands"),
        ("- a", "needs a version"),
        ("a: [", "is not YAML"),
        ("version: 1.2.3\ncommands: {a: b}\nflags: c", "not flags"),
        ("version: 1.2.3\ncommands: {a: [b]}", "commands must map text to text"),
        ("version: 1.2.3\ncommands: {a: b}\nvariables: {a: 1}", "variables must map text to text"),
        ("version: 1.2.3\ncommands: {a: b}\nvariables: 1", "variables must map text to text"),
        ("version: 1.2.3\ncommands: {a: b}\nfiles: [a]", "files must map the path of a Go module to a list"),
        (
            "version: 1.2.3\ncommands: {a: b}\nfiles: {m: a}",
            "files must map the path of a Go module to a list",
        ),
    ],
)
def test_a_wrong_description_is_refused(folder: Path, text: str, message: str) -> None:
    (folder / "build.yaml").write_text(text)
    with pytest.raises(UserError, match=message):
        GoModule.read(folder)


def test_the_key_names_what_was_built_for_which_machine(folder: Path) -> None:
    system, architecture = build.target()
    assert GoModule.read(folder).built.name.startswith(f"thing-1.2.3-{system}-{architecture}-")
    assert GoModule.read(folder).built.parent == cache.binaries_folder()


def test_the_key_stays_where_the_folder_is_elsewhere(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "thing"
    shutil.copytree(folder, other)
    assert GoModule.read(folder).built == GoModule.read(other).built


@pytest.mark.parametrize("name", ["go.mod", "go.sum", "build.yaml"])
def test_the_key_changes_with_every_pin(folder: Path, name: str) -> None:
    before = GoModule.read(folder).built
    with (folder / name).open("a") as file:
        file.write("\n")
    assert GoModule.read(folder).built != before


def test_the_key_changes_with_the_architecture(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = GoModule.read(folder).built
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert GoModule.read(folder).built != before


def test_an_unknown_command_is_refused(folder: Path) -> None:
    with pytest.raises(UserError, match="thing has no command proxy; it has server, agent"):
        build.ensure(GoModule.read(folder), "proxy", lambda *_: None)


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("go version go1.26.6 linux/amd64", (1, 26, 6)),
        ("go version go1.27 darwin/arm64", (1, 27, 0)),
        ("go version go1.26rc2 linux/amd64", (1, 26, 0)),
        ("go version devel go1.28-abcdef Mon linux/amd64", (1, 28, 0)),
        ("sh: go: not found", None),
        ("", None),
    ],
)
def test_go_says_its_version(said: str, version: tuple[int, int, int] | None) -> None:
    assert parse_version(said) == version


@pytest.mark.parametrize(
    ("output", "returncode", "kind", "message"),
    [
        ("link: write a.out: no space left on device", 1, UserError, "the disk is full: .* MiB free"),
        (
            "verifying a@v1: checksum mismatch\nSECURITY ERROR",
            1,
            UserError,
            r"is not the one that .*go\.sum pins",
        ),
        ("go: a@v1: Get: dial tcp: lookup proxy: no such host", 1, UserError, "Connect to the network"),
        ("a: module lookup disabled by GOPROXY=off", 1, UserError, "Connect to the network"),
        ("compile: signal: killed", 1, UserError, "for want of memory"),
        ("", -9, UserError, "for want of memory"),
        ("a.go:1:1: undefined: b", 1, HarnessError, "could not be built:\n    a.go:1:1: undefined: b"),
    ],
)
def test_a_failed_build_says_what_to_do(
    folder: Path, output: str, returncode: int, kind: type[Exception], message: str
) -> None:
    explained = build._explained(ToolFailed(output, returncode), "server", GoModule.read(folder))
    assert type(explained) is kind
    with pytest.raises(kind, match=message):
        raise explained


def test_a_cache_that_cannot_be_written_is_the_users_to_move(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCHPROOF_CACHE", "/proc/none")
    with pytest.raises(UserError, match=r"/proc/none cannot be written.*set BATCHPROOF_CACHE"):
        build.ensure(GoModule.read(folder), "server", lambda *_: None)


def test_read_only_folders_are_removed_too(tmp_path: Path) -> None:
    inner = tmp_path / "mod" / "a@v1" / "b"
    inner.mkdir(parents=True)
    (inner / "c.go").write_text("package c")
    (tmp_path / "mod" / "link").symlink_to(inner)
    for path in (inner, inner.parent, inner.parent.parent):
        path.chmod(0o555)
    cache.remove_tree(tmp_path / "mod")
    assert not (tmp_path / "mod").exists()


def test_progress_off_a_terminal_is_a_few_lines() -> None:
    out = io.StringIO()
    with shown(out) as progress:
        progress("downloading", 3, 0)
        progress("downloading", 9, 0)
        for done in range(101):
            progress("compiling", done, 100)
    assert out.getvalue().splitlines() == [
        "downloading",
        "compiling",
        *(f"compiling: {percent} %" for percent in (20, 40, 60, 80, 100)),
    ]


def test_progress_on_a_terminal_is_a_bar() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    with shown(out) as progress:
        progress("downloading", 3, 0)
        progress("compiling", 1, 2)
        progress("compiling", 2, 2)
    assert "compiling" in out.getvalue()
    assert "100%" in out.getvalue()


# -- files out of Go modules


def files_of(folder: Path) -> GoModule:
    """A module whose files were copied out before."""
    with (folder / "build.yaml").open("a") as file:
        file.write("files: {example.com/thing: [config/*.yaml, other/c.yaml]}\n")
    module = GoModule.read(folder)
    for name in ("config/a.yaml", "config/b.yaml", "other/c.yaml"):
        path = module.built / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return module


def test_files_are_taken_from_the_cache_once_each(folder: Path) -> None:
    found = build.ensure_files(files_of(folder), ["config/*.yaml", "config/a.yaml", "*/c.yaml"], unseen)
    assert [path.name for path in found] == ["a.yaml", "b.yaml", "c.yaml"]


def test_a_pattern_that_matches_no_file_is_refused_with_what_there_is(folder: Path) -> None:
    with pytest.raises(UserError, match=r"thing has no file crds/\*.yaml; .*build.yaml lists config/\*.yaml"):
        build.ensure_files(files_of(folder), ["crds/*.yaml"], unseen)
