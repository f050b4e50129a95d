"""The proxy itself: it records each request of the implementation, applies the faults, and forwards it."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from batchproof.api.access import Access
from batchproof.api.certificates import Identity
from batchproof.api.client import parse
from batchproof.api.stamps import Stamps
from batchproof.api.upstream import Exchange, Headers, Upstream
from batchproof.ground import yaml_text
from batchproof.ground.resources import Resource
from batchproof.judgement import faults
from batchproof.judgement.faults import Armed, Call
from batchproof.proxy import guard, targets
from batchproof.proxy.gates import Gates, WatchStream
from batchproof.proxy.server import HttpRequest, Server
from batchproof.proxy.stream import WatchBuffer
from batchproof.proxy.versions import Translation, translation
from batchproof.proxy.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PASSED_ON: Final = frozenset({b"accept", b"content-type", b"if-none-match", b"user-agent"})
"""The headers of the implementation that reach the API server. No other does, whatever it is called: neither
credentials, nor ``Impersonate-*``, nor what a front proxy says of a user, nor what is of one connection."""
_KEPT = frozenset({b"content-type", b"retry-after", b"warning"})
_JSON = b"application/json"
_ANY = b"*/*"
"""JSON for objects, and text for logs."""
_OK = 200
LARGEST_KEPT: Final = 4 * 2**20
"""Of a reply, in bytes. etcd takes 1.5 MiB for an object: more is only a list of what was deleted at once."""
LARGEST_YAML: Final = 64 * 2**10
"""Of a body in YAML, in bytes: to read it takes far longer than JSON, and others wait meanwhile."""
_MOST_VALUES = 20_000
"""Of a body in YAML, each alias counted as what it stands for."""
_YAML: Final = frozenset({"application/yaml", "application/x-yaml", "text/yaml"})
_NO_REPLY = 0  # the status, in a history, of a request whose connection was cut

_UNKNOWN_FORM = faults.FaultAnswer(
    406,
    "NotAcceptable",
    "batchproof cannot see in a reply of this form what belongs to the implementation",
)

_EXPIRED = faults.FaultAnswer(410, "Expired", "too old resource version")
"""To a watch from a version that the server no longer has (Kubernetes documentation, API concepts)."""
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


class SceneRecorder(Protocol):
    """Where the requests of the running scenario are written down, and what is to go wrong with them."""

    @property
    def namespace(self) -> str:
        """The scenario's namespace: faults apply to the requests in it, and what ``reaches`` says."""
        ...

    def reaches(self, resource: Resource) -> bool:
        """Whether a fault in force names this resource, which may be cluster-scoped."""
        ...

    def asked(self, call: Call, body: Any, agent: str, *, instance: int) -> int:
        """Record a request of that instance (0: of a supporting process); returns its number."""
        ...

    def answered(self, number: int, status: int, *, effect: bool, fault: str, body: Any) -> None:
        """Record what became of a request."""
        ...

    def strike(self, call: Call) -> Armed | None:
        """The fault that this request triggers; it is recorded as fired."""
        ...

    async def released(self, fault: Armed) -> None:
        """Wait until a fault that holds something is lifted."""
        ...

    def crash(self) -> None:
        """Kill the implementation, now."""
        ...

    async def meddle(self, call: Call) -> None:
        """Change the object that a request names, as another client."""
        ...

    def fail(self, error: BaseException) -> None:
        """Note trouble of the harness: what was observed says nothing about the implementation."""
        ...


@dataclass(slots=True)
class _Outcome:
    status: int
    body: bytes
    headers: Headers
    effect: bool
    fault: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Endpoint:
    """The address of the proxy for one process of the implementation.

    Attributes:
        process: the name of the process.
        supporting: no fault applies to it: it is a part of the surroundings of what is judged.
        gates: freeze, delay and close its watches; those of the proxy unless it is supporting.
        instance: says which instance of the implementation the process is of.
        url: where it is.
        token: a request without it is not answered.
        authority: the authority that signed its certificate, in PEM.
    """

    process: str
    supporting: bool
    gates: Gates
    instance: Callable[[], int]
    url: str
    token: str = field(repr=False)
    authority: bytes = field(repr=False)

    def watching(self, name: str) -> bool:
        """The process sees the resource that a descriptor names so: ``jobs``, ``jobs.batch``."""
        return any(resource.named(name) for resource in self.watched)

    @property
    def watched(self) -> set[Resource]:
        """The resources of which the process has a watch open, and has been given what there was before."""
        return {one.resource for one in self.gates.streams if one.door == self.process and one.begun}


