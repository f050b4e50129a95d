"""Builds for real, with a program that is small: interrupted, two at once, with no Go, with no network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from waiting import HANGS_S, eventually

from batchproof.control_plane.build import GoModule, ensure, ensure_all
from batchproof.control_plane.progress import unseen
from batchproof.ground.errors import HarnessError, UserError
from batchproof.processes.programs import gone

if TYPE_CHECKING:
    from pathlib import Path

GO = shutil.which("go")
pytestmark = pytest.mark.skipif(GO is None, reason="there is no Go on the PATH")

PROGRAM = """package main

var version = "none"

func main() { println(version) }
"""
ENSURES = """
import sys
from pathlib import Path
from batchproof.control_plane.build import GoModule, ensure
from batchproof.control_plane.progress import shown
with shown() as progress:
    print(ensure(GoModule.read(Path(sys.argv[1])), "tiny", progress))
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GoModule:
    monkeypatch.setenv("BATCHPROOF_CACHE", str(tmp_path / "cache"))
    for name in ("GOCACHE", "GOMODCACHE", "GOPATH", "GOENV"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "go.mod").write_text("module example.com/tiny\n\ngo 1.24\n")
    (folder / "go.sum").write_text("")
    (folder / "main.go").write_text(PROGRAM)
    (folder / "build.yaml").write_text(
        "version: 1.2.3\ncommands: {tiny: example.com/tiny}\nvariables: {main.version: v1.2.3}\n"
    )
    return GoModule.read(folder)


def fake_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A Go on the PATH that runs a shell script where it should build."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "go").write_text(f'#!/bin/sh\nif [ "$1" = build ]; then\n{script}\nfi\nexec {GO} "$@"\n')
    (programs / "go").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return programs / "go"


def another_run(module: GoModule, log: Path) -> subprocess.Popen[str]:
    with log.open("w") as said:
        return subprocess.Popen(
            [sys.executable, "-c", ENSURES, str(module.folder)],
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        )


def line_of(path: Path) -> str:
    """The line in a file, once it is there as a whole."""
    eventually(f"{path} is written", lambda: path.exists() and path.read_text().endswith("\n"))
    return path.read_text()


