"""What the controllers of one process share: the client, one watch for each resource, and their start."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol, TypeVar

from reference_controller.objects.api_json import Json
from reference_controller.objects.identity import Versioned
from reference_controller.objects.resources import Resource
from reference_controller.runtime.client import ApiClient
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.informer import Informer, Watch
from reference_controller.runtime.loop import Loop, Sync
from reference_controller.runtime.worker import Workers

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable
    from typing import Any

K = TypeVar("K", bound="Hashable")
T = TypeVar("T", bound=Versioned)

log = logging.getLogger(__name__)


class Part(Protocol):
    """What runs as long as the process."""

    async def run(self) -> None:
        """Work until it is cancelled."""


class Runtime:
    """Ask it for informers, loops, workers and recorders first; then `run` runs all of them."""

    def __init__(self, client: ApiClient) -> None:
        self.client = client
        self._watches: dict[Resource, Watch] = {}
        self._parts: list[Part] = []

    def informer(self, resource: Resource, parse: Callable[[Json], T]) -> Informer[T]:
        """The cache of a resource; controllers that use the same `parse` share it, all share its watch."""
        if resource not in self._watches:
            self._watches[resource] = Watch(self.client, resource)
        return self._watches[resource].informer(parse)

    def loop(self, begin: Callable[[K], Sync[Any, Any]], count: int) -> Loop[K]:
        """The loop of one controller; see `Loop`."""
        loop = Loop(begin, count)
        self._parts.append(loop)
        return loop

    def workers(self, sync: Callable[[K], Awaitable[None]], count: int) -> Workers[K]:
        """Workers on a queue, for writes that are to be made apart from decisions; see `Workers`."""
        workers = Workers(sync, count)
        self._parts.append(workers)
        return workers

    def part(self, part: Part) -> None:
        """Something else that runs as long as the process, such as a server."""
        self._parts.append(part)

    def recorder(self, component: str) -> EventRecorder:
        """What writes the events of a controller."""
        recorder = EventRecorder(self.client, component)
        self._parts.append(recorder)
        return recorder

    async def run(self) -> None:
        """Work for ever. ROB-007, GNG-013: nothing is decided before all caches are complete."""
        async with asyncio.TaskGroup() as group:
            for watch in self._watches.values():
                group.create_task(watch.run())
            for watch in self._watches.values():
                await watch.synced.wait()
            log.info("caches are complete")
            for part in self._parts:
                group.create_task(part.run())
