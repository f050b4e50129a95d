"""Invariants of gang schedulers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.judgement.facts.room import overcommitted
from batchproof.judgement.invariants.rule import about_histories

if TYPE_CHECKING:
    from batchproof.judgement.finding import Finding
    from batchproof.judgement.observed import Observed

_OVERCOMMITTED = overcommitted()


@about_histories("GNG-009")
def room_for_all_that_is_bound(seen: Observed) -> Finding | None:
    """GNG-009: never more is bound to a node than it has."""
    finding = _OVERCOMMITTED.of(seen)
    return replace(finding, holds=False) if finding.holds else None
