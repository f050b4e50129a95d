"""Steps about queues: their weights, and what is given to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

if TYPE_CHECKING:
    from batchproof.world import World


@step(parsers.re(r"a queue (?P<queue>\w+) of weight (?P<weight>\d+)"))
def queue(world: World, queue: str, weight: str) -> None:
    world.gangs.add_queue(queue, int(weight))


@step(parsers.re(r"queues (?P<one>\w+) and (?P<other>\w+) of weight (?P<weight>\d+)"))
def two_queues(world: World, one: str, other: str, weight: str) -> None:
    world.gangs.add_queue(one, int(weight))
    world.gangs.add_queue(other, int(weight))


@step(parsers.re(r"(?P<count>\d+) running pods of queue (?P<queue>\w+) succeed"))
def pods_of_queue_end(world: World, count: str, queue: str) -> None:
    world.mark("room appears")
    world.gangs.end_queue(queue, int(count))
