"""The reference of the commands: docs/reference/cli.md, which ``pages.py`` writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from batchproof.cli import command_line
from batchproof.report.markdown import plain, table

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"
_HEAD = """\
# The command line

<!-- Made by `python scripts/pages.py`: do not edit. -->

Every command has `--help`, `--quiet` and `--color`. What a program would read is JSON with `--json`.

| exit code | meaning |
|---|---|
| 0 | the answer is yes: conformant, nothing wrong, nothing worse |
| 1 | the answer is no; each command says below what that means |
| 2 | wrong use: an unknown option, a file that cannot be used |
| 3 | a harness error: batchproof, the control plane or the disk failed |
| 130 | you pressed Ctrl-C before there was an answer |

| variable | meaning |
|---|---|
| `BATCHPROOF_CACHE` | the folder of what was built, instead of `~/.cache/batchproof` |
| `BATCHPROOF_RUNS` | the private folder of runs, instead of `runs` in the cache |
| `KUBEBUILDER_ASSETS` | a folder with binaries of the control plane, as `--assets` |
| `NO_COLOR` | print no colors, unless `--color always` says otherwise |
| `TMPDIR` | where temporary files lie |

Completion of commands, options and names, for bash, zsh and fish: see
[`batchproof completion`](#batchproof-completion).
"""


def pages() -> dict[Path, str]:
    """The text of the page."""
    root = click.Context(command_line, info_name="batchproof")
    return {PATH: "\n".join([_HEAD, *_sections(command_line, root)])}


def _sections(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """A command and all below it, in the order of their names; the root is the page itself."""
    if ctx.parent is not None:
        yield from _section(command, ctx)
    if isinstance(command, click.Group):
        if ctx.parent is None:
            yield from _section(command, ctx)
        for name in command.list_commands(ctx):
            below = command.get_command(ctx, name)
            if below is not None:
                yield from _sections(below, click.Context(below, info_name=name, parent=ctx))


def _section(command: click.Command, ctx: click.Context) -> Iterator[str]:
    yield f"## {ctx.command_path}\n"
    usage = " ".join(command.collect_usage_pieces(ctx))
    yield f"```\n{ctx.command_path} {usage}\n```\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield _paragraph(paragraph)
    if isinstance(command, click.Group):
        names = ((name, command.get_command(ctx, name)) for name in command.list_commands(ctx))
        rows = ((name, one.get_short_help_str(200)) for name, one in names if one is not None)
        yield table(("command", "what it does"), rows) + "\n"
    shared = {"quiet", "color", "help"} if ctx.parent is not None else set[str]()
    options = [one for one in command.params if isinstance(one, click.Option) and one.name not in shared]
    records = [record for one in options if (record := one.get_help_record(ctx))]
    if records:
        yield table(("option", "meaning"), records, _cell) + "\n"


def _paragraph(text: str) -> str:
    """A paragraph of a help text; one that click leaves as it is has lines to copy."""
    if text.startswith("\b"):
        return f"```\n{text[1:].strip()}\n```\n"
    return f"{_prose(text)}\n"


def _cell(text: str) -> str:
    if text == "---":  # the line below the head of a table
        return text
    return f"`{text}`".replace("|", "\\|") if text.startswith("-") else _prose(text)


def _prose(text: str) -> str:
    """A text in which nothing but what stands in backquotes is markup."""
    parts = " ".join(text.split()).split("`")
    return "`".join(part if number % 2 else _plain(part) for number, part in enumerate(parts))


def _plain(text: str) -> str:
    """Plain text that keeps the spaces at its ends."""
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{plain(text)}{after}"
