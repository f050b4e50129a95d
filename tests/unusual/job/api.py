"""The way to the API server: what the kubeconfig says, with its token and its authority."""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
from typing import TYPE_CHECKING, Any

import aiohttp
import yaml

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

Json = dict[str, Any]
JSON_PATCH, MERGE, STRATEGIC, APPLY = (
    "json-patch+json",
    "merge-patch+json",
    "strategic-merge-patch+json",
    "apply-patch+yaml",
)
GONE, NOT_FOUND, CONFLICT, UNPROCESSABLE = 410, 404, 409, 422
_ERROR = 400
_TIMEOUT_S = 30.0


class ApiError(Exception):
    """A request was not carried out, or it is unknown whether it was (status 0).

    Attributes:
        wait_s: how long the API server asks to wait before the next attempt.
    """

    def __init__(self, status: int, text: str, wait_s: float = 0.0) -> None:
        super().__init__(text)
        self.status = status
        self.wait_s = wait_s


class Api:
    """A client of the API server that a kubeconfig names."""

    def __init__(self, kubeconfig: Path) -> None:
        config = yaml.safe_load(kubeconfig.read_text("utf-8"))
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self._server = cluster["server"]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        trusted = aiohttp.TCPConnector(limit=0, ssl=ssl.create_default_context(cadata=authority))
        token = {"Authorization": f"Bearer {user['token']}"}
        self._session = aiohttp.ClientSession(connector=trusted, headers=token)

    async def ask(
        self, method: str, path: str, body: object = None, *, patch: str = "", **query: str
    ) -> Json:
        """Make a request; returns the answer.

        Raises:
            ApiError: it was refused, or not answered.
        """
        headers = {"Content-Type": f"application/{patch or 'json'}", "Accept": "application/json"}
        data = None if body is None else json.dumps(body)
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                asked = self._session.request(
                    method, self._server + path, data=data, headers=headers, params=query
                )
                async with asked as answer:
                    if answer.status >= _ERROR:
                        wait_s = float(answer.headers.get("Retry-After", 0))
                        raise ApiError(answer.status, await answer.text(), wait_s)
                    found: Json = await answer.json()
                    return found
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise ApiError(0, f"{method} {path}: {error!r}") from error

    async def watch(self, path: str, version: str) -> AsyncIterator[Json]:
        """The changes of a resource after a version, until the server ends it.

        Raises:
            ApiError: the version is too old, or the connection broke.
        """
        query = {"watch": "1", "resourceVersion": version, "allowWatchBookmarks": "true"}
        timeout = aiohttp.ClientTimeout(total=None)
        try:
            async with self._session.get(self._server + path, params=query, timeout=timeout) as answer:
                if answer.status >= _ERROR:
                    raise ApiError(answer.status, await answer.text())
                buffer = b""
                async for chunk in answer.content.iter_any():
                    *lines, buffer = (buffer + chunk).split(b"\n")
                    for line in filter(None, lines):
                        event: Json = json.loads(line)
                        if event["type"] == "ERROR":
                            raise ApiError(GONE, str(event["object"]))
                        yield event
        except (aiohttp.ClientError, OSError) as error:
            raise ApiError(0, repr(error)) from error


def path_of(resource: str, namespace: str = "", name: str = "", subresource: str = "") -> str:
    """The path of ``jobs``, ``pods`` or ``events``, or of one of them."""
    group = "/apis/batch/v1" if resource == "jobs" else "/api/v1"
    parts = [f"namespaces/{namespace}" if namespace else "", resource, name, subresource]
    return "/".join([group, *filter(None, parts)])
