"""Steps about queues: their weights, and what is given to each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

if TYPE_CHECKING:
    from batchproof.world import World

NOT_IN_PLACE = "what queues share is all that the cluster has, and in place others have a part of it"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""


WEIGHT = r"of weight (?P<weight>\d+)"


@step(parsers.re(rf"a queue (?P<queue>\w+) {WEIGHT}"))
def queue(world: World, queue: str, weight: str) -> None:
    world.gangs.add_queue(queue, int(weight))


@step(parsers.re(rf"a queue (?P<queue>\w+) {WEIGHT} with at most (?P<cpus>\d+) CPUs"))
def limited_queue(world: World, queue: str, weight: str, cpus: str) -> None:
    world.gangs.add_queue(queue, int(weight), capability=int(cpus))


@step(parsers.re(rf"a queue (?P<queue>\w+) {WEIGHT} for which (?P<cpus>\d+) CPUs are kept"))
def guaranteed_queue(world: World, queue: str, weight: str, cpus: str) -> None:
    world.gangs.add_queue(queue, int(weight), guarantee=int(cpus))


@step(
    parsers.re(rf"queues (?P<names>\w+(?:, \w+)* and \w+) {WEIGHT}(?P<reclaimable>, which may be reclaimed)?")
)
def equal_queues(world: World, names: str, weight: str, reclaimable: str | None) -> None:
    for name in re.split(", | and ", names):
        world.gangs.add_queue(name, int(weight), reclaimable=bool(reclaimable))


@step(
    parsers.re(
        r"queue (?P<queue>\w+) gets (?P<count>\d+) gangs of a pod each"
        r"(?: with (?P<memory>\d+) GiB of memory)?"
    )
)
def small_gangs(world: World, queue: str, count: str, memory: str | None) -> None:
    for number in range(int(count)):
        name = f"{queue}-{number}"
        world.gangs.add(name, 1, queue=queue)
        world.gangs.add_pods(name, 1, asking={"memory": f"{memory}Gi"} if memory else None)


@step(parsers.re(r"(?P<count>\d+) running pods of queue (?P<queue>\w+) succeed"))
def pods_of_queue_end(world: World, count: str, queue: str) -> None:
    world.mark("room appears")
    world.gangs.end_queue(queue, int(count))
