"""Doing many things of one kind at once, within limits."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")

MOST_AT_ONCE = 32


async def each(items: Iterable[I], work: Callable[[I], Awaitable[R]]) -> list[R]:
    """Work on every item, at most 32 at a time; the results come in the order in which they end."""
    results: list[R] = []
    rest = iter(items)
    first = list(islice(rest, MOST_AT_ONCE))
    if len(first) == 1:
        return [await work(first[0])]
    async with asyncio.TaskGroup() as group:
        for item in first:
            group.create_task(_drain(item, rest, work, results))
    return results


async def _drain(item: I, rest: Iterator[I], work: Callable[[I], Awaitable[R]], results: list[R]) -> None:
    results.append(await work(item))
    for following in rest:
        results.append(await work(following))  # noqa: PERF401 - each result counts as soon as it is there
