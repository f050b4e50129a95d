"""Steps about TFJobs: what their users do, and what the kubelet does to their pods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from pytest_bdd import parsers, step

from batchproof.judgement.facts.tfjob import CONTAINER
from batchproof.world.tfjob import MUCH, TEMPLATE, UNSCHEDULED, TFJobs

if TYPE_CHECKING:
    from batchproof.world import World

_TYPES = r"PS|Chief|Master|Evaluator|Worker"
_REPLICAS = rf"\d+ (?:{_TYPES})s?"
_SETTINGS = r"(?P<settings>the \w+ \w+(?:(?:, | and )the \w+ \w+)*)"
REPLICA = rf"(?P<kind>{_TYPES}) (?P<index>\d+)"
_TEMPLATES = {None: TEMPLATE, "say much": MUCH, "name no scheduler": UNSCHEDULED}
_WORDS: dict[str, bool] = {"true": True, "false": False}


def _value(word: str) -> str | int | bool:
    return int(word) if word.isdigit() else _WORDS.get(word, word)


@pytest.fixture
def tfjobs(world: World) -> TFJobs:
    """The TFJob of the scenario."""
    return TFJobs(world)


@step(
    parsers.re(
        rf"a (?P<suspended>suspended )?TFJob of (?P<replicas>{_REPLICAS}(?:(?:, | and ){_REPLICAS})*)"
        rf"(?: with {_SETTINGS})?(?: whose pod templates (?P<template>say much|name no scheduler))?"
    )
)
def a_tfjob(
    tfjobs: TFJobs, suspended: str | None, replicas: str, settings: str | None, template: str | None
) -> None:
    counts = {kind: int(count) for count, kind in re.findall(rf"(\d+) ({_TYPES})", replicas)}
    said = {key: _value(value) for key, value in re.findall(r"the (\w+) (\w+)", settings or "")}
    if suspended:
        said["suspend"] = True
    tfjobs.create(counts, template=_TEMPLATES[template], **said)


@step(parsers.re(r"a TFJob that says the pod template of a (?P<kind>\w+) and nothing else"))
def bare_tfjob(tfjobs: TFJobs, kind: str) -> None:
    tfjobs.create_bare(kind)


@step("the user annotates the TFJob")
def tfjob_is_annotated(tfjobs: TFJobs) -> None:
    tfjobs.touch()


@step(parsers.re(rf"the user changes the TFJob to (?P<count>\d+) (?P<kind>{_TYPES})s?"))
def tfjob_is_scaled(tfjobs: TFJobs, count: str, kind: str) -> None:
    tfjobs.scale(kind, int(count))


@step(parsers.re(r"the user (?P<what>suspends|resumes) the TFJob"))
def tfjob_is_suspended(tfjobs: TFJobs, what: str) -> None:
    tfjobs.suspend(suspended=what == "suspends")


@step(parsers.re(rf"the user deletes the pod of {REPLICA}"))
def pod_is_deleted(tfjobs: TFJobs, kind: str, index: str) -> None:
    tfjobs.delete_pod(kind, int(index))


@step(parsers.re(rf"the user makes the pod of {REPLICA} vanish"))
def pod_vanishes(tfjobs: TFJobs, kind: str, index: str) -> None:
    tfjobs.wipe_pod(kind, int(index))


@step(parsers.re(rf"the user takes the (?P<what>pod|service) of {REPLICA} from the TFJob"))
def taken_away(tfjobs: TFJobs, what: str, kind: str, index: str) -> None:
    tfjobs.take_away(what, kind, int(index))


@step(parsers.re(rf"the user changes the (?P<label>[\w-]+) of the pod of {REPLICA} to (?P<value>[\w-]+)"))
def pod_is_labelled(tfjobs: TFJobs, label: str, kind: str, index: str, value: str) -> None:
    tfjobs.label_pod(kind, int(index), label, value)


@step(parsers.re(rf"a user makes another pod with the labels and the controller of that of {REPLICA}"))
def another_pod(tfjobs: TFJobs, kind: str, index: str) -> None:
    tfjobs.add_pod(kind, int(index))


@step("the scheduler lets PodGroups wait")
def groups_wait(tfjobs: TFJobs) -> None:
    tfjobs.hold_groups()


@step("the scheduler lets the PodGroup of the TFJob in")
def group_is_let_in(tfjobs: TFJobs) -> None:
    tfjobs.let_in()


@step("its replicas run")
def replicas_run(tfjobs: TFJobs) -> None:
    tfjobs.run()


@step(parsers.re(rf"{REPLICA} of the TFJob succeeds"))
def replica_succeeds(tfjobs: TFJobs, kind: str, index: str) -> None:
    tfjobs.end(kind, int(index), exit_code=0)


@step(
    parsers.re(
        rf"{REPLICA} of the TFJob fails with exit code (?P<code>\d+)(?: of container (?P<container>\w+))?"
    )
)
def replica_fails(tfjobs: TFJobs, kind: str, index: str, code: str, container: str | None) -> None:
    tfjobs.end(kind, int(index), exit_code=int(code), container=container or CONTAINER)


@step(parsers.re(rf"{REPLICA} of the TFJob fails with exit code (?P<code>\d+) and never ran"))
def replica_never_runs(tfjobs: TFJobs, kind: str, index: str, code: str) -> None:
    tfjobs.end_pending(kind, int(index), exit_code=int(code))


@step(parsers.re(r"the terminating pod of the TFJob fails with exit code (?P<code>\d+)"))
def terminating_replica_fails(tfjobs: TFJobs, code: str) -> None:
    tfjobs.end_terminating(exit_code=int(code))


@step(parsers.re(rf"the containers of {REPLICA} have been restarted (?P<times>\d+) times?"))
def replica_restarts(tfjobs: TFJobs, kind: str, index: str, times: str) -> None:
    tfjobs.restart(kind, int(index), int(times))
