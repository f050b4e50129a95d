"""``batchproof export``: what others want to see of a run, in their form."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof import files
from batchproof.report.ai_conformance import ENTRIES, submission
from batchproof.report.results import read_results
from batchproof.screen import say
from batchproof.specification.gherkin import parse_features
from batchproof.specification.suites import AI_CONFORMANCE, SUITES


@click.group("export")
def command() -> None:
    """Write what others want to see of a run, in their form."""


@command.command("ai-conformance")
@click.argument("results", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("ai-conformance"),
    show_default=True,
    help="Folder of the files.",
)
def ai_conformance(results: Path, output: Path) -> int:
    """Write what a submission to CNCF AI Conformance needs on one of its requirements.

    RESULTS is the folder of a run with `--suite ai-conformance` (gang scheduling) or
    `--suite ai-conformance-operator` (a complex operator).
    """
    found = read_results(results)
    shown = next((one for one in SUITES.values() if one.profile == found.header.profile), AI_CONFORMANCE)
    asked = {case.id for one in parse_features(shown.feature) for case in one.cases}
    contents, entry = submission(found, asked), ENTRIES[shown.profile].file
    for name, content in contents.items():
        files.write(output, name, content)
    say(f"{', '.join(contents)} are in {output}")
    say(f"Copy all but {entry} beside your PRODUCT.yaml, and what is in {entry} into it.")
    return 0
