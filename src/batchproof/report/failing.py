"""What to run again after a run: the scenarios that failed, few enough to be quick."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from batchproof.report.outcome import Outcome
from batchproof.report.records import ScenarioRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

_ID = re.compile(r"[A-Z][A-Z0-9]*-\d+\.\d+[a-z]?")


def tag(scenario: ScenarioRecord) -> str:
    """By what ``-k`` selects just this scenario; its requirement where it has no id of its own."""
    found = _ID.match(scenario.id)
    return found[0] if found else scenario.requirement


def to_play_again(outcome: Outcome, most: int) -> tuple[str, ...]:
    """By what ``-k`` selects the scenarios that are to be run again, causes first, then the undecided.

    Of a requirement that is broken these are its own scenarios that failed, and the one that shows it best.

    Args:
        outcome: that of the run.
        most: how many at most.
    """
    return tuple(dict.fromkeys(_tags(outcome)))[:most]


def _tags(outcome: Outcome) -> Iterator[str]:
    broken = (*outcome.causes, *outcome.followers)
    for one in broken:
        yield tag(one.broken[0].scenario)
    for one in broken:
        yield from (tag(against.scenario) for against in one.broken if against.own)
    yield from map(tag, outcome.undecided)
