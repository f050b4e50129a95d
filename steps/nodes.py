"""Steps about the nodes of gang scenarios: what pods can be bound to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

from batchproof.world.gangs.nodes import DEVICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from batchproof.world import World
    from batchproof.world.gangs import Flaw

CPUS = r"(?P<cpus>\d+) CPUs?"
RESOURCE = r"(?P<resource>GiB of memory|devices?|places? for pods?)"
FLAWS: dict[str, Flaw] = {
    "is not ready": "not ready",
    "is cordoned": "cordoned",
    "is tainted": "tainted",
    "has other labels": "elsewhere",
}


RESOURCES: dict[str, Callable[[str], dict[str, str]]] = {
    "GiB of memory": lambda amount: {"memory": f"{amount}Gi"},
    "devices": lambda amount: {DEVICE: amount},
    "device": lambda amount: {DEVICE: amount},
    "places for pods": lambda amount: {"pods": amount},
    "place for pods": lambda amount: {},  # noqa: ARG005 - each pod takes one without asking
}


@step(parsers.re(r"a node with " + CPUS + r" and (?P<amount>\d+) " + RESOURCE))
def node_with(world: World, cpus: str, amount: str, resource: str) -> None:
    world.gangs.add_node(cpus, having=RESOURCES[resource](amount))


@step(parsers.re(r"(?P<count>\d+) nodes? with " + CPUS + r"(?: each)? in zone (?P<zone>\w+)"))
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


@step(parsers.re(r"another node with " + CPUS + " joins"))
def node_joins(world: World, cpus: str) -> None:
    world.gangs.add_node(cpus)


@step(
    parsers.re(
        r"a node with " + CPUS + r" that (?P<why>is not ready|is cordoned|is tainted|has other labels)"
    )
)
def unusable_node(world: World, cpus: str, why: str) -> None:
    world.gangs.add_node(cpus, flaw=FLAWS[why])
