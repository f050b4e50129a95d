"""The proxy's I/O: an aiohttp server towards the implementation, an aiohttp client towards the API server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import aiohttp
import orjson
from aiohttp import web
from yarl import URL

from batchproof.api.client import authorization, open_session, parse
from batchproof.judgement import faults
from batchproof.proxy.gates import Gate, Gates, Stream
from batchproof.proxy.versions import translation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from batchproof.api.access import Access
    from batchproof.judgement.faults import Armed, Call
    from batchproof.proxy.versions import Translation
    from batchproof.proxy.view import View
    from batchproof.resources import Resource

_HOP = frozenset(
    {"host", "accept-encoding", "authorization", "connection", "content-length", "transfer-encoding"}
)
_PROTOBUF = "application/vnd.kubernetes.protobuf"
_OK = 200
_NO_REPLY = 0  # the status, in a history, of a request whose connection was cut

_NOT_OURS = faults.Answer(
    403,
    "Forbidden",
    "batchproof lets nobody write outside the namespaces of the suite in an existing cluster",
)

GONE = orjson.dumps(
    {
        "type": "ERROR",
        "object": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "too old resource version",
            "reason": "Expired",
            "code": 410,
        },
    },
    option=orjson.OPT_APPEND_NEWLINE,
)
"""The last line of a watch whose resourceVersion the server no longer has."""


class Scene(Protocol):
    """Where the requests of the running scenario are written down, and what is to go wrong with them."""

    @property
    def namespace(self) -> str:
        """The scenario's namespace: only requests in it are struck by faults."""
        ...

    def asked(self, call: Call, body: Any, agent: str, *, supporting: bool) -> int:
        """Record a request; returns its number."""
        ...

    def answered(self, number: int, status: int, *, effect: bool, fault: str, body: Any) -> None:
        """Record what became of a request."""
        ...

    def strike(self, call: Call) -> Armed | None:
        """The fault that strikes this request; it is recorded as fired."""
        ...

    async def released(self, fault: Armed) -> None:
        """Wait until a fault that holds something is lifted."""
        ...

    def crash(self) -> None:
        """Kill the implementation, now."""
        ...


@dataclass(slots=True)
class _Outcome:
    status: int
    body: bytes
    headers: dict[str, str]
    effect: bool
    fault: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Door:
    """The address of the proxy for one process of the implementation.

    Attributes:
        process: the name of the process.
        supporting: no fault strikes it: it is a part of the surroundings of what is judged.
        gates: freeze, delay and close its watches; those of the proxy unless it is supporting.
        url: where it is.
    """

    process: str
    supporting: bool
    gates: Gates
    url: str

    def watching(self, name: str) -> bool:
        """The process has a watch open of the resource that a descriptor names: ``jobs``, ``jobs.batch``."""
        return any(resource.named(name) for resource in self.watched)

    @property
    def watched(self) -> set[Resource]:
        """The resources of which the process has a watch open."""
        return {one.resource for one in self.gates.streams if one.door == self.process}


