"""``batchproof compare``: several runs side by side, requirement by requirement."""

from __future__ import annotations

from pathlib import Path

import click
import orjson

from batchproof.report.compare import comparison, comparison_table
from batchproof.report.results import read_results
from batchproof.report.terminal import terminal


@click.command("compare")
@click.argument("results", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
def command(results: tuple[Path, ...], *, as_json: bool, markdown: bool) -> int:
    """Show the verdicts of the runs in the folders RESULTS as a table: requirement by implementation.

    The exit code is 0 if every run is complete and conformant.
    """
    compared = comparison([read_results(path) for path in results])
    if as_json:
        click.echo(orjson.dumps(compared.to_json(), option=orjson.OPT_INDENT_2))
    elif markdown:
        click.echo(compared.to_markdown())
    else:
        terminal().print(comparison_table(compared))
    return 0 if compared.all_conformant else 1
