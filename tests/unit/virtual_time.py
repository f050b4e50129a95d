"""An event loop whose time passes only when nothing else is left to do, and then at once."""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine

R = TypeVar("R")


class _NothingToWaitFor(selectors.SelectSelector):
    passed_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events:
            if timeout is None:
                raise RuntimeError("everything waits, and no time is set")
            self.passed_s += timeout
        return events


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._virtual = _NothingToWaitFor()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.passed_s


def run(scenario: Coroutine[Any, Any, R]) -> R:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(scenario)


def passed_s() -> float:
    """Seconds since the scenario began."""
    return round(asyncio.get_running_loop().time(), 6)


async def lapse(duration_s: float) -> None:
    """Let virtual time pass."""
    assert isinstance(asyncio.get_running_loop(), _Loop), "this time is real"
    await asyncio.sleep(duration_s)  # noqa: TID251 - virtual: no machine is too slow


async def within(limit_s: float, what: Awaitable[R]) -> R:
    """What something returns within that virtual time.

    Raises:
        TimeoutError: it took longer.
    """
    assert isinstance(asyncio.get_running_loop(), _Loop), "this time is real"
    return await asyncio.wait_for(what, limit_s)  # noqa: TID251 - virtual: no machine is too slow
