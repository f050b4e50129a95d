"""``batchproof replay``: judge a recorded run again, without a cluster."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from batchproof import __version__
from batchproof.attestation.unverified import beside
from batchproof.evidence.check import Checked, check
from batchproof.evidence.digests import suite_digest
from batchproof.evidence.replay import Again, replay
from batchproof.ground import files
from batchproof.ground.errors import UserError
from batchproof.ground.screen import note, say, say_json
from batchproof.options import json_option
from batchproof.report import FILES, page_of, wording
from batchproof.report.results import FILE_NAME, read_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST = 20
"""How much of what is wrong is listed."""


@click.command("replay", short_help="Judge a recorded run again, without a cluster.")
@click.argument("results", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--any-suite",
    is_flag=True,
    help="Compare the verdicts only, for work on facts: whose suite recorded the results does not matter.",
)
@json_option("Print what was found as JSON.")
@click.option(
    "--html",
    "html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="If all is as recorded, write the page of the run here; it says that it was judged again. A file in "
    "the folder of the results, such as RESULTS/checked.html: the page links to the histories.",
)
def command(results: Path, html: Path | None, *, any_suite: bool, as_json: bool) -> int:
    """Judge the run in the folder RESULTS again, by the suite that is installed here.

    It has to be a run of this suite: each scenario run as it is written, with its claims, deadlines and
    faults, to its end. The exit code is that of the run, if all is as it was recorded; else 1.
    """
    run = read_results(results)
    folder = results if results.is_dir() else results.parent
    if html:
        _see_page(html, folder, any_suite=any_suite)
    if any_suite:
        again = replay(run, folder)
        if as_json:
            say_json(_verdicts_json(again))
        else:
            _print_verdicts(again)
        return int(not all(one.agrees for one in again))
    checked = check(run, folder)
    judged = wording.count(sum(one.again.judged for one in checked.scenarios), "scenario")
    if html and checked.stands:
        told = f"{_now()}: {judged} judged again, all as recorded"
        files.write_to(html, page_of(run, folder, checked=told, certificates=beside(folder)))
    if as_json:
        say_json(_checked_json(checked))
    else:
        _print_checked(checked, judged, html)
    return checked.outcome.exit_code if checked.stands else 1


def _print_checked(checked: Checked, judged: str, html: Path | None) -> None:
    """Say what a check comes to.

    Args:
        checked: what was found.
        judged: how many scenarios were judged again, in words.
        html: the page that says so; None if none is wanted.
    """
    if checked.other_suite:
        say(checked.other_suite)
    elif checked.stands:
        note(f"{judged} judged again, all as recorded")
        if html:
            note(f"page   {html}")
        say(checked.outcome.sentence)
    else:
        for line in _wrong(checked):
            say(line)
        wrong = wording.count(len(checked.wrong), "thing")
        say(f"{judged} judged again, {wrong} not as recorded: the recorded verdict is not confirmed")
        if html:
            say(f"{html} is not written")


def _see_page(html: Path, folder: Path, *, any_suite: bool) -> None:
    """See that the page lies beside the histories that it links to, and takes no place of another report.

    Raises:
        UserError: it does not.
    """
    if any_suite:
        raise UserError("--html says that a run was checked; with --any-suite only its verdicts are compared")
    if html.parent.resolve() != folder.resolve():
        raise UserError(
            f"--html: {html} is not in the folder of the results, and the page links to the histories there: "
            f"give {folder / 'checked.html'}"
        )
    if html.name in {*FILES.values(), FILE_NAME}:
        raise UserError(f"--html: {html.name} is a file of the run itself: give {folder / 'checked.html'}")


def _now() -> str:
    """The time, and the version that judges."""
    time = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"On {time}, by batchproof {__version__} with the suite {suite_digest()}"


def _checked_json(checked: Checked) -> dict[str, Any]:
    """What a check comes to; ``stands`` says whether the recorded verdict does."""
    return {
        "stands": checked.stands,
        "other_suite": checked.other_suite,
        "judged": sum(one.again.judged for one in checked.scenarios),
        "wrong": [*checked.wrong],
        "differing": [_again_json(one.again) for one in checked.scenarios if not one.again.agrees],
        "verdict": checked.outcome.sentence if checked.stands else None,
    }


def _verdicts_json(again: Sequence[Again]) -> dict[str, Any]:
    return {
        "judged": sum(one.judged for one in again),
        "differing": [_again_json(one) for one in again if not one.agrees],
    }


def _again_json(one: Again) -> dict[str, Any]:
    return {
        "scenario": one.recorded.id,
        "recorded": one.recorded.verdict,
        "judged": one.verdict,
        "reason": one.error or one.conclusion.reason,
        "newly_broken": [breach.requirement for breach in one.newly_broken],
        "no_more_broken": [*one.no_more_broken],
    }


def _print_verdicts(again: Sequence[Again]) -> None:
    """Say which histories today's facts judge otherwise, by their verdicts and nothing else."""
    differing = [one for one in again if not one.agrees]
    for one in differing:
        reason = one.error or one.conclusion.reason
        judged = f"{one.verdict}: {reason}" if reason else str(one.verdict)
        say(f"{one.recorded.id}: recorded {one.recorded.verdict}, judged {judged}")
        for line in _differs(one):
            say(line)
    count = wording.count(sum(one.judged for one in again), "scenario")
    say(f"{count} judged again by these facts, {len(differing)} with another verdict")


def _wrong(checked: Checked) -> Iterator[str]:
    """What is not as it was recorded, and the evidence for it."""
    yield from checked.wrong[:_MOST]
    if len(checked.wrong) > _MOST:
        yield f"and {len(checked.wrong) - _MOST} more"
    for one in checked.scenarios:
        if not one.again.agrees:
            yield from _differs(one.again)


def _differs(one: Again) -> Iterator[str]:
    """How a verdict is another."""
    if one.verdict != one.recorded.verdict and one.finding:
        yield f"{one.recorded.id}:\n{one.finding.text()}"
    for breach in one.newly_broken:
        yield f"{one.recorded.id}: not recorded:\n{breach.text()}"
    for requirement in one.no_more_broken:
        yield f"{one.recorded.id}: recorded that it breaks {requirement}, but it does not"
