"""Gates in virtual time: what is frozen waits, what is late keeps its order, what is closed ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from virtual_time import passed_s, run
from waiting import others_go_on

from batchproof.ground.resources import JOBS, NODES, PODS, Resource
from batchproof.proxy.gates import Gate, Gates, WatchStream

if TYPE_CHECKING:
    from collections.abc import Coroutine

_SOON_S = 0.03
_LATE_S = 0.05
_AN_HOUR_S = 3600.0


async def passed(*passages: Coroutine[object, object, None], within_s: float = _SOON_S) -> int:
    """How many of them are through within that time; the others are given up."""
    tasks = [asyncio.ensure_future(it) for it in passages]
    done, waiting = await asyncio.wait(tasks, timeout=within_s)
    for task in waiting:
        task.cancel()
    return len(done)


def now() -> float:
    return asyncio.get_running_loop().time()


def test_an_open_gate_lets_all_pass_and_withholds_nothing() -> None:
    async def play() -> None:
        told: list[str] = []
        gate = Gate(withheld=lambda: told.append("withheld"))
        await gate.passage(now())
        assert (gate.frozen, told) == (False, [])

    run(play())


def test_a_frozen_gate_holds_all_until_the_thaw() -> None:
    async def play() -> None:
        told: list[str] = []
        gate = Gate(withheld=lambda: told.append("withheld"))
        gate.freeze()
        waiting = [asyncio.ensure_future(gate.passage(now())) for _ in range(3)]
        shielded = [asyncio.shield(it) for it in waiting]
        assert await passed(*shielded, within_s=_AN_HOUR_S) == 0  # type: ignore[arg-type]
        assert len(told) == 3

        gate.thaw()
        await asyncio.gather(*waiting)
        assert not gate.frozen

    run(play())


def test_what_waited_at_a_frozen_gate_passes_in_order() -> None:
    async def play() -> None:
        gate, through = Gate(), []

        async def one(name: int) -> None:
            await gate.passage(now())
            through.append(name)

        gate.freeze()
        waiting = [asyncio.ensure_future(one(name)) for name in range(5)]
        await others_go_on()
        gate.thaw()
        await asyncio.gather(*waiting)
        assert through == [0, 1, 2, 3, 4]

    run(play())


def test_a_delay_counts_from_the_arrival_and_keeps_the_order() -> None:
    async def play() -> None:
        told: list[str] = []
        gate = Gate(delay_s=_LATE_S, withheld=lambda: told.append("withheld"))
        times = []
        for arrived_s in (0.0, 0.01, 0.02):  # as a stream passes its lines on: one after the other
            await gate.passage(arrived_s)
            times.append(passed_s())

        assert times == [_LATE_S, 0.06, 0.07], "three delays of their own, not three in a row"
        assert len(told) == 3

    run(play())


def test_what_arrived_long_ago_is_not_late() -> None:
    async def play() -> None:
        assert await passed(Gate(delay_s=60.0).passage(now() - 61.0)) == 1

    run(play())


def test_what_is_late_still_waits_for_a_thaw() -> None:
    async def play() -> None:
        gate = Gate(delay_s=0.001)
        gate.freeze()
        assert await passed(gate.passage(now()), within_s=_AN_HOUR_S) == 0
        gate.thaw()
        assert await passed(gate.passage(now())) == 1

    run(play())


def test_each_resource_has_its_own_gate() -> None:
    gates = Gates()
    gates.of(PODS).freeze()

    assert gates.of(PODS).frozen
    assert gates.of(PODS) is gates.of(PODS)
    assert not gates.of(JOBS).frozen


def test_a_reset_opens_all_gates_and_forgets_their_faults() -> None:
    gates = Gates()
    gates.of(PODS).freeze()
    gates.of(JOBS).delay_s = 3.0
    gates.of(JOBS).withheld = lambda: None

    gates.reset()

    assert [(it.frozen, it.delay_s, it.withheld) for it in map(gates.of, (PODS, JOBS))] == [
        (False, 0.0, None),
        (False, 0.0, None),
    ]


def test_what_is_late_passes_at_once_when_all_is_reset() -> None:
    async def play() -> None:
        gates = Gates()
        gates.of(PODS).delay_s = 60.0
        waiting = asyncio.ensure_future(gates.of(PODS).passage(now()))
        await others_go_on()

        gates.reset()

        await waiting
        assert passed_s() == 0

    run(play())


@pytest.mark.parametrize(
    ("resource", "ended"),
    [(PODS, ["pods", "pods"]), (JOBS, ["jobs"]), (None, ["jobs", "pods", "pods"]), (NODES, [])],
)
def test_the_watches_of_a_resource_are_closed_with_a_last_line(
    resource: Resource | None, ended: list[str]
) -> None:
    async def play() -> None:
        gates, loop = Gates(), asyncio.get_running_loop()
        streams = [WatchStream(it, loop.create_future()) for it in (PODS, PODS, JOBS)]
        gates.streams.update(streams)

        assert gates.close_watches(resource, b"410") == len(ended)

        closed = [it for it in streams if it.ending.done()]
        assert sorted(it.resource.plural for it in closed) == ended
        assert all(it.ending.result() == b"410" for it in closed)
        assert gates.streams == set(streams) - set(closed)
        assert gates.close_watches(resource) == 0

    run(play())


def test_a_stream_ends_once_with_its_first_last_line() -> None:
    async def play() -> None:
        stream = WatchStream(PODS, asyncio.get_running_loop().create_future())
        stream.end(b"gone")
        stream.end()
        assert stream.ending.result() == b"gone"

    run(play())
