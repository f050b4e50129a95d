"""The one form of our tables of histories: a line for each, below what they are about.

A table is read from top to bottom. What is judged stands above: a fact, a requirement, or what is found.
Below it each history has a line, with what is particular about it; where one line is too short for both, the
history stands on the next::

    gang_bound(gang="a", count=2),
    yes("two bound", gang().bound("n", "a-1", "a-2")),
    no("one of two bound", gang().bound("n", "a-1")),
    bound_too_soon(lacking="pods"),
    no("its minimum is raised after it was bound"),
    gang(2, "a-1", "a-2").bound("n", "a-1").at(9).act("raised", gang="a", minimum=3),

The words of a line name its test, so they say what no other line says. Which lines there are each table says
itself: ``fact_examples``, ``invariant_examples``, and ``when`` here for tables that need no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from histories import Story


@dataclass
class Line:
    """What is particular about a history, the history if it stands there too, and what is found in it."""

    when: str
    told: Story | None
    found: tuple[Any, ...] = ()


class Row(NamedTuple):
    """A history with what stands above it, what is particular about it, and what is found in it."""

    above: Any
    when: str
    told: Story
    found: tuple[Any, ...]


def table(*lines: object) -> list[Row]:
    """The rows of a table."""
    above: object = None
    row: Line | None = None
    read: list[Row] = []
    for line in lines:
        if isinstance(line, Story):
            assert row is not None, "a history without a line of its own"
            assert row.told is None, f"{row.when!r} has two histories"
            row.told = line
        elif isinstance(line, Line):
            assert row is None or row.told is not None, f"{row.when!r} has no history"
            row = line
        else:
            above = line
            continue
        if row.told is not None:
            read.append(Row(above, row.when, row.told, row.found))
    assert row is not None, "an empty table"
    assert row.told is not None, f"{row.when!r} has no history"
    return read


def when(what: str, told: Story | None = None) -> Line:
    """A history of which that is found which stands above."""
    return Line(what, told)


def params(rows: list[Row]) -> list[Any]:
    """The values of a test, which its line names: a history, and what stands above it."""
    return [pytest.param(row.told, row.above, id=row.when) for row in rows]
