"""Everything that is printed for people passes here: names from outside can neither command nor deceive.

A terminal obeys control characters, and characters that turn the direction of text let a line read as
another one. Implementations, histories, results and descriptors are written by others, so no text is printed
as it is.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO

import click
import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

_UNFOLDED = 10_000  # columns: more than any line has
_QUIET = f"{__name__}.quiet"

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


def say(text: str | Path = "", *, err: bool = False, nl: bool = True, to: TextIO | None = None) -> None:
    """Print a text, printable, on the standard output.

    Args:
        text: what to print.
        err: print it on the standard error instead.
        nl: end it with a line feed.
        to: print it there instead.
    """
    click.echo(printable(str(text)), file=to, err=err, nl=nl)


def say_json(value: Any) -> None:
    """Print a value as JSON, for programs."""
    say(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def note(text: str | Path, *, err: bool = False) -> None:
    """Print what is no result: how far it is, what was written, what comes next. Nothing with ``--quiet``."""
    if not quiet():
        say(text, err=err)


def be_quiet(ctx: click.Context) -> None:
    """Print results and errors only, for the rest of this command."""
    ctx.meta[_QUIET] = True


def quiet() -> bool:
    """Whether the user wants results and errors only."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_QUIET))


def show(*things: RenderableType, width: int = _UNFOLDED) -> None:
    """Print tables and styled texts; a plain text in them is never read as markup.

    Args:
        things: what to print.
        width: the columns where the standard output is no terminal; by default nothing is folded there, so
            that names can be copied.
    """
    folded = sys.stdout.isatty() or "COLUMNS" in os.environ
    out = console(width=None if folded else width)
    for thing in things:
        out.print(_Printable(thing), overflow="fold")


def console(file: TextIO | None = None, width: int | None = None) -> Console:
    """Where rich prints: it reads no markup, and gives no text a meaning that it does not have."""
    from rich.console import Console  # noqa: PLC0415 - slow to load, and not needed by every command

    colored = _colored()
    return Console(
        file=file,
        width=width,
        markup=False,
        emoji=False,
        highlight=False,
        force_terminal=colored or None,
        color_system={True: "standard", False: None, None: "auto"}[colored],
        no_color=False if colored else None,
    )


def _colored() -> bool | None:
    """Whether styles are printed: as ``--color`` says, else not with NO_COLOR; None: on a terminal only."""
    ctx = click.get_current_context(silent=True)
    if ctx is not None and ctx.color is not None:
        return ctx.color
    return False if os.environ.get("NO_COLOR") else None


class _Printable:
    """A renderable whose texts are made printable when their styles are known, and are not yet codes."""

    def __init__(self, thing: RenderableType) -> None:
        self._thing = thing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        """Render it, then look at each piece."""
        for piece in console.render(self._thing, options):
            yield piece if piece.control else piece._replace(text=printable(piece.text))


class LiveLine:
    """One live line on a terminal; plain lines elsewhere; nothing with ``--quiet``.

    Attributes:
        live: it is a terminal.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._quiet = quiet()
        self.live = self._out.isatty() and not self._quiet

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
        if self._quiet:
            return
        self._out.write(text)
        self._out.flush()
