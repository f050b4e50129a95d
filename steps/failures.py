"""Steps about pods that fail: how they end, when, and how often their containers were started again before.

``2 pods fail`` ends them an hour ago, so that the delay of their replacement is over already; ``2 pods fail
that ended 7 seconds ago`` leaves the rest of it. If they ``ended 7 seconds from now``, their node's clock is
ahead.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pytest_bdd import parsers, step

from batchproof.cell.kubelet import Ending
from batchproof.labels import INDEX_FAILURES
from batchproof.world import JOB

if TYPE_CHECKING:
    from batchproof.world import World

PODS = r"(?P<count>\d+) pods?(?: of Job (?P<job>[a-z]))?"
OF_INDEXES = r"the pods? of index(?:es)? (?P<indexes>\d+(?:, \d+)*(?: and \d+)?)"
AGO = r" that ended (?P<ago>\d+ seconds? (?:ago(?:, by their Ready conditions alone)?|from now))"


def ended(words: str) -> tuple[int, Ending]:
    """The exit code of a pod, and what else is reported of its end.

    ``exit code 3 of container side and condition DisruptionTarget``; with no words an exit code of 1. A
    pod that fails ``after a restart that followed exit code 42`` has containers that had ended so before.
    """
    words, _, earlier = words.partition(" after a restart that followed exit code ")
    code = re.search(r"exit code (-?\d+)(?: of (?:init )?container (\w+))?", words)
    conditions = re.findall(r"condition (\w+)(?: (True|False|Unknown))?", words)
    reported = tuple({"type": kind, "status": status or "True"} for kind, status in conditions)
    ending = Ending(container=(code[2] if code else "") or "", conditions=reported)
    return int(code[1]) if code else 1, replace(ending, restarted_after=int(earlier) if earlier else None)


FAIL = r" fails?(?: with (?P<how>.+?))?(?:" + AGO + r")?"


def dated(ending: Ending, ago: str | None) -> Ending:
    """What is reported of the end of a pod, with when it was: ``5 seconds ago``."""
    if not ago:
        return ending
    seconds = int(ago.split()[0])
    if ago.endswith("from now"):
        return replace(ending, ended_s_ago=-seconds, dated_by="all")
    dated_by: Literal["containers", "Ready"] = "Ready" if "Ready" in ago else "containers"
    return replace(ending, ended_s_ago=seconds, dated_by=dated_by)


@step(parsers.re(PODS + FAIL))
def pods_fail(world: World, count: str, job: str | None, how: str | None, ago: str | None) -> None:
    exit_code, ending = ended(how or "")
    world.fail_pods(int(count), exit_code=exit_code, ending=dated(ending, ago), job=job or JOB)


@step(parsers.re(OF_INDEXES + FAIL))
def pods_of_indexes_fail(world: World, indexes: str, how: str | None, ago: str | None) -> None:
    exit_code, ending = ended(how or "")
    pods = world.active_of([int(index) for index in re.findall(r"\d+", indexes)])
    world.end_pods(pods, exit_code=exit_code, ending=dated(ending, ago))


@step(parsers.re(OF_INDEXES + r" (?:has|have) failed (?P<times>\d+) times? before"))
def index_failed_before(world: World, indexes: str, times: str) -> None:
    for index in re.findall(r"\d+", indexes):
        world.fail_index(int(index), int(times))


@step(parsers.parse("it is recorded that the Job is to fail with reason {reason}"))
def failure_is_recorded(world: World, reason: str) -> None:
    world.set_condition(JOB, "FailureTarget", "True", reason=reason)


@step(parsers.re(r"the failure count of the pod of index (?P<index>\d+) is (?P<text>\S+)"))
def failure_count_is_changed(world: World, index: str, text: str) -> None:
    [pod] = world.active_of([int(index)])
    world.patch_pod(pod, {"annotations": {INDEX_FAILURES: None if text == "removed" else text}})


@step(parsers.re(r"(?P<count>no|\d+) pods? (?:has|have) failed before"))
def pods_failed_before(world: World, count: str) -> None:
    world.fail_one_after_another(int(count.replace("no", "0")))


@step(
    parsers.re(
        r"(?:the containers|init containers (?P<container>\w+)) of (?:the|\d+) pods "
        r"have been restarted (?P<times>\d+(?:(?:,| and) \d+)*) times"
    )
)
def containers_restarted(world: World, container: str | None, times: str) -> None:
    world.restart_containers([int(number) for number in re.findall(r"\d+", times)], container=container or "")


@step(parsers.re(r"container (?P<container>\w+) of 1 running pod ends with exit code (?P<exit_code>\d+)"))
def container_ends(world: World, container: str, exit_code: str) -> None:
    world.end_container(container, int(exit_code))


@step(parsers.re(r"another client sets (?P<kind>\w+) of the Job to (?P<status>\w+)"))
def client_sets_condition(world: World, kind: str, status: str) -> None:
    world.set_condition(JOB, kind, status)
