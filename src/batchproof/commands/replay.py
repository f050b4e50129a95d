"""``batchproof replay``: judge a recorded run again, without a cluster."""

from __future__ import annotations

from pathlib import Path

import click

from batchproof.report import wording
from batchproof.report.outcome import judge_run
from batchproof.report.replay import replay
from batchproof.report.results import read_results


@click.command("replay")
@click.argument("results", type=click.Path(exists=True, path_type=Path))
def command(results: Path) -> int:
    """Judge the run in the folder RESULTS again from its histories.

    The exit code is that of the run, if every verdict is the recorded one; else 1.
    """
    run = read_results(results)
    folder = results if results.is_dir() else results.parent
    again = replay(run, folder)
    for one in again:
        if not one.agrees:
            click.echo(f"{one.recorded.id}: recorded {one.recorded.verdict}, judged {one.verdict}")
            click.echo(one.finding.text() if one.finding else "")
    judged = sum(one.judged for one in again)
    differing = sum(not one.agrees for one in again)
    again_judged = wording.count(judged, "scenario")
    click.echo(f"{again_judged} judged again, {differing} with another verdict than the recorded one")
    outcome = judge_run(run)
    click.echo(outcome.sentence)
    return 1 if differing else outcome.exit_code
