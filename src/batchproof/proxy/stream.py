"""One watch on its way through the proxy: the API server's bytes come in, lines go out when they may."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

from batchproof.proxy.gates import Gate, WatchStream

if TYPE_CHECKING:
    from collections.abc import Callable

_BEGUN = b'"k8s.io/initial-events-end":"true"'
"""The annotation of the bookmark after the events that ``sendInitialEvents`` asks for (KEP-3157)."""


class Out(Protocol):
    """Where lines go."""

    async def write(self, piece: bytes) -> None:
        """Send bytes, and wait while the client does not read."""
        ...


class WatchBuffer:
    """The lines of a watch that wait to be given out.

    Attributes:
        waiting: each with the time of the loop's clock at which it came.
    """

    def __init__(self, shown: Callable[[bytes], bytes | None], clock: Callable[[], float]) -> None:
        """Begin a watch.

        Args:
            shown: what the implementation is shown of a line; None for nothing.
            clock: the time, for when a line comes.
        """
        self.waiting: deque[tuple[float, bytes]] = deque()
        self._shown = shown
        self._clock = clock
        self._rest = b""
        self._over = False
        self._changed = asyncio.Event()

    def push(self, data: bytes) -> None:
        """Take what the API server sends as fast as it comes, so that it never finds us slow."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            if line and (shown := self._shown(line)) is not None:
                self.waiting.append((self._clock(), shown + b"\n"))
        if self.waiting:
            self._changed.set()

    def end(self) -> None:
        """The API server has ended the watch, or it is time to look whether another party has."""
        self._over = True
        self._changed.set()

    async def drain(self, out: Out, stream: WatchStream, gate: Gate) -> None:
        """Pass on line after line, each when its gate lets it, until the watch ends or is ended.

        Raises:
            ConnectionError: the client takes them no more.
        """
        stream.ending.add_done_callback(lambda _: self._changed.set())
        while not stream.ending.done():
            if not self.waiting:
                if self._over:
                    return
                self._changed.clear()
                await self._changed.wait()
                continue
            if gate.frozen and not gate.holds(self.waiting[0][1]):
                lines = self.waiting.popleft()[1]
            elif gate.frozen or gate.delay_s:
                passing = asyncio.ensure_future(gate.passage(self.waiting[0][0]))
                await asyncio.wait((passing, stream.ending), return_when=asyncio.FIRST_COMPLETED)
                if not passing.done():
                    passing.cancel()
                    return
                lines = self.waiting.popleft()[1]
            else:
                lines = b"".join([line for _, line in self.waiting])
                self.waiting.clear()
            await out.write(lines)
            stream.begun = stream.begun or _BEGUN in lines
