"""``batchproof run``: judge an implementation."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.control_plane.choice import ClusterOptions
from batchproof.ground.errors import UserError
from batchproof.options import (
    cluster_options,
    json_option,
    judged_options,
    output_option,
    selection,
    workers_option,
)
from batchproof.running import grid
from batchproof.running.feature_file import named_file
from batchproof.running.listing import dry_run
from batchproof.running.runner import RunOptions, chosen, run
from batchproof.specification.suites import small_suites


@click.command("run", short_help="Judge a controller or scheduler, and write the verdict and its evidence.")
@judged_options
@selection(
    "Only the scenarios that match: by id (FIN-004, FIN-004.1, FIN-004.1b), tag, title or file, "
    'such as "FIN-004 or suspend".'
)
@workers_option()
@output_option
@click.option(
    "--feature",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="Run this feature file instead of the suite, such as one that `batchproof explore` wrote. A file of "
    "the suite selects its scenarios.",
)
@click.option(
    "--suite",
    type=click.Choice([*small_suites()]),
    help="Run this small suite instead of the whole one, for `batchproof export`.",
)
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML here too.")
@click.option(
    "--faults",
    metavar="PROFILE,...|all",
    help="The fault grid: run each scenario without faults and under each of these fault profiles.",
)
@click.option("--strict", is_flag=True, help="Fail if any scenario was retried or could not be judged.")
@click.option(
    "--accept-known",
    is_flag=True,
    help="Exit with 0 even if the verdict is NOT CONFORMANT, N known: core requirements fail, and the "
    "descriptor lists each failure.",
)
@cluster_options
@click.option("--dry-run", "dry", is_flag=True, help="List what would run, and run nothing.")
@json_option("Print report.json, or what would run, instead of text; progress goes to the standard error.")
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
    accept_known: bool,
    choice: ClusterOptions,
    dry: bool,
    as_json: bool,
) -> int:
    """Judge an implementation against the specification.

    The exit code follows from the verdict: 0 only if no MUST requirement is failed, inconclusive, errored or
    missing, and no core one is waived: a MUST that needs no capability. With -k it is about the selection
    alone, and --accept-known allows the waived ones.
    """
    if suite and (feature or expression):
        raise UserError("--suite selects the scenarios: leave out --feature and -k")
    if suite:
        small = small_suites()[suite]
        profile, feature = small.check_profile(profile), small.feature
    elif feature:
        file = named_file(feature, profile, expression)
        profile, feature, expression = file.profile, file.feature, file.expression
    name, claimed = chosen(implementation, profile)
    choices = RunOptions(
        implementation=name,
        profile=claimed,
        expression=expression,
        workers=workers,
        output=output,
        junit=junit,
        choice=choice,
        feature=feature,
        strict=strict,
        accept_known=accept_known,
        as_json=as_json,
    )
    if faults is not None:
        injected = grid.named(faults, claimed)
        return grid.dry_run(choices, injected) if dry else grid.run(choices, injected)
    return dry_run(choices) if dry else run(choices)
