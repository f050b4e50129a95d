"""Which request gets which connection to the API server, and how many of them there are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from virtual_time import run
from waiting import in_time, others_go_on

from batchproof.api.pool import ENOUGH, FEW, KEPT_S, Pool

if TYPE_CHECKING:
    from collections.abc import Callable


class _Line:
    def __init__(self, lost: Callable[[_Line], None]) -> None:
        self._lost = lost
        self.usable = True
        self.rests_since_s = 0.0

    def close(self) -> None:
        self.usable = False
        self._lost(self)


class _Server:
    """Where the connections lead to: it counts them, and may be gone."""

    def __init__(self) -> None:
        self.opened = 0
        self.gone = False
        self.pool: Pool[_Line] = Pool(self._connect)

    async def _connect(self) -> _Line:
        await others_go_on()
        if self.gone:
            raise ConnectionRefusedError("gone")
        self.opened += 1
        return _Line(self.pool.lost)

    async def take(self, count: int) -> list[_Line]:
        return list(await asyncio.gather(*(self.pool.take() for _ in range(count))))


async def _settle() -> None:
    for _ in range(10):
        await others_go_on()


def played(play: Callable[[_Server], Any]) -> None:
    """Play on a clock that stands still while there is something to do: so no tick comes in between."""

    async def within() -> None:
        server = _Server()
        await in_time(play(server))
        server.pool.close()

    run(within())


def test_the_connection_that_was_given_back_last_is_used_again() -> None:
    async def play(server: _Server) -> None:
        older, newer = await server.take(2)
        server.pool.give_back(older)
        server.pool.give_back(newer)
        assert await server.pool.take() is newer
        assert server.opened == 2

    played(play)


def test_more_requests_than_connections_wait_in_order() -> None:
    async def play(server: _Server) -> None:
        lines = await server.take(ENOUGH)
        first, second = (asyncio.ensure_future(server.pool.take()) for _ in range(2))
        await _settle()
        server.pool.give_back(lines[0])
        await _settle()
        assert first.done()
        assert not second.done()
        server.pool.give_back(lines[1])
        assert await second is lines[1]
        assert server.opened == ENOUGH

    played(play)


@pytest.mark.parametrize(("served", "added"), [(0, ENOUGH), (ENOUGH, FEW)], ids=["it stands still", "busy"])
def test_connections_are_added_while_somebody_waits(served: int, added: int) -> None:
    async def play(server: _Server) -> None:
        lines = await server.take(ENOUGH)
        waiting = [asyncio.ensure_future(server.pool.take()) for _ in range(3 * ENOUGH)]
        await _settle()
        for line in lines[:served]:
            server.pool.give_back(line)
        server.pool._look()
        await _settle()
        assert server.opened == ENOUGH + added
        assert sum(one.done() for one in waiting) == served + added

    played(play)


def test_a_connection_that_has_rested_for_long_is_not_used_again() -> None:
    async def play(server: _Server) -> None:
        (line,) = await server.take(1)
        server.pool.give_back(line)
        line.rests_since_s -= KEPT_S
        assert await server.pool.take() is not line
        assert not line.usable

    played(play)


def test_a_connection_that_ends_is_replaced_for_who_waits() -> None:
    async def play(server: _Server) -> None:
        lines = await server.take(ENOUGH)
        waiting = asyncio.ensure_future(server.pool.take())
        await _settle()
        lines[0].usable = False
        server.pool.give_back(lines[0])
        assert (await waiting).usable
        assert server.opened == ENOUGH + 1

    played(play)


def test_when_the_server_is_gone_nobody_waits_for_ever() -> None:
    async def play(server: _Server) -> None:
        lines = await server.take(ENOUGH)
        waiting = [asyncio.ensure_future(server.pool.take()) for _ in range(3)]
        await _settle()
        server.gone = True
        for line in lines:
            line.usable = False
            server.pool.give_back(line)
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(end, ConnectionError) for end in ends)

    played(play)


def test_what_is_given_to_somebody_who_left_meanwhile_is_not_lost() -> None:
    async def play(server: _Server) -> None:
        lines = await server.take(ENOUGH)
        waiting = asyncio.ensure_future(server.pool.take())
        await _settle()
        server.pool.give_back(lines[0])
        waiting.cancel()
        await _settle()
        assert waiting.cancelled()
        assert await server.pool.take() is lines[0]

    played(play)