class Proxy:
    """Plain-http servers on loopback ports that show one implementation its view of the API server.

    Attributes:
        scene: the running scenario; None between scenarios.
        gates: freeze, delay and close the watches of the implementation, but for its supporting processes.
        reachable: while false, every request is cut: the API server cannot be reached.
    """

    def __init__(
        self,
        access: Access,
        view: View,
        *,
        guarded: bool = False,
        served_as: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Make a proxy that does not listen yet.

        Args:
            access: the API server.
            view: what the implementation sees of it.
            guarded: whether writes outside the view are refused: in a cluster that is not ours.
            served_as: the API version that is served, by the one that the implementation asks for.
        """
        self._served_as = served_as
        self._guarded = guarded
        self._access = access
        self._server = access.server
        self._authorization = authorization(access)
        self._view = view
        self._doors: list[tuple[Door, web.ServerRunner]] = []
        self._session: aiohttp.ClientSession
        self.gates = Gates()
        self.scene: Scene | None = None
        self.reachable = True

    async def start(self) -> None:
        """Be ready to open doors."""
        self._session = open_session(self._access)

    async def open_door(self, process: str, *, supporting: bool = False) -> Door:
        """Listen on a free port of 127.0.0.1 for one process, so that it is known who asks."""
        gates = Gates() if supporting else self.gates
        door: Door

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            return await self._handle(request, door)

        runner = web.ServerRunner(web.Server(handle, access_log=None))
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, shutdown_timeout=0.1)
        await site.start()
        door = Door(process, supporting, gates, f"http://127.0.0.1:{runner.addresses[0][1]}")
        self._doors.append((door, runner))
        return door

    async def stop(self) -> None:
        """Cut all connections and stop listening."""
        for door, runner in self._doors:
            door.gates.reset()
            door.gates.close_watches()
            await runner.cleanup()
        await self._session.close()

    async def _handle(self, request: web.BaseRequest, door: Door) -> web.StreamResponse:
        body = await request.content.read() if request.can_read_body else b""
        if not (self.reachable or door.supporting):
            return _cut(request)
        try:
            call = parse(request.method, request.path, request.query)
            return await self._answer(request, door, call, body)
        except (aiohttp.ClientError, OSError):
            return _cut(request)  # the API server is gone: the implementation sees just that

    async def _answer(
        self, request: web.BaseRequest, door: Door, call: Call | None, body: bytes
    ) -> web.StreamResponse:
        if call is None:
            return _response(await self._forward(request, body))
        if call.verb == "watch":
            return await self._watch(request, door, call)
        if not call.write:
            return await self._read(request, door, call)
        if self._guarded and not self._view.owns(call):
            return _response(_error(_NOT_OURS, "", call))
        return await self._write(request, door, call, body)

    # -- reads

    async def _read(self, request: web.BaseRequest, door: Door, call: Call) -> web.StreamResponse:
        scene = self._scene_of(call)
        number = _asked(scene, call, None, request, door) if scene else -1
        strike = scene.strike(call) if scene and call.namespace and not door.supporting else None
        if scene and strike:
            outcome = await self._struck(request, call, b"", strike, scene)
        else:
            if call.verb == "list":
                await door.gates.of(call.resource).passage(asyncio.get_running_loop().time())
            outcome = await self._forward(request, b"")
        if call.verb == "list" and outcome.status == _OK and _json(outcome.headers):
            outcome.body = self._view.filter_list(call.resource, outcome.body)
        if scene:
            _note(scene, number, outcome, body=_parsed(outcome) if call.verb == "get" else None)
        return _reply(request, outcome)

    def _scene_of(self, call: Call) -> Scene | None:
        """The scene that a request belongs to: one in its namespace, or one over all namespaces."""
        scene = self.scene
        return scene if scene and call.namespace in {"", scene.namespace} else None

    async def _watch(self, request: web.BaseRequest, door: Door, call: Call) -> web.StreamResponse:
        if scene := self._scene_of(call):
            _asked(scene, call, None, request, door)
        loop = asyncio.get_running_loop()
        stream = Stream(call.resource, loop.create_future(), door.process)
        door.gates.streams.add(stream)
        reading: asyncio.Task[None] | None = None
        try:
            async with self._session.request(
                request.method, self._url(request), headers=self._headers(request)
            ) as upstream:
                if upstream.status != _OK:
                    return _response(
                        _Outcome(upstream.status, await upstream.read(), _kept(upstream), effect=False)
                    )
                response = web.StreamResponse(
                    headers={"Content-Type": upstream.headers.get("Content-Type", "")}
                )
                await response.prepare(request)
                lines: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
                words = translation(request.path, self._served_as)
                reading = loop.create_task(self._take_in(upstream, call.resource, words, lines))
                await _give_out(response, lines, stream, door.gates.of(call.resource), reading)
                if last := stream.ending.done() and stream.ending.result():
                    await response.write(last)
                await response.write_eof()
                return response
        except (aiohttp.ClientError, ConnectionError, OSError):
            return _cut(request)
        finally:
            door.gates.streams.discard(stream)
            if reading:
                reading.cancel()

    async def _take_in(
        self,
        upstream: aiohttp.ClientResponse,
        resource: Resource,
        words: Translation,
        lines: asyncio.Queue[tuple[float, bytes]],
    ) -> None:
        """Read the API server's stream as fast as it comes, so that it never finds us slow."""
        loop = asyncio.get_running_loop()
        rest = b""
        async for chunk in upstream.content.iter_any():
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                if line and self._view.line(resource, line):
                    lines.put_nowait((loop.time(), words.told(line)))

    # -- writes

    async def _write(
        self, request: web.BaseRequest, door: Door, call: Call, body: bytes
    ) -> web.StreamResponse:
        scene = self.scene if self.scene and call.namespace == self.scene.namespace else None
        if scene is None:
            return _response(await self._forward(request, body))
        number = _asked(scene, call, _json_body(request.content_type, body), request, door)
        strike = None if door.supporting else scene.strike(call)
        outcome = (
            await self._struck(request, call, body, strike, scene)
            if strike
            else await self._forward(request, body)
        )
        _note(scene, number, outcome, body=_parsed(outcome))
        return _reply(request, outcome)

    async def _struck(
        self, request: web.BaseRequest, call: Call, body: bytes, strike: Armed, scene: Scene
    ) -> _Outcome:
        """Do to a request what its fault says."""
        do, text = strike.fault.do, strike.fault.text
        if isinstance(do, faults.Answer):
            return _error(do, text, call)
        if not await self._before_effect(do, strike, scene):
            return _Outcome(_NO_REPLY, b"", {}, effect=False, fault=text)
        outcome = _marked(await self._forward(request, body), text)
        return await _after_effect(do, strike, scene, outcome)

    async def _before_effect(self, do: faults.Effect, strike: Armed, scene: Scene) -> bool:
        """Do what a fault does before the request takes effect; whether it may."""
        match do:
            case faults.Cut():
                return False
            case faults.Crash(after_effect=False):
                scene.crash()
                return False
            case faults.Delay(seconds=seconds):
                await asyncio.sleep(seconds)  # the fault itself
            case faults.Hold(after_effect=False):
                await scene.released(strike)
            case faults.Freeze(resource=resource):
                self.gates.of(resource).freeze()
            case _:
                pass
        return True

    # -- forwarding

    def _url(self, request: web.BaseRequest) -> URL:
        words = translation(request.path, self._served_as)
        return URL(self._server + words.path(request.raw_path), encoded=True)

    def _headers(self, request: web.BaseRequest) -> dict[str, str]:
        kept = {key: value for key, value in request.headers.items() if key.lower() not in _HOP}
        if "apidiscovery" not in (accept := kept.get("Accept", "")) and accept:
            kept["Accept"] = accept.replace(_PROTOBUF, "application/json")
        return {**kept, **self._authorization, "Accept-Encoding": "identity"}

    async def _forward(self, request: web.BaseRequest, body: bytes) -> _Outcome:
        words = translation(request.path, self._served_as)
        data = words.asked(body) or None
        async with self._session.request(
            request.method, self._url(request), headers=self._headers(request), data=data
        ) as upstream:
            text = words.told(await upstream.read())
            return _Outcome(upstream.status, text, _kept(upstream), effect=upstream.status < 400)  # noqa: PLR2004


async def _after_effect(do: faults.Effect, strike: Armed, scene: Scene, outcome: _Outcome) -> _Outcome:
    """Do what a fault does after the request took effect: to its reply, or to who waits for it."""
    match do:
        case faults.Hold(after_effect=True):
            await scene.released(strike)
        case faults.LoseReply():
            return _unheard(outcome)
        case faults.Crash(after_effect=True):
            scene.crash()
            return _unheard(outcome)
        case _:
            pass
    return outcome


async def _give_out(
    response: web.StreamResponse,
    lines: asyncio.Queue[tuple[float, bytes]],
    stream: Stream,
    gate: Gate,
    reading: asyncio.Task[None],
) -> None:
    """Pass on line after line, each when its gate lets it, until the stream ends or is ended."""
    while not stream.ending.done():
        if lines.empty():
            if reading.done():
                return
            taking = asyncio.ensure_future(lines.get())
            await _first(taking, stream.ending, reading)
            if not taking.done():
                taking.cancel()
                continue
            arrived_s, line = taking.result()
        else:
            arrived_s, line = lines.get_nowait()
        if gate.frozen or gate.delay_s:
            passing = asyncio.ensure_future(gate.passage(arrived_s))
            await _first(passing, stream.ending)
            if not passing.done():
                passing.cancel()
                return
        await response.write(line + b"\n")


async def _first(*futures: asyncio.Future[Any]) -> None:
    """Wait until one of them is done."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)


def _asked(scene: Scene, call: Call, body: Any, request: web.BaseRequest, door: Door) -> int:
    agent = request.headers.get("User-Agent", "")
    return scene.asked(call, body, agent, supporting=door.supporting)


def _kept(upstream: aiohttp.ClientResponse) -> dict[str, str]:
    names = ("Content-Type", "Retry-After", "Warning")
    return {name: upstream.headers[name] for name in names if name in upstream.headers}


def _json(headers: dict[str, str]) -> bool:
    return headers.get("Content-Type", "").startswith("application/json")


def _parsed(outcome: _Outcome) -> Any:
    return orjson.loads(outcome.body) if outcome.body and _json(outcome.headers) else None


def _json_body(content_type: str, body: bytes) -> Any:
    """A request's body as JSON; None where it is none, whatever it says to be: the API server refuses it."""
    if content_type != "application/json" and not content_type.endswith("+json"):
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None


def _marked(outcome: _Outcome, fault: str) -> _Outcome:
    outcome.fault = fault
    return outcome


def _unheard(outcome: _Outcome) -> _Outcome:
    outcome.status = _NO_REPLY
    return outcome


def _note(scene: Scene, number: int, outcome: _Outcome, *, body: Any) -> None:
    scene.answered(number, outcome.status, effect=outcome.effect, fault=outcome.fault, body=body)


def _error(error: faults.Answer, fault: str, call: Call) -> _Outcome:
    details: dict[str, Any] = {"name": call.name, "group": call.resource.group, "kind": call.resource.plural}
    headers = {"Content-Type": "application/json"}
    if error.retry_after_s is not None:
        headers["Retry-After"] = str(error.retry_after_s)
        details["retryAfterSeconds"] = error.retry_after_s
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": error.message,
        "reason": error.reason,
        "details": details,
        "code": error.status,
    }
    return _Outcome(error.status, orjson.dumps(status), headers, effect=False, fault=fault)


def _response(outcome: _Outcome) -> web.Response:
    return web.Response(status=outcome.status, body=outcome.body, headers=outcome.headers)


def _reply(request: web.BaseRequest, outcome: _Outcome) -> web.StreamResponse:
    return _cut(request) if outcome.status == _NO_REPLY else _response(outcome)


def _cut(request: web.BaseRequest) -> web.StreamResponse:
    """Close the implementation's connection without a reply."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=_OK)
