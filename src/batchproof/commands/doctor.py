"""``batchproof doctor``: what this machine lacks for a run, and how to get it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click
from rich.text import Text

from batchproof.descriptor.implementation import find, load
from batchproof.ground.screen import printable, quiet, say_json, show
from batchproof.options import implementation_option, json_option
from batchproof.running.doctor.decisions import Check, conclusion
from batchproof.running.doctor.look import look

if TYPE_CHECKING:
    from collections.abc import Iterator

_STYLES = {"ok": "green", "warn": "yellow", "missing": "bold red"}


@click.command("doctor", short_help="Check what this machine lacks for a run, and say how to get it.")
@implementation_option("Check what this one needs, too.")
@json_option("Print the checks as JSON.")
def command(implementation: str | None, *, as_json: bool) -> int:
    """Check what this machine lacks for a run, and say how to get it.

    Programs, disk, memory, ports and the rights of folders are tried as a run would use them. Nothing is
    built or fetched. No browser is needed, and no container but for --cluster kind.

    The exit code is 1 if anything is missing; warnings alone are no reason.
    """
    checks = look(load(find(implementation)) if implementation else None)
    if as_json:
        say_json([asdict(one) for one in checks])
    else:
        told = [one for one in checks if one.state != "ok" or not quiet()]
        show(*(line for one in told for line in _lines(one)), Text(conclusion(checks), "bold"))
    return int(any(one.state == "missing" for one in checks))


def _lines(one: Check) -> Iterator[Text]:
    yield Text.assemble((f"{one.state:<7}", _STYLES[one.state]), f"  {one.name}: {printable(one.text)}")
    if one.remedy:
        yield Text(f"         {printable(one.remedy)}", overflow="fold")
