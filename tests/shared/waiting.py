"""How tests wait: for an event, as long as it takes.

No test depends on how quick the machine is. So there is one limit, the same for all, and it only ends a hang.
How quick something is stands in ``benchmarks/``. Ruff refuses other ways to wait: ``tests/ruff.toml``.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")
HANGS_S = 900.0
"""A wait of more seconds is taken for a hang."""
_LOOKS_EVERY_S = 0.02
LIVES = "while True: __import__('time').sleep(0.02)"
"""The code of a program that lives until it is ended, in short calls.

Python handles a signal between two calls. One that comes just before a long call is handled after it: a
program with ``pause()`` or a long ``sleep`` hangs now and then, once in 200 times beside busy processes.
"""


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


async def in_time(what: Awaitable[T]) -> T:
    """Wait for something on the same loop; what it returned.

    Raises:
        TimeoutError: it hangs.
    """
    return await asyncio.wait_for(what, HANGS_S)


async def others_go_on() -> None:
    """Let the other tasks go one step on."""
    await asyncio.sleep(0)
