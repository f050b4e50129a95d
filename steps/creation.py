"""Steps about the creation of pods: how many at once, and when again after it failed."""

from __future__ import annotations

from pytest_bdd import parsers, then

from batchproof.judgement.claims import eventually, now
from batchproof.judgement.facts.pods import active_pods_exactly
from batchproof.judgement.facts.writes import creation_batches, creation_delays_double, creations_pause
from batchproof.world import JOB, World


def numbers(told: str) -> list[int]:
    """The numbers of a list: ``1, 2, 4 and 8``."""
    return [int(word) for word in told.replace(" and ", ", ").split(", ")]


@then(
    parsers.re(r"pods are created in batches of (?P<sizes>[\d, and]+), one after the other"),
    converters={"sizes": numbers},
)
def created_in_batches(world: World, sizes: list[int]) -> None:
    world.claim(eventually(creation_batches(sizes=sizes)))


@then(parsers.parse("no more than {most:d} pods were asked for within half a second of the first failure"))
def creations_paused(world: World, most: int) -> None:
    world.claim(now(creations_pause(most=most, seconds=0.5)))


@then(parsers.parse("pod creation is tried {attempts:d} times with delays that double from 1 second"))
def delays_double(world: World, attempts: int) -> None:
    world.claim(eventually(creation_delays_double(attempts=attempts), within="settle"))


@then(parsers.re(r"in the end (?P<count>\d+) pods are active"))
def active_in_the_end(world: World, count: str) -> None:
    world.claim(eventually(active_pods_exactly(job=JOB, count=int(count)), within="recovery"))
