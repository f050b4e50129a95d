"""``batchproof run``: judge an implementation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from batchproof.options import cluster_options, selection
from batchproof.running.runner import Choices, chosen, dry_run, run

if TYPE_CHECKING:
    from batchproof.control_plane.choice import Choice


@click.command("run")
@click.option(
    "-i",
    "--implementation",
    metavar="NAME|FILE",
    help="A bundled implementation or the path of a descriptor; default: the reference of the profile.",
)
@click.option("--profile", help="What to judge it as; default: what its descriptor names first, or job.")
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
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML here too.")
@cluster_options
@click.option("--dry-run", "dry", is_flag=True, help="List what would run, and run nothing.")
def command(
    *,
    implementation: str | None,
    profile: str | None,
    expression: str,
    workers: int | None,
    output: Path,
    junit: Path | None,
    choice: Choice,
    dry: bool,
) -> int:
    """Judge an implementation against the specification.

    The exit code is the verdict: 0 only if no MUST requirement is failed, inconclusive, errored or missing.
    """
    name, claimed = chosen(implementation, profile)
    choices = Choices(
        implementation=name,
        profile=claimed,
        expression=expression,
        workers=workers,
        output=output,
        junit=junit,
        choice=choice,
    )
    return dry_run(choices) if dry else run(choices)
