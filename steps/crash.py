"""Steps that kill the implementation at a write, and see it running again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

from batchproof.judgement.faults import Crash, Fault, On
from batchproof.resources import EVENTS, PODS

if TYPE_CHECKING:
    from batchproof.world import World

CREATIONS = On(PODS, frozenset({"create"}))
BINDINGS = On(PODS, frozenset({"create"}), "binding")
WRITES = On(ignoring=frozenset({EVENTS}))
"""Every write in the scenario's namespace; events are written at odd times and would spoil the count."""


@step(
    parsers.parse("the implementation is killed just {moment} write {number:d} and started again"),
)
def killed_at_write(world: World, moment: str, number: int) -> None:
    crash = Crash(after_effect=moment == "after")
    world.kill_at(Fault(f"killed just {moment} write {number}", WRITES, crash, skip=number - 1, times=1))


@step(
    parsers.re(
        r"the implementation is killed just (?P<moment>before|after) every (?P<nth>\d+(?:st|nd|rd|th)) write"
        r" from write (?P<number>\d+) on and started again"
    )
)
def killed_again_and_again(world: World, moment: str, nth: str, number: str) -> None:
    crash, every = Crash(after_effect=moment == "after"), int(nth[:-2])
    text = f"killed just {moment} every {nth} write from write {number} on"
    world.kill_at(Fault(text, WRITES, crash, skip=int(number) - every, every=every))


@step(
    parsers.re(
        r"the implementation is killed just after its (?P<number>\d+)(?:st|nd|rd|th)"
        r" pod (?P<what>creation|binding)"
        r" and started again"
    )
)
def killed_at_creation(world: World, number: str, what: str) -> None:
    text = f"killed just after pod {what} {number}"
    on = CREATIONS if what == "creation" else BINDINGS
    world.kill_at(Fault(text, on, Crash(after_effect=True), skip=int(number) - 1, times=1))