def test_a_binary_is_built_once_with_its_version_linked_in(
    module: GoModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = ensure(module, "tiny", unseen)
    said = subprocess.run([binary], capture_output=True, text=True, check=True).stderr
    assert said == "v1.2.3\n"
    monkeypatch.setenv("PATH", "/nowhere")
    assert ensure(module, "tiny", unseen) == binary


def test_what_is_missing_is_built_together_and_gets_the_names_of_its_description(
    module: GoModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Go names a binary by the end of its path, but for a version."""
    for place in ("cmd/server/v3", "cmd/agent"):
        (module.folder / place).mkdir(parents=True)
        (module.folder / place / "main.go").write_text(PROGRAM.replace('"none"', f'"{place}"'))
    (module.folder / "build.yaml").write_text(
        "version: 1.2.3\n"
        "commands:\n  tiny: example.com/tiny\n  big: example.com/tiny/cmd/server/v3\n"
        "  little: example.com/tiny/cmd/agent\n"
    )
    several = GoModule.read(module.folder)
    fake_go(tmp_path, monkeypatch, f"echo built >> {tmp_path}/builds")
    tiny = ensure(several, "tiny", unseen)
    built = ensure_all(several, ["little", "tiny", "big"], unseen)
    said = {
        name: subprocess.run([binary], capture_output=True, text=True, check=True).stderr.strip()
        for name, binary in built.items()
    }
    assert said == {"little": "cmd/agent", "tiny": "none", "big": "cmd/server/v3"}
    assert built["tiny"] == tiny
    assert (tmp_path / "builds").read_text() == "built\n" * 2
    assert {it.name for it in several.built.iterdir()} == {*built, *(f".{name}.sha256" for name in built)}


def test_nothing_is_touched_but_the_cache(
    module: GoModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    before = sorted(module.folder.iterdir())
    ensure(module, "tiny", unseen)
    assert list(home.iterdir()) == []
    assert sorted(module.folder.iterdir()) == before


def test_an_interrupted_build_leaves_no_half_binary(
    module: GoModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_half = 'for word in "$@"; do case "$word" in -o=*) echo half > "${word#-o=}tiny" ;; esac; done'
    go = fake_go(tmp_path, monkeypatch, f"{write_half}\necho $$ > {tmp_path}/pid\nexec sleep 3600")
    run = another_run(module, tmp_path / "said")
    pid = int(line_of(tmp_path / "pid"))
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert gone(pid, HANGS_S)
    assert not (module.built / "tiny").exists()
    assert len(list(module.built.iterdir())) == 1

    go.unlink()
    binary = ensure(module, "tiny", unseen)
    assert subprocess.run([binary], check=False).returncode == 0
    assert {it.name for it in module.built.iterdir()} == {binary.name, f".{binary.name}.sha256"}


def test_ctrl_c_leaves_nothing_at_all(
    module: GoModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_go(tmp_path, monkeypatch, f"echo $$ > {tmp_path}/pid\nexec sleep 3600")
    run = another_run(module, tmp_path / "said")
    pid = int(line_of(tmp_path / "pid"))
    run.send_signal(signal.SIGINT)
    run.communicate()
    assert gone(pid, HANGS_S)
    assert list(module.built.iterdir()) == []


def test_of_two_runs_one_builds_and_the_other_waits_and_says_so(
    module: GoModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = f"while [ ! -e {tmp_path}/waited ]; do sleep 0.1; done"
    fake_go(tmp_path, monkeypatch, f"echo built >> {tmp_path}/builds; {until}")
    logs = [tmp_path / "first", tmp_path / "second"]
    first = another_run(module, logs[0])
    line_of(tmp_path / "builds")
    second = another_run(module, logs[1])
    try:
        waits = "waiting: another run is already making tiny"
        eventually("the second waits, and says so", lambda: waits in logs[1].read_text())
    finally:
        (tmp_path / "waited").touch()
    found = [each.communicate(timeout=HANGS_S)[0] for each in (first, second)]
    assert found == [f"{module.built / 'tiny'}\n"] * 2
    assert (tmp_path / "builds").read_text() == "built\n"
    assert "waiting" not in logs[0].read_text()


def test_a_failed_build_shows_the_last_lines(module: GoModule) -> None:
    (module.folder / "main.go").write_text("package main\n\nfunc main() { missing() }\n")
    with pytest.raises(
        HarnessError, match=r"tiny \(tiny 1\.2\.3\) could not be built:(.|\n)*undefined: missing"
    ):
        ensure(module, "tiny", unseen)


def test_a_full_disk_is_said_to_be_full(
    module: GoModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_go(tmp_path, monkeypatch, "echo 'write out: no space left on device' >&2; exit 1")
    with pytest.raises(UserError, match=r"the disk is full: .* set BATCHPROOF_CACHE"):
        ensure(module, "tiny", unseen)


def test_without_network_the_user_is_told(module: GoModule, monkeypatch: pytest.MonkeyPatch) -> None:
    (module.folder / "go.mod").write_text(
        "module example.com/tiny\n\ngo 1.24\n\nrequire example.com/other v1.0.0\n"
    )
    (module.folder / "go.sum").write_text(
        "example.com/other v1.0.0 h1:fL8VMr4xlfTazPORLhz5fsvO5I3bsFpmynVxZTH1ItQ=\n"
        "example.com/other v1.0.0/go.mod h1:z0aCJwn6DxzB/dDiWLbQaJO5jWOR2qoaCMnmSAx45XM=\n"
    )
    (module.folder / "main.go").write_text('package main\n\nimport _ "example.com/other"\n\nfunc main() {}\n')
    monkeypatch.setenv("GOPROXY", "http://127.0.0.1:9")
    with pytest.raises(UserError, match="Connect to the network"):
        ensure(GoModule.read(module.folder), "tiny", unseen)


def test_without_go_and_network_the_user_is_told(
    module: GoModule, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without_go = tmp_path / "bin"
    without_go.mkdir()
    monkeypatch.setenv("PATH", str(without_go))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match=r"there is no Go on the PATH \(needed: 1\.24\.0\)(.|\n)*install Go"):
        ensure(module, "tiny", unseen)
