"""``batchproof run``: judge an implementation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from batchproof.errors import UserError
from batchproof.options import cluster_options, judged_options, selection
from batchproof.running import grid
from batchproof.running.runner import Choices, chosen, dry_run, run
from batchproof.specification.suites import SUITES

if TYPE_CHECKING:
    from batchproof.control_plane.choice import Choice


@click.command("run")
@judged_options
@selection('Only the scenarios that match, such as "FIN-004 or suspend".')
@click.option(
    "-n", "workers", type=click.IntRange(1, 64), help="Scenarios at once; default: by the processors."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-results"),
    show_default=True,
    help="Folder of the results and reports.",
)
@click.option(
    "--feature",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="Play this feature file instead of the suite, such as one that `batchproof explore` wrote.",
)
@click.option(
    "--suite",
    type=click.Choice(sorted(SUITES)),
    help="Play this small suite instead of the whole: what others ask for, see `batchproof export`.",
)
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML here too.")
@click.option(
    "--faults",
    metavar="PROFILE,...|all",
    help="The fault grid: play each scenario without faults and under each of these fault profiles.",
)
@click.option("--strict", is_flag=True, help="Fail if any scenario was retried or could not be judged.")
@cluster_options
@click.option("--dry-run", "dry", is_flag=True, help="List what would run, and run nothing.")
def command(
    *,
    implementation: str | None,
    profile: str | None,
    expression: str,
    workers: int | None,
    output: Path,
    feature: Path | None,
    suite: str | None,
    junit: Path | None,
    faults: str | None,
    strict: bool,
    choice: Choice,
    dry: bool,
) -> int:
    """Judge an implementation against the specification.

    The exit code is the verdict: 0 only if no MUST requirement is failed, inconclusive, errored or missing.
    """
    if suite and (feature or expression):
        raise UserError("--suite names all that is played: leave out --feature and -k")
    if suite:
        profile, feature = SUITES[suite].see_profile(profile), SUITES[suite].feature
    name, claimed = chosen(implementation, profile)
    choices = Choices(
        implementation=name,
        profile=claimed,
        expression=expression,
        workers=workers,
        output=output,
        junit=junit,
        choice=choice,
        feature=feature,
        strict=strict,
    )
    if faults is not None:
        profiles = grid.named(faults)
        return grid.dry_run(choices, profiles) if dry else grid.run(choices, profiles)
    return dry_run(choices) if dry else run(choices)
