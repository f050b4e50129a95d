"""The harness's own way to the API server: JSON over one pooled connection, errors as ``HarnessError``."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self

import aiohttp
import orjson
from multidict import CIMultiDict

from batchproof.api.credentials import Credentials
from batchproof.api.stamps import HEADER, Stamps
from batchproof.errors import HarnessError
from batchproof.judgement.faults import Call
from batchproof.labels import CELL_LABEL
from batchproof.resources import Resource

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

    from yarl import URL

    from batchproof.api.access import Access
    from batchproof.judgement.history import Json

UNAUTHORIZED = 401
_CONNECT_S = 20
"""For one connection with its TLS handshake: where 30 programs share two processors, 5 s were too few."""
_READ_BUFFER = 2**22  # a watch line with a large Job passes the 64 KiB of aiohttp's default

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


def tls(access: Access) -> ssl.SSLContext:
    """How to trust the API server, and to be known to it by a client certificate."""
    context = ssl.create_default_context(cafile=access.ca_file)
    if not access.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if access.certificate_file:
        context.load_cert_chain(access.certificate_file)
    return context


def authorization(access: Access) -> CIMultiDict[str]:
    """The headers that let a request in: the token, if it is not the certificate that does, and as whom."""
    headers = CIMultiDict(access.impersonation)
    if access.token:
        headers["Authorization"] = f"Bearer {access.token}"
    return headers


class Connections:
    """Pooled connections to the API server, with credentials that are renewed while they are used.

    As many as are needed, with no limit to how long a watch lasts. Belongs to one event loop.
    """

    def __init__(self, access: Access, stamps: Stamps) -> None:
        self._credentials = Credentials(access)
        self._stamps = stamps
        self._sessions: dict[str | None, aiohttp.ClientSession] = {}

    @property
    def trouble(self) -> str:
        """Why the credentials could not be renewed; empty if they could."""
        return self._credentials.trouble

    @asynccontextmanager
    async def request(
        self, method: str, url: URL | str, *, headers: Mapping[str, str], data: bytes | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Make a request; again if it is refused and there are other credentials by then.

        Raises:
            aiohttp.ClientError, OSError: the API server cannot be reached, or not trusted.
        """
        access = self._credentials.current()
        while True:
            async with self._ask(access, method, url, headers, data) as reply:
                if reply.status != UNAUTHORIZED or not await self._credentials.refused(access):
                    yield reply
                    return
            access = self._credentials.access

    async def close(self) -> None:
        """End all connections."""
        for session in self._sessions.values():
            await session.close()

    def _ask(
        self, access: Access, method: str, url: URL | str, headers: Mapping[str, str], data: bytes | None
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        names = CIMultiDict(headers)
        names.update(authorization(access))
        names[HEADER] = self._stamps.new()
        return self._session(access).request(
            method,
            url,
            headers=names,
            data=data,
            server_hostname=access.server_name,
            proxy=access.proxy_url,
        )

    def _session(self, access: Access) -> aiohttp.ClientSession:
        """The connections of a client certificate; those of an older one end with their requests."""
        if (session := self._sessions.get(access.certificate_file)) is None:
            session = self._sessions[access.certificate_file] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(ssl=tls(access), limit=0),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S),
                read_bufsize=_READ_BUFFER,
                auto_decompress=False,
            )
        return session


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
        self._server = access.server
        self._headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        self._connections = Connections(access, stamps or Stamps())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connections.close()

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
        data = None if body is None else orjson.dumps(body)
        headers = {**self._headers, "Content-Type": content_type}
        url = self._server + path
        try:
            async with (
                asyncio.timeout(30),
                self._connections.request(method, url, headers=headers, data=data) as reply,
            ):
                text = await reply.read()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise HarnessError(f"the API server does not answer {method} {path}: {_why(error)}") from error
        if reply.status == 404 and missing_ok:  # noqa: PLR2004
            return {}
        if reply.status >= 400:  # noqa: PLR2004
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
        try:
            async with self._connections.request("GET", self._server + asked, headers=self._headers) as reply:
                if reply.status != 200:  # noqa: PLR2004
                    raise ApiError(verb, path, reply.status, self._said(await reply.read()))
                rest = b""
                async for chunk in reply.content.iter_any():
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        yield line
        except (aiohttp.ClientError, OSError) as error:
            what = "watch of" if verb == "WATCH" else "answer to GET"
            raise HarnessError(f"the {what} {path} broke off: {_why(error)}") from error

    def _said(self, text: bytes) -> str:
        """What the API server said, and why the credentials are old, if they are."""
        trouble = self._connections.trouble
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
