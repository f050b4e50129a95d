"""How the lines of a watch pass through the proxy."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from virtual_time import run
from waiting import in_time, others_go_on

from batchproof.ground.resources import PODS
from batchproof.proxy.gates import Gate, WatchStream
from batchproof.proxy.stream import WatchBuffer
from batchproof.proxy.transport import GONE
from batchproof.proxy.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

AN_HOUR_S = 3600.0


class _Watch:
    """A watch with its gate and what came out of it, on the running loop; it is its own clock and reader."""

    def __init__(self) -> None:
        self.gate = Gate()
        self.written = b""
        self.now_s = asyncio.get_running_loop().time()
        self.stream = WatchStream(PODS, asyncio.get_running_loop().create_future())
        self.feed = WatchBuffer(lambda line: line, lambda: self.now_s)

    async def write(self, piece: bytes) -> None:
        self.written += piece

    def drain(self) -> asyncio.Task[None]:
        return asyncio.ensure_future(self.feed.drain(self, self.stream, self.gate))


async def _settle() -> None:
    """Let everything happen that can happen without anything new."""
    for _ in range(20):
        await others_go_on()


def played(play: Callable[[], Any]) -> None:
    run(in_time(play()))  # less than an hour: a stream that waits for that, fails


def test_a_watch_that_sends_what_there_is_has_begun_when_that_was_given_out() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.stream.begun = False
        watch.feed.push(b'{"type":"ADDED"}\n')
        giving = watch.drain()
        await _settle()
        watch.gate.freeze()
        end = b'{"type":"BOOKMARK","object":{"annotations":{"k8s.io/initial-events-end":"true"}}}\n'
        watch.feed.push(end)
        await _settle()
        held = watch.stream.begun
        watch.gate.thaw()
        await _settle()
        watch.feed.end()
        await giving
        assert (held, watch.stream.begun) == (False, True)

    played(play)


def test_a_watch_gives_out_all_lines_in_order_and_ends_with_the_api_servers() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.feed.push(b"1\n2\n")
        giving = watch.drain()
        await _settle()
        watch.feed.push(b"3\n")
        await _settle()
        assert watch.written == b"1\n2\n3\n"

        watch.feed.push(b"4\n")
        watch.feed.end()
        await giving
        assert watch.written == b"1\n2\n3\n4\n"

    played(play)


def test_a_frozen_watch_gives_out_what_there_was_when_it_was_frozen() -> None:
    """It may come later than that: the view stands still, it does not go back."""

    def line(revision: int) -> bytes:
        return b'{"type":"ADDED","object":{"metadata":{"resourceVersion":"%d"}}}\n' % revision

    async def play() -> None:
        watch = _Watch()
        watch.gate.freeze(since=7)
        watch.feed.push(line(6) + line(7) + line(8))
        giving = watch.drain()
        await _settle()
        assert watch.written == line(6) + line(7)

        watch.gate.thaw()
        watch.feed.end()
        await giving
        assert watch.written == line(6) + line(7) + line(8)

    played(play)


def test_a_frozen_watch_gives_out_nothing_and_then_all() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.gate.freeze()
        watch.feed.push(b"1\n2\n3\n")
        giving = watch.drain()
        await _settle()
        assert watch.written == b""

        watch.gate.thaw()
        watch.feed.end()
        await giving
        assert watch.written == b"1\n2\n3\n"

    played(play)


def test_a_late_watch_keeps_its_order() -> None:
    async def play() -> None:
        watch = _Watch()
        watch.gate.delay_s = AN_HOUR_S
        giving = watch.drain()
        watch.now_s -= AN_HOUR_S  # this one came an hour ago
        watch.feed.push(b"1\n")
        watch.now_s += AN_HOUR_S
        watch.feed.push(b"2\n3\n")
        await _settle()
        assert watch.written == b"1\n"

        watch.gate.reset()
        watch.feed.end()
        await giving
        assert watch.written == b"1\n2\n3\n"

    played(play)


@pytest.mark.parametrize("frozen", [False, True], ids=["open", "frozen"])
def test_a_watch_that_is_closed_ends_at_once(*, frozen: bool) -> None:
    async def play() -> None:
        watch = _Watch()
        if frozen:
            watch.gate.freeze()
            watch.feed.push(b"withheld\n")
        giving = watch.drain()
        await _settle()
        watch.stream.end(GONE)
        await giving
        assert watch.written == b""

    played(play)


def test_who_does_not_read_any_more_ends_the_watch() -> None:
    class _Gone(_Watch):
        async def write(self, piece: bytes) -> None:
            raise ConnectionResetError(piece)

    async def play() -> None:
        watch = _Gone()
        watch.feed.push(b"1\n")
        with pytest.raises(ConnectionError):
            await watch.drain()

    played(play)


def line(name: str, namespace: str) -> bytes:
    return orjson.dumps(
        {"type": "ADDED", "object": {"metadata": {"name": name, "namespace": namespace}}},
        option=orjson.OPT_APPEND_NEWLINE,
    )


STREAM = line("a-1", "bp-1-gw0-1") + line("other", "bp-1-gw1-1") + line("a-2", "bp-1-gw0-1")


@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=6))
def test_lines_are_found_wherever_the_network_cuts_them(cuts: list[int]) -> None:
    view = View("bp-1-gw0")
    feed = WatchBuffer(lambda line: line if view.line(PODS, line) else None, lambda: 0.0)

    for begin, end in pairwise(sorted({0, *cuts, len(STREAM)})):
        feed.push(STREAM[begin:end])

    assert [shown for _, shown in feed.waiting] == [line("a-1", "bp-1-gw0-1"), line("a-2", "bp-1-gw0-1")]
