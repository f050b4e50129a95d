"""The forms of a claim: by which words a sentence of Gherkin says for how long a fact is claimed.

====================================  ===============================================================
``the Job finishes``                  eventually, by the fact's own deadline; ``now`` if it is of the past
``eventually the Job finishes``       eventually, by the deadline of a recovery
``within 1 second the Job finishes``  eventually, by the deadline of that length
``now the Job finishes``              now
``for 2 seconds the Job finishes``    always, through the window of that length
``for 2 seconds the Job does not finish``  never, through that window: the words of the denial
``the Job finishes, and stays so``      stays: eventually, and from then on until the next Given or When, or
                                      until the implementation has proved at the end that it is alive
``eventually ..., and stays so``      the same, but it may become untrue again before it settles
====================================  ===============================================================

Lengths are those of ``DEADLINES_S``. Every claim can be written, and is read again as it was.
"""

from __future__ import annotations

import re
from enum import StrEnum

from batchproof.judgement.facts import Fact, FactCall

DEADLINES_S = {
    "reaction": 6.0,
    "settle": 20.0,
    "recovery": 40.0,
    "persistence": 150.0,
    "moment": 1.0,
    "window": 2.0,
    "long window": 5.0,
    "patience": 15.0,
    "long patience": 30.0,
    "now": 0.0,
}
"""Named deadlines in seconds, scaled by the descriptor's ``time_scale``, printed in the report.

``reaction`` is for the answer to one change, ``settle`` for a whole Job to end, ``recovery`` for what must
first survive retries or a restart, ``persistence`` for what is refused many times before (the seventh
attempt of a client that waits 1 s, 2 s, 4 s, comes after 127 s if a conflict of its own came first); the
windows are how long a "never" is watched. No two are equally long: a sentence names them by their length.
"""


class Quantifier(StrEnum):
    """How a fact is claimed over a window."""

    EVENTUALLY = "eventually"
    ALWAYS = "always"
    NEVER = "never"
    NOW = "now"
    STAYS = "stays"


_FORM = re.compile(
    r"(?:(?P<end>eventually)|(?P<now>now)|(?P<how>for|within) (?P<seconds>\d+(?:\.\d+)?) seconds?)"
    r" (?P<rest>.+)"
)
STAYS = ", and stays so"
"""How a sentence ends that claims a fact from when it comes about."""
_NAMED = {seconds: name for name, seconds in DEADLINES_S.items()}


def write(quantifier: Quantifier, fact: FactCall, limit: str) -> str:
    """A claim as a sentence of Gherkin, without its keyword."""
    length = f"{DEADLINES_S[limit]:g} second{'' if DEADLINES_S[limit] == 1 else 's'}"
    match quantifier:
        case Quantifier.STAYS:
            return f"{write(_coming(limit), fact, limit)}{STAYS}"
        case Quantifier.ALWAYS:
            return f"for {length} {fact.text}"
        case Quantifier.NEVER:
            return f"for {length} {fact.denial}"
        case _ if limit == fact.fact.within:
            return fact.text
        case Quantifier.NOW:
            return f"now {fact.text}"
        case _:
            return f"eventually {fact.text}" if limit == "recovery" else f"within {length} {fact.text}"


def read(sentence: str, fact: Fact) -> tuple[Quantifier, FactCall, str] | None:
    """The claim of this fact that a sentence makes, as quantifier, fact and limit; None if it makes none."""
    if sentence.endswith(STAYS):
        return _staying(read(sentence.removesuffix(STAYS), fact))
    form = _FORM.fullmatch(sentence)
    if form is None:
        return _once(sentence, fact, fact.within)
    if form["end"] or form["now"]:
        return _once(form["rest"], fact, "recovery" if form["end"] else "now")
    limit = _NAMED.get(float(form["seconds"]))
    if limit is None:
        return None
    if form["how"] == "within":
        return _once(form["rest"], fact, limit)
    return _through(form["rest"], fact, limit)


def _through(sentence: str, fact: Fact, limit: str) -> tuple[Quantifier, FactCall, str] | None:
    """The claim of a window that a sentence states, or denies."""
    for quantifier in (Quantifier.ALWAYS, Quantifier.NEVER):
        if call := fact.read(sentence, denied=quantifier is Quantifier.NEVER):
            return quantifier, call, limit
    return None


def _staying(came: tuple[Quantifier, FactCall, str] | None) -> tuple[Quantifier, FactCall, str] | None:
    """The claim of a sentence that also says ``, and stays so``; None if it names a window already."""
    if came is None or came[0] is not _coming(came[2]):
        return None
    return (Quantifier.STAYS, *came[1:])


def _once(sentence: str, fact: Fact, limit: str) -> tuple[Quantifier, FactCall, str] | None:
    call = fact.read(sentence)
    return (_coming(limit), call, limit) if call else None


def _coming(limit: str) -> Quantifier:
    """How a fact is claimed that comes about by a deadline: what is of the past is so now."""
    return Quantifier.NOW if limit == "now" else Quantifier.EVENTUALLY
