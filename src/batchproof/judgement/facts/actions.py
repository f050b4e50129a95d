"""Facts about actions: what a step looked for, and how a request that may be refused was answered."""

from __future__ import annotations

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import LACKS
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, stated

ANSWER, ACCEPTED, REFUSED, NAME = "answer", "accepted", "refused", "name"
"""How an action of the harness records how a request was answered."""

_PLACES = {"first": 0, "second": 1}


@fact("a step finds {what:text}", within="now")
def step_finds(seen: Observed, *, what: str) -> Finding:
    """No step has looked for it in vain.

    It is what the implementation had to bring about, or to leave alone, so that the step had something to
    work on.
    """
    vain = [number for number, action in seen.actions if action.about.get(LACKS) == what]
    return found(not vain, observed="it does not" if vain else "it does", decisive=vain[:1])


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
