"""``batchproof report``: make all reports again from a results stream."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.report import write_all
from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results
from batchproof.report.table import verdict_table
from batchproof.screen import show


@click.command("report")
@click.argument("results_folder", type=click.Path(path_type=Path))
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write the JUnit report here as well."
)
def command(results_folder: Path, junit: Path | None) -> None:
    """Make report.json, junit.xml and index.html again from RESULTS_FOLDER/results.jsonl.

    Ends with 0 whatever the verdict is: it reports, it does not judge.
    """
    results = read_results(results_folder)
    out = results_folder if results_folder.is_dir() else results_folder.parent
    paths = write_all(results, out, junit)
    show(verdict_table(results, judge_run(results), paths))
