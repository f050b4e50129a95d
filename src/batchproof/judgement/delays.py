"""Until when an implementation may rightfully wait before it creates missing pods, as each profile says."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from batchproof.judgement.observed import Observed
from batchproof.judgement.parts import load

if TYPE_CHECKING:
    from collections.abc import Callable

Delay: TypeAlias = "Callable[[Observed], float]"
"""Until when the objects of a profile may lack pods, in seconds of the history; 0: they may not."""

_DELAYS: list[Delay] = []


def register(delay: Delay) -> Delay:
    """Let this be one of the delays that claims wait for; to be used as a decorator."""
    _DELAYS.append(delay)
    return delay


def delayed_until_s(seen: Observed) -> float:
    """Until when pods that replace others may be missing, in seconds of the history; 0: none may."""
    load("delays")
    return max((delay(seen) for delay in _DELAYS), default=0.0)
