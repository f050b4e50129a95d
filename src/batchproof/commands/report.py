"""``batchproof report``: make all reports again from a results stream."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.attestation.unverified import beside
from batchproof.ground import files
from batchproof.ground.screen import quiet, show
from batchproof.report import page_of, write_all
from batchproof.report.outcome import judge_run
from batchproof.report.results import read_results
from batchproof.report.table import verdict_table


@click.command("report", short_help="Write the reports of a run again.")
@click.argument("results_folder", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write the JUnit report here as well."
)
@click.option(
    "--baseline",
    metavar="FOLDER",
    type=click.Path(exists=True, path_type=Path),
    help="Results of an earlier run: write changes.html too, the page that also says what has changed since.",
)
def command(results_folder: Path, junit: Path | None, baseline: Path | None) -> None:
    """Make report.json, junit.xml, index.html and timelines/ again from results.jsonl in the folder RESULTS.

    Where certificates of these results lie in the folder, certificate.html is the page that also says what
    they say of their signers. Nothing of that is checked: `verify` does that.

    Ends with 0 whatever the verdict is: it reports, it does not judge.
    """
    results = read_results(results_folder)
    before = read_results(baseline) if baseline else None
    out = results_folder if results_folder.is_dir() else results_folder.parent
    paths = write_all(results, out, junit)
    certificates = beside(out)
    if certificates:
        made = page_of(results, out, certificates=certificates)
        paths["certificate"] = files.write(out, "certificate.html", made)
    if before:
        made = page_of(results, out, before=before, certificates=certificates)
        paths["changes"] = files.write(out, "changes.html", made)
    if not quiet():
        show(verdict_table(results, judge_run(results), paths))
