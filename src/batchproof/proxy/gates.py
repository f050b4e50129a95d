"""When an implementation sees what happens: gates that freeze, delay and close its watch streams.

A gate holds back everything behind what it holds back, bookmarks too: a stream that withheld one event and
let a later one pass would lie about its resourceVersion.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from batchproof.ground.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Container


class _Metadata(msgspec.Struct):
    resourceVersion: str = ""  # noqa: N815 - as the API server spells it


class _Object(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


class _Event(msgspec.Struct):
    """A line of a watch, as far as it says how new it is."""

    object: _Object


_EVENTS: Final = msgspec.json.Decoder(_Event)


@dataclass(slots=True)
class Gate:
    """The gate of one resource.

    Attributes:
        delay_s: by how many seconds each event is late.
        withheld: called once for each thing that a frozen gate holds back or a delay makes late.
        since: the newest revision that a frozen gate lets pass.
    """

    delay_s: float = 0.0
    withheld: Callable[[], None] | None = None
    since: int = 0
    _open: asyncio.Event = field(default_factory=asyncio.Event)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        """A gate is open at first."""
        self._open.set()

    @property
    def frozen(self) -> bool:
        """Nothing passes."""
        return not self._open.is_set()

    def freeze(self, since: int = 0) -> None:
        """Let nothing pass until ``thaw`` but what was so already, up to the revision ``since``."""
        self.since = since
        self._open.clear()

    def holds(self, line: bytes) -> bool:
        """Whether a line of a watch has to wait."""
        return bool(self.delay_s) or (self.frozen and not 0 < _revision(line) <= self.since)

    def thaw(self) -> None:
        """Let all that waits pass, in order."""
        self._open.set()

    def reset(self) -> None:
        """Let all that waits pass, and nothing be late any more."""
        self.delay_s, self.withheld = 0.0, None
        self._hurry.set()
        self._hurry = asyncio.Event()
        self.thaw()

    async def passage(self, arrived_s: float) -> None:
        """Wait until what arrived at that time of the loop's clock may pass."""
        if self.frozen or self.delay_s:
            if self.withheld:
                self.withheld()
            loop = asyncio.get_running_loop()
            while (late := arrived_s + self.delay_s - loop.time()) > 0:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), late)
            await self._open.wait()


def _revision(line: bytes) -> int:
    """The resourceVersion of an event or a bookmark; 0 where a line has none."""
    with contextlib.suppress(msgspec.MsgspecError, ValueError):
        return int(_EVENTS.decode(line).object.metadata.resourceVersion)
    return 0


@dataclass(slots=True, eq=False)
class WatchStream:
    """An open watch of one process of the implementation.

    Attributes:
        resource: what is watched.
        ending: done when the stream is to be closed, with a last line or nothing.
        door: the name of the process.
        begun: what was there when the watch began has been given out, or was not asked for.
    """

    resource: Resource
    ending: asyncio.Future[bytes]
    door: str = ""
    begun: bool = True

    def end(self, last_line: bytes = b"") -> None:
        """Close the stream towards the implementation."""
        if not self.ending.done():
            self.ending.set_result(last_line)


class Gates:
    """The gates of all resources, and the watch streams that are open.

    Attributes:
        streams: the open watches.
        expired: the process and the resource of watches that ended with 410 Gone. The server no longer has
            the versions that the process has seen: before a new list no watch can begin from one of them.
    """

    def __init__(self) -> None:
        self._gates: dict[Resource, Gate] = {}
        self.streams: set[WatchStream] = set()
        self.expired: set[tuple[str, Resource]] = set()

    def of(self, resource: Resource) -> Gate:
        """The gate of a resource."""
        return self._gates.setdefault(resource, Gate())

    def reset(self) -> None:
        """Open all gates, let nothing be late, and have all versions."""
        self.expired.clear()
        for gate in self._gates.values():
            gate.reset()

    def close_watches(
        self, resource: Resource | None = None, last_line: bytes = b"", *, of: Container[str] | None = None
    ) -> int:
        """End the open watches of a resource (None: of all); returns how many there were.

        Args:
            resource: what is watched.
            last_line: what the streams end with: 410 Gone, or nothing.
            of: the processes whose watches are meant; None: all.
        """
        ended = [
            stream
            for stream in self.streams
            if resource in {None, stream.resource} and (of is None or stream.door in of)
        ]
        for stream in ended:
            stream.end(last_line)
            if last_line:
                self.expired.add((stream.door, stream.resource))
        self.streams.difference_update(ended)
        return len(ended)
