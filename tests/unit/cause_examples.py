"""What the report says of a story where one of its records decides, and where it ends a wait in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.judgement.finding import Moment
from batchproof.judgement.timeline import WAITED
from batchproof.report.cause_and_effect import sentence
from batchproof.report.records import UnmetClaim

if TYPE_CHECKING:
    from histories import Story


def said(told: Story, record: int = -1) -> str:
    """What is said where that record decides, after its time; the newest one where none is named."""
    decides = told.records[record]
    moment = Moment(decides.at_s, "pod/a-1", "MODIFIED", here=True, record=decides.number)
    all_ = sentence(told.records, UnmetClaim("FIN-004", "", "", "", timeline=(moment,)))
    time, _, rest = all_.partition(": ")
    assert time == (f"+{decides.at_s:.3f} s" if all_ else "")
    return rest


def said_after(told: Story, expected: str, **arguments: Any) -> str:
    """What is said where that was expected 6 s long in vain, until 5 s after the newest record."""
    newest = told.records[-1]
    over = Moment(newest.at_s + 5, WAITED, "not so after 6 s", here=True, record=newest.number)
    unmet = UnmetClaim("FIN-004", "", expected, "", timeline=(over,), arguments=arguments)
    return sentence(told.records, unmet)
