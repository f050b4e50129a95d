"""HTTP/1.1 towards the implementation: whole requests come in; a reply goes out whole, or piece by piece.

A request without the token of the door is refused as soon as its headers are there: neither its body nor what
follows it on the connection is read.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import deque
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import orjson
from httptools import HttpParserCallbackError, HttpParserError, HttpParserUpgrade, HttpRequestParser

from batchproof.api.upstream import Headers

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable

_AT_ONCE: Final = 4096  # connections that wait to be accepted: a controller opens hundreds at once
_REASONS: Final = {status.value: status.phrase for status in HTTPStatus}
_BODILESS: Final = frozenset({204, 304})
_METHODS: Final = frozenset({b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE"})
LARGEST_BODY: Final = 8 * 2**20
"""In bytes. The API server takes 3 MiB, and refuses what is a little more by itself."""
LARGEST_HEAD: Final = 256 * 2**10
"""Of request line and headers, in bytes."""
_WAITING: Final = 32  # requests that were read and wait to be answered; more of a client are not read
_LINGERS_S: Final = 1.0  # a client that is refused may still be sending, and would miss why


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request of the implementation, read whole.

    Attributes:
        target: path and query, letter by letter.
        headers: with their names as they came.
        connection: where the reply goes.
    """

    method: str
    target: str
    headers: Headers
    body: bytes
    connection: Connection

    def header(self, name: bytes) -> str:
        """The first header of that name (in lower case); empty if there is none."""
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == name), "")


class _RefusedError(Exception):
    """The request being read is answered with an error, and nothing after it is read."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Connection(asyncio.Protocol):
    """A connection of the implementation, on which one request after the other is answered."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._transport: asyncio.Transport
        self._parser = HttpRequestParser(self)
        self._waiting: deque[tuple[HttpRequest, bool] | _RefusedError] = deque()
        self._over = False  # nothing more is read
        self._serving: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._begin()
        self.on_close: Callable[[], None] | None = None

    # -- what a handler does

    def reply(self, status: int, headers: Headers, body: bytes) -> None:
        """Answer the request."""
        length = b"" if status in _BODILESS else b"Content-Length: %d\r\n" % len(body)
        self._send(b"".join([_head(status, headers), length, b"\r\n", body]))

    def begin(self, status: int, headers: Headers) -> None:
        """Begin a reply whose length is not known yet."""
        self._send(_head(status, headers) + b"Transfer-Encoding: chunked\r\n\r\n")

    async def write(self, piece: bytes) -> None:
        """Send a piece of the reply, and wait while the implementation does not read.

        Raises:
            ConnectionError: it has closed the connection.
        """
        self._send(b"%x\r\n%b\r\n" % (len(piece), piece))
        await self._writable.wait()
        if self._transport.is_closing():
            raise ConnectionResetError("the implementation has closed the connection")

    def end(self) -> None:
        """End a reply that was sent piece by piece."""
        self._send(b"0\r\n\r\n")

    def _send(self, data: bytes) -> None:
        """Send bytes; nothing happens if the client has gone, which uvloop would not bear."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def cut(self) -> None:
        """Close the connection, whatever is still to be said."""
        self._transport.abort()

    def leave(self) -> None:
        """Let the handler of the request go."""
        if self._serving:
            self._serving.cancel()

    # -- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = transport  # type: ignore[assignment] # TCP gives a Transport
        self._server.connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Parse what came."""
        try:
            while data and not self._over:
                data = self._parse(data)
        except HttpParserCallbackError as error:
            if not isinstance(error.__context__, _RefusedError):
                raise
            self._refuse(error.__context__)
        except HttpParserError as error:
            self._refuse(_RefusedError(HTTPStatus.BAD_REQUEST, f"this is no HTTP request: {error}"))

    def _parse(self, data: bytes) -> bytes:
        """Parse what came; what is left of it stands behind a request for another protocol."""
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade as upgrade:  # politely declined by answering as if it had not been asked for
            self._parser = HttpRequestParser(self)
            return data[upgrade.args[0] :]
        return b""

    def _refuse(self, refused: _RefusedError) -> None:
        """Answer what was asked before, then say why this is not; read nothing more."""
        self._over = True
        self._waiting.append(refused)
        self._serve_next()

    def pause_writing(self) -> None:
        """Let writers wait."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Let writers continue."""
        self._writable.set()

    def connection_lost(self, _: Exception | None) -> None:
        """Let those that are still answering know."""
        self._writable.set()
        self._waiting.clear()
        self._server.connections.discard(self)
        if self.on_close:
            self.on_close()

    # -- what the parser calls

    def _begin(self) -> None:
        self._target = b""
        self._headers: Headers = []
        self._body: list[bytes] = []
        self._head_size = self._body_size = 0

    def on_message_begin(self) -> None:
        """Drop the last request."""
        self._begin()

    def on_url(self, url: bytes) -> None:
        """Take in a piece of the target."""
        self._grow(len(url))
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header."""
        self._grow(len(name) + len(value))
        if b"\r" in value or b"\n" in value or b"\0" in value:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, "a header has more than one line")
        self._headers.append((name, value))

    def _grow(self, more: int) -> None:
        self._head_size += more
        if self._head_size > LARGEST_HEAD:
            raise _RefusedError(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                f"request line and headers have more than {LARGEST_HEAD} bytes",
            )

    def on_headers_complete(self) -> None:
        """Accept a client that has the token, and ask for the body where it waits to be asked."""
        if not self._server.admits(self._headers):
            raise _RefusedError(
                HTTPStatus.UNAUTHORIZED, "no request is answered here without the token of the kubeconfig"
            )
        if self._parser.get_method() not in _METHODS:
            raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "Kubernetes knows no such method")
        if any(name.lower() == b"expect" for name, _ in self._headers):
            self._send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Keep a part of the body."""
        self._body_size += len(body)
        if self._body_size > LARGEST_BODY:
            raise _RefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"batchproof reads no request body of more than {LARGEST_BODY} bytes",
            )
        self._body.append(body)

    def on_message_complete(self) -> None:
        """Answer the request, after those before it."""
        method, target = self._parser.get_method().decode(), self._target.decode("latin-1")
        request = HttpRequest(method, target, self._headers, b"".join(self._body), self)
        self._waiting.append((request, self._parser.should_keep_alive()))
        if len(self._waiting) > _WAITING:
            self._transport.pause_reading()
        self._serve_next()

    def _serve_next(self) -> None:
        if self._waiting and self._serving is None:
            self._serving = asyncio.get_running_loop().create_task(self._serve(self._waiting.popleft()))
            self._serving.add_done_callback(self._served)
            if len(self._waiting) == _WAITING:
                self._transport.resume_reading()

    async def _serve(self, next_: tuple[HttpRequest, bool] | _RefusedError) -> None:
        if isinstance(next_, _RefusedError):
            headers = [(b"Content-Type", b"application/json"), (b"Connection", b"close")]
            self.reply(next_.status, headers, _status(next_))
            if next_.status is HTTPStatus.BAD_REQUEST:
                self._transport.close()
            else:
                asyncio.get_running_loop().call_later(_LINGERS_S, self._transport.close)
            return
        request, stays = next_
        await self._server.handle(request)
        if not stays:
            self._over = True
            self._waiting.clear()
            self._transport.close()
        await self._writable.wait()  # a client that does not read a reply gets no further one

    def _served(self, serving: asyncio.Task[None]) -> None:
        """Be ready for the next request; one that broke us gets no answer, and its error is reported."""
        self._serving = None
        if not serving.cancelled() and (error := serving.exception()):
            self.cut()
            self._server.broken(error)
        self._serve_next()


