"""How a scenario was played, by its history: its steps, claims and faults, and what the harness did."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from batchproof.evidence.claims import SINCE, DemandedFault
from batchproof.evidence.deeds import deeds
from batchproof.judgement.claims import Claim, Role
from batchproof.judgement.history import Action, Change, ClaimOpened, FaultChange, Record, StepBegan

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROLES: Final = {Role.JUDGED, Role.PRECONDITION}
_BEFORE: Final = -1
_REFUSED: Final = " is refused: "
"""What the history says where the API server took no pod of a gang."""


@dataclass(frozen=True, slots=True)
class Made:
    """A claim of a history.

    Attributes:
        step: the place of the step in which it was made, from 0; -1 before the first.
        claim: the claim.
        number: the record that opened it.
        back_to: the step in which the record lies that its fact looks back to; None: it looks back to none.
    """

    step: int
    claim: Claim
    number: int
    back_to: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedSteps:
    """What a history says of how its scenario was played.

    Attributes:
        steps: the texts of the steps that began, with their keywords.
        first: of each, the number of the first record in which the harness did or claimed something.
        claims: the judged claims and the preconditions.
        faults: those that were armed.
        created: the times at which the API server says that objects of the scenario were created.
        refused: a pod of a gang was refused when it was created.
        clocks: the times of day at which the harness did something.
        did: what the harness did in each step.
    """

    steps: tuple[str, ...]
    first: tuple[float, ...]
    claims: tuple[Made, ...]
    faults: tuple[DemandedFault, ...]
    created: frozenset[str] = frozenset()
    refused: bool = False
    clocks: tuple[str, ...] = ()
    did: tuple[tuple[str, ...], ...] = ()


def played(records: Sequence[Record]) -> PlayedSteps:
    """How a scenario was played, from its history.

    Raises:
        UserError: a claim cannot be read.
    """
    steps: list[str] = []
    began: list[int] = []
    first: list[float] = []
    claims: list[Made] = []
    faults: list[DemandedFault] = []
    created: set[str] = set()
    clocks: list[str] = []
    refused = False
    for record in records:
        if isinstance(record.entry, Action | ClaimOpened) and first:
            first[-1] = min(first[-1], record.number)
        match record.entry:
            case Action(text=text, about=about):
                refused = refused or _REFUSED in text
                clocks += [about["clock"]] if "clock" in about else []
            case Change(type="ADDED", object={"metadata": {"creationTimestamp": str(time)}}):
                created.add(time)
            case StepBegan(text=text):
                steps.append(text)
                began.append(record.number)
                first.append(inf)
            case ClaimOpened(claim=kept):
                claim = Claim.from_json(kept)
                if claim.role in _ROLES:
                    claims.append(Made(_place(claim, steps), claim, record.number, _back_to(claim, began)))
            case FaultChange(what="armed", text=text):
                faults.append(DemandedFault(len(steps) - 1, text))
            case _:
                pass
    of_claims = tuple(steps), tuple(first), tuple(claims), tuple(faults)
    return PlayedSteps(*of_claims, frozenset(created), refused, tuple(clocks), deeds(records))


def _place(claim: Claim, steps: Sequence[str]) -> int:
    """The step that makes a claim: the one that runs, unless all have ended."""
    return len(steps) - 1 if claim.made_in else _BEFORE


def _back_to(claim: Claim, began: Sequence[int]) -> int | None:
    """The step in which the record lies that a claim looks back to."""
    since = claim.fact.arguments.get(SINCE)
    return bisect_right(began, since) - 1 if isinstance(since, int) else None
