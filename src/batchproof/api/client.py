"""The harness's own way to the API server: JSON over pooled connections, errors as ``HarnessError``."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import quote

import orjson

from batchproof.api.access import Access
from batchproof.api.stamps import Stamps
from batchproof.api.upstream import Headers, Upstream
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL, Resource
from batchproof.judgement.faults import Call
from batchproof.judgement.history import Json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from types import TracebackType

_OK: Final = 200
_REFUSED: Final = 400
_MISSING: Final = 404
_ANSWERED_WITHIN_S: Final = 30
_IN_TARGETS: Final = "/?&=%:,;+!$'()*@[]"
"""What stands in the target of a request as it is, beside letters and digits; RFC 3986, 2.2 and 3.4."""
_HEADERS: Final[Headers] = [
    (b"User-Agent", b"batchproof"),
    (b"Accept", b"application/json"),
    (b"Accept-Encoding", b"identity"),
]

MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
_VERBS = {
    "GET": "get",
    "HEAD": "get",
    "POST": "create",
    "PUT": "update",
    "PATCH": "patch",
    "DELETE": "delete",
}
_NAMESPACE_SUBRESOURCES = frozenset({"status", "finalize"})


def parse(method: str, path: str, query: Mapping[str, str]) -> Call | None:
    """What a request asks for; None for what is no resource (discovery, health, OpenAPI).

    Source: Kubernetes API concepts, "Resource URIs"; RequestInfoFactory in k8s.io/apiserver.
    """
    match path.strip("/").split("/"):
        case ["api", version, *rest] if rest:
            group = ""
        case ["apis", group, version, *rest] if rest:
            pass
        case _:
            return None
    namespace = ""
    if rest[0] == "namespaces" and rest[2:] and rest[2] not in _NAMESPACE_SUBRESOURCES:
        namespace, rest = rest[1], rest[2:]
    plural, name, subresource = [*rest, "", ""][:3]
    verb = _VERBS.get(method, method.lower())
    resource = Resource(group, version, plural)
    return Call(verb if name else _of_collection(verb, query), resource, subresource, namespace, name)


def _of_collection(verb: str, query: Mapping[str, str]) -> str:
    """The verb where no object is named; any ``watch`` but false and 0 asks for one (Python sends True)."""
    match verb:
        case "get":
            return "list" if query.get("watch", "0").lower() in {"0", "false"} else "watch"
        case "delete":
            return "deletecollection"
        case _:
            return verb


class ApiError(HarnessError):
    """The API server refused a request of the harness itself."""

    def __init__(self, method: str, path: str, status: int, message: str) -> None:
        super().__init__(f"{method} {path} was answered with {status}: {message}")
        self.status = status


class Api:
    """A client of the API server for the harness's own requests. Use it as an async context manager."""

    def __init__(self, access: Access, stamps: Stamps | None = None) -> None:
        """Make a client.

        Args:
            access: the API server.
            stamps: by which its requests are known in an audit log; None: by nothing.
        """
        self._upstream = Upstream(access, stamps)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._upstream.close()

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        content_type: str = "application/json",
        missing_ok: bool = False,
    ) -> Json:
        """Make a request and return the JSON of the reply, {} for a missing object if that is all right.

        Raises:
            ApiError: the API server refused.
            HarnessError: it could not be reached within 30 s.
        """
        data = b"" if body is None else orjson.dumps(body)
        headers = [*_HEADERS, (b"Content-Type", content_type.encode())]
        try:
            async with asyncio.timeout(_ANSWERED_WITHIN_S):
                reply = await self._upstream.ask(method, quote(path, _IN_TARGETS), headers, data)
        except (TimeoutError, OSError) as error:
            raise HarnessError(f"the API server does not answer {method} {path}: {_why(error)}") from error
        if reply.status == _MISSING and missing_ok:
            return {}
        text = reply.body
        if reply.status >= _REFUSED:
            raise ApiError(method, path, reply.status, self._said(text))
        answer: Json = orjson.loads(text) if text else {}
        return answer

    async def get(self, path: str, *, missing_ok: bool = False) -> Json:
        """Read an object or a list."""
        return await self.request("GET", path, missing_ok=missing_ok)

    async def create(self, path: str, body: Json) -> Json:
        """Create an object in a collection."""
        return await self.request("POST", path, body)

    async def patch(
        self, path: str, body: Json, *, missing_ok: bool = False, content_type: str = MERGE_PATCH
    ) -> Json:
        """Patch an object, with a merge patch by default."""
        return await self.request("PATCH", path, body, content_type=content_type, missing_ok=missing_ok)

    async def delete(self, path: str, **options: Any) -> Json:
        """Delete an object or a collection; one that is gone already is no error."""
        return await self.request("DELETE", path, options or None, missing_ok=True)

    async def watch(self, path: str, revision: str) -> AsyncIterator[Json]:
        """Watch events of a collection after a revision, until the server ends the stream.

        Raises:
            HarnessError: the watch was refused or broke off.
        """
        asked = f"{path}{'&' if '?' in path else '?'}"
        async for line in self._lines(
            "WATCH", path, f"{asked}watch=1&allowWatchBookmarks=false&resourceVersion={revision}"
        ):
            yield orjson.loads(line)

    async def lines(self, path: str) -> AsyncIterator[str]:
        """The lines of a text, such as a log, as they come; one that is cut at the end is left out.

        Raises:
            HarnessError: it was refused or broke off.
        """
        async for line in self._lines("GET", path, path):
            yield line.decode(errors="replace")

    async def _lines(self, verb: str, path: str, asked: str) -> AsyncIterator[bytes]:
        lines: deque[bytes] = deque()
        heard, rest = asyncio.Event(), b""

        def take(chunk: bytes) -> None:
            nonlocal rest
            *whole, rest = (rest + chunk).split(b"\n")
            lines.extend(whole)
            heard.set()

        try:
            watch = await self._upstream.watch(quote(asked, _IN_TARGETS), _HEADERS, take)
            try:
                if watch.exchange.status != _OK:
                    raise ApiError(verb, path, watch.exchange.status, self._said(watch.exchange.body))
                ended = watch.exchange.ended
                ended.add_done_callback(lambda _: heard.set())
                while lines or not ended.done():
                    await heard.wait()
                    heard.clear()
                    while lines:
                        yield lines.popleft()
                ended.result()
            finally:
                watch.close()
        except OSError as error:
            what = "watch of" if verb == "WATCH" else "answer to GET"
            raise HarnessError(f"the {what} {path} broke off: {_why(error)}") from error

    def _said(self, text: bytes) -> str:
        """What the API server said, and why the credentials are old, if they are."""
        trouble = self._upstream.trouble
        return _message(text) + (f"; the credentials could not be renewed: {trouble}" if trouble else "")


async def make_namespace(api: Api, name: str, cell: str, *, with_account: bool) -> Json:
    """Make a namespace of a cell.

    Args:
        api: the API server.
        name: the name of the namespace.
        cell: the name of the cell, for its label.
        with_account: make its ServiceAccount ``default`` too, without which no pod can be made in it: where
            a controller of the cluster does so, it may take its time.
    """
    metadata = {"name": name, "labels": {CELL_LABEL: cell}}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
    made = await api.create("/api/v1/namespaces", namespace)
    if with_account:
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
        try:
            await api.create(f"/api/v1/namespaces/{name}/serviceaccounts", account)
        except ApiError as error:
            if error.status != 409:  # noqa: PLR2004 - the controller was quicker
                raise
    return made


def _why(error: Exception) -> str:
    """What an error says; some say nothing but their name."""
    return str(error) or type(error).__name__


def _message(text: bytes) -> str:
    try:
        return str(orjson.loads(text)["message"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return text[:300].decode(errors="replace")
