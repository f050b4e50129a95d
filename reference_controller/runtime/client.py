"""Requests to the API server: JSON in and out, one connection pool, a limit of time for each."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self

import aiohttp
import orjson

from reference_controller.runtime.kubeconfig import Server

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Callable

REQUEST_TIMEOUT_S = 30.0
MOST_RETRIES = 10

STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
MERGE_PATCH = "application/merge-patch+json"

_CONFLICT, _NOT_FOUND, _GONE, _UNPROCESSABLE, _TOO_MANY, _SERVER_ERROR = 409, 404, 410, 422, 429, 500


class ApiError(Exception):
    """A request had no success. `code` is 0 when there was no reply: it may have taken effect or not."""

    def __init__(self, code: int, message: str, reason: str = "", causes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.causes = causes

    @property
    def not_found(self) -> bool:
        """The object is gone."""
        return self.code == _NOT_FOUND

    @property
    def conflict(self) -> bool:
        """The object is not as the request presumed."""
        return self.code == _CONFLICT

    @property
    def already_exists(self) -> bool:
        """There is an object of that name."""
        return self.code == _CONFLICT and self.reason == "AlreadyExists"

    @property
    def invalid(self) -> bool:
        """The API server refuses the object."""
        return self.code == _UNPROCESSABLE

    @property
    def gone(self) -> bool:
        """The resourceVersion is too old to watch from."""
        return self.code == _GONE

    @property
    def namespace_terminating(self) -> bool:
        """Nothing can be created, for the namespace is being deleted."""
        return "NamespaceTerminating" in self.causes


def api_error(code: int, body: bytes) -> ApiError:
    """The error that a reply reports; a body that is no Status object is tolerated."""
    try:
        status = orjson.loads(body)
        causes = tuple(c.get("reason", "") for c in (status.get("details") or {}).get("causes") or ())
        return ApiError(code, status.get("message") or f"HTTP {code}", status.get("reason") or "", causes)
    except (orjson.JSONDecodeError, AttributeError):
        return ApiError(code, f"HTTP {code}: {body[:200].decode(errors='replace')}")


class ApiClient:
    """A session with one API server. Use it as an asynchronous context manager.

    Args:
        server: where it is, and as whom to go there.
        may_write: whether writes are sent at the moment; those of a replica that does not lead are not.
    """

    def __init__(self, server: Server, may_write: Callable[[], bool] = lambda: True) -> None:
        self._base = server.url
        self._may_write = may_write
        self._tls: ssl.SSLContext | bool = server.tls if server.tls is not None else True
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "reference-controller",
            **server.headers,
        }
        self._timeout = aiohttp.ClientTimeout(total=REQUEST_TIMEOUT_S)

    async def __aenter__(self) -> Self:
        # No limit of connections: one Job whose writes hang must not hold up another (ROB-026).
        connector = aiohttp.TCPConnector(limit=0, ssl=self._tls, keepalive_timeout=60.0, use_dns_cache=True)
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=self._headers,
            auto_decompress=False,
            read_bufsize=2**18,
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=("Content-Type",),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def request(
        self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> Any:
        """Send a request and parse its reply.

        ROB-019: a refusal that says when to come back (Retry-After) is repeated then.

        Raises:
            ApiError: the reply is an error, or there was none within 30 s, or no write may be sent.
        """
        headers = None if body is None else {"Content-Type": content_type}
        for attempt in range(MOST_RETRIES + 1):
            if method != "GET" and not self._may_write():
                raise ApiError(0, f"{method} {path}: not sent, this replica does not lead")
            code, retry_after_s, reply = await self._send(method, path, body, headers)
            if code < 300:  # noqa: PLR2004 - the boundary of success
                return orjson.loads(reply)
            retryable = code == _TOO_MANY or code >= _SERVER_ERROR
            if not retryable or retry_after_s is None or attempt == MOST_RETRIES:
                break
            await asyncio.sleep(retry_after_s)
        raise api_error(code, reply)

    async def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str] | None
    ) -> tuple[int, float | None, bytes]:
        try:
            async with self._session.request(
                method, self._base + path, data=body, headers=headers, timeout=self._timeout
            ) as response:
                reply = await response.read()
                return response.status, _retry_after_s(response), reply
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise ApiError(0, f"{method} {path}: {error!r}") from error

    async def get(self, path: str) -> Any:
        """GET."""
        return await self.request("GET", path)

    async def post(self, path: str, body: bytes) -> Any:
        """POST."""
        return await self.request("POST", path, body)

    async def put(self, path: str, body: bytes) -> Any:
        """PUT."""
        return await self.request("PUT", path, body)

    async def patch(self, path: str, body: bytes) -> Any:
        """PATCH, as a strategic merge: for resources that are built in."""
        return await self.request("PATCH", path, body, STRATEGIC_MERGE_PATCH)

    async def merge(self, path: str, body: bytes) -> Any:
        """PATCH, as a JSON merge, in which lists are replaced: all that custom resources know."""
        return await self.request("PATCH", path, body, MERGE_PATCH)

    async def delete(self, path: str, body: bytes) -> Any:
        """DELETE with options."""
        return await self.request("DELETE", path, body)

    async def watch(self, path: str, timeout_s: float) -> AsyncIterator[list[dict[str, Any]]]:
        """The events of a watch, in order, as many at a time as have arrived.

        Raises:
            ApiError: the watch was refused or broke.
        """
        # Somewhat longer than the server's own limit, so that a dead connection is noticed.
        timeout = aiohttp.ClientTimeout(total=timeout_s + 30.0, sock_connect=REQUEST_TIMEOUT_S)
        try:
            async with self._session.get(self._base + path, timeout=timeout) as response:
                if response.status >= 300:  # noqa: PLR2004 - the boundary of success
                    raise api_error(response.status, await response.read())
                rest = b""
                async for chunk in response.content.iter_any():
                    *lines, rest = (rest + chunk).split(b"\n")
                    if lines:
                        yield [orjson.loads(line) for line in lines if line]
        except (aiohttp.ClientError, TimeoutError, OSError, orjson.JSONDecodeError) as error:
            raise ApiError(0, f"WATCH {path}: {error!r}") from error


def _retry_after_s(response: aiohttp.ClientResponse) -> float | None:
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else None
