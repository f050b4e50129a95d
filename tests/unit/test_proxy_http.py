"""HTTP on both sides of the proxy, as scripts of bytes: what comes in, and what goes out."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from virtual_time import run
from waiting import in_time, others_go_on

from batchproof.api.access import Access
from batchproof.api.upstream import Exchange, GoneError, Upstream, _Line
from batchproof.proxy.server import LARGEST_BODY, LARGEST_HEAD, Connection, HttpRequest, Server

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

TOKEN = "a-token"  # noqa: S105 - it lets in here alone
LETS_IN = b"Authorization: Bearer a-token\r\n"
GET = b"GET /version HTTP/1.1\r\nHost: x\r\n" + LETS_IN + b"\r\n"
POST = b"POST /api/v1/pods?a=%41 HTTP/1.1\r\nHost: x\r\n" + LETS_IN + b"Content-Length: 5\r\n\r\n12345"
CHUNKED = (
    b"POST /api/v1/pods HTTP/1.1\r\n"
    + LETS_IN
    + b"Transfer-Encoding: chunked\r\n\r\n3\r\n123\r\n2\r\n45\r\n0\r\n\r\n"
)
UPGRADE = (
    b"GET /a HTTP/1.1\r\n"
    + LETS_IN
    + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n"
)


class _Wire(asyncio.Transport):
    """The other end of a connection: what was written to it, and whether it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.ended = ""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.ended, "uvloop does not bear it"
        self.written += data

    def abort(self) -> None:
        self.ended = "aborted"

    def close(self) -> None:
        self.ended = self.ended or "closed"

    def is_closing(self) -> bool:
        return bool(self.ended)

    def pause_reading(self) -> None:
        """The whole script is there already."""

    def resume_reading(self) -> None:
        """It was not read any slower."""


async def _settle() -> None:
    for _ in range(10):
        await others_go_on()


# -- towards the implementation


class _Client:
    """A connection of an implementation; each request is answered with its target and body."""

    def __init__(self, handle: Callable[[HttpRequest], Awaitable[None]] | None = None) -> None:
        self.asked: list[HttpRequest] = []
        self.broken: list[BaseException] = []
        self.wire = _Wire()
        self.connection = Connection(Server(handle or self._echo, self.broken.append, TOKEN))
        self.connection.connection_made(self.wire)

    async def _echo(self, request: HttpRequest) -> None:
        self.asked.append(request)
        request.connection.reply(200, [(b"a", b"b")], request.target.encode() + request.body)

    async def send(self, *pieces: bytes) -> bytes:
        for piece in pieces:
            self.connection.data_received(piece)
        await _settle()
        return self.wire.written


def played(play: Callable[[], Awaitable[None]]) -> None:
    run(in_time(play()))


def _answer(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\na: b\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


@given(cuts=st.lists(st.integers(0, len(POST)), max_size=5))
def test_a_request_is_read_wherever_the_network_cuts_it(cuts: list[int]) -> None:
    async def play() -> None:
        client = _Client()
        places = sorted({0, *cuts, len(POST)})
        assert await client.send(*(POST[a:b] for a, b in pairwise(places))) == _answer(
            b"/api/v1/pods?a=%4112345"
        )
        (request,) = client.asked
        assert (request.method, request.header(b"host"), request.body) == ("POST", "x", b"12345")

    played(play)


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        pytest.param(CHUNKED, [b"/api/v1/pods12345"], id="a body in chunks"),
        pytest.param(GET + POST, [b"/version", b"/api/v1/pods?a=%4112345"], id="two requests at once"),
        pytest.param(UPGRADE, [b"/a"], id="HTTP/2 is asked for"),
        pytest.param(UPGRADE + GET, [b"/a", b"/version"], id="HTTP/2 is asked for, and more"),
    ],
)
def test_requests_are_answered_in_order(sent: bytes, answered: list[bytes]) -> None:
    async def play() -> None:
        client = _Client()
        assert await client.send(sent) == b"".join(map(_answer, answered))
        assert not client.wire.ended

    played(play)


@pytest.mark.parametrize("later", range(6))
def test_a_request_that_comes_while_the_last_is_being_finished_is_answered(later: int) -> None:
    async def play() -> None:
        client = _Client()
        client.connection.data_received(GET)
        for _ in range(later):
            await others_go_on()
        assert await client.send(GET) == _answer(b"/version") * 2

    played(play)


