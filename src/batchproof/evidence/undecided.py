"""Plays without a verdict: those that errored, and first plays.

The results do not show whether the harness broke in a play, or whether its record was thrown away. So
each of them is in the headline of the run: the requirement that stays without a verdict by its name, and how
many scenarios were retried. Here is only what a play without a verdict may say of itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.evidence import origin
from batchproof.evidence.bound import Bound
from batchproof.evidence.replay import heard_from
from batchproof.judgement.conclusion import Verdict
from batchproof.judgement.finding import FactBroke
from batchproof.report.records import FirstPlay, ScenarioRecord, excuses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def errored(recorded: ScenarioRecord, folder: Path, bound: Bound) -> Iterator[str]:
    """A play that errored has no verdict by its history either; where nothing was recorded it has none."""
    if recorded.history is not None:
        yield from origin.of_path(recorded.history, recorded.id, second=recorded.first is not None)
        play = FirstPlay("errored", "", recorded.history, recorded.history_digest)
        yield from _play(recorded, play, folder, bound)


def first(recorded: ScenarioRecord, play: FirstPlay, folder: Path, bound: Bound) -> Iterator[str]:
    """The first play of a scenario that was retried had no verdict, by its history too."""
    if play.history is None:
        if play.verdict != "errored":
            yield "its first run has no history"
        return
    yield from origin.of_path(play.history, recorded.id, second=False)
    for wrong in _play(recorded, play, folder, bound):
        yield f"of its first run: {wrong}"


def _play(recorded: ScenarioRecord, play: FirstPlay, folder: Path, bound: Bound) -> Iterator[str]:
    if wrong := next(origin.of_file(play.history, play.history_digest, folder), ""):
        yield wrong
        return
    broke = play.verdict == "errored"
    try:
        excused = excuses(bound.waivers, recorded.id)
        path = folder / str(play.history)
        heard = heard_from(path, recorded.requirement, bound.sentences, excused, cut=broke)
    except FactBroke as error:
        yield f"judged again, a fact broke: {error}"
        return
    if heard.header or not broke:  # a worker may be lost before it has recorded anything
        yield from origin.of_history(recorded.id, heard, bound)
    found = heard.conclusion.verdict
    right = found is not Verdict.FAILED or not heard.ended if broke else found is Verdict.INCONCLUSIVE
    if not right:
        yield f"it is recorded as {play.verdict}, but was {found}: it had a verdict"
