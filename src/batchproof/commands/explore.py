"""``batchproof explore``: play what happens at random, and write down what breaks a requirement."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from batchproof.errors import UserError
from batchproof.exploration.lengths import seconds
from batchproof.options import cluster_options, judged_options
from batchproof.running.exploring.explore import Wish, explore
from batchproof.running.runner import chosen

if TYPE_CHECKING:
    from batchproof.control_plane.choice import Choice


@click.command("explore")
@judged_options
@click.option("--for", "length", metavar="TIME", default="5m", show_default=True, help="90s, 5m, 1h.")
@click.option("--seed", type=click.IntRange(0, 2**32), help="The same programs again; default: new ones.")
@click.option("--first", is_flag=True, help="End with the first finding that is seen again.")
@click.option("--as-found", is_flag=True, help="Play what was found again, but do not make it smaller.")
@click.option(
    "-n", "workers", type=click.IntRange(1, 64), help="Programs at once; default: by the processors."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-explored"),
    show_default=True,
    help="Folder of what is found.",
)
@cluster_options
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
    choice: Choice,
) -> int:
    """Play random programs of users, pods and faults, and judge each by the specification.

    What breaks a requirement is made as small as it will go and written as a scenario that `batchproof run
    --feature` plays. The exit code is 0 if nothing was found, 1 if something was.
    """
    name, claimed = chosen(implementation, profile)
    try:
        for_s = seconds(length)
    except ValueError as error:
        raise UserError(f"--for: {error}") from error
    wish = Wish(
        implementation=name,
        profile=claimed,
        for_s=for_s,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        first=first,
        as_found=as_found,
        workers=workers,
        output=output,
        choice=choice,
    )
    return explore(wish)
