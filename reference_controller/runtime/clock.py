"""The two clocks: the calendar, for times in objects, and the steady one, for delays."""

from __future__ import annotations

import time


def now() -> float:
    """Seconds since the epoch."""
    return time.time()


def steady() -> float:
    """Seconds since some moment; never set back."""
    return time.monotonic()
