"""Steps about the process of the implementation."""

from __future__ import annotations

from pytest_bdd import step

from batchproof.world import World

NOT_IN_PLACE = "the process of the implementation is killed"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""


@step("the implementation is killed and started again")
def killed_and_started(world: World) -> None:
    world.process.restart()


@step("the implementation is killed")
def killed(world: World) -> None:
    world.process.kill()


@step("the implementation is started again")
def started_again(world: World) -> None:
    world.process.start()
