"""What the results say of a scenario that was judged: the same fields, live and from its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.ground import stored
from batchproof.judgement.conclusion import Conclusion, Verdict
from batchproof.judgement.history import FaultChange, Record
from batchproof.report.records import (
    WAIVED,
    Breach,
    FiredFault,
    Precondition,
    UnmetClaim,
    Waiver,
    covering,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def concluded(conclusion: Conclusion, id_: str, waivers: Sequence[Waiver]) -> dict[str, Any]:
    """What a history was found to come to, as fields of the record of its scenario.

    Args:
        conclusion: what it comes to.
        id_: the id of the scenario.
        waivers: the deviations in force.
    """
    unmet, precondition = conclusion.unmet, conclusion.precondition
    waiver = covering(waivers, id_, unmet) if unmet else None
    return {
        "verdict": (Verdict.SKIPPED if waiver else conclusion.verdict).value,
        "reason": WAIVED if waiver else conclusion.reason,
        "waived": waiver,
        "unmet": UnmetClaim.of(unmet) if unmet else None,
        "precondition": Precondition.of(precondition) if precondition else None,
        "breaches": tuple(
            stored.copied(Breach, breach, waived=covering(waivers, id_, breach))
            for breach in conclusion.breaches
        ),
    }


def faults(records: Iterable[Record]) -> tuple[FiredFault, ...]:
    """Each fault of a history, with how often it was triggered."""
    texts: dict[int, str] = {}
    fired: dict[int, int] = {}
    for record in records:
        match record.entry:
            case FaultChange(fault=number, text=text, what=what):
                texts.setdefault(number, text)
                fired[number] = fired.get(number, 0) + (what == "fired")
            case _:
                pass
    return tuple(FiredFault(text, fired[number]) for number, text in texts.items())
