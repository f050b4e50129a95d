"""HTTP/1.1 towards the API server: a request goes out letter by letter, its reply comes back so."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from httptools import HttpParserCallbackError, HttpParserError, HttpResponseParser

from batchproof.api.access import Access
from batchproof.api.credentials import Credentials
from batchproof.api.pool import Pool
from batchproof.api.stamps import HEADER, Stamps
from batchproof.api.tunnel import tunnel

if TYPE_CHECKING:
    from collections.abc import Callable

Headers = list[tuple[bytes, bytes]]

_CONNECT_WITHIN_S: Final = 30.0  # on a busy machine a TLS handshake may take some seconds
_OK: Final = 200
_UNAUTHORIZED: Final = 401
_FINAL: Final = 200  # a status below it, such as 100 Continue, is followed by another one


class GoneError(ConnectionError):
    """The API server has gone away, or what it says is no HTTP."""


@dataclass(slots=True)
class Exchange:
    """A request that was sent, and what has come of its reply so far.

    Attributes:
        ended: done when the reply is whole; its error is that of the connection.
        began: done when the headers of the reply are there.
        sink: takes the body as it comes, if the status is 200; otherwise it is kept.
        head_only: the reply has no body, whatever its headers say.
        headers: those of the reply, with their names in lower case.
    """

    ended: asyncio.Future[None]
    began: asyncio.Future[None] | None = None
    sink: Callable[[bytes], None] | None = None
    head_only: bool = False
    status: int = 0
    headers: Headers = field(default_factory=list)
    parts: list[bytes] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        """What was kept of the body."""
        return b"".join(self.parts)


class _Line(asyncio.Protocol):
    """A connection to the API server, which serves one exchange after the other."""

    def __init__(self, lost: Callable[[_Line], None]) -> None:
        self._lost = lost
        self._transport: asyncio.Transport
        self._parser = HttpResponseParser(self)
        self._exchange: Exchange | None = None
        self._measured = False  # the reply says where it ends
        self.usable = True
        self.rests_since_s = 0.0

    def send(self, message: bytes, exchange: Exchange) -> None:
        """Send a request; its reply goes to the exchange."""
        self._exchange, self._measured = exchange, False
        if self._transport.is_closing():  # which uvloop would not bear
            self._fail(GoneError("the API server closed the connection"))
        else:
            self._transport.write(message)

    def close(self) -> None:
        """End the connection, now."""
        self.usable = False
        self._transport.abort()

    # -- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = transport  # type: ignore[assignment] # TCP and TLS give a Transport

    def data_received(self, data: bytes) -> None:
        """Parse what came."""
        try:
            self._parser.feed_data(data)
        except HttpParserCallbackError as error:  # the sink broke, and that is no fault of the API server
            self._fail(error.__context__ or error)
            self.close()
        except HttpParserError as error:
            self._fail(GoneError(f"what the API server says is no HTTP: {error}"))
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Release each task that waits; a reply that did not say where it ends, ends here."""
        self.usable = False
        if self._exchange and self._exchange.status >= _FINAL and not self._measured and error is None:
            self._end()
        self._fail(GoneError(str(error or "the API server closed the connection")))
        self._lost(self)

    # -- what the parser calls

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header."""
        if self._exchange:
            lower = name.lower()
            self._measured = self._measured or lower in {b"content-length", b"transfer-encoding"}
            self._exchange.headers.append((lower, value))

    def on_headers_complete(self) -> None:
        """Say that the reply has begun."""
        if not (exchange := self._exchange):
            return
        exchange.status = self._parser.get_status_code()
        if exchange.began and exchange.status >= _FINAL and not exchange.began.done():
            exchange.began.set_result(None)
        if exchange.head_only and exchange.status >= _FINAL:
            self.usable = False  # the parser waits for the body that the headers speak of
            self._end()

    def on_body(self, body: bytes) -> None:
        """Pass a part of the body on, or keep it."""
        if exchange := self._exchange:
            if exchange.sink and exchange.status == _OK:
                exchange.sink(body)
            else:
                exchange.parts.append(body)

    def on_message_complete(self) -> None:
        """Say that the reply is whole."""
        if self._exchange and self._exchange.status < _FINAL:
            self._exchange.headers.clear()
            return
        self.usable = self.usable and self._parser.should_keep_alive()
        self._end()

    def _end(self) -> None:
        exchange, self._exchange = self._exchange, None
        if exchange and not exchange.ended.done():
            exchange.ended.set_result(None)

    def _fail(self, error: BaseException) -> None:
        exchange, self._exchange = self._exchange, None
        for future in (exchange.began, exchange.ended) if exchange else ():
            if future and not future.done():
                future.set_exception(error)
                future.exception()  # no caller needs both


@dataclass(frozen=True, slots=True)
class Watch:
    """A watch that was answered.

    Attributes:
        exchange: its reply; ``ended`` is done when the API server ends it.
        close: ends it.
    """

    exchange: Exchange
    close: Callable[[], None]


class Upstream:
    """The way to one API server, with credentials that are renewed. Belongs to one event loop."""

    def __init__(self, access: Access, stamps: Stamps | None = None) -> None:
        """Know the way; no connection is opened yet.

        Args:
            access: the API server.
            stamps: by which the requests are known in an audit log; None: by nothing.
        """
        self._stamps = stamps or Stamps()
        url = urlsplit(access.server)
        secure = url.scheme == "https"
        self._secure = secure
        self._credentials = Credentials(access)
        self._lets_in: tuple[Access, bytes] = (access, _lines(access))
        self._host, self._netloc, self._prefix = url.hostname or "", url.netloc, url.path.rstrip("/")
        self._port = url.port or (443 if secure else 80)
        self._pools: dict[str | None, Pool[_Line]] = {}
        self._tls: dict[str | None, ssl.SSLContext] = {}
        self._watches: set[_Line] = set()

    @property
    def trouble(self) -> str:
        """Why the credentials could not be renewed; empty if they could."""
        return self._credentials.trouble

    async def ask(self, method: str, target: str, headers: Headers, body: bytes) -> Exchange:
        """Make a request and wait for the whole reply; again if other credentials let in by then.

        Raises:
            OSError: the API server is gone, or cannot be reached.
        """
        access = self._credentials.current()
        while True:
            exchange = await self._ask(access, method, target, headers, body)
            if exchange.status != _UNAUTHORIZED or not await self._credentials.refused(access):
                return exchange
            access = self._credentials.access

    async def _ask(self, access: Access, method: str, target: str, headers: Headers, body: bytes) -> Exchange:
        pool = self._pool(access)
        line = await pool.take()
        exchange = Exchange(asyncio.get_running_loop().create_future(), head_only=method == "HEAD")
        try:
            line.send(self._message(access, method, target, headers, body), exchange)
            await exchange.ended
        except BaseException:
            line.close()  # what is left of the reply is not to be read as that of the next
            raise
        finally:
            pool.give_back(line)
        return exchange

    def _pool(self, access: Access) -> Pool[_Line]:
        """The connections that are known by the client certificate; those of an older one come to rest."""
        name = access.certificate_file
        if name not in self._pools:
            self._pools[name] = Pool(lambda: self._connect(access, self._pools[name].lost))
        return self._pools[name]

    async def watch(self, target: str, headers: Headers, sink: Callable[[bytes], None]) -> Watch:
        """Make a request whose reply goes on and on, on a connection of its own; close it in the end.

        Raises:
            OSError: the API server is gone, or cannot be reached.
        """
        access = self._credentials.current()
        while True:
            watch = await self._watch(access, target, headers, sink)
            if watch.exchange.status != _UNAUTHORIZED or not await self._credentials.refused(access):
                return watch
            watch.close()
            access = self._credentials.access

    async def _watch(
        self, access: Access, target: str, headers: Headers, sink: Callable[[bytes], None]
    ) -> Watch:
        loop = asyncio.get_running_loop()
        line = await self._connect(access, self._watches.discard)
        self._watches.add(line)
        began: asyncio.Future[None] = loop.create_future()
        exchange = Exchange(loop.create_future(), began, sink)
        try:
            line.send(self._message(access, "GET", target, headers, b""), exchange)
            await began
            if exchange.status != _OK:
                await exchange.ended
        except BaseException:
            line.close()
            raise
        return Watch(exchange, line.close)

    def close(self) -> None:
        """End all connections."""
        for pool in self._pools.values():
            pool.close()
        for line in tuple(self._watches):
            line.close()

    def _message(self, access: Access, method: str, target: str, headers: Headers, body: bytes) -> bytes:
        if self._lets_in[0] is not access:
            self._lets_in = access, _lines(access)
        parts = [f"{method} {self._prefix}{target} HTTP/1.1\r\nHost: {self._netloc}\r\n".encode()]
        parts += [b"%b: %b\r\n" % header for header in headers]
        parts.append(self._lets_in[1])
        parts.append(f"{HEADER}: {self._stamps.new()}\r\n".encode())
        if body or method not in {"GET", "HEAD"}:
            parts.append(b"Content-Length: %d\r\n" % len(body))
        return b"".join([*parts, b"\r\n", body])

    async def _connect(self, access: Access, lost: Callable[[_Line], None]) -> _Line:
        loop = asyncio.get_running_loop()
        security = self._security(access)
        name = (access.server_name or self._host) if security else None
        try:
            async with asyncio.timeout(_CONNECT_WITHIN_S):
                if access.proxy_url:
                    led = await tunnel(access.proxy_url, self._host, self._port)
                    _, line = await loop.create_connection(
                        lambda: _Line(lost), sock=led, ssl=security, server_hostname=name
                    )
                else:
                    _, line = await loop.create_connection(
                        lambda: _Line(lost), self._host, self._port, ssl=security, server_hostname=name
                    )
        except TimeoutError as error:
            raise GoneError(f"{self._netloc} did not answer within {_CONNECT_WITHIN_S:g} s") from error
        return line

    def _security(self, access: Access) -> ssl.SSLContext | None:
        if not self._secure:
            return None
        if access.certificate_file not in self._tls:
            self._tls[access.certificate_file] = _tls(access)
        return self._tls[access.certificate_file]


def _tls(access: Access) -> ssl.SSLContext:
    """How to trust the API server, and to be known to it by a client certificate."""
    context = ssl.create_default_context(cafile=access.ca_file)
    if not access.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if access.certificate_file:
        context.load_cert_chain(access.certificate_file)
    return context


def _lines(access: Access) -> bytes:
    """The header lines that let a request in: the token, if there is one, and as whom."""
    lines = [f"{name}: {value}\r\n" for name, value in access.impersonation]
    if access.token:
        lines.append(f"Authorization: Bearer {access.token}\r\n")
    return "".join(lines).encode()