class Proxy:
    """Servers on loopback ports that show one implementation its view of the API server.

    Attributes:
        scene: the running scenario; None between scenarios.
        gates: freeze, delay and close the watches of the implementation, but for its supporting processes.
        cut_off: the processes whose requests are cut: they cannot reach the API server.
    """

    def __init__(
        self,
        access: Access,
        view: View,
        *,
        guarded: bool = False,
        stamps: Stamps | None = None,
        served_as: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Make a proxy that does not listen yet.

        Args:
            access: the API server.
            view: what the implementation sees of it.
            guarded: whether what is outside the view can neither be read nor written, in whatever form: in a
                cluster that is not ours.
            stamps: by which its requests are known in the audit log of the API server; None: by nothing.
            served_as: the API version that is served, by the one that the implementation asks for.
        """
        self._served_as = served_as
        self._guarded = guarded
        self._stamps = stamps
        self._access = access
        self._view = view
        self._doors: list[tuple[Endpoint, Server]] = []
        self._upstream: Upstream
        self._identity: Identity
        self.gates = Gates()
        self.scene: SceneRecorder | None = None
        self.cut_off: set[str] = set()

    async def start(self) -> None:
        """Be ready to open doors."""
        self._upstream = Upstream(self._access, self._stamps)
        self._identity = Identity.new()

    async def open_door(
        self, process: str, instance: Callable[[], int], *, supporting: bool = False
    ) -> Endpoint:
        """Listen on a free port of 127.0.0.1 for one process and its token: all requests are its own."""
        gates = Gates() if supporting else self.gates
        door: Endpoint

        async def handle(request: HttpRequest) -> None:
            await self._handle(request, door)

        token = secrets.token_urlsafe(32)
        server = Server(handle, self._broken, token)
        await server.start(self._identity.tls)
        door = Endpoint(process, supporting, gates, instance, server.url, token, self._identity.authority)
        self._doors.append((door, server))
        return door

    def let_all_pass(self) -> None:
        """Hold nothing back, and cut off no client any more."""
        self.cut_off.clear()
        self.gates.reset()

    async def stop(self) -> None:
        """Cut all connections and stop listening."""
        for door, server in self._doors:
            door.gates.reset()
            door.gates.close_watches()
            await server.stop()
        self._upstream.close()

    def _broken(self, error: BaseException) -> None:
        """A handler of ours has raised, and the connection was cut: a harness error."""
        if self.scene:
            self.scene.fail(error)

    async def _handle(self, request: HttpRequest, door: Endpoint) -> None:
        if door.process in self.cut_off:
            request.connection.cut()
            return
        try:
            path, query = targets.read(request.target)
            await self._answer(request, door, path, parse(request.method, path, query))
        except targets.TargetError as error:
            _reply(request, _error(faults.FaultAnswer(error.status, "BadRequest", str(error)), "", None))
        except OSError:
            request.connection.cut()  # the API server is gone: the implementation sees just that

    async def _answer(self, request: HttpRequest, door: Endpoint, path: str, call: Call | None) -> None:
        if refused := self._refused(request.method, path, call):
            _reply(request, _error(refused, "", call))
        elif call is None:
            _reply(request, await self._forward(request, None))
        elif call.verb == "watch":
            await self._watch(request, door, call)
        elif not call.write:
            await self._read(request, door, call)
        else:
            await self._write(request, door, call)

    def _refused(self, method: str, path: str, call: Call | None) -> faults.FaultAnswer | None:
        if not self._guarded:
            return None
        return guard.refusal(self._view, call) if call else guard.refusal_of_path(method, path)

    # -- reads

    async def _read(self, request: HttpRequest, door: Endpoint, call: Call) -> None:
        scene = self._scene_of(call)
        number = _asked(scene, call, None, request, door) if scene else -1
        strike = scene.strike(call) if scene and call.namespace and not door.supporting else None
        if scene and strike:
            outcome = await self._struck(request, call, strike, scene, door)
        else:
            if call.verb == "list" and not (door.gates.of(call.resource).frozen and _consistent(request)):
                await door.gates.of(call.resource).passage(asyncio.get_running_loop().time())
            outcome = await self._forward(request, call)
        if call.verb == "list" and outcome.status == _OK:
            outcome = self._seen(call, outcome)
            door.gates.expired.discard((door.process, call.resource))
        if scene:
            _note(scene, number, outcome, body=_parsed(outcome) if call.verb == "get" else None)
        _reply(request, outcome)

    def _seen(self, call: Call, outcome: _Outcome) -> _Outcome:
        """A list as the view shows it; an error where its form does not say whose its parts are."""
        shown = self._view.filter_list(call.resource, outcome.body) if _is_json(outcome) else None
        if shown is None:
            return _error(_UNKNOWN_FORM, outcome.fault, call)
        outcome.body = shown
        return outcome

    def _scene_of(self, call: Call) -> SceneRecorder | None:
        """The scene that a request belongs to: one in its namespace, or one over all namespaces."""
        scene = self.scene
        return scene if scene and call.namespace in {"", scene.namespace} else None

    async def _watch(self, request: HttpRequest, door: Endpoint, call: Call) -> None:
        scene = self._scene_of(call)
        number = _asked(scene, call, None, request, door) if scene else -1
        if (door.process, call.resource) in door.gates.expired and _from_a_version(request):
            refused = _error(_EXPIRED, "", call)
            if scene:
                _note(scene, number, refused, body=None)
            _reply(request, refused)
            return
        loop, connection = asyncio.get_running_loop(), request.connection
        stream = WatchStream(
            call.resource, loop.create_future(), door.process, begun=not _from_the_start(request)
        )
        door.gates.streams.add(stream)
        connection.on_close = stream.end
        words = translation(request.target, self._served_as)
        feed = WatchBuffer(lambda line: self._shown(call.resource, line, words), loop.time)
        try:
            target, headers = words.path(request.target), _passed_on(request, call)
            watch = await self._upstream.watch(target, headers, feed.push)
            if scene:
                _note(scene, number, _outcome(watch.exchange), body=None)
            try:
                if watch.exchange.status != _OK:
                    _reply(request, _outcome(watch.exchange))
                    return
                watch.exchange.ended.add_done_callback(lambda _: feed.end())
                connection.begin(_OK, _kept(watch.exchange.headers))
                await feed.drain(connection, stream, door.gates.of(call.resource))
                if not stream.ending.done():
                    watch.exchange.ended.result()  # raises where the API server did not end it, but is gone
            finally:
                watch.close()
            if last := stream.ending.done() and stream.ending.result():
                await connection.write(last)
            connection.end()
        finally:
            connection.on_close = None
            door.gates.streams.discard(stream)

    def _shown(self, resource: Resource, line: bytes, words: Translation) -> bytes | None:
        """What the implementation is shown of a line of a watch; None for nothing."""
        shown = self._view.line(resource, line)
        return None if shown is None else words.replied(shown)

    # -- writes

    def _scene_of_write(self, call: Call) -> SceneRecorder | None:
        """The scene that a write belongs to: in its namespace, or to a cluster-scoped object of its own.

        The latter only where a fault names the resource: else what becomes of it is all that is recorded.
        """
        scene = self.scene
        if scene is None or call.namespace == scene.namespace:
            return scene
        own = not call.namespace and call.name.startswith(f"{scene.namespace}-")
        return scene if own and scene.reaches(call.resource) else None

    async def _write(self, request: HttpRequest, door: Endpoint, call: Call) -> None:
        scene = self._scene_of_write(call)
        if scene is None:
            _reply(request, await self._forward(request, call))
            return
        number = _asked(scene, call, _read_body(request.header(b"content-type"), request.body), request, door)
        strike = None if door.supporting else scene.strike(call)
        struck = self._struck(request, call, strike, scene, door) if strike else self._forward(request, call)
        outcome = await struck
        _note(scene, number, outcome, body=_parsed(outcome))
        _reply(request, outcome)

    async def _struck(
        self, request: HttpRequest, call: Call, strike: Armed, scene: SceneRecorder, door: Endpoint
    ) -> _Outcome:
        """Do to a request what its fault says."""
        do, text, asker = strike.fault.do, strike.fault.text, door.instance()
        if isinstance(do, faults.FaultAnswer):
            return _error(do, text, call)
        if not await self._before_effect(do, strike, scene, call):
            return _Outcome(_NO_REPLY, b"", [], effect=False, fault=text)
        outcome = _marked(await self._forward(request, call), text)
        if isinstance(do, faults.Crash) and door.instance() != asker:
            return _unheard(outcome)  # the client was killed meanwhile, and its successor did nothing
        return await _after_effect(do, strike, scene, outcome)

    async def _before_effect(
        self, do: faults.Effect, strike: Armed, scene: SceneRecorder, call: Call
    ) -> bool:
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
            case faults.EndWatches(gone=gone):
                self.gates.close_watches(None, GONE if gone else b"")
            case faults.ConcurrentUpdate():
                await scene.meddle(call)
            case _:
                pass
        return True

    async def _forward(self, request: HttpRequest, call: Call | None) -> _Outcome:
        words = translation(request.target, self._served_as)
        target = words.path(request.target)
        if self._guarded and call and call.verb == "list":
            target = targets.without_pages(target)
        exchange = await self._upstream.ask(
            request.method, target, _passed_on(request, call), words.asked(request.body)
        )
        outcome = _outcome(exchange)
        outcome.body = words.replied(outcome.body)
        return outcome


def _passed_on(request: HttpRequest, call: Call | None) -> Headers:
    """The headers of a request, as the API server is to see them: it is asked for JSON, uncompressed."""
    kept = [(name, value) for name, value in request.headers if name.lower() in _PASSED_ON]
    if call:
        kept = [(name, _in_json(value) if name.lower() == b"accept" else value) for name, value in kept]
    return [*kept, (b"Accept-Encoding", b"identity")]


def _in_json(accept: bytes) -> bytes:
    """The same forms of objects (``;as=Table``), each as JSON, whatever they were to be encoded in."""
    forms = (clause.strip().partition(b";") for clause in accept.split(b",") if clause.strip())
    as_json = ((kind if kind.strip() == _ANY else _JSON, *rest) for kind, *rest in forms)
    return b",".join(map(b"".join, as_json)) or _JSON


def _outcome(exchange: Exchange) -> _Outcome:
    accepted = exchange.status < 400  # noqa: PLR2004
    return _Outcome(exchange.status, exchange.body, _kept(exchange.headers), effect=accepted)


async def _after_effect(
    do: faults.Effect, strike: Armed, scene: SceneRecorder, outcome: _Outcome
) -> _Outcome:
    """Do what a fault does after the request took effect: to its reply, or to the waiting process."""
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


def _asked(scene: SceneRecorder, call: Call, body: Any, request: HttpRequest, door: Endpoint) -> int:
    instance = 0 if door.supporting else door.instance()
    return scene.asked(call, body, request.header(b"user-agent"), instance=instance)


def _kept(headers: Headers) -> Headers:
    """The headers of a reply that mean something to the client."""
    return [(name, value) for name, value in headers if name in _KEPT]


def _consistent(request: HttpRequest) -> bool:
    """The list that is asked for must show all that was stored before: it names no resourceVersion."""
    return not targets.read(request.target)[1].get("resourceVersion")


def _from_the_start(request: HttpRequest) -> bool:
    """The watch that is asked for begins with what is there, instead of a list before it (KEP-3157)."""
    return targets.read(request.target)[1].get("sendInitialEvents") == "true"


def _from_a_version(request: HttpRequest) -> bool:
    """The watch that is asked for begins after a version that the asker has seen."""
    query = targets.read(request.target)[1]
    return query.get("resourceVersion", "0") not in {"", "0"} and not _from_the_start(request)


def _is_json(outcome: _Outcome) -> bool:
    return any(name == b"content-type" and value.startswith(_JSON) for name, value in outcome.headers)


def _parsed(outcome: _Outcome) -> Any:
    """What a history keeps of a reply: JSON, unless it is larger than any object can be."""
    kept = 0 < len(outcome.body) <= LARGEST_KEPT and _is_json(outcome)
    return orjson.loads(outcome.body) if kept else None


def _read_body(content_type: str, body: bytes) -> Any:
    """A request's body as values of JSON; None where it has none, whatever it says to be.

    What does not say what it is counts as JSON, as for the API server (k8s.io/apiserver,
    endpoints/handlers/negotiation, NegotiateInputSerializer): some clients create objects so. YAML is an
    object in one document; that of server-side apply is JSON as most clients write it.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    is_yaml = media_type in _YAML or media_type.endswith("+yaml")
    if not body or not (is_yaml or media_type in {"", "application/json"} or media_type.endswith("+json")):
        return None
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _yaml_object(body) if is_yaml else None
    return found if isinstance(found, dict) or not is_yaml else None


def _yaml_object(body: bytes) -> Any:
    """The object that a text in YAML is; None where it is none, or too large to be read between requests."""
    if len(body) > LARGEST_YAML:
        return None
    try:
        text = body.decode("utf-8")
        yaml_text.nodes(text, _MOST_VALUES)
        found = yaml_text.values(text)
    except (UnicodeDecodeError, yaml_text.WrongYaml):
        return None
    return found[0] if len(found) == 1 and isinstance(found[0], dict) else None


def _marked(outcome: _Outcome, fault: str) -> _Outcome:
    outcome.fault = fault
    return outcome


def _unheard(outcome: _Outcome) -> _Outcome:
    outcome.status = _NO_REPLY
    return outcome


def _note(scene: SceneRecorder, number: int, outcome: _Outcome, *, body: Any) -> None:
    scene.answered(number, outcome.status, effect=outcome.effect, fault=outcome.fault, body=body)


def _error(error: faults.FaultAnswer, fault: str, call: Call | None) -> _Outcome:
    details: dict[str, Any] = {}
    if call:
        details = {"name": call.name, "group": call.resource.group, "kind": call.resource.plural}
    headers: Headers = [(b"content-type", _JSON)]
    if error.retry_after_s is not None:
        headers.append((b"retry-after", str(error.retry_after_s).encode()))
        details["retryAfterSeconds"] = error.retry_after_s
    if error.cause:
        details["causes"] = [{"reason": error.cause, "message": error.message}]
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


def _reply(request: HttpRequest, outcome: _Outcome) -> None:
    if outcome.status == _NO_REPLY:
        request.connection.cut()
    else:
        request.connection.reply(outcome.status, outcome.headers, outcome.body)