def test_who_waits_before_sending_a_body_is_told_to_go_on() -> None:
    async def play() -> None:
        client = _Client()
        head, body = POST.replace(b"Host: x", b"Expect: 100-continue").split(b"\r\n\r\n")
        assert await client.send(head + b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert (await client.send(body)).endswith(_answer(b"/api/v1/pods?a=%4112345"))

    played(play)


def test_a_connection_that_is_not_to_be_kept_is_closed_after_the_answer() -> None:
    async def play() -> None:
        client = _Client()
        await client.send(GET.replace(b"Host: x", b"Connection: close"))
        assert (client.wire.written, client.wire.ended) == (_answer(b"/version"), "closed")

    played(play)


def test_what_is_no_http_is_refused() -> None:
    async def play() -> None:
        client = _Client()
        assert (await client.send(b"nonsense\r\n\r\n")).startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert client.wire.ended == "closed"

    played(play)


WITHOUT = {
    "no token": b"",
    "another token": b"Authorization: Bearer another\r\n",
    "the token and more": b"Authorization: Bearer a-token-\r\n",
    "a part of the token": b"Authorization: Bearer a-toke\r\n",
    "another scheme": b"Authorization: Basic a-token\r\n",
    "two": LETS_IN + b"Authorization: Bearer another\r\n",
    "the token in another header": b"X-Authorization: Bearer a-token\r\n",
    "bytes": b"Authorization: Bearer \xff\r\n",
}


@pytest.mark.parametrize(
    "sent", [GET, POST, CHUNKED, UPGRADE, POST.replace(b"Host: x", b"Expect: 100-continue")]
)
@pytest.mark.parametrize("credentials", WITHOUT.values(), ids=list(WITHOUT))
def test_without_the_token_nothing_is_read_but_the_headers(sent: bytes, credentials: bytes) -> None:
    async def play() -> None:
        client = _Client()
        replied = await client.send(sent.replace(LETS_IN, credentials) + GET)
        assert replied.startswith(b"HTTP/1.1 401 Unauthorized\r\n")
        assert replied.count(b"HTTP/1.1") == 1
        await client.send(GET)
        assert client.wire.written == replied
        assert not client.asked
        assert not client.broken

    played(play)


def test_who_has_the_token_is_answered_before_who_has_not() -> None:
    async def play() -> None:
        client = _Client()
        replied = await client.send(POST + GET.replace(LETS_IN, b"") + GET)
        assert replied.startswith(_answer(b"/api/v1/pods?a=%4112345") + b"HTTP/1.1 401 ")
        assert len(client.asked) == 1

    played(play)


def test_the_scheme_of_a_token_is_written_as_one_likes() -> None:
    async def play() -> None:
        client = _Client()
        assert await client.send(GET.replace(b"Bearer", b"bearer")) == _answer(b"/version")

    played(play)


LARGE = b"POST /a HTTP/1.1\r\n" + LETS_IN + b"Content-Length: %d\r\n\r\n" % (LARGEST_BODY + 1)
SMUGGLED = b"POST /a HTTP/1.1\r\n" + LETS_IN


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(LARGE + b"x" * (LARGEST_BODY + 1), b"413 ", id="a body"),
        pytest.param(
            CHUNKED.partition(b"3\r\n")[0] + b"%x\r\n" % (LARGEST_BODY + 1) + b"x" * (LARGEST_BODY + 1),
            b"413 ",
            id="a body in chunks",
        ),
        pytest.param(GET.replace(b"Host: x", b"A: " + b"x" * LARGEST_HEAD), b"431 ", id="a header"),
        pytest.param(GET.replace(b"Host: x", b"A: x\r\n" * LARGEST_HEAD), b"431 ", id="many headers"),
        pytest.param(GET.replace(b"/version", b"/" * LARGEST_HEAD), b"431 ", id="a target"),
        pytest.param(GET.replace(b"GET", b"TRACE"), b"405 ", id="a method of others"),
        pytest.param(GET.replace(b"GET /version", b"CONNECT x:1"), b"405 ", id="a tunnel"),
        pytest.param(
            SMUGGLED + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345", b"400 ", id="two lengths"
        ),
        pytest.param(
            SMUGGLED + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"400 ",
            id="a length and chunks",
        ),
        pytest.param(
            SMUGGLED + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
            b"400 ",
            id="chunks and a length",
        ),
        pytest.param(
            SMUGGLED + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            b"400 ",
            id="no chunks at last",
        ),
        pytest.param(GET.replace(b"Host: x", b"A: x\r\n B: y"), b"400 ", id="a header of two lines"),
        pytest.param(GET.replace(b"Host: x", b"A : x"), b"400 ", id="a space after a name"),
        pytest.param(GET.replace(b"Host: x", b"A: x\rB: y"), b"400 ", id="a bare CR"),
        pytest.param(GET.replace(b"Host: x", b"A: x\0"), b"400 ", id="a null"),
    ],
)
def test_a_request_that_could_be_read_in_two_ways_or_is_too_large_is_refused(
    sent: bytes, status: bytes
) -> None:
    async def play() -> None:
        client = _Client()
        replied = await client.send(sent, GET)
        assert replied.startswith(b"HTTP/1.1 " + status)
        assert replied.count(b"HTTP/1.1") == 1
        assert not client.asked

    played(play)


