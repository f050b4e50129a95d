"""``batchproof defects``: prove that the suite catches wrong controllers."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
import orjson
from rich.console import Console
from rich.table import Table

from batchproof.control_plane.choice import Choice
from batchproof.errors import NothingSelected
from batchproof.profiles import profiles
from batchproof.running.planted import Outcome, prove_defects
from batchproof.running.runner import Choices


@click.command("defects")
@click.option("--profile", type=click.Choice([*profiles()]), help="Only the defects of a profile.")
@click.option(
    "-i",
    "--implementation",
    metavar="NAME|FILE",
    help="Another descriptor that starts the reference, in another dialect; needs --profile.",
)
@click.option("-k", "expression", default="", help="Only the defects (or scenarios) that match.")
@click.option("-n", "workers", type=click.IntRange(1, 64), help="Scenarios at once.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-results", "defects"),
    show_default=True,
    help="Folder of the histories.",
)
@click.option(
    "--assets",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of etcd, kube-apiserver, kube-controller-manager.",
)
@click.option("--json", "as_json", is_flag=True, help="Print defect, requirement, caught by as JSON.")
def command(
    *,
    profile: str | None,
    implementation: str | None,
    expression: str,
    workers: int | None,
    output: Path,
    assets: Path | None,
    as_json: bool,
) -> int:
    """Plant each defect in the reference controller and see that a scenario catches it.

    A defect is one small change that makes the reference wrong. The exit code is 0 only if the scenarios of
    its requirement fail for every one of them. Defects of capabilities that the implementation does not
    declare are listed, and not judged.
    """
    if implementation and not profile:
        raise click.UsageError("--implementation needs --profile: whose defects are to be planted?")
    outcomes: list[Outcome] = []
    unselected: list[NothingSelected] = []
    chosen = [profile] if profile else [*profiles()]
    for one in chosen:
        choices = Choices(
            implementation=implementation or profiles()[one].reference,
            profile=one,
            expression=expression,
            workers=workers,
            output=output,
            junit=None,
            choice=Choice(assets=assets),
        )
        try:
            outcomes += prove_defects(choices)
        except NothingSelected as error:  # a selection is mostly meant for one of the profiles
            unselected.append(error)
    if len(unselected) == len(chosen):
        raise unselected[0]
    if as_json:
        click.echo(orjson.dumps([asdict(one) for one in outcomes], option=orjson.OPT_INDENT_2))
    else:
        _show(outcomes)
    judged = [one for one in outcomes if not one.not_declared]
    return 0 if judged and all(one.caught_by for one in judged) else 1


def _show(outcomes: list[Outcome]) -> None:
    table = Table("defect", "requirement", "caught by")
    for one in outcomes:
        caught = "\n".join(one.caught_by) or f"[bold red]NOT CAUGHT[/] {'; '.join(one.not_caught_by)}"
        not_judged = f"[dim]not judged: {one.not_declared} is not declared[/]"
        table.add_row(one.defect, one.requirement, not_judged if one.not_declared else caught)
    Console().print(table)
    caught_ones = sum(bool(one.caught_by) for one in outcomes)
    judged = sum(not one.not_declared for one in outcomes)
    others = len(outcomes) - judged
    rest = f"; {others} of capabilities that are not declared" if others else ""
    click.echo(f"{caught_ones} of {judged} planted defects caught{rest}")