class Server:
    """Listens on a free port of 127.0.0.1 for clients that have a token.

    Attributes:
        handle: answers a request.
        broken: called with what a handler raised.
        connections: those that are open.
        url: where it listens.
    """

    def __init__(
        self,
        handle: Callable[[HttpRequest], Awaitable[None]],
        broken: Callable[[BaseException], None],
        token: str,
    ) -> None:
        self.handle = handle
        self.broken = broken
        self.connections: set[Connection] = set()
        self.url = ""
        self._token = token.encode()
        self._server: asyncio.Server

    async def start(self, tls: ssl.SSLContext) -> None:
        """Listen; client-go sends a token over TLS only."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Connection(self), "127.0.0.1", 0, backlog=_AT_ONCE, ssl=tls
        )
        self.url = f"https://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def admits(self, headers: Headers) -> bool:
        """The headers carry the token, once; how long the comparison takes says nothing about it."""
        carried = [value for name, value in headers if name.lower() == b"authorization"]
        scheme, _, token = carried[0].partition(b" ") if len(carried) == 1 else (b"", b"", b"")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)

    async def stop(self) -> None:
        """Listen no more, and cut all connections."""
        self._server.close()
        for connection in tuple(self.connections):
            connection.cut()
            connection.leave()


def _head(status: int, headers: Headers) -> bytes:
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, '')}\r\n".encode()]
    return b"".join([*lines, *(b"%b: %b\r\n" % header for header in headers)])


def _status(refused: _RefusedError) -> bytes:
    """Why a request is refused, as the API server says such things."""
    return orjson.dumps(
        {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": f"the proxy of batchproof: {refused}",
            "reason": refused.status.phrase.title().replace(" ", ""),
            "code": refused.status.value,
        }
    )