def test_a_refusal_says_why() -> None:
    async def play() -> None:
        client = _Client()
        status = orjson.loads(
            (await client.send(LARGE + b"x" * (LARGEST_BODY + 1))).partition(b"\r\n\r\n")[2]
        )
        assert (status["kind"], status["reason"], status["code"]) == ("Status", "RequestEntityTooLarge", 413)
        assert str(LARGEST_BODY) in status["message"]

    played(play)


def test_any_number_of_requests_for_another_protocol_are_read_at_once() -> None:
    async def play() -> None:
        numbers, all_asked = iter(range(2000)), asyncio.Event()

        async def handle(request: HttpRequest) -> None:
            request.connection.reply(200, [], b"")
            if next(numbers) == 1999:
                all_asked.set()

        client = _Client(handle)
        await client.send(UPGRADE * 2000)
        await all_asked.wait()
        assert not client.wire.ended

    played(play)


def test_who_does_not_read_a_reply_gets_no_further_one() -> None:
    async def play() -> None:
        client = _Client()
        client.connection.pause_writing()
        assert (await client.send(GET * 3)).count(b"HTTP/1.1 200") == 1
        client.connection.resume_writing()
        assert (await client.send()).count(b"HTTP/1.1 200") == 3
        client.connection.pause_writing()
        await client.send(GET * 2)
        client.wire.close()
        client.connection.connection_lost(None)
        await _settle()
        assert len(client.asked) == 4

    played(play)


def test_who_breaks_us_gets_no_answer_and_we_are_told_why() -> None:
    async def broken(_: HttpRequest) -> None:
        raise ZeroDivisionError

    async def play() -> None:
        client = _Client(broken)
        assert await client.send(GET) == b""
        assert client.wire.ended == "aborted"
        assert [type(error) for error in client.broken] == [ZeroDivisionError]

    played(play)


def test_a_reply_may_come_piece_by_piece_as_fast_as_it_is_read() -> None:
    async def pieces(request: HttpRequest) -> None:
        request.connection.begin(200, [])
        for piece in (b"1\n", b"2\n"):
            await request.connection.write(piece)
        request.connection.end()

    async def play() -> None:
        client = _Client(pieces)
        client.connection.pause_writing()
        begun = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n1\n\r\n"
        assert await client.send(GET) == begun
        client.connection.resume_writing()
        assert await client.send() == begun + b"2\r\n2\n\r\n0\r\n\r\n"

    played(play)


def test_who_writes_to_a_closed_connection_hears_of_it() -> None:
    heard: list[str] = []

    async def piece(request: HttpRequest) -> None:
        request.connection.on_close = lambda: heard.append("closed")
        try:
            await request.connection.write(b"1\n")
        except ConnectionError:
            heard.append("gone")

    async def play() -> None:
        client = _Client(piece)
        client.connection.pause_writing()
        await client.send(GET)
        client.wire.close()
        client.connection.connection_lost(None)
        await _settle()
        assert heard == ["closed", "gone"]

    played(play)


def test_who_was_cut_off_is_told_nothing_more() -> None:
    async def cut(request: HttpRequest) -> None:
        request.connection.cut()
        request.connection.reply(200, [], b"")

    async def play() -> None:
        client = _Client(cut)
        assert await client.send(GET) == b""
        assert not client.broken

    played(play)


# -- towards the API server


class _Exchanged:
    """One exchange with an API server, whose reply is written by hand."""

    def __init__(self, *, head_only: bool = False) -> None:
        self.lost: list[_Line] = []
        self.wire = _Wire()
        self.line = _Line(self.lost.append)
        self.line.connection_made(self.wire)
        self.exchange = Exchange(asyncio.get_running_loop().create_future(), head_only=head_only)
        self.line.send(b"request", self.exchange)

    def told(self) -> tuple[int, bytes]:
        assert self.exchange.ended.done()
        self.exchange.ended.result()
        return self.exchange.status, self.exchange.body


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


