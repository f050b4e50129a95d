"""What the report says of the newest record of a story, as if that record decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.finding import Moment
from batchproof.report.cause_and_effect import sentence
from batchproof.report.records import UnmetClaim

if TYPE_CHECKING:
    from histories import Story


def said(told: Story, record: int = -1) -> str:
    """What is said where that record decides; the newest one where none is named."""
    decides = told.records[record]
    moment = Moment(decides.at_s, "pod/a-1", "MODIFIED", here=True, record=decides.number)
    return sentence(told.records, UnmetClaim("FIN-004", "", "", "", timeline=(moment,)))
