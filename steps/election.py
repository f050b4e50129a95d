"""Steps about replicas that elect a leader, and about what happens to the one that leads."""

from __future__ import annotations

from pytest_bdd import given, parsers, step

from batchproof.judgement.claims import eventually, now
from batchproof.judgement.facts.election import another_takes_over, lease_ran_out, replica_leads
from batchproof.world import World

NOT_IN_PLACE = "replicas of the implementation are started"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""


@given(parsers.parse("{count:d} replicas of which one leads"))
def replicas(world: World, count: int) -> None:
    world.process.elect(count)
    world.claim(eventually(replica_leads(), within="recovery"))


@step("the leader is killed")
def leader_killed(world: World) -> None:
    world.process.kill_leader()


@step("the leader is asked to end")
def leader_stopped(world: World) -> None:
    world.process.stop_leader()


@step("the Lease runs out")
def lease_runs_out(world: World) -> None:
    world.process.let_lease_run_out()
    world.claim(now(lease_ran_out(), precondition=True))


@step("the leader cannot reach the API server")
def leader_cut_off(world: World) -> None:
    world.process.cut_leader_off()


@step("every replica reaches the API server again")
def reconnected(world: World) -> None:
    world.process.reconnect()


@step("the leader is paused until another replica takes over")
def leader_paused(world: World) -> None:
    world.process.pause_leader()
    world.claim(eventually(another_takes_over(), within="settle"))
    world.process.wake_replicas()
