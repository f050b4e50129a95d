"""The doctor: what is enough for a run, and what a user of a machine that lacks something reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import forked
import orjson
import pytest

from batchproof.control_plane.assets import MODULE, PARTS, module
from batchproof.running.doctor import decisions
from batchproof.running.doctor.decisions import Check

if TYPE_CHECKING:
    from pathlib import Path

GO: dict[str, Any] = {"new_enough": False, "private": False, "can_install": True, "needed": "1.26"}
FINE, NONE = Check("Go", "ok", "1.26"), Check("Go", "missing", "none")


@pytest.mark.parametrize(
    ("check", "state"),
    [
        (decisions.of_system("linux"), "ok"),
        (decisions.of_system("darwin"), "warn"),
        (decisions.of_python((3, 11)), "ok"),
        (decisions.of_python((3, 14)), "ok"),
        (decisions.of_python((3, 15)), "warn"),
        (decisions.of_programs("x", [], "", NONE), "ok"),
        (decisions.of_programs("x", ["m/etcd"], "", FINE), "warn"),
        (decisions.of_programs("x", ["m/etcd"], "", NONE), "missing"),
        (decisions.of_programs("x", [], "it was changed", FINE), "missing"),
        (decisions.of_go("1.26.1", **GO | {"new_enough": True}), "ok"),
        (decisions.of_go("1.20", **GO | {"private": True}), "ok"),
        (decisions.of_go("1.20", **GO), "warn"),
        (decisions.of_go("", **GO | {"can_install": False}), "missing"),
        (decisions.of_disk("x", "/x", 512, variable="X", build=False), "ok"),
        (decisions.of_disk("x", "/x", 511, variable="X", build=False), "missing"),
        (decisions.of_disk("x", "/x", 5 * 1024 - 1, variable="X", build=True), "missing"),
        (decisions.of_disk("x", "/x", 5 * 1024, variable="X", build=True), "ok"),
        (decisions.of_memory(None, build=True), "ok"),
        (decisions.of_memory(511, build=False), "missing"),
        (decisions.of_memory(1024, build=False), "ok"),
        (decisions.of_memory(1024, build=True), "warn"),
        (decisions.of_open_files(256), "warn"),
        (decisions.of_open_files(1024), "ok"),
        (decisions.of_open_files(-1), "ok"),
        (decisions.of_trial("x", "", works="fine", remedy="do"), "ok"),
        (decisions.of_trial("x", "broken", works="fine", remedy="do"), "missing"),
        (decisions.of_trial("x", "broken", works="fine", remedy="do", needed=False), "warn"),
    ],
)
def test_what_is_enough_is_ok_and_all_else_has_a_remedy(check: Check, state: str) -> None:
    assert check.state == state
    assert bool(check.remedy) is (state != "ok")


def test_the_conclusion_counts() -> None:
    assert decisions.conclusion([FINE]) == "ready: nothing is missing, 0 warnings"
    assert decisions.conclusion([NONE, decisions.of_open_files(1)]) == "1 missing, 1 warning"


def doctor(*arguments: str, folder: Path, **variables: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The command on this machine, with other variables: its exit code, and its checks by name."""
    env = {**os.environ, "BATCHPROOF_CACHE": str(folder / "cache"), **variables}
    asked = forked.asked("doctor", "--json", *arguments, env=env, cwd=folder)
    return asked.returncode, {one["name"]: one for one in orjson.loads(asked.stdout)}


def test_an_empty_cache_is_a_warning_and_names_what_will_be_built(tmp_path: Path) -> None:
    _, checks = doctor(folder=tmp_path, KUBEBUILDER_ASSETS="")
    built = checks["control plane"]
    assert built["state"] == "warn"
    assert all(f"{MODULE}/{part}" in built["remedy"] for part in PARTS)
    assert "Go" in checks
    assert [path.name for path in (tmp_path / "cache").iterdir() if path.name == "binaries"] == []


def test_what_others_may_write_is_missing_and_the_exit_code_says_so(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    runs.chmod(0o777)
    code, checks = doctor(folder=tmp_path, BATCHPROOF_RUNS=str(runs))
    assert (code, checks["folder of runs"]["state"]) == (1, "missing")
    assert "chmod 700" in checks["folder of runs"]["text"]
    assert not [*runs.iterdir()]


def test_a_cache_that_cannot_be_written_is_missing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, checks = doctor(folder=tmp_path, BATCHPROOF_CACHE=str(tmp_path / "file" / "cache"))
    assert (code, checks["cache"]["state"]) == (1, "missing")
    assert "BATCHPROOF_CACHE" in checks["cache"]["remedy"]


def test_given_binaries_of_another_version_are_found_out(tmp_path: Path) -> None:
    wrong = tmp_path / "kube-apiserver"
    wrong.write_text("#!/bin/sh\necho Kubernetes v1.20.0\n")
    wrong.chmod(0o755)
    code, checks = doctor(folder=tmp_path, KUBEBUILDER_ASSETS=str(tmp_path))
    assert (code, checks["control plane"]["state"]) == (1, "missing")
    assert "is Kubernetes 1.20.0" in checks["control plane"]["text"]


def test_a_program_of_the_cache_that_was_changed_is_found_out(tmp_path: Path) -> None:
    built = tmp_path / "cache" / "binaries" / module(MODULE).built.name
    built.mkdir(parents=True)
    (built / "etcd").write_text("not what was built")
    (built / ".etcd.sha256").write_text("0" * 64)
    _, checks = doctor(folder=tmp_path, KUBEBUILDER_ASSETS="")
    assert "is not what batchproof has built there" in checks["control plane"]["text"]


DESCRIPTOR = """\
name: acme
version: "1"
organisation: Acme
profiles: [job]
start:
  argv: ["{binary}", "--kubeconfig={kubeconfig}"]
  pass_env: [ACME_LICENCE]
binary:
  path: ./bin/acme
"""


def test_an_implementation_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "acme.yaml").write_text(DESCRIPTOR)
    code, checks = doctor("-i", "./acme.yaml", folder=tmp_path)
    assert code == 1
    assert "there is no program" in checks["acme: program"]["text"]
    assert "ACME_LICENCE is not set" in checks["acme: environment"]["text"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "acme").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "acme").chmod(0o755)
    _, checks = doctor("-i", "./acme.yaml", folder=tmp_path, ACME_LICENCE="x")
    assert (checks["acme: program"]["state"], checks["acme: environment"]["state"]) == ("ok", "ok")


def test_people_read_lines_with_their_remedies(tmp_path: Path) -> None:
    env = {**os.environ, "BATCHPROOF_CACHE": str(tmp_path), "KUBEBUILDER_ASSETS": "/nowhere"}
    asked = forked.asked("doctor", env=env)
    lines = asked.stdout.splitlines()
    place = lines.index("missing  control plane: KUBEBUILDER_ASSETS: there is no folder /nowhere")
    assert lines[place + 1].startswith("         ")
    assert lines[-1].startswith("1 missing, ")
    assert asked.returncode == 1
