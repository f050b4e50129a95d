"""The harness's own requests, as a server on a socket sees them, and what becomes of its answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from waiting import in_time

from batchproof.api.access import Access
from batchproof.api.client import Api, ApiError
from batchproof.ground.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

POD = b'{"kind":"Pod","metadata":{"name":"a"}}'


def answer(body: bytes, status: str = "200 OK", *, more: bool = False) -> bytes:
    """A reply of a server; with ``more`` to come its end is missing."""
    length = len(body) + more
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status.encode(), length, body)


def asked(use: Callable[[Api], Awaitable[object]], *replies: bytes) -> tuple[object, list[str]]:
    """What a use of the client comes to, and the heads of its requests; each gets one of the replies."""
    heads: list[str] = []
    left = list(replies)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while left:
            heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            writer.write(left.pop(0))
            await writer.drain()
        writer.close()

    async def play() -> object:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            async with Api(Access(f"http://127.0.0.1:{port}", "of-the-run", None)) as api:
                return await in_time(use(api))

    return asyncio.run(play()), heads


async def lines(api: Api) -> list[str]:
    return [line async for line in api.lines("/log")]


def test_a_request_is_made_with_the_token_and_its_reply_is_json() -> None:
    found, [head] = asked(lambda api: api.get("/api/v1/namespaces/n/pods/a"), answer(POD))

    assert found == {"kind": "Pod", "metadata": {"name": "a"}}
    assert head.startswith("GET /api/v1/namespaces/n/pods/a HTTP/1.1\r\n")
    assert "\r\nAuthorization: Bearer of-the-run\r\n" in head


def test_what_is_missing_is_nothing_only_where_that_is_right() -> None:
    gone = answer(b'{"message":"there is none"}', "404 Not Found")

    assert asked(lambda api: api.get("/a", missing_ok=True), gone)[0] == {}
    with pytest.raises(ApiError, match="GET /a was answered with 404: there is none"):
        asked(lambda api: api.get("/a"), gone)


@pytest.mark.parametrize("name", ["a b", "a\r\nX-Evil: yes", "ä", 'a"b'])
def test_a_name_cannot_become_a_header_or_break_the_first_line(name: str) -> None:
    _, [head] = asked(lambda api: api.get(f"/api/v1/nodes/{name}?labelSelector=a%3Db,c"), answer(POD))

    first = head.split("\r\n")[0]
    assert first.startswith("GET /api/v1/nodes/")
    assert first.endswith("?labelSelector=a%3Db,c HTTP/1.1")
    assert first.count(" ") == 2
    assert "X-Evil" not in [line.partition(":")[0] for line in head.split("\r\n")]


def test_lines_come_whole_and_what_is_cut_at_the_end_is_left_out() -> None:
    assert asked(lines, answer(b"one\ntwo\nthr"))[0] == ["one", "two"]


def test_lines_that_break_off_are_trouble_of_the_harness() -> None:
    with pytest.raises(HarnessError, match="the answer to GET /log broke off: the API server closed"):
        asked(lines, answer(b"one\n", more=True))


def test_a_watch_that_is_refused_says_why() -> None:
    async def watch(api: Api) -> None:
        async for _ in api.watch("/api/v1/pods", "7"):
            pass

    with pytest.raises(ApiError, match="WATCH /api/v1/pods was answered with 410: too old"):
        asked(watch, answer(b'{"message":"too old"}', "410 Gone"))
