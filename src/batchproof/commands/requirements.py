"""``batchproof requirements``: what is required, where it comes from, and what judges it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from batchproof.descriptor.implementation import bundled, load
from batchproof.ground import stored, suite
from batchproof.ground.errors import UserError
from batchproof.ground.screen import say, say_json, show
from batchproof.options import json_option
from batchproof.profiles import profiles
from batchproof.specification import gherkin, runs
from batchproof.specification.handbook import Handbook
from batchproof.specification.ids import PlannedId, area, load_planned
from batchproof.specification.mutants import load_mutants
from batchproof.specification.proved import requirement_keys
from batchproof.specification.registry import Registry, load_registry
from batchproof.specification.vocabulary import load_steps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


_COLUMNS = 100
"""How wide the tables are where they go to a pager or a file."""


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """What is printed of a requirement."""

    id: str
    level: str
    profile: str
    capability: str | None
    sentence: str
    norm: str
    source: str
    see: str
    since: str
    notes: str
    scenarios: list[str]
    defects: list[str]


@click.command("requirements", short_help="List the requirements, and what judges and breaks them.")
@json_option("Print them as JSON.")
@click.option(
    "--markdown", is_flag=True, help="Print the handbook of a profile: all about each, in Markdown."
)
@click.option("--profile", type=click.Choice([*profiles()]), help="Only the requirements of this profile.")
def command(profile: str | None, *, as_json: bool, markdown: bool) -> None:
    """List the requirements, with the scenarios that judge them and the mutants that break them.

    The list ends with the ids that are not judged, each with the reason, and those still to do.
    """
    if markdown:
        if not profile or as_json:
            raise UserError("--markdown prints one profile as Markdown: add --profile, and leave out --json")
        say(handbook(profile), nl=False)
        return
    rows, planned = _rows(profile), _planned(profile)
    if as_json:
        say_json({"requirements": rows, "not_judged": planned.not_judged, "to_do": planned.to_do})
    else:
        _print(rows)
        _print_planned(planned)


def _of(profile: str | None) -> Registry:
    registry = load_registry()
    if profile is None:
        return registry
    if found := registry.of_profile(profile):
        return found
    profiles = sorted({one.profile for one in registry.values()})
    raise UserError(f"no requirement is of the profile {profile!r}; there are: {', '.join(profiles)}")


def _planned(profile: str | None) -> PlannedId:
    """The ids that are taken without being registered, in the areas of the profile."""
    planned = load_planned()
    return planned if profile is None else planned.of_areas({area(id_) for id_ in _of(profile)})


def handbook(profile: str) -> str:
    """All about each requirement of a profile, in Markdown."""
    requirements = _of(profile)
    known = map(load, bundled().values())
    # What comes with a cluster is another one in each, and much of it is out of reach.
    implementations = [one for one in known if profile in one.profiles and not one.installed]
    root = suite.checkout()
    made = Handbook(
        profile=profile,
        versions_of=profiles()[profile].versions_of,
        requirements=requirements,
        scenarios=gherkin.parse_features(),
        steps=load_steps(suite.steps()),
        defects=load_mutants(),
        runs=runs.kept(root / "reports" / "runs", profile) if root else {},
        keys=_keys(root) if root else {},
        implementations=implementations,
        planned=load_planned(),
    )
    return made.to_markdown()


@cache
def _keys(root: Path) -> dict[str, str]:
    """What judges each requirement now: the same for the page of each profile."""
    return requirement_keys(root)


def _rows(profile: str | None) -> list[RequirementRow]:
    registry = _of(profile)
    scenarios: defaultdict[str, list[str]] = defaultdict(list)
    for scenario in gherkin.parse_features():
        for requirement in scenario.requirements:
            scenarios[requirement].append(f"{scenario.id}  {scenario.name}")
    planted: defaultdict[str, list[str]] = defaultdict(list)
    for defect in load_mutants():
        planted[defect.requirement].append(defect.name)
    return [
        stored.copied(RequirementRow, one, scenarios=scenarios[one.id], defects=planted[one.id])
        for one in registry.values()
    ]


def _print(rows: Sequence[RequirementRow]) -> None:
    table = Table(title=f"{len(rows)} requirements", show_lines=True)
    table.add_column("requirement", no_wrap=True)
    table.add_column("sentence and source", ratio=3, overflow="fold")
    table.add_column("judged by (scenarios), broken by (mutants)", ratio=2, overflow="fold")
    for row in rows:
        about = [row.id, row.level, row.profile, *filter(None, [row.capability])]
        judged = Text("\n".join(row.scenarios))
        broken = Text("\n".join(row.defects), "dim")
        table.add_row(
            "\n".join(about),
            Text.assemble(row.sentence, "\n", (f"{row.norm}: {row.source}", "dim")),
            Text("\n").join(one for one in (judged, broken) if one),
        )
    show(table, width=_COLUMNS)


def _print_planned(planned: PlannedId) -> None:
    table = Table(title=f"{len(planned.not_judged)} not judged, and why")
    table.add_column("id", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for id_, why in planned.not_judged.items():
        table.add_row(id_, why)
    show(table, width=_COLUMNS)
    show(f"still to do: {', '.join(planned.to_do) or 'nothing'}")
