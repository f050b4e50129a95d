"""Tables of Markdown in which a text from outside stays text: no link, no image, no other letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from batchproof.ground.screen import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MARKUP = re.compile(r"[\\`*~|\[\]]|(?<!\w)_|_(?!\w)")
"""What GitHub's Markdown reads as markup: a backslash too, for after one a bar ends no cell only if it is
escaped itself. Within a word ``_`` means nothing."""


def plain(text: str) -> str:
    """Text of one line that is neither HTML nor Markdown."""
    line = " ".join(printable(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", line)


def code(text: str) -> str:
    """Text of one line, quoted as code: no bar ends the cell, and no backtick ends the quote."""
    return f"<code>{plain(text)}</code>"


def table(head: Sequence[str], lines: Iterable[Iterable[str]], cell: Callable[[str], str] = plain) -> str:
    """A table.

    Args:
        head: what stands above each column.
        lines: the cells of each line.
        cell: makes Markdown of a cell.
    """
    rows = (head, ["---"] * len(head), *lines)
    return "\n".join(f"| {' | '.join(map(cell, row))} |" for row in rows)
