"""``batchproof diff``: what changed from one run to another."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.ground.screen import say, say_json, show
from batchproof.options import json_option
from batchproof.report.change_list import change_table, changes_json, changes_markdown
from batchproof.report.changes import changes
from batchproof.report.results import read_results

_RUN = click.Path(exists=True, path_type=Path)


@click.command("diff", short_help="Show what changed between two runs: fixed, newly broken, still broken.")
@click.argument("old", type=_RUN)
@click.argument("new", type=_RUN)
@json_option("Print the changes as JSON.")
@click.option("--markdown", is_flag=True, help="Print the changes as Markdown, for the summary of a CI job.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if NEW did not judge what OLD judged, or a run is incomplete, too.",
)
def command(old: Path, new: Path, *, as_json: bool, markdown: bool, strict: bool) -> int:
    """Show what changed from the run in the folder OLD to the run in the folder NEW.

    Each requirement is fixed, newly broken, still broken, newly not judged or newly met. It writes no file.
    What NEW did not select (-k) is neither better nor worse, unless --strict is given. What is broken now
    and could not be judged before, because another requirement failed, is newly broken; it says behind
    which one it was hidden.

    The exit code is 1 if anything got worse: if it was met and is broken or not judged now, if it was not
    judged and is broken now, or if it fails now though a deviation covered it before. It is 0 if nothing
    got worse, even if much is still broken, and 2 if a run cannot be read or the profiles differ.
    """
    if as_json and markdown:
        raise click.UsageError("--json and --markdown exclude each other: choose one")
    changed = changes(read_results(old), read_results(new))
    if as_json:
        say_json(changes_json(changed, strict=strict))
    elif markdown:
        say(changes_markdown(changed, strict=strict), nl=False)
    else:
        show(change_table(changed, strict=strict))
    return int(changed.failed(strict=strict))
