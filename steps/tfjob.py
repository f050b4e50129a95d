"""Steps about TFJobs: what their users do, and what the kubelet does to their pods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.world.tfjob import TFJobs

if TYPE_CHECKING:
    from batchproof.world import World

_TYPES = r"PS|Chief|Master|Evaluator|Worker"
_REPLICAS = rf"\d+ (?:{_TYPES})s?"


@pytest.fixture
def tfjobs(world: World) -> TFJobs:
    """The TFJob of the scenario."""
    return TFJobs(world)


@step(
    parsers.re(
        rf"a TFJob of (?P<replicas>{_REPLICAS}(?:(?:, | and ){_REPLICAS})*)"
        r"(?: with the (?P<setting>\w+) (?P<value>\w+))?"
    )
)
def a_tfjob(tfjobs: TFJobs, replicas: str, setting: str | None, value: str | None) -> None:
    counts = {kind: int(count) for count, kind in re.findall(rf"(\d+) ({_TYPES})", replicas)}
    tfjobs.create(counts, **({setting: value} if setting and value else {}))


@step("the user annotates the TFJob")
def tfjob_is_annotated(tfjobs: TFJobs) -> None:
    tfjobs.touch()


@step("its replicas run")
def replicas_run(tfjobs: TFJobs) -> None:
    tfjobs.run()


@step(parsers.re(rf"(?P<kind>{_TYPES}) (?P<index>\d+) of the TFJob succeeds"))
def replica_succeeds(tfjobs: TFJobs, kind: str, index: str) -> None:
    tfjobs.end(kind, int(index), exit_code=0)


@step(parsers.re(rf"(?P<kind>{_TYPES}) (?P<index>\d+) of the TFJob fails with exit code (?P<code>\d+)"))
def replica_fails(tfjobs: TFJobs, kind: str, index: str, code: str) -> None:
    tfjobs.end(kind, int(index), exit_code=int(code))
