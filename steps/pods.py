"""Steps about pods: what the kubelet does to them, and what users do."""

from __future__ import annotations

from pytest_bdd import given, parsers, when

from batchproof.world import World


@given(parsers.re(r"(?P<count>\d+) pods? (is|are) running"))
def pods_running(world: World, count: str) -> None:
    world.run_pods(int(count))


@when(parsers.re(r"(?P<count>\d+) pods? succeeds?"))
def pods_succeed(world: World, count: str) -> None:
    world.succeed_pods(int(count))
