"""A descriptor of a vendor costs little to read, and is blamed by file and line, whatever stands in it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from attacks import ends
from hypothesis import given
from hypothesis import strategies as st

from batchproof.ground.matching import fits

if TYPE_CHECKING:
    from pathlib import Path

    from attacks import CommandLine

pytestmark = pytest.mark.quick

GOOD = """\
name: mine
version: "1"
organisation: Me
profiles: [job]
start: {argv: [x]}
"""
BOMB = "".join(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 10))
MERGES = "".join(
    f"m{level}: &m{level} {{<<: [{', '.join([f'*m{level - 1}'] * 9)}], k{level}: 1}}\n"
    for level in range(1, 10)
)

ATTACKS = {
    "alias bomb": (f"{GOOD}a0: &a0 [x, x]\n{BOMB}", ":10: not valid YAML: with its aliases it stands for"),
    "merge bomb": (f"{GOOD}m0: &m0 {{k0: 1}}\n{MERGES}", "not valid YAML: with its aliases it stands for"),
    "recursion": (f"{GOOD}capabilities: &a [*a]\n", ":6: not valid YAML: it refers to itself by an alias"),
    "recursion of a mapping": (f"{GOOD}dialect: &a {{b: *a}}\n", ":6: not valid YAML: it refers to itself"),
    "a list as a key": (f"{GOOD}? [a, b]\n: 1\n", ":6: not valid YAML: a key must be text"),
    "a mapping as a key": (f"{GOOD}? {{a: b}}\n: 1\n", ":6: not valid YAML: a key must be text"),
    "a number as a key": (f"{GOOD}1: 2\n", ":6: not valid YAML: the key '1' is not text"),
    "nothing as a key": (f"{GOOD}~: 2\n", ":6: not valid YAML: the key '~' is not text"),
    "a key twice": (f"{GOOD}name: other\n", ":6: the key 'name' appears twice"),
    "a million keys": (GOOD + "".join(f"k{n}: 1\n" for n in range(1_000_000)), "larger than 1024 KiB"),
    "many short keys": (GOOD + "".join(f"{n}a: 1\n" for n in range(30_000)), "it stands for more than"),
    "as many keys as there may be": (GOOD + "".join(f"{n}a: 1\n" for n in range(9_000)), "and 8995 more"),
    "many wrong values": (
        GOOD.replace("[job]", f"[{', '.join(f'n{n}' for n in range(19_000))}]"),
        "is not one of job",
    ),
    "many values of many types": (
        f"{GOOD}capabilities: [{', '.join(f'{n}, a{n}, [{n}]' for n in range(4_000))}]\n",
        "is not text",
    ),
    "too deep": (f"{GOOD}a: {'[' * 50_000}", "not valid YAML"),
    "deep": (f"{GOOD}a: {'[' * 900}{']' * 900}\n", "unknown key 'a'"),
    "a tag of Python": (f"{GOOD}a: !!python/object/apply:os.system [id]\n", ":6: not valid YAML: the tag"),
    "bytes": (f"{GOOD}a: !!binary eA==\n", ":6: not valid YAML: the tag"),
    "a set": (f"{GOOD}a: !!set {{b, c}}\n", ":6: not valid YAML: the tag"),
    "a date": (f"{GOOD}a: !!timestamp 2026-13-77\n", ":6: not valid YAML: the tag"),
    "no number": (f"{GOOD}time_scale: !!int x\n", ":6: not valid YAML: the value does not fit its type"),
    "no finite number": (f"{GOOD}time_scale: .nan\n", ":6: not valid YAML: .nan is no finite number"),
    "infinite": (f"{GOOD}time_scale: .inf\n", ":6: not valid YAML: .inf is no finite number"),
    "a long number": (f"{GOOD}time_scale: {'9' * 5000}\n", ":6: not valid YAML: "),
    "a large number": (f"{GOOD}time_scale: {'9' * 400}\n", ":6: not valid YAML: the number is too large"),
    "an unusable character": (f"{GOOD}a: \x01\n", ":6: not valid YAML"),
    "two documents": (f"{GOOD}---\n{GOOD}", ":7: not valid YAML: a second document begins here"),
    "nothing": ("", ":1: the file is empty"),
    "a bad escape": (f'{GOOD}a: "\\q"\n', ":6: not valid YAML"),
}


@pytest.mark.parametrize(("text", "message"), ATTACKS.values(), ids=ATTACKS)
def test_a_hostile_descriptor_is_blamed(
    batchproof: CommandLine, tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    ended = batchproof("rbac", "-i", path)
    assert (ended.code, ended.sound) == (2, True), ended.err
    assert f"batchproof: {path}" in ended.err
    assert message in ended.err
    assert len(ended.err) < 5_000


@pytest.mark.parametrize("command", [["lint"], ["smoke"], ["run", "--dry-run", "-i"], ["explore", "-i"]])
@pytest.mark.parametrize("name", ["alias bomb", "recursion", "a list as a key"])
def test_each_command_that_reads_it_blames_it(
    batchproof: CommandLine, tmp_path: Path, command: list[str], name: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(ATTACKS[name][0])
    ended = batchproof(*command, path)
    finds = command in (["lint"], ["smoke"])  # these find what is wrong: that is their verdict
    assert ended.code == (1 if finds else 2)
    assert ended.sound, ended.err
    assert "not valid YAML" in ended.out + ended.err


def test_bytes_that_are_no_text_are_named_by_their_line(batchproof: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(GOOD.encode() + b"# \xff\n")
    ended = batchproof("rbac", "-i", path)
    assert (ended.code, ended.sound) == (2, True)
    assert f"{path}:6: not UTF-8: byte 0xff" in ended.err


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_is_not_waited_for(batchproof: CommandLine, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.yaml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    for command in (["lint"], ["rbac", "-i"]):
        ended = batchproof(*command, path)
        assert ended.code == 2
        assert ended.sound, ended.err


def test_definitions_of_a_vendor_are_read_within_limits(batchproof: CommandLine, tmp_path: Path) -> None:
    """Those of the descriptor are read when a cluster is asked for them."""
    (tmp_path / "crd.yaml").write_text(f"a0: &a0 [x, x]\n{BOMB}")
    (tmp_path / "mine.yaml").write_text(
        GOOD.replace("argv: [x]", "argv: ['true']") + "control_plane: {crds: [crd.yaml]}\n"
    )
    ended = batchproof("smoke", tmp_path / "mine.yaml")
    assert ended.sound, ended.err
    assert ended.code in {1, 2, 3}
    assert "crd.yaml:7: not valid YAML: with its aliases it stands for" in ended.out + ended.err


def test_what_a_waiver_covers_is_known_at_once() -> None:
    with ends():  # trying out all that the stars may stand for would not
        assert not fits("a" * 100_000, "*a" * 3_000 + "*b")


@given(st.text("ab", max_size=8), st.text("ab*", max_size=6))
def test_a_waiver_covers_what_its_stars_stand_for(text: str, form: str) -> None:
    meant = ".*".join(map(re.escape, form.split("*")))
    assert fits(text, form) is (re.fullmatch(meant, text) is not None)
