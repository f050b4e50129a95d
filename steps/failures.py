"""Steps about pods that fail: how they end, when, and how often their containers were started again before.

``2 pods fail`` ends them an hour ago, so that the delay of their replacement is over already; ``2 pods fail
that ended 7 seconds ago`` leaves the rest of it. If they ``ended 7 seconds from now``, their node's clock is
ahead.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from pytest_bdd import parsers, step

from batchproof.cell.kubelet import PodEnding
from batchproof.ground.resources import INDEX_FAILURES
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.verbs import Pods

PODS = r"(?P<count>\d+) pods?(?: of Job (?P<job>[a-z]))?"
OF_INDEXES = r"the pods? of index(?:es)? (?P<indexes>\d+(?:, \d+)*(?: and \d+)?)"
AGO = (
    r" that ended (?P<ago>\d+ seconds? "
    r"(?:ago(?:, by their Ready conditions alone|, its sidecar \d+ seconds ago)?|from now))"
)


def ended(words: str) -> tuple[int, PodEnding]:
    """The exit code of a pod, and what else is reported of its end.

    ``exit code 3 of container side and condition DisruptionTarget``; with no words an exit code of 1. A
    pod that fails ``after a restart that followed exit code 42`` has containers that had ended so before.
    """
    words, _, earlier = words.partition(" after a restart that followed exit code ")
    code = re.search(r"exit code (-?\d+)(?: of (?:init )?container (\w+))?", words)
    conditions = re.findall(r"condition (\w+)(?: (True|False|Unknown))?", words)
    reported = tuple({"type": kind, "status": status or "True"} for kind, status in conditions)
    ending = PodEnding(container=(code[2] if code else "") or "", conditions=reported)
    return int(code[1]) if code else 1, replace(ending, restarted_after=int(earlier) if earlier else None)


FAIL = r" fails?(?: with (?P<how>.+?))?(?:" + AGO + r")?"


def dated(ending: PodEnding, ago: str | None) -> PodEnding:
    """What is reported of the end of a pod, with when it was: ``5 seconds ago``."""
    if not ago:
        return ending
    seconds = int(ago.split()[0])
    if ago.endswith("from now"):
        return replace(ending, ended_s_ago=-seconds, dated_by="all")
    dated_by: Literal["containers", "Ready"] = "Ready" if "Ready" in ago else "containers"
    last = re.search(r"sidecar (\d+)", ago)
    last_s = int(last[1]) if last else None
    return replace(ending, ended_s_ago=seconds, sidecars_ended_s_ago=last_s, dated_by=dated_by)


@step(parsers.re(PODS + FAIL))
def pods_fail(jobs: Jobs, count: str, job: str | None, how: str | None, ago: str | None) -> None:
    exit_code, ending = ended(how or "")
    jobs.fail_pods(int(count), exit_code=exit_code, ending=dated(ending, ago), job=job or JOB)


@step(parsers.re(OF_INDEXES + FAIL))
def pods_of_indexes_fail(jobs: Jobs, pods: Pods, indexes: str, how: str | None, ago: str | None) -> None:
    exit_code, ending = ended(how or "")
    active = jobs.active_of([int(index) for index in re.findall(r"\d+", indexes)])
    pods.end_pods(active, exit_code=exit_code, ending=dated(ending, ago))


@step(parsers.re(OF_INDEXES + r" (?:has|have) failed (?P<times>\d+) times? before"))
def index_failed_before(jobs: Jobs, indexes: str, times: str) -> None:
    for index in re.findall(r"\d+", indexes):
        jobs.fail_index(int(index), int(times))


@step(parsers.parse("it is recorded that the Job is to fail with reason {reason}"))
def failure_is_recorded(jobs: Jobs, reason: str) -> None:
    jobs.set_condition(JOB, "FailureTarget", "True", reason=reason)


@step(parsers.re(r"the failure count of the pod of index (?P<index>\d+) is (?P<text>\S+)"))
def failure_count_is_changed(jobs: Jobs, pods: Pods, index: str, text: str) -> None:
    [pod] = jobs.active_of([int(index)])
    pods.patch_pod(pod, {"annotations": {INDEX_FAILURES: None if text == "removed" else text}})


@step(parsers.re(r"(?P<count>no|\d+) pods? (?:has|have) failed before"))
def pods_failed_before(jobs: Jobs, count: str) -> None:
    jobs.fail_one_after_another(int(count.replace("no", "0")))


@step(
    parsers.re(
        r"(?:the containers|init containers (?P<container>\w+)) of (?:the|\d+) (?P<pending>pending )?pods "
        r"have been restarted (?P<times>\d+(?:(?:,| and) \d+)*) times"
    )
)
def containers_restarted(jobs: Jobs, container: str | None, pending: str | None, times: str) -> None:
    often = [int(number) for number in re.findall(r"\d+", times)]
    jobs.restart_containers(often, container=container or "", pending=bool(pending))


@step(parsers.re(r"container (?P<container>\w+) of 1 running pod ends with exit code (?P<exit_code>\d+)"))
def container_ends(jobs: Jobs, container: str, exit_code: str) -> None:
    jobs.end_container(container, int(exit_code))


@step(parsers.parse("another client sets the phase of {count:d} finished pod to {phase:w}"))
def client_sets_phase(jobs: Jobs, pods: Pods, count: int, phase: str) -> None:
    pods.set_phase(jobs.finished(count), phase)


@step(parsers.re(r"another client sets (?P<kind>\w+) of the Job to (?P<status>\w+)"))
def client_sets_condition(jobs: Jobs, kind: str, status: str) -> None:
    jobs.set_condition(JOB, kind, status)
