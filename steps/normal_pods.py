"""Steps about pods of no Volcano Job that a user gives to Volcano's scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.world.normal_pods import NormalPods

if TYPE_CHECKING:
    from batchproof.world import World


@pytest.fixture
def normal_pods(world: World) -> NormalPods:
    """The pods that the scenario's user makes."""
    return NormalPods(world)


@step(
    parsers.re(
        r"pod (?P<name>\w+) for the scheduler (?P<scheduler>\w+) asks for (?P<cpus>\d+) CPUs?"
        r"(?P<queued> in the queue)?"
    )
)
def a_pod(normal_pods: NormalPods, name: str, scheduler: str, cpus: str, queued: str | None) -> None:
    normal_pods.create(name, scheduler, cpus=int(cpus), queued=bool(queued))


@step(parsers.parse("a ReplicaSet of {count:d} pods for the scheduler volcano"))
def a_replica_set(normal_pods: NormalPods, count: int) -> None:
    normal_pods.create_owned(count)


@step("the user changes the ReplicaSet to 0 pods")
def replica_set_is_emptied(normal_pods: NormalPods) -> None:
    normal_pods.empty()
