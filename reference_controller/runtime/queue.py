"""A queue of keys to work on: each at most once at a time, now, later, or after a growing delay."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

K = TypeVar("K", bound="Hashable")

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 60.0


class WorkQueue(Generic[K]):
    """ROB-025: a key is handed to one worker only. ROB-027: one added meanwhile is handed out again."""

    def __init__(self) -> None:
        self._ready: deque[K] = deque()
        self._wanted: set[K] = set()
        self._in_work: set[K] = set()
        self._due: dict[K, float] = {}
        self._timetable: list[tuple[float, int, K]] = []
        self._order = 0
        self._timer: asyncio.Handle | None = None
        self._rings_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._failures: dict[K, int] = {}

    def add(self, key: K) -> None:
        """Have the key worked on as soon as a worker is free."""
        if key in self._wanted:
            return
        self._wanted.add(key)
        if key not in self._in_work:
            self._offer(key)

    def add_after(self, key: K, delay_s: float) -> None:
        """Have the key worked on after a delay; of several delays the earliest counts."""
        if delay_s <= 0:
            self.add(key)
            return
        due = asyncio.get_running_loop().time() + delay_s
        if self._due.get(key, due + 1) <= due:
            return
        self._due[key] = due
        self._order += 1
        heapq.heappush(self._timetable, (due, self._order, key))
        self._set_timer()

    def add_rate_limited(self, key: K) -> None:
        """EXP-016: 1 s after the first failure, doubling up to 60 s."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        self.add_after(key, min(FIRST_DELAY_S * 2.0 ** min(failures, 16), LONGEST_DELAY_S))

    def forget(self, key: K) -> None:
        """EXP-017: the next failure of this key is its first."""
        self._failures.pop(key, None)

    async def get(self) -> K:
        """The next key; it is this worker's until `done`."""
        while not self._ready:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
        key = self._ready.popleft()
        self._wanted.discard(key)
        self._in_work.add(key)
        return key

    def done(self, key: K) -> None:
        """The worker has finished with the key."""
        self._in_work.discard(key)
        if key in self._wanted:
            self._offer(key)

    def _offer(self, key: K) -> None:
        self._ready.append(key)
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def _set_timer(self) -> None:
        due = self._timetable[0][0]
        if self._timer is not None:
            if self._rings_at <= due:
                return
            self._timer.cancel()
        # The handle of uvloop does not say when it rings if that is due already.
        self._rings_at = due
        self._timer = asyncio.get_running_loop().call_at(due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        while self._timetable and self._timetable[0][0] <= now:
            due, _, key = heapq.heappop(self._timetable)
            # An entry that an earlier one has replaced is passed over.
            if self._due.get(key) == due:
                del self._due[key]
                self.add(key)
        if self._timetable:
            self._set_timer()
