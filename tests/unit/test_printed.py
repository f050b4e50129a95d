"""What the processes of a failed scenario printed is kept for its report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from batchproof.running.session.printed import Printed

if TYPE_CHECKING:
    from pathlib import Path

WEB = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"


def write(log: Path, *lines: str) -> None:
    with log.open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def test_only_what_came_since_the_scenario_began_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "gw0-manager-1.log", "of the scenario before")
    printed = Printed(tmp_path, "gw0")
    write(tmp_path / "gw0-manager-1.log", "panic: nil map")
    write(tmp_path / "gw0-manager-2.log", "started again")
    write(tmp_path / "gw1-manager-1.log", "of another worker")
    write(tmp_path / "gw01-manager-1.log", "of yet another worker")
    assert printed.tail().splitlines() == [
        "gw0-manager-1.log:",
        "panic: nil map",
        "gw0-manager-2.log:",
        "started again",
    ]


def test_nothing_is_kept_where_nothing_was_printed(tmp_path: Path) -> None:
    write(tmp_path / "gw0-manager-1.log", "before")
    assert Printed(tmp_path, "gw0").tail() == ""
    assert Printed(tmp_path / "there are no logs yet", "gw0").tail() == ""


def test_of_much_the_end_is_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    printed = Printed(tmp_path, "gw0")
    write(tmp_path / "gw0-manager-1.log", *(f"line {number}" for number in range(1000)), "x" * 10_000)
    lines = printed.tail().splitlines()
    assert lines[:3] == ["gw0-manager-1.log:", "[941 lines before]", "line 941"]
    assert (len(lines), len(lines[-1])) == (62, 400)


def test_a_log_that_was_shortened_meanwhile_is_read_from_its_beginning(tmp_path: Path) -> None:
    write(tmp_path / "gw0-manager-1.log", "x" * 1000)
    printed = Printed(tmp_path, "gw0")
    (tmp_path / "gw0-manager-1.log").write_text("what is left\n")
    assert printed.tail().splitlines()[-1] == "what is left"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (f"Authorization: Bearer {WEB}", "(redacted)"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202eabc", "\\u202eabc"),
    ],
)
def test_tokens_and_control_characters_are_not_kept(tmp_path: Path, line: str, kept: str) -> None:
    printed = Printed(tmp_path, "gw0")
    write(tmp_path / "gw0-manager-1.log", line)
    assert kept in printed.tail()
    assert WEB not in printed.tail()
    assert "\x1b" not in printed.tail()
