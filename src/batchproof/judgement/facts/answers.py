"""Facts about what users asked for where it may be refused: how it was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.values import counted, stated

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed

ANSWER, ACCEPTED, REFUSED, NAME = "answer", "accepted", "refused", "name"
"""How an action of the harness records how a request was answered."""

_PLACES = {"first": 0, "second": 1}


@fact("the {which:word} request of the user is {answer:word}", within="now")
def request_answered(seen: Observed, *, which: str, answer: str) -> Finding:
    """The first or second of those that may be refused was answered so: accepted or refused."""
    asked = [(number, action) for number, action in seen.actions if ANSWER in action.about]
    place = _PLACES.get(which, len(asked))
    if place >= len(asked):
        return found(holds=False, observed=counted(len(asked), "request"))
    number, action = asked[place]
    return found(
        action.about[ANSWER] == answer,
        observed=stated(action.text, {ANSWER: action.about[ANSWER], "request": action.text}),
        decisive=[number],
    )
