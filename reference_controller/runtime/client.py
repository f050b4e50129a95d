"""Requests to the API server: JSON in and out, one connection pool, a limit of time for each."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import orjson

from reference_controller.runtime.http import HttpClient, HttpError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from reference_controller.runtime.kubeconfig import Server

REQUEST_TIMEOUT_S = 30.0
GRACE_S = 30.0
MOST_RETRIES = 10

MERGE_PATCH = "application/strategic-merge-patch+json"

_REDIRECTION, _NOT_FOUND, _CONFLICT, _GONE = 300, 404, 409, 410
_UNPROCESSABLE, _TOO_MANY, _SERVER_ERROR = 422, 429, 500


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
    """The error that a reply tells of; a body that is no Status object is tolerated."""
    try:
        status = orjson.loads(body)
        causes = tuple(c.get("reason", "") for c in (status.get("details") or {}).get("causes") or ())
        return ApiError(code, status.get("message") or f"HTTP {code}", status.get("reason") or "", causes)
    except (orjson.JSONDecodeError, AttributeError):
        return ApiError(code, f"HTTP {code}: {body[:200].decode(errors='replace')}")


def _parsed(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ApiError(0, f"the reply is no JSON: {body[:200]!r}") from error


class ApiClient:
    """One API server."""

    def __init__(self, server: Server) -> None:
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "reference-controller",
            **server.headers,
        }
        self._http = HttpClient(server.url, headers, server.tls)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    async def request(
        self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> Any:
        """Send a request and parse its reply.

        ROB-019: a refusal that says when to come back (Retry-After) is repeated then.

        Raises:
            ApiError: the reply is an error, or there was none within 30 s.
        """
        attempt = 0
        while True:
            try:
                reply = await self._http.request(method, path, body, content_type, REQUEST_TIMEOUT_S)
            except HttpError as error:
                raise ApiError(0, str(error)) from error
            if reply.status < _REDIRECTION:
                return _parsed(reply.body)
            retry_after = reply.headers.get("retry-after", "")
            retryable = reply.status == _TOO_MANY or reply.status >= _SERVER_ERROR
            if not retryable or not retry_after.isdigit() or attempt == MOST_RETRIES:
                raise api_error(reply.status, reply.body)
            attempt += 1
            await asyncio.sleep(float(retry_after))

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
        """PATCH, as a strategic merge."""
        return await self.request("PATCH", path, body, MERGE_PATCH)

    async def delete(self, path: str, body: bytes) -> Any:
        """DELETE with options."""
        return await self.request("DELETE", path, body)

    async def watch(self, path: str, timeout_s: float) -> AsyncGenerator[list[dict[str, Any]], None]:
        """The events of a watch, in order, as many at a time as have arrived.

        Raises:
            ApiError: the watch was refused or broke.
        """
        try:
            # Somewhat longer than the server's own limit, so that a dead connection is noticed.
            async with self._http.stream(path, timeout_s + GRACE_S) as (status, pieces):
                if status >= _REDIRECTION:
                    raise api_error(status, b"".join([piece async for piece in pieces]))
                rest = b""
                async for piece in pieces:
                    *lines, rest = (rest + piece).split(b"\n")
                    if lines:
                        yield [orjson.loads(line) for line in lines if line]
        except (HttpError, orjson.JSONDecodeError) as error:
            raise ApiError(0, f"WATCH {path}: {error!r}") from error
