"""Whether each claim of a history was watched as long as it says, and no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.claims import Claim, Judged, Role
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import (
    MEDDLES,
    Action,
    ClaimClosed,
    ClaimOpened,
    Entry,
    FaultChange,
    Record,
    StepBegan,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GRACE_S = 10.0
"""How late a claim may be closed that was waited for: a busy machine wakes late."""
_WINDOW_S = 0.01
_WINDOWS = {Quantifier.ALWAYS, Quantifier.NEVER}
_SETS_UP, _JUDGES = {"Given", "When"}, {"Then"}


def windows(judged: Sequence[Judged]) -> Iterator[str]:
    """The windows that held were as long as they say; what came about came in time."""
    for one in judged:
        took_s, claim = one.closed_s - one.opened_s, one.claim
        if one.outcome != "held" or claim.role is Role.WAITED:
            continue
        if claim.quantifier in _WINDOWS and took_s < claim.limit_s - _WINDOW_S:
            yield f"{claim.text!r} was watched for {took_s:g} s only"
        if claim.waits and one.closed_s > one.due_s + _GRACE_S:
            yield f"{claim.text!r} held after {took_s:g} s, which is too late"


def outlasting(records: Sequence[Record], judged: Sequence[Judged]) -> Iterator[str]:
    """What held and had to stay so was watched until the next Given or When begins, or until the end."""
    held = {one.opened for one in judged if one.outcome == "held"}
    stays: dict[int, tuple[str, bool]] = {}
    over, sets_up = "", False
    for one in records:
        match one.entry:
            case ClaimOpened(claim_number=number, claim=kept):
                claim = Claim.from_json(kept)
                if claim.quantifier is Quantifier.STAYS:
                    stays[number] = claim.text, one.number in held
            case ClaimClosed(claim_number=number) if number in stays:  # all of them are closed together
                text, came = stays[number]
                over = text if came else over
                continue
            case StepBegan(text=text):
                word = text.partition(" ")[0]
                sets_up = word in _SETS_UP or (sets_up and word not in _JUDGES)
                over = "" if sets_up else over
            case _:
                pass
        if over and _of_harness(one.entry):
            yield f"{over!r} was watched until record {one.number} only, and the scenario continued"
            return


def _of_harness(entry: Entry) -> bool:
    """The harness goes on: it does not record this while it waits, nor because of the implementation."""
    match entry:
        case StepBegan() | ClaimOpened() | ClaimClosed():
            return True
        case Action(text=text):
            return not text.startswith(MEDDLES)
        case FaultChange(what=what):
            return what != "fired"
        case _:
            return False
