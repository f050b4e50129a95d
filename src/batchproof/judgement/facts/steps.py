"""Facts about what a step of the scenario goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import LACKS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed


@fact("a step finds {what:text}", within="now")
def step_finds(seen: Observed, *, what: str) -> Finding:
    """No step has looked for it in vain.

    It is what the implementation had to bring about, or to leave alone, so that the step had something to
    work on.
    """
    vain = [number for number, action in seen.actions if action.about.get(LACKS) == what]
    return found(not vain, observed="it does not" if vain else "it does", decisive=vain[:1])
