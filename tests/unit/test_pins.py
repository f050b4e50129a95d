"""What is fetched from outside is pinned: packages by version and hash, actions by commit."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = ("requirements.lock", "requirements-dev.lock")
USES = re.compile(r"^\s*(?:- )?uses: (?P<action>\S+?)@(?P<ref>.*)$", re.MULTILINE)


def own_lines(name: str) -> list[str]:
    """What a lock file itself says, an option or a requirement each."""
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def pinned(name: str) -> dict[str, list[str]]:
    """What a lock file and those that it builds on pin, with their lines."""
    found: dict[str, list[str]] = {}
    for line in own_lines(name):
        if line.startswith("-r "):
            found |= pinned(line.removeprefix("-r "))
            continue
        found.setdefault(canonicalize_name(line.partition("==")[0]), []).append(line)
    return found


def versions(lines: list[str]) -> set[str]:
    """The versions that lines pin: more than one where a platform needs another."""
    return {line.partition("==")[2].split()[0] for line in lines}


def declared(name: str) -> list[Requirement]:
    """What a lock file was made of."""
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *PROJECT["dependency-groups"]["build"]]
    if name != LOCKS[0]:
        wanted += project["optional-dependencies"]["dev"]
    return [Requirement(one) for one in wanted]


@pytest.mark.parametrize("name", LOCKS)
def test_what_is_declared_is_locked_at_a_version_that_it_allows(name: str) -> None:
    locked = pinned(name)
    for wanted in declared(name):
        lines = locked.get(canonicalize_name(wanted.name), [])
        assert lines, f"{wanted} is not in {name}: run `sh scripts/lock.sh`"
        assert all(one in wanted.specifier for one in versions(lines)), (
            f"{name} is old: run `sh scripts/lock.sh`"
        )


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_has_hashes_and_no_place(name: str) -> None:
    assert all("--hash=sha256:" in line for lines in pinned(name).values() for line in lines)
    assert "://" not in (ROOT / name).read_text("utf-8")


def test_the_builds_own_requirements_are_locked() -> None:
    required = {Requirement(one).name for one in PROJECT["build-system"]["requires"]}
    assert required <= {Requirement(one).name for one in PROJECT["dependency-groups"]["build"]}


def test_the_library_that_writes_the_schemas_of_the_wheel_is_the_locked_one() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    [wanted] = map(Requirement, wheel["hooks"]["custom"]["dependencies"])
    assert {f"=={one}" for one in versions(pinned(LOCKS[0])[wanted.name])} == {str(wanted.specifier)}


def test_the_lock_of_development_builds_on_that_of_the_run_and_repeats_no_line_of_it() -> None:
    run, develop = map(own_lines, LOCKS)
    assert develop[0] == f"-r {LOCKS[0]}"
    assert not {*run} & {*develop}, "run `sh scripts/lock.sh`"


def test_both_lock_files_agree() -> None:
    run, develop = ({name: versions(lines) for name, lines in pinned(lock).items()} for lock in LOCKS)
    assert {name: develop.get(name) for name in run} == run


@pytest.mark.parametrize(
    "file",
    [
        "action.yml",
        "docs/how-to/ci.md",
        *(f".github/workflows/{one}.yml" for one in ("check", "full", "weekly")),
    ],
)
def test_every_action_of_others_is_pinned_by_commit_with_its_tag_beside(file: str) -> None:
    used = [it for it in USES.finditer((ROOT / file).read_text("utf-8")) if "<" not in it["action"]]
    assert used
    assert all(re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", it["ref"]) for it in used), used


def test_the_base_of_the_image_is_pinned_by_digest_and_nothing_is_run_on_it() -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert re.fullmatch(r"ARG BASE=\S+:\S+@sha256:[0-9a-f]{64}", lines[0])
    assert lines[1] == "FROM ${BASE}"
    assert not {line.split()[0] for line in lines} & {"RUN", "ADD"}
