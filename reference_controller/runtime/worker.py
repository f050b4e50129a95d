"""Taking keys from a queue, one after the other."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, TypeVar

from reference_controller.runtime.client import ApiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from reference_controller.runtime.queue import WorkQueue

log = logging.getLogger(__name__)

K = TypeVar("K", bound="Hashable")


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
