"""What the proxy does to bytes on their way; the way itself is tested against a real API server."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from aiohttp.test_utils import make_mocked_request
from hypothesis import given, settings
from hypothesis import strategies as st

from batchproof.api.access import Access
from batchproof.judgement.faults import Call, answer, conflict
from batchproof.proxy import transport
from batchproof.proxy.gates import Stream
from batchproof.proxy.transport import GONE, Proxy
from batchproof.proxy.versions import SAME
from batchproof.proxy.view import View
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

CALL = Call("update", JOBS, "status", "bp-1-gw0-1", "a")


def proxy() -> Proxy:
    return Proxy(Access("https://127.0.0.1:6443", "secret", None), View("bp-1-gw0"))


# -- requests


def forwarded(**headers: str) -> dict[str, str]:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return proxy()._headers(make_mocked_request("GET", "/api/v1/pods", headers=told))


def test_the_api_server_hears_the_proxy_in_the_name_of_the_implementation() -> None:
    told = forwarded(Authorization="Bearer other", User_Agent="acme/1", Content_Type="application/json")

    assert told["Authorization"] == "Bearer secret"
    assert (told["User-Agent"], told["Content-Type"]) == ("acme/1", "application/json")


@pytest.mark.parametrize("name", ["Host", "Connection", "Transfer-Encoding", "Content-Length"])
def test_headers_of_one_connection_are_not_passed_on(name: str) -> None:
    assert name not in forwarded(**{name.replace("-", "_"): "chunked"})


def test_nothing_is_compressed_because_the_proxy_must_read_it() -> None:
    assert forwarded(Accept_Encoding="gzip")["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    ("asked", "passed_on"),
    [
        pytest.param("application/json", "application/json", id="JSON stays"),
        pytest.param(
            "application/vnd.kubernetes.protobuf,application/json",
            "application/json,application/json",
            id="protobuf becomes JSON, which the history can keep",
        ),
        pytest.param(
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
            id="discovery stays as it is asked for",
        ),
    ],
)
def test_the_api_server_is_asked_for_json(asked: str, passed_on: str) -> None:
    assert forwarded(Accept=asked)["Accept"] == passed_on


def test_a_url_is_passed_on_letter_by_letter() -> None:
    path = "/api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Da-1&labelSelector=a+b%2Cc"

    url = proxy()._url(make_mocked_request("GET", path))

    assert str(url) == f"https://127.0.0.1:6443{path}"


@pytest.mark.parametrize(
    ("content_type", "body", "kept"),
    [
        ("application/json", b'{"kind": "Job"}', {"kind": "Job"}),
        ("application/merge-patch+json", b'{"a": null}', {"a": None}),
        ("application/json-patch+json", b"[]", []),
        ("application/json", b"", None),
        ("application/json", b"{broken", None),
        ("application/vnd.kubernetes.protobuf", b"k8s\x00\x0a", None),
        ("application/apply-patch+yaml", b"kind: Job", None),
    ],
)
def test_a_body_is_kept_where_it_is_json(content_type: str, body: bytes, kept: Any) -> None:
    assert transport._json_body(content_type, body) == kept


# -- replies


def test_a_fault_answers_as_the_api_server_would() -> None:
    outcome = transport._error(conflict("jobs.batch"), "writes of jobs conflict", CALL)

    status = orjson.loads(outcome.body)
    assert (status["kind"], status["apiVersion"], status["status"]) == ("Status", "v1", "Failure")
    assert (status["code"], status["reason"]) == (409, "Conflict")
    assert status["details"] == {"name": "a", "group": "batch", "kind": "jobs"}
    assert outcome.headers == {"Content-Type": "application/json"}
    assert (outcome.status, outcome.effect, outcome.fault) == (409, False, "writes of jobs conflict")


def test_a_client_that_is_to_try_again_is_told_when() -> None:
    outcome = transport._error(answer(429, retry_after_s=1), "too many", CALL)

    assert outcome.headers["Retry-After"] == "1"
    assert orjson.loads(outcome.body)["details"]["retryAfterSeconds"] == 1


def test_a_watch_that_is_too_old_ends_as_the_api_server_ends_it() -> None:
    event = orjson.loads(GONE)

    assert GONE.endswith(b"\n")
    assert (event["type"], event["object"]["code"], event["object"]["reason"]) == ("ERROR", 410, "Expired")


# -- streams


class _Written:
    """What an implementation was sent of a watch."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    async def write(self, line: bytes) -> None:
        self.lines.append(line)


