"""Everything that is printed for people passes here: names from outside can neither command nor deceive.

A terminal obeys control characters, and characters that turn the direction of text let a line read as
another one. Implementations, histories, results and descriptors are written by others, so no text is printed
as it is.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

_UNFOLDED = 10_000  # columns: more than any line has

# Control characters of ASCII and Latin-1, the code points that XML 1.0 has no place for, what turns the
# direction of text (Unicode Standard Annex 9), and the line and paragraph separators.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
_ASCII_CONTROLS = 0x20


def printable(text: str) -> str:
    r"""The text with its control and direction characters made visible (``\x1b``, ``\u202e``).

    Line feeds and tabs stay. In a JSON document only escapes of JSON appear: what stands for itself there is
    never one of the first 32.
    """
    return _UNPRINTABLE.sub(_visible, text)


def _visible(found: re.Match[str]) -> str:
    point = ord(found[0])
    return f"\\x{point:02x}" if point < _ASCII_CONTROLS else f"\\u{point:04x}"


def say(text: str | Path = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, printable, on the standard output.

    Args:
        text: what to print.
        err: print it on the standard error instead.
        nl: end it with a line feed.
    """
    click.echo(printable(str(text)), err=err, nl=nl)


def show(*things: RenderableType) -> None:
    """Print tables and styled texts; a plain text in them is never read as markup.

    Where the standard output is no terminal nothing is folded, so that names can be copied.
    """
    out = console()
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out = console(width=_UNFOLDED)
    for thing in things:
        out.print(_Printable(thing), overflow="fold")


def console(file: TextIO | None = None, width: int | None = None) -> Console:
    """Where rich prints: it reads no markup, and gives no text a meaning that it does not have."""
    from rich.console import Console  # noqa: PLC0415 - slow to load, and not needed by every command

    return Console(file=file, width=width, markup=False, emoji=False, highlight=False)


class _Printable:
    """A renderable whose texts are made printable when their styles are known, and are not yet codes."""

    def __init__(self, thing: RenderableType) -> None:
        self._thing = thing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        """Render it, then look at each piece."""
        for piece in console.render(self._thing, options):
            yield piece if piece.control else piece._replace(text=printable(piece.text))


class Line:
    """One live line on a terminal; plain lines elsewhere.

    Attributes:
        live: it is a terminal.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self.live = self._out.isatty()

    def say(self, text: str) -> None:
        """Print a line that stays, above the live one."""
        self._write(f"\r\033[K{printable(text)}\n" if self.live else f"{printable(text)}\n")

    def show(self, text: str) -> None:
        """Put a text in place of the live line."""
        self._write(f"\r\033[K{printable(text)}" if self.live else f"{printable(text)}\n")

    def end(self) -> None:
        """Take the live line away."""
        if self.live:
            self._write("\r\033[K")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
