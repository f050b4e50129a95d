"""Steps about the nodes of gang scenarios: what pods can be bound to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

from batchproof.world.gangs.nodes import RESOURCE, resource_of

if TYPE_CHECKING:
    from batchproof.world import World
    from batchproof.world.gangs import Flaw

CPUS = r"(?P<cpus>\d+) CPUs?"
FLAWS: dict[str, Flaw] = {
    "is not ready": "not ready",
    "is cordoned": "cordoned",
    "is tainted": "tainted",
    "has other labels": "elsewhere",
}


@step(parsers.re(r"a node with " + CPUS + r" and (?P<amount>\d+) " + RESOURCE))
def node_with(world: World, cpus: str, amount: str, resource: str) -> None:
    world.gangs.add_node(cpus, having=resource_of(resource, amount))


@step(parsers.re(r"(?P<count>\d+) nodes? with " + CPUS + r"(?: each)? in zone (?P<zone>\w+)(?: joins)?"))
def nodes_in_zone(world: World, count: str, cpus: str, zone: str) -> None:
    for _ in range(int(count)):
        world.gangs.add_node(cpus, zone=zone)


@step(parsers.re(r"a node with " + CPUS))
def node(world: World, cpus: str) -> None:
    world.gangs.add_node(cpus)


@step(parsers.re(r"(?P<count>\d+) nodes with " + CPUS + " each(?: join)?"))
def nodes(world: World, count: str, cpus: str) -> None:
    for _ in range(int(count)):
        world.gangs.add_node(cpus)


@step(parsers.re(r"an?(?:other)? node with " + CPUS + " joins"))
def node_joins(world: World, cpus: str) -> None:
    world.gangs.add_node(cpus)


@step("the first node is cordoned")
def node_is_cordoned(world: World) -> None:
    world.gangs.cordon(1)


@step(
    parsers.re(
        r"the first node (?:is uncordoned|becomes ready|loses its taint|gets the labels that the pods select)"
    )
)
def node_is_mended(world: World) -> None:
    world.gangs.mend(1)


@step(
    parsers.re(
        r"a node with " + CPUS + r" that (?P<why>is not ready|is cordoned|is tainted|has other labels)"
    )
)
def unusable_node(world: World, cpus: str, why: str) -> None:
    world.gangs.add_node(cpus, flaw=FLAWS[why])
