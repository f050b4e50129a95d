"""How benchmarks ask the API server for much: many requests at once, and counts instead of lists."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from batchproof.api.client import Api

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

_AT_ONCE = 32
_LOOK_EVERY_S = 0.02


async def together(requests: Iterable[Awaitable[object]]) -> None:
    """Await them all, that many at once."""
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(request: Awaitable[object]) -> None:
        async with slots:
            await request

    await asyncio.gather(*map(one, requests))


async def count(api: Api, place: str) -> int:
    """How many objects a collection has; the API server counts, so that it costs next to nothing."""
    listed = await api.get(f"{place}?limit=1")
    return len(listed["items"]) + int(listed["metadata"].get("remainingItemCount", 0))


async def exist(api: Api, place: str, wanted: int, *, limit_s: float) -> None:
    """Wait until a collection has the given number of objects.

    Raises:
        TimeoutError: it has not within the limit.
    """
    async with asyncio.timeout(limit_s):
        while await count(api, place) < wanted:  # noqa: ASYNC110 - nothing else shows it
            await asyncio.sleep(_LOOK_EVERY_S)
