"""Invariants of gang schedulers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.judgement.facts.room import bound_too_soon, overcommitted
from batchproof.judgement.invariants.rule import about_histories

if TYPE_CHECKING:
    from batchproof.judgement.finding import Finding
    from batchproof.judgement.observed import Observed

_OVERCOMMITTED = overcommitted()
_TOO_FEW = bound_too_soon(lacking="pods")
_TOO_LITTLE = bound_too_soon(lacking="room")


@about_histories("GNG-009")
def room_for_all_that_is_bound(seen: Observed) -> Finding | None:
    """GNG-009: never more is bound to a node than it has."""
    finding = _OVERCOMMITTED.of(seen)
    return replace(finding, holds=False) if finding.holds else None


@about_histories("GNG-001")
def enough_pods_before_any_is_bound(seen: Observed) -> Finding | None:
    """GNG-001: when the first pod of a gang is bound, as many as its minimum have been created."""
    finding = _TOO_FEW.of(seen)
    return replace(finding, holds=False) if finding.holds else None


@about_histories("GNG-002")
def enough_room_before_any_is_bound(seen: Observed) -> Finding | None:
    """GNG-002: when the first pod of a gang is bound, there has been room for its minimum."""
    finding = _TOO_LITTLE.of(seen)
    return replace(finding, holds=False) if finding.holds else None
