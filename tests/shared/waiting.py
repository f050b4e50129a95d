"""How tests wait: for an event, as long as it takes.

No test depends on how quick the machine is. So there is one limit, the same for all, and it only ends a hang.
How quick something is stands in ``benchmarks/``.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
HANGS_S = 900.0
"""A wait of more seconds is taken for a hang."""
_LOOKS_EVERY_S = 0.02


def eventually(what: str, holds: Callable[[], T]) -> T:
    """Wait until something holds; what it returned then.

    Args:
        what: the event, in words.
        holds: called again and again, until it returns something true.

    Raises:
        AssertionError: it never held.
    """
    end = time.monotonic() + HANGS_S
    while not (found := holds()):
        assert time.monotonic() < end, f"not within {HANGS_S:g} s: {what}"
        time.sleep(_LOOKS_EVERY_S)
    return found
