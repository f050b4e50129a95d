"""Steps about Volcano Jobs: what their users do, and what the scheduler and the kubelet do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.world.volcano import Volcano

if TYPE_CHECKING:
    from batchproof.world import World


@pytest.fixture
def volcano(world: World) -> Volcano:
    """The Volcano Job of the scenario and its queue."""
    return Volcano(world)


@step("a queue")
def a_queue(volcano: Volcano) -> None:
    volcano.add_queue()


@step(
    parsers.re(
        r"a Volcano Job of (?P<replicas>\d+) pods? with minAvailable (?P<minimum>\d+)"
        r"(?: and the policy (?P<event>\w+) (?P<action>\w+))?"
    )
)
def a_volcano_job(
    volcano: Volcano, replicas: str, minimum: str, event: str | None, action: str | None
) -> None:
    policies = [{"event": event, "action": action}] if event else []
    volcano.create_job(int(replicas), int(minimum), policies)


@step("the scheduler lets its PodGroup in")
def group_is_let_in(volcano: Volcano) -> None:
    volcano.schedule("Inqueue")


@step("the scheduler lets its PodGroup wait")
def group_waits(volcano: Volcano) -> None:
    volcano.schedule("Pending")


@step(parsers.re(r"(?P<count>\d+) pods? of the Volcano Job (?:runs?)"))
def volcano_pods_run(volcano: Volcano, count: str) -> None:
    volcano.run(int(count))


@step(parsers.re(r"(?P<count>\d+) pods? of the Volcano Job (?P<how>succeed|fail)s?"))
def volcano_pods_end(volcano: Volcano, count: str, how: str) -> None:
    volcano.end(int(count), exit_code=int(how == "fail"))


@step("its PodGroup is deleted")
def group_is_deleted(volcano: Volcano) -> None:
    volcano.delete_group()


@step(parsers.re(r"the user commands (?P<action>\w+)"))
def user_commands(volcano: Volcano, action: str) -> None:
    volcano.command(action)
