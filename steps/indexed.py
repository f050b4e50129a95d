"""Steps about Indexed Jobs: whose pod is of which index, and what another client has made of it.

``the pod of index 2`` is each active pod of that index of the scenario's Job.
"""

from __future__ import annotations

import re

from pytest_bdd import parsers, step

from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.verbs import Pods

INDEXES = r"(?P<indexes>\d+(?:, \d+)*(?: and \d+)?)"
# -- what a user does


@step(parsers.re(r"pod (?P<pod>[\w-]+) (?:of index (?P<index>[\w-]+)|without an index) is given to the Job"))
def user_gives_indexed_pod(jobs: Jobs, pod: str, index: str | None) -> None:
    jobs.give_pod(pod, index=index or "")


@step(parsers.re(r"it is recorded that the indexes (?P<indexes>[\d,-]+) are completed"))
def completion_is_recorded(jobs: Jobs, indexes: str) -> None:
    jobs.record_completed(indexes)


@step(parsers.re(rf"the user deletes the pods? of index(?:es)? {INDEXES}"))
def user_deletes_indexes(jobs: Jobs, pods: Pods, indexes: str) -> None:
    pods.delete_pods(jobs.active_of(_numbers(indexes), job=JOB))


# -- what the kubelet does


@step(
    parsers.re(
        rf"the pods? of index(?:es)? {INDEXES} "
        r"(?P<what>succeeds?|(?:is|are) (?:running|on a node|not ready))"
    )
)
def pods_of_indexes(jobs: Jobs, pods: Pods, indexes: str, what: str) -> None:
    active = jobs.active_of(_numbers(indexes), job=JOB)
    match what.split()[1:]:
        case ["running"]:
            pods.start_pods(active)
        case ["not", "ready"]:
            pods.start_pods(active, ready=False)
        case ["on", "a", "node"]:
            pods.bind_pods(active)
        case _:
            pods.end_pods(active, exit_code=0)


@step(
    parsers.re(
        r"pod (?P<pod>[\w-]+), (?:given to the Job|made by a user), (?P<what>succeeds|fails|is running)"
    )
)
def given_pod_goes_on(pods: Pods, pod: str, what: str) -> None:
    if what == "is running":
        pods.start_pods([pods.pod(pod)])
    else:
        pods.end_pods([pods.pod(pod)], exit_code=int(what == "fails"))


def _numbers(indexes: str) -> list[int]:
    return [int(index) for index in re.findall(r"\d+", indexes)]
