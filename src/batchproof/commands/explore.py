"""``batchproof explore``: play what happens at random, and write down what breaks a requirement."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from batchproof.control_plane.choice import ClusterOptions
from batchproof.exploration.lengths import seconds
from batchproof.ground.errors import UserError
from batchproof.options import cluster_options, json_option, judged_options, workers_option
from batchproof.running.exploring.explore import ExploreOptions, explore
from batchproof.running.runner import chosen


@click.command("explore", short_help="Run random programs and faults, and write what fails as a scenario.")
@judged_options
@click.option(
    "--for",
    "length",
    metavar="TIME",
    default="5m",
    show_default=True,
    help="How long to run new programs: 90s, 5m, 1h. Shrinking what was found takes longer.",
)
@click.option("--seed", type=click.IntRange(0, 2**32), help="The same programs again; default: new ones.")
@click.option("--first", is_flag=True, help="End with the first finding that is seen again.")
@click.option("--as-found", is_flag=True, help="Reproduce each finding, but do not minimize it.")
@workers_option("programs")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-explored"),
    show_default=True,
    help="Folder of what is found.",
)
@cluster_options
@json_option("Print explored.json instead of text; progress goes to the standard error.")
def command(
    *,
    implementation: str | None,
    profile: str | None,
    length: str,
    seed: int | None,
    first: bool,
    as_found: bool,
    workers: int | None,
    output: Path,
    choice: ClusterOptions,
    as_json: bool,
) -> int:
    """Run random programs of users, pods and faults, and judge each by the specification.

    A program that breaks a requirement is minimized and written as a feature file for `batchproof run
    --feature`. The exit code is 0 if nothing was found, 1 if something was.
    """
    name, claimed = chosen(implementation, profile)
    try:
        for_s = seconds(length)
    except ValueError as error:
        raise UserError(f"--for: {error}") from error
    wish = ExploreOptions(
        implementation=name,
        profile=claimed,
        for_s=for_s,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        first=first,
        as_found=as_found,
        workers=workers,
        output=output,
        choice=choice,
        as_json=as_json,
    )
    return explore(wish)
