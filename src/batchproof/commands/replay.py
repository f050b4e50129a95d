"""``batchproof replay``: judge a recorded run again, without a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from batchproof.report import wording
from batchproof.report.outcome import judge_run
from batchproof.report.replay import replay
from batchproof.report.results import read_results
from batchproof.screen import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from batchproof.report.replay import Again


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
            for line in _differs(one):
                say(line)
    judged = sum(one.judged for one in again)
    differing = sum(not one.agrees for one in again)
    again_judged = wording.count(judged, "scenario")
    if differing:
        say(f"{again_judged} judged again, {differing} not as recorded: the recorded verdict does not stand")
        return 1
    say(f"{again_judged} judged again, all as recorded")
    outcome = judge_run(run)
    say(outcome.sentence)
    return outcome.exit_code


def _differs(one: Again) -> Iterator[str]:
    """What is not as it was recorded."""
    if one.verdict != one.recorded.verdict:
        reason = one.error or one.conclusion.reason
        yield f"{one.recorded.id}: recorded {one.recorded.verdict}, judged {one.verdict}" + (
            f": {reason}" if reason else ""
        )
        if one.finding:
            yield one.finding.text()
    for breach in one.newly_broken:
        yield f"{one.recorded.id}: not recorded:\n{breach.text()}"
    for requirement in one.no_more_broken:
        yield f"{one.recorded.id}: recorded that it breaks {requirement}, but it does not"
