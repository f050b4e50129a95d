"""Steps about pods that users make like those of a Job, or take from it."""

from __future__ import annotations

from typing import Any

from pytest_bdd import parsers, step

from batchproof.profiles.job.bodies import GROUP
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.verbs import Pods

SOMEBODY = {
    "apiVersion": "example.com/v1",
    "kind": "Worker",
    "name": "somebody",
    "uid": "00000000-0000-4000-8000-000000000001",
    "controller": True,
}
"""A controller of a kind that the garbage collector does not know, so that it looks for none."""
FORMER = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "name": JOB,
    "uid": "00000000-0000-4000-8000-000000000002",
    "controller": True,
}
"""An earlier Job of the name of the scenario's."""
LEFT_ALONE: dict[str, dict[str, Any]] = {
    "": {},
    ", controlled by another controller": {"ownerReferences": [SOMEBODY]},
    # The garbage collector keeps what it may have to ask an owner of an unknown kind about.
    ", controlled by a former Job of its name": {
        "ownerReferences": [SOMEBODY | {"controller": False}, FORMER]
    },
    ", and deletes it": {"finalizers": ["batchproof.dev/hold"]},
}


@step(
    parsers.re(
        r"a user makes pod (?P<pod>\w+) with the labels of the Job's pods"
        r"(?P<how>|, controlled by another controller|, controlled by a former Job of its name"
        r"|, and deletes it)"
    )
)
def user_makes_pod(jobs: Jobs, pods: Pods, pod: str, how: str) -> None:
    labels = jobs.job(JOB).spec["template"]["metadata"]["labels"]
    pods.create_pod(pod, labels=labels, **LEFT_ALONE[how])
    if "deletes" in how:
        pods.delete_pods([pods.pod(pod)])


@step(parsers.parse("the user makes pod {pod:w} vanish and makes another of its name"))
def user_replaces_pod(jobs: Jobs, pods: Pods, pod: str) -> None:
    pods.wipe_pods([pods.pod(pod)])
    user_makes_pod(jobs, pods, pod, "")


@step(parsers.parse("a user makes pod {pod:w} of group {group:w}"))
def user_makes_pod_of_group(pods: Pods, pod: str, group: str) -> None:
    pods.create_pod(pod, labels={GROUP: group})


@step(parsers.re(r"the user gives (?P<count>\d+) pods? of Job (?P<job>[a-z]) to Job (?P<other>[a-z])"))
def user_gives_pods_away(jobs: Jobs, count: str, job: str, other: str) -> None:
    jobs.move_pods(jobs.active(int(count), job=job), to=other)


@step(parsers.re(r"the user takes all labels from (?P<count>\d+) pods?"))
def user_takes_labels(jobs: Jobs, pods: Pods, count: str) -> None:
    for pod in jobs.active(int(count)):
        pods.patch_pod(pod, {"labels": None})
