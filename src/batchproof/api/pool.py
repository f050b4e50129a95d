"""Connections that are used again and again, and the requests that wait for one: few, while few are enough.

A controller may make five hundred requests at once. Were each given a connection of its own, the API server
would be busy for longer with their TLS handshakes, of a millisecond or two each, than with the requests.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

ENOUGH: Final = 8
"""How many connections there are, while the API server answers quickly."""
KEPT_S: Final = 15.0
"""A connection that has rested for longer is not used again: the API server may be about to close it."""
TICK_S: Final = 0.25
"""How often the waiting requests are looked after."""
FEW: Final = 2
"""How many connections each tick adds while a request waits."""


class PooledConnection(Protocol):
    """A connection, as far as the pool knows it.

    Attributes:
        usable: another request may be made on it.
        rests_since_s: when it was returned, by the loop's clock.
    """

    usable: bool
    rests_since_s: float

    def close(self) -> None:
        """End it, now; a second time is no error."""
        ...


L = TypeVar("L", bound=PooledConnection)


class Pool(Generic[L]):
    """The connections of one event loop to one server."""

    def __init__(self, connect: Callable[[], Awaitable[L]]) -> None:
        """Make a pool that has no connection yet; ``connect`` opens one."""
        self._connect = connect
        self._lines: set[L] = set()
        self._resting: list[L] = []  # the newest last: it is the least likely to be closed
        self._waiting: deque[asyncio.Future[L]] = deque()
        self._opening = 0
        self._served = 0  # connections returned since the last tick
        self._tick: asyncio.TimerHandle | None = None
        self._adding: set[asyncio.Task[None]] = set()

    async def take(self) -> L:
        """A connection for one request: give it back afterwards.

        Raises:
            OSError: none can be opened.
        """
        loop = asyncio.get_running_loop()
        while self._resting:
            line = self._resting.pop()
            if line.usable and loop.time() - line.rests_since_s < KEPT_S:
                return line
            line.close()
        if len(self._lines) + self._opening < ENOUGH:
            return await self._open()
        waiter: asyncio.Future[L] = loop.create_future()
        self._waiting.append(waiter)
        if self._tick is None:
            self._served = 0
            self._tick = loop.call_later(TICK_S, self._look)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and not waiter.exception():
                self.give_back(waiter.result())
            raise

    def give_back(self, line: L) -> None:
        """Let others have a connection; one that is not usable any more is closed."""
        if not line.usable:
            line.close()
            return
        self._served += 1
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(line)
                return
        line.rests_since_s = asyncio.get_running_loop().time()
        self._resting.append(line)

    def lost(self, line: L) -> None:
        """Drop a connection that has ended; a request that waits gets another one."""
        self._lines.discard(line)
        with suppress(ValueError):
            self._resting.remove(line)
        if self._waiting:
            self._add()

    def close(self) -> None:
        """End all connections; a request that waits for one is cancelled."""
        if self._tick:
            self._tick.cancel()
        for adding in self._adding:
            adding.cancel()
        for waiter in self._waiting:
            waiter.cancel()
        self._waiting.clear()
        for line in tuple(self._lines):
            line.close()

    def _look(self) -> None:
        """Open a few more connections; as many again as there are, where they stand still."""
        self._tick = None
        if not self._waiting:
            return
        still = self._served * 2 < len(self._lines)  # an answer takes two ticks, and more
        for _ in range(min(len(self._waiting), len(self._lines) if still else FEW)):
            self._add()
        self._served = 0
        self._tick = asyncio.get_running_loop().call_later(TICK_S, self._look)

    def _add(self) -> None:
        """Open one more for the requests that wait."""

        async def add() -> None:
            with suppress(OSError):  # the waiting requests have had the error
                self.give_back(await self._open())

        adding = asyncio.get_running_loop().create_task(add())
        self._adding.add(adding)
        adding.add_done_callback(self._adding.discard)

    async def _open(self) -> L:
        self._opening += 1
        try:
            line = await self._connect()
        except OSError as error:
            if not self._lines and self._opening == 1:  # there is nothing left to wait for
                waiting, self._waiting = self._waiting, deque()
                for waiter in waiting:
                    if not waiter.done():
                        waiter.set_exception(ConnectionError(str(error)))
            raise
        finally:
            self._opening -= 1
        self._lines.add(line)
        return line
