"""``batchproof compare``: several runs side by side, requirement by requirement."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from batchproof import files
from batchproof.report.compare import comparison, comparison_table
from batchproof.report.results import read_results
from batchproof.screen import say, show


@click.command("compare")
@click.argument("results", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the table, and the deviations, as JSON.")
@click.option("--markdown", is_flag=True, help="Print a page with both as Markdown.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write JSON or Markdown to this file instead.",
)
def command(results: tuple[Path, ...], *, as_json: bool, markdown: bool, output: Path | None) -> int:
    """Show the verdicts of the runs in the folders RESULTS as a table: requirement by implementation.

    The exit code is 0 if every run is complete and conformant.
    """
    if output and not (as_json or markdown):
        raise click.UsageError("--output is for JSON or Markdown: add --json or --markdown")
    compared = comparison([read_results(path) for path in results])
    if as_json:
        told = orjson.dumps(compared.to_json(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    elif markdown:
        told = compared.to_markdown().encode()
    else:
        show(comparison_table(compared))
        told = b""
    if output:
        files.write_to(output, told)
    else:
        say(told.decode(), nl=False)
    return 0 if compared.all_conformant else 1
