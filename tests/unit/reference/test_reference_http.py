"""The HTTP client against a real socket that says exactly what the test wants."""

from __future__ import annotations

import asyncio

import pytest

from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.http import HttpClient, HttpError
from reference_controller.runtime.kubeconfig import Server

PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n5;x\r\n": 1}\r\n0\r\n\r\n'
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"
LATER = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 2\r\n\r\n{}"


class Scripted:
    """A server that answers the n-th request with the n-th reply and then, if that is cut, hangs up."""

    def __init__(self, *replies: bytes) -> None:
        self.replies = list(replies)
        self.connections = 0
        self.requests: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while self.replies:
                self.requests.append(await reader.readuntil(b"\r\n\r\n"))
                reply = self.replies.pop(0)
                writer.write(reply)
                if reply == CUT:
                    break
        except asyncio.IncompleteReadError:
            pass
        writer.close()


def converse(server: Scripted, talk):
    async def scenario():
        listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        try:
            return await talk(f"http://127.0.0.1:{port}/base")
        finally:
            listener.close()

    return asyncio.run(asyncio.wait_for(scenario(), 5))


@pytest.mark.parametrize(("replies", "connections"), [((PLAIN, CHUNKED, PLAIN), 1), ((CLOSING, PLAIN), 2)])
def test_a_connection_is_kept_unless_the_server_closes_it(replies, connections):
    server = Scripted(*replies)

    async def talk(url):
        client = HttpClient(url, {"X": "y"}, None)
        bodies = [(await client.request("PUT", "/z", b"body", "text/plain", 1)).body for _ in replies]
        client.close()
        return bodies

    bodies = converse(server, talk)
    assert set(bodies) <= {b"{}", b'{"a": 1}'}
    assert server.connections == connections
    assert server.requests[0].startswith(b"PUT /base/z HTTP/1.1\r\nHost: 127.0.0.1:")


@pytest.mark.parametrize("reply", [CUT, b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"])
def test_an_incomplete_or_senseless_reply_is_an_error(reply):
    async def talk(url):
        with pytest.raises(HttpError):
            await HttpClient(url, {}, None).request("GET", "/", None, "", 1)

    converse(Scripted(reply), talk)


def test_a_silent_server_is_given_up_in_time():
    async def talk(url):
        with pytest.raises(HttpError):
            await HttpClient(url, {}, None).request("GET", "/", None, "", 0.05)

    converse(Scripted(b""), talk)


def test_an_unreachable_server_is_an_error_without_a_code():
    async def scenario():
        with pytest.raises(ApiError) as caught:
            await ApiClient(Server("http://127.0.0.1:1", {}, None)).get("/")
        assert caught.value.code == 0

    asyncio.run(scenario())


def test_retry_after_is_honoured_a_bounded_number_of_times():
    server = Scripted(LATER, LATER, PLAIN)

    async def talk(url):
        client = ApiClient(Server(url, {}, None))
        reply = await client.post("/", b"{}")
        client.close()
        return reply

    assert converse(server, talk) == {}
    assert len(server.requests) == 3


def test_a_watch_gives_whole_events_however_they_are_cut():
    events = b'{"type": "ADDED"}\n{"type": "BOOKMARK"}\n'
    pieces = [events[:5], events[5:20], events[20:]]
    body = b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces)
    reply = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"

    async def talk(url):
        return [event async for batch in ApiClient(Server(url, {}, None)).watch("/", 5) for event in batch]

    assert converse(Scripted(reply), talk) == [{"type": "ADDED"}, {"type": "BOOKMARK"}]


def test_a_watch_that_breaks_off_is_an_error():
    reply = b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"ty'

    async def talk(url):
        batches = ApiClient(Server(url, {}, None)).watch("/", 0.2)
        with pytest.raises(ApiError):
            await anext(batches)

    converse(Scripted(reply), talk)
