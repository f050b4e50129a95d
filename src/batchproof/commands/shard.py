"""``batchproof shard``: what a pod of ``batchproof submit`` runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from batchproof.given import Given
from batchproof.options import output_option
from batchproof.submitting.shard import run

_INDEX = "JOB_COMPLETION_INDEX"


@click.command("shard", short_help="Run one shard of a submitted run, as the pods of `submit` do.")
@click.argument("given", type=Given("give the folder with the plan of a submitted run", folder=True))
@click.option("--index", type=int, envvar=_INDEX, required=True, help=f"Which shard; default: {_INDEX}.")
@output_option
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder, such as one in a volume, where what is printed is written too.",
)
def command(*, given: Path, index: int, output: Path, keep: Path | None) -> int:
    """Run the scenarios that the plan in a folder gives to a shard, and print the results in frames.

    It succeeds if the results are whole, whatever the verdicts are: the command that merges them
    finds the verdict of the run.
    """
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii") as out:  # pytest redirects the other
        run(given, index, output, out, keep)
    return 0
