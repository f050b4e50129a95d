"""HTTP/1.1 to one server: kept connections, requests with a limit of time, and streamed replies.

Small on purpose. It needs a fifth of the start-up time and half of the processor time of a general client,
which counts where dozens of controllers are started, killed and started again side by side.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator

# Servers close connections that idle for longer; a request must not meet one that is about to be closed.
MOST_IDLE_S = 30.0
MOST_HEADER_BYTES = 2**20


class HttpError(Exception):
    """There was no complete reply; whether the request had an effect is not known."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply. Header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class Connection:
    """One connection, used for one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.idle_since = 0.0

    @property
    def usable(self) -> bool:
        """Whether another request may be sent on it."""
        idle_s = asyncio.get_running_loop().time() - self.idle_since
        return idle_s < MOST_IDLE_S and not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        """Close at once."""
        self._writer.transport.abort()

    async def send(self, head: bytes, body: bytes) -> tuple[int, dict[str, str]]:
        """Send a request and read the head of its reply."""
        self._writer.write(head + body)
        raw = await self._reader.readuntil(b"\r\n\r\n")
        first, *lines = raw[:-4].decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        _, _, status = first.partition(" ")
        return int(status[:3]), headers

    async def body(self, headers: dict[str, str]) -> bytes:
        """The whole body."""
        if headers.get("transfer-encoding") == "chunked":
            return b"".join([chunk async for chunk in self.chunks()])
        return await self._reader.readexactly(int(headers.get("content-length", "0")))

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body in pieces as they arrive, to its proper end."""
        while True:
            line = await self._reader.readuntil(b"\r\n")
            size = int(line.split(b";", 1)[0], 16)
            data = await self._reader.readexactly(size + 2)
            if size == 0:
                return
            yield data[:-2]


class HttpClient:
    """Requests to one server. There is no limit of connections: one that hangs holds up no other request.

    Args:
        url: scheme, host, port and a path that all targets begin with.
        headers: sent with every request.
        tls: how to trust the server, for https.
    """

    def __init__(self, url: str, headers: dict[str, str], tls: ssl.SSLContext | None) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if tls else 80)
        self._prefix = parts.path.rstrip("/")
        self._tls = tls
        lines = [f"Host: {parts.netloc}", *(f"{name}: {value}" for name, value in headers.items())]
        self._common = "".join(f"{line}\r\n" for line in lines)
        self._idle: deque[Connection] = deque()

    async def request(
        self, method: str, target: str, body: bytes | None, content_type: str, timeout_s: float
    ) -> Reply:
        """One exchange.

        Raises:
            HttpError: no complete reply came in time.
        """
        async with self._exchange(method, target, timeout_s) as connection:
            status, headers = await connection.send(
                self._head(method, target, body, content_type), body or b""
            )
            reply = Reply(status, headers, await connection.body(headers))
        if headers.get("connection") == "close":
            connection.close()
        else:
            connection.idle_since = asyncio.get_running_loop().time()
            self._idle.append(connection)
        return reply

    @asynccontextmanager
    async def stream(self, target: str, timeout_s: float) -> AsyncIterator[tuple[int, AsyncIterator[bytes]]]:
        """A GET whose reply is read while it is being sent; its own connection is closed afterwards.

        Raises:
            HttpError: the reply broke off.
        """
        async with self._exchange("GET", target, timeout_s) as connection:
            try:
                status, headers = await connection.send(self._head("GET", target, None, ""), b"")
                yield status, _pieces(connection, headers)
            finally:
                connection.close()

    @asynccontextmanager
    async def _exchange(self, method: str, target: str, timeout_s: float) -> AsyncIterator[Connection]:
        """A connection for one exchange; closed if that fails."""
        connection: Connection | None = None
        try:
            async with asyncio.timeout(timeout_s):
                connection = self._reusable() or await self._connect()
                yield connection
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise HttpError(f"{method} {target}: {error!r}") from error
        except BaseException:
            if connection is not None:
                connection.close()
            raise

    def _reusable(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.usable:
                return connection
            connection.close()
        return None

    async def _connect(self) -> Connection:
        streams = await asyncio.open_connection(
            self._host, self._port, ssl=self._tls, limit=MOST_HEADER_BYTES
        )
        return Connection(*streams)

    def _head(self, method: str, target: str, body: bytes | None, content_type: str) -> bytes:
        length = "" if body is None else f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
        return f"{method} {self._prefix}{target} HTTP/1.1\r\n{self._common}{length}\r\n".encode("latin-1")

    def close(self) -> None:
        """Close the kept connections."""
        while self._idle:
            self._idle.pop().close()


async def _pieces(connection: Connection, headers: dict[str, str]) -> AsyncIterator[bytes]:
    if headers.get("transfer-encoding") == "chunked":
        async for chunk in connection.chunks():
            yield chunk
    else:
        yield await connection.body(headers)
