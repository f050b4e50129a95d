"""What the loop of a cell says of errors that no caller receives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from waiting import others_go_on

from batchproof.cell.loop import new_loop

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = new_loop()
    yield loop
    loop.close()


class _Client(asyncio.Protocol):
    """A protocol that knows when its connection is lost."""

    def __init__(self) -> None:
        self.lost = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        """Say so."""
        self.lost.set_result(exc)


async def _write_too_late() -> tuple[asyncio.BaseTransport, RuntimeError]:
    """A connection that is closed, and what uvloop itself says when somebody writes to it."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0)
    async with server:
        transport, client = await loop.create_connection(_Client, *server.sockets[0].getsockname()[:2])
        transport.abort()
        await client.lost
        await others_go_on()  # after telling so, uvloop closes the handle
        with pytest.raises(RuntimeError) as caught:
            transport.write(b"too late")
    return transport, caught.value


def test_what_a_closed_connection_says_again_is_not_said(
    loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    transport, error = loop.run_until_complete(_write_too_late())
    loop.call_exception_handler({"message": "Fatal error", "exception": error, "transport": transport})
    assert not caplog.records


def test_every_other_error_is_said(loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture) -> None:
    transport, error = loop.run_until_complete(_write_too_late())
    loop.call_exception_handler({"message": "not of a connection", "exception": error})
    loop.call_exception_handler({"message": "a mistake", "exception": KeyError("x"), "transport": transport})
    assert [record.message.split("\n")[0] for record in caplog.records] == [
        "not of a connection",
        "a mistake",
    ]
