"""Steps about TFJobs that may be refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.judgement.template import JOB
from batchproof.world.tfjob_requests import CONTAINERS, TFJobRequests

if TYPE_CHECKING:
    from batchproof.world import World

_TYPES = "PS|Chief|Master|Evaluator|Worker"
_REPLICAS = rf"\d+ (?:{_TYPES})s?"
_CONTAINERS = "|".join(map(re.escape, sorted(CONTAINERS, key=len, reverse=True)))


@pytest.fixture
def tfjob_requests(world: World) -> TFJobRequests:
    """What the users of the scenario ask for."""
    return TFJobRequests(world)


@step(
    parsers.re(
        rf"the user asks for a TFJob of (?P<replicas>{_REPLICAS}(?: and {_REPLICAS})*)"
        rf"(?: with (?P<containers>{_CONTAINERS}))?(?: named (?P<name>\S+))?"
    )
)
def tfjob_is_asked_for(
    tfjob_requests: TFJobRequests, replicas: str, containers: str | None, name: str | None
) -> None:
    counts = {kind: int(count) for count, kind in re.findall(rf"(\d+) ({_TYPES})", replicas)}
    tfjob_requests.ask_for_tfjob(counts, name=name or "", containers=containers or "one container")


@step(
    parsers.re(rf"the user asks to give the (?P<kind>{_TYPES})s of the TFJob (?P<containers>{_CONTAINERS})")
)
def other_containers_are_asked_for(tfjob_requests: TFJobRequests, kind: str, containers: str) -> None:
    tfjob_requests.ask_to_change_tfjob(JOB, kind, containers)