class _Watch:
    """A stream with its lines, gate and what came out of it, on the running loop."""

    def __init__(self) -> None:
        self.proxy = proxy()
        self.gate = self.proxy.gates.of(PODS)
        self.written = _Written()
        self.stream = Stream(PODS, asyncio.get_running_loop().create_future())
        self.lines: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        self.upstream_ends = asyncio.Event()
        self.reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        await self.upstream_ends.wait()

    def arrive(self, *lines: bytes) -> None:
        for line in lines:
            self.lines.put_nowait((asyncio.get_running_loop().time(), line))

    def give_out(self) -> asyncio.Task[None]:
        written: Any = self.written
        return asyncio.ensure_future(
            transport._give_out(written, self.lines, self.stream, self.gate, self.reading)
        )


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0.002)


def played(play: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(play(), timeout=10))


def test_a_stream_gives_out_all_lines_in_order_and_ends_with_the_api_servers() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.arrive(b"1", b"2")
        giving = watch.give_out()
        await _settle()
        watch.arrive(b"3")
        await _settle()
        watch.arrive(b"4")
        watch.upstream_ends.set()
        await giving
        assert watch.written.lines == [b"1\n", b"2\n", b"3\n", b"4\n"]

    played(play)


def test_a_frozen_stream_gives_out_nothing_and_then_all() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.gate.freeze()
        watch.arrive(b"1", b"2", b"3")
        giving = watch.give_out()
        await _settle()
        assert watch.written.lines == []

        watch.gate.thaw()
        watch.upstream_ends.set()
        await giving
        assert watch.written.lines == [b"1\n", b"2\n", b"3\n"]

    played(play)


def test_a_late_stream_keeps_its_order() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.gate.delay_s = 0.03
        giving = watch.give_out()
        watch.arrive(b"1")
        await asyncio.sleep(0.01)
        watch.arrive(b"2", b"3")
        await _settle()
        assert watch.written.lines == []

        watch.upstream_ends.set()
        await giving
        assert watch.written.lines == [b"1\n", b"2\n", b"3\n"]

    played(play)


@pytest.mark.parametrize("frozen", [False, True], ids=["open", "frozen"])
def test_a_stream_that_is_closed_ends_at_once(*, frozen: bool) -> None:
    async def play() -> None:
        watch = _Watch()
        if frozen:
            watch.gate.freeze()
            watch.arrive(b"withheld")
        giving = watch.give_out()
        await _settle()
        watch.stream.end(GONE)
        await giving
        assert watch.written.lines == []
        watch.reading.cancel()

    played(play)


def line(name: str, namespace: str) -> bytes:
    return orjson.dumps(
        {"type": "ADDED", "object": {"metadata": {"name": name, "namespace": namespace}}},
        option=orjson.OPT_APPEND_NEWLINE,
    )


STREAM = line("a-1", "bp-1-gw0-1") + line("other", "bp-1-gw1-1") + line("a-2", "bp-1-gw0-1")


@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=6))
@settings(deadline=None, max_examples=50)
def test_lines_are_found_wherever_the_network_cuts_them(cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(STREAM)})
    chunks = [STREAM[begin:end] for begin, end in pairwise(places)]

    async def arriving() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def play() -> list[bytes]:
        lines: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        upstream: Any = SimpleNamespace(content=SimpleNamespace(iter_any=arriving))
        await proxy()._take_in(upstream, PODS, SAME, lines)
        return [lines.get_nowait()[1] for _ in range(lines.qsize())]

    assert asyncio.run(play()) == [line("a-1", "bp-1-gw0-1")[:-1], line("a-2", "bp-1-gw0-1")[:-1]]
