"""Steps about Indexed Jobs: whose pod is of which index, and what somebody else has made of it.

``the pod of index 2`` is each active pod of that index of the scenario's Job.
"""

from __future__ import annotations

import re
from typing import Any

from pytest_bdd import parsers, step

from batchproof.judgement.template import LONG_JOB
from batchproof.world import JOB, World

INDEXES = r"(?P<indexes>\d+(?:, \d+)*(?: and \d+)?)"
_SIMULATED: dict[str, Any] = {"name": "main", "image": "batchproof.dev/simulated"}
_PODS: dict[str, dict[str, Any]] = {
    "an init container": {"initContainers": [_SIMULATED | {"name": "before"}]},
    "JOB_COMPLETION_INDEX of the user's own": {
        "containers": [_SIMULATED | {"env": [{"name": "JOB_COMPLETION_INDEX", "value": "mine"}]}]
    },
}

# -- what a user does


@step(
    parsers.re(
        r"an Indexed Job of (?P<count>\d+) completions whose pods have (?P<what>an init container"
        r"|the (?P<field>subdomain|hostname) (?P<name>[\w-]+)"
        r"|JOB_COMPLETION_INDEX of the user's own)"
    )
)
def indexed_job_of_pods(world: World, count: str, what: str, field: str | None, name: str | None) -> None:
    pod = {field: name} if field else _PODS[what]
    world.create_job(completionMode="Indexed", completions=int(count), parallelism=int(count), pod=pod)


@step(parsers.re(r"the long-named Indexed Job of (?P<count>\d+) completions is created"))
def long_named_job(world: World, count: str) -> None:
    world.create_job(LONG_JOB, completionMode="Indexed", completions=int(count), parallelism=int(count))


@step(parsers.re(r"pod (?P<pod>[\w-]+) (?:of index (?P<index>[\w-]+)|without an index) is given to the Job"))
def user_gives_indexed_pod(world: World, pod: str, index: str | None) -> None:
    world.give_pod(pod, index=index or "")


@step(parsers.re(r"it is recorded that the indexes (?P<indexes>[\d,-]+) are completed"))
def completion_is_recorded(world: World, indexes: str) -> None:
    world.record_completed(indexes)


@step(parsers.re(rf"the user deletes the pods? of index(?:es)? {INDEXES}"))
def user_deletes_indexes(world: World, indexes: str) -> None:
    world.delete_pods(world.active_of(_numbers(indexes), job=JOB))


# -- what the kubelet does


@step(
    parsers.re(
        rf"the pods? of index(?:es)? {INDEXES} "
        r"(?P<what>succeeds?|(?:is|are) (?:running|on a node|not ready))"
    )
)
def pods_of_indexes(world: World, indexes: str, what: str) -> None:
    pods = world.active_of(_numbers(indexes), job=JOB)
    match what.split()[1:]:
        case ["running"]:
            world.start_pods(pods)
        case ["not", "ready"]:
            world.start_pods(pods, ready=False)
        case ["on", "a", "node"]:
            world.bind_pods(pods)
        case _:
            world.end_pods(pods, exit_code=0)


@step(
    parsers.re(
        r"pod (?P<pod>[\w-]+), (?:given to the Job|made by a user), (?P<what>succeeds|fails|is running)"
    )
)
def given_pod_goes_on(world: World, pod: str, what: str) -> None:
    if what == "is running":
        world.start_pods([world.pod(pod)])
    else:
        world.end_pods([world.pod(pod)], exit_code=int(what == "fails"))


def _numbers(indexes: str) -> list[int]:
    return [int(index) for index in re.findall(r"\d+", indexes)]
