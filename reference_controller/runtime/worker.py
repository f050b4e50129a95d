"""Working on keys: some workers, each of which takes them from one queue, one after the other."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Generic, TypeVar

from reference_controller.runtime.client import ApiError
from reference_controller.runtime.queue import WorkQueue

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

log = logging.getLogger(__name__)

K = TypeVar("K", bound="Hashable")


class Workers(Generic[K]):
    """The given number of workers on one queue. `queue` is where keys are put."""

    def __init__(self, sync: Callable[[K], Awaitable[None]], count: int) -> None:
        self._sync = sync
        self._count = count
        self.queue: WorkQueue[K] = WorkQueue()

    async def run(self) -> None:
        """Work for ever."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._count):
                group.create_task(work_on(self.queue, self._sync))


async def work_on(queue: WorkQueue[K], sync: Callable[[K], Awaitable[None]]) -> None:
    """Work for ever. ROB-018: a key that failed comes back later, however often it failed.

    ROB-033: a defect met with one key must not stop the work on others.
    """
    while True:
        key = await queue.get()
        try:
            await sync(key)
        except ApiError as error:
            log.warning("%s: %s", key, error)
            queue.add_rate_limited(key)
        except Exception:
            log.exception("%s", key)
            queue.add_rate_limited(key)
        else:
            queue.forget(key)
        finally:
            queue.done(key)
