"""Times are added up exactly, for a page is made again elsewhere and compared to the letter.

``sum`` rounds after each step up to Python 3.11, and carries what it rounds off since 3.12
(https://docs.python.org/3/library/functions.html#sum): two hundredths of a second were 4.05 s with one and
4.06 s with the other, and ``replay`` refused the page. ``math.fsum`` is exact with both.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[2] / "src" / "batchproof"
IN_A_TEMPLATE = re.compile(r"\|\s*sum\b")


def inexact(code: str) -> Iterator[int]:
    """The lines in which ``sum`` adds up numbers of seconds, or what is read as floats."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=added) | added, *_]):
                names = {one.id for one in ast.walk(added) if isinstance(one, ast.Name)}
                names |= {one.attr for one in ast.walk(added) if isinstance(one, ast.Attribute)}
                compared = isinstance(added, ast.Compare)
                if not compared and ("float" in names or any(name.endswith("_s") for name in names)):
                    yield node.lineno


@pytest.mark.parametrize(
    "code",
    [
        "sum(one.duration_s for one in found)",
        "sum(durations_s)",
        "sum(float(one) for one in found)",
        "round(sum(one.duration_s for one in found), 3)",
    ],
)
def test_a_sum_of_seconds_is_found(code: str) -> None:
    assert list(inexact(code)) == [1]


@pytest.mark.parametrize("code", ["sum(one.at_s < end_s for one in found)", "sum(map(len, them))"])
def test_a_count_is_none(code: str) -> None:
    assert not list(inexact(code))


def test_seconds_are_added_up_exactly() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in inexact(path.read_text("utf-8"))
    ]
    assert not found, f"use math.fsum: {found}"


def test_templates_do_too() -> None:
    found = [path.name for path in SOURCE.rglob("*.jinja") if IN_A_TEMPLATE.search(path.read_text("utf-8"))]
    assert not found, f"use the filter 'total': {found}"
