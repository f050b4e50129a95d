"""``batchproof compare``: several runs side by side, requirement by requirement."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from batchproof.ground import files
from batchproof.ground.screen import say, show
from batchproof.options import json_option
from batchproof.report.compare import comparison, comparison_table
from batchproof.report.compare_page import comparison_page
from batchproof.report.results import read_results


@click.command("compare", short_help="Show runs side by side: requirement by implementation.")
@click.argument("results", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@json_option("Print the table, and the deviations, as JSON.")
@click.option("--markdown", is_flag=True, help="Print a page with both as Markdown.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file instead: JSON, Markdown, or a page of HTML if the name ends with .html.",
)
def command(results: tuple[Path, ...], *, as_json: bool, markdown: bool, output: Path | None) -> int:
    """Show the verdicts of the runs in the folders RESULTS as a table: requirement by implementation.

    Runs of one implementation are distinguished by their folders. What changed between two shows `diff`.
    The page of HTML begins with what they differ in; each verdict leads to the timeline that shows it.

    The exit code is 0 if that of every run was: see `batchproof run`. A run with --accept-known may be NOT
    CONFORMANT, N known.
    """
    page = output if output and output.suffix == ".html" and not (as_json or markdown) else None
    if output and not (page or as_json or markdown):
        raise click.UsageError(
            "--output is for HTML, JSON or Markdown: name a file that ends with .html, or add --json or "
            "--markdown"
        )
    compared = comparison({path: read_results(path) for path in results})
    if as_json:
        told = orjson.dumps(compared.to_json(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    elif markdown:
        told = compared.to_markdown().encode()
    elif page:
        told = comparison_page(compared, results, page).encode()
    else:
        show(comparison_table(compared))
        told = b""
    if output:
        files.write_to(output, told)
    else:
        say(told.decode(), nl=False)
    return 0 if compared.accepted else 1
