"""``batchproof watch``: run again what failed, whenever the controller changes."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.control_plane.choice import ClusterOptions
from batchproof.options import cluster_options, judged_options, selection, workers_option
from batchproof.running.runner import RunOptions, chosen
from batchproof.running.watching import watch


@click.command("watch", short_help="Run again what failed, whenever your controller is rebuilt.")
@judged_options
@selection(
    "Only the scenarios that match: by id (FIN-004, FIN-004.1, FIN-004.1b), tag, title or file, "
    'such as "FIN-004 or suspend".'
)
@workers_option()
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("batchproof-watch"),
    show_default=True,
    help="Folder of the results of the last run.",
)
@cluster_options
def command(
    *,
    implementation: str | None,
    profile: str | None,
    expression: str,
    workers: int | None,
    output: Path,
    choice: ClusterOptions,
) -> int:
    """Judge an implementation, and run again what failed whenever its program or its descriptor changes.

    Watched are the descriptor, the programs, the files that their arguments name, and the Python sources in
    PYTHONPATH. When nothing fails any more, the next change runs the whole selection. Ctrl-C ends it; the
    exit code is that of the last run.
    """
    name, claimed = chosen(implementation, profile)
    return watch(
        RunOptions(
            implementation=name,
            profile=claimed,
            expression=expression,
            workers=workers,
            output=output,
            junit=None,
            choice=choice,
        )
    )
