"""Steps about replicas that elect a leader, and about what happens to the one that leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import given, parsers, step

from batchproof.judgement.claims import eventually, now
from batchproof.judgement.facts.election import lease_ran_out, replica_leads

if TYPE_CHECKING:
    from batchproof.world import World

NOT_IN_PLACE = "replicas of the implementation are started"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""


@given(parsers.parse("{count:d} replicas of which one leads"))
def replicas(world: World, count: int) -> None:
    world.elect(count)
    world.claim(eventually(replica_leads(), within="recovery"))


@step("the leader is killed")
def leader_killed(world: World) -> None:
    world.kill_leader()


@step("the leader is asked to end")
def leader_stopped(world: World) -> None:
    world.stop_leader()


@step("the Lease runs out")
def lease_runs_out(world: World) -> None:
    world.let_lease_run_out()
    world.claim(now(lease_ran_out(), precondition=True))


@step("the leader cannot reach the API server")
def leader_cut_off(world: World) -> None:
    world.cut_leader_off()


@step("every replica reaches the API server again")
def reconnected(world: World) -> None:
    world.reconnect()


@step("the leader stands still")
def leader_paused(world: World) -> None:
    world.pause_leader()


@step("the replica that stood still goes on")
def leader_woken(world: World) -> None:
    world.wake_replicas()