@pytest.mark.parametrize(
    ("reply", "told", "usable"),
    [
        pytest.param(OK, (200, b"{}"), True, id="a length"),
        pytest.param(
            b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            (404, b"{}"),
            True,
            id="chunks",
        ),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n" + OK, (200, b"{}"), True, id="after a 100"),
        pytest.param(b"HTTP/1.1 204 No Content\r\n\r\n", (204, b""), True, id="no body"),
        pytest.param(
            OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), (200, b"{}"), False, id="the last"
        ),
    ],
)
def test_a_reply_is_read(reply: bytes, told: tuple[int, bytes], usable: bool) -> None:
    async def play() -> None:
        exchanged = _Exchanged()
        for byte in reply:
            exchanged.line.data_received(bytes([byte]))
        assert exchanged.told() == told
        assert exchanged.line.usable == usable

    played(play)


def test_the_reply_to_head_has_no_body_whatever_it_says() -> None:
    async def play() -> None:
        exchanged = _Exchanged(head_only=True)
        exchanged.line.data_received(OK.removesuffix(b"{}"))
        assert exchanged.told() == (200, b"")
        assert not exchanged.line.usable

    played(play)


def test_a_reply_without_a_length_ends_with_the_connection() -> None:
    async def play() -> None:
        exchanged = _Exchanged()
        exchanged.line.data_received(b"HTTP/1.1 503 Service Unavailable\r\n\r\nback soon")
        exchanged.line.connection_lost(None)
        assert exchanged.told() == (503, b"back soon")

    played(play)


@pytest.mark.parametrize("come", [0, 10, len(OK) - 1])
def test_an_api_server_that_goes_away_is_no_reply(come: int) -> None:
    async def play() -> None:
        exchanged = _Exchanged()
        exchanged.line.data_received(OK[:come])
        exchanged.line.connection_lost(None)
        with pytest.raises(GoneError):
            exchanged.told()
        assert exchanged.lost == [exchanged.line]

    played(play)


def test_a_connection_that_was_closed_meanwhile_takes_no_request() -> None:
    async def play() -> None:
        exchanged = _Exchanged()
        exchanged.line.data_received(OK)
        exchanged.wire.close()
        exchanged.exchange = Exchange(asyncio.get_running_loop().create_future())
        exchanged.line.send(b"request", exchanged.exchange)
        with pytest.raises(GoneError):
            exchanged.told()

    played(play)


def test_what_is_no_http_is_no_reply() -> None:
    async def play() -> None:
        exchanged = _Exchanged()
        exchanged.line.data_received(b"nonsense\r\n")
        with pytest.raises(GoneError):
            exchanged.told()
        assert exchanged.wire.ended == "aborted"

    played(play)


def test_what_breaks_in_us_is_not_taken_for_an_api_server_that_is_gone() -> None:
    def sink(_: bytes) -> None:
        raise ZeroDivisionError

    async def play() -> None:
        exchanged = _Exchanged()
        exchanged.exchange.sink = sink
        exchanged.line.data_received(OK)
        with pytest.raises(ZeroDivisionError):
            exchanged.told()

    played(play)


@pytest.mark.parametrize(
    ("server", "line"),
    [("https://127.0.0.1:6443", b"GET "), ("https://example.com/prefix/", b"GET /prefix")],
)
def test_a_request_is_passed_on_letter_by_letter(server: str, line: bytes) -> None:
    target = "/api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Da-1&labelSelector=a+b%2Cc"

    access = Access(server, "secret", None)
    message = Upstream(access)._message(access, "GET", target, [(b"X-y", b"Z")], b"")

    first, *headers = message.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert first == line + target.encode() + b" HTTP/1.1"
    assert b"Authorization: Bearer secret" in headers
    assert b"X-y: Z" in headers


def test_a_write_says_how_long_it_is_even_where_it_is_empty() -> None:
    access = Access("https://127.0.0.1:6443", "", None)
    upstream = Upstream(access)

    assert b"\r\nContent-Length: 0\r\n" in upstream._message(access, "POST", "/", [], b"")
    assert upstream._message(access, "POST", "/", [], b"12").endswith(b"\r\nContent-Length: 2\r\n\r\n12")
