"""Steps that kill the implementation at a write, and see it running again."""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.ground.resources import EVENTS
from batchproof.judgement.fault_words import requests_named, requests_pattern
from batchproof.judgement.faults import Crash, Fault, On
from batchproof.world import World

NOT_IN_PLACE = "the process of the implementation is killed"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""

WRITES = On(ignoring=frozenset({EVENTS}))
"""Every write in the scenario's namespace; events are written at odd times and would spoil the count."""


@step(
    parsers.parse("the implementation is killed just {moment} write {number:d} and started again"),
)
def killed_at_write(world: World, moment: str, number: int) -> None:
    crash = Crash(after_effect=moment == "after")
    world.process.kill_at(
        Fault(f"killed just {moment} write {number}", WRITES, crash, skip=number - 1, times=1)
    )


@step(
    parsers.re(
        r"the implementation is killed just (?P<moment>before|after) every (?P<nth>\d+(?:st|nd|rd|th)) write"
        r" from write (?P<number>\d+) on and started again"
    )
)
def killed_again_and_again(world: World, moment: str, nth: str, number: str) -> None:
    crash, every = Crash(after_effect=moment == "after"), int(nth[:-2])
    text = f"killed just {moment} every {nth} write from write {number} on"
    world.process.kill_at(Fault(text, WRITES, crash, skip=int(number) - every, every=every))


@step(
    parsers.re(
        r"the implementation is killed just after its (?P<number>\d+)(?:st|nd|rd|th)"
        rf" (?P<what>{requests_pattern()})"
        r" and started again"
    )
)
def killed_at_creation(world: World, number: str, what: str) -> None:
    text = f"killed just after {what} {number}"
    world.process.kill_at(
        Fault(text, requests_named(what), Crash(after_effect=True), skip=int(number) - 1, times=1)
    )
