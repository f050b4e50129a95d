"""``batchproof implementations``: what comes with batchproof, by the names that ``-i`` takes."""

from __future__ import annotations

from typing import TypedDict

import click
from rich.table import Table

from batchproof.descriptor.implementation import OF_THE_CLUSTER, Implementation, bundled, load
from batchproof.ground.screen import say_json, show
from batchproof.options import json_option
from batchproof.profiles import profiles


class ImplementationRow(TypedDict):
    """What is printed of a bundled implementation."""

    name: str
    implementation: str
    version: str
    organisation: str
    profiles: list[str]
    dialect: str | None
    configuration: str
    capabilities: list[str]
    deviations: int
    descriptor: str


@click.command("implementations", short_help="List the implementations and dialects that are bundled.")
@json_option("Print them as JSON.")
@click.option("--profile", type=click.Choice([*profiles()]), help="Only implementations of this profile.")
def command(profile: str | None, *, as_json: bool) -> None:
    """List the implementations that come with batchproof, by the names that -i takes.

    The dialect of a scheduler says how it expresses a gang. A descriptor names it after `dialect:`, and may
    name that of any bundled scheduler. --json prints capabilities and the path of each descriptor too.
    """
    rows = [_row(name, it) for name, it in _all() if profile is None or profile in it.profiles]
    if as_json:
        say_json({"implementations": rows})
    else:
        show(_table(rows))


def _all() -> list[tuple[str, Implementation]]:
    known = [(name, load(path)) for name, path in bundled().items()]
    return sorted(known, key=lambda one: (one[1].profiles, one[0]))


def _row(name: str, it: Implementation) -> ImplementationRow:
    return ImplementationRow(
        name=name,
        implementation=it.name,
        version="of the cluster" if it.version == OF_THE_CLUSTER else it.version,
        organisation=it.organisation,
        profiles=[*it.profiles],
        dialect=it.dialect.name if it.dialect else None,
        configuration=it.configuration,
        capabilities=sorted(it.capabilities),
        deviations=len(it.deviations),
        descriptor=str(it.descriptor),
    )


def _table(rows: list[ImplementationRow]) -> Table:
    table = Table(box=None, pad_edge=False, title_justify="left")
    for head in ("name", "version", "profile", "dialect"):
        table.add_column(head, no_wrap=head != "dialect", overflow="fold")
    for row in rows:
        table.add_row(row["name"], row["version"], ", ".join(row["profiles"]), row["dialect"] or "")
    return table
