"""The index of errors knows every code of lint, and shows messages that there are."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from batchproof.judgement.conclusion import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "batchproof"
PAGE = (ROOT / "docs" / "errors.md").read_text("utf-8")
CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")
OF_LINT = ("lint", "prose", "descriptors", "texts")
MESSAGES = re.findall(r"^\| [^|`]*`([^`|]+ [^`|]+)`", PAGE.partition("## Findings of lint")[0], re.MULTILINE)
"""What the first column of the tables shows as printed."""


def strings(path: Path) -> Iterator[str]:
    """The texts in a module, with ``...`` for what is filled in."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.JoinedStr(values=parts):
                yield "".join(str(it.value) if isinstance(it, ast.Constant) else "..." for it in parts)
            case ast.Constant(value=str(text)):
                yield text


@cache
def printed() -> str:
    """All texts of the package."""
    return "\n".join(
        " ".join(text.split()) for path in sorted(PACKAGE.rglob("*.py")) for text in strings(path)
    )


def test_every_code_of_lint_is_explained() -> None:
    modules = [PACKAGE / "specification" / f"{name}.py" for name in OF_LINT]
    codes = {
        text
        for path in [*modules, PACKAGE / "commands" / "lint.py"]
        for text in strings(path)
        if CODE.fullmatch(text)
    }
    codes.discard("utf-8")
    explained = {
        code for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for code in CODE.findall(row)
    }
    table = PAGE.partition("## Findings of lint")[2]
    assert len(codes) > 30
    assert sorted(code for code in codes if f"`{code}`" not in table) == []
    of_table = {code for code in explained if f"`{code}`" in table}
    assert sorted(of_table - codes) == []


@pytest.mark.parametrize("message", MESSAGES)
def test_every_message_of_the_index_is_printed_by_the_package(message: str) -> None:
    parts = [part for part in re.split(r"\.\.\.|\d+", message) if len(part.strip()) > 3]
    assert parts
    missing = [part for part in parts if part.strip() not in printed()]
    assert not missing


def test_every_verdict_is_explained() -> None:
    page = (ROOT / "docs" / "reference" / "verdicts.md").read_text("utf-8")
    assert re.findall(r"^\| \*\*(\w+)\*\*", page, re.MULTILINE) == [one.value for one in Verdict]
