"""Steps about pods that users make like those of a Job, or take from it."""

from __future__ import annotations

from typing import Any

from pytest_bdd import parsers, step

from batchproof.world import JOB, World

SOMEBODY = {
    "apiVersion": "example.com/v1",
    "kind": "Worker",
    "name": "somebody",
    "uid": "00000000-0000-4000-8000-000000000001",
    "controller": True,
}
"""A controller of a kind that the garbage collector does not know, so that it looks for none."""
LEFT_ALONE: dict[str, dict[str, Any]] = {
    "": {},
    ", controlled by somebody else": {"ownerReferences": [SOMEBODY]},
    ", and deletes it": {"finalizers": ["batchproof.dev/hold"]},
}


@step(
    parsers.re(
        r"a user makes pod (?P<pod>\w+) with the labels of the Job's pods"
        r"(?P<how>|, controlled by somebody else|, and deletes it)"
    )
)
def user_makes_pod(world: World, pod: str, how: str) -> None:
    labels = world.job(JOB).spec["template"]["metadata"]["labels"]
    world.create_pod(pod, labels=labels, **LEFT_ALONE[how])
    if "deletes" in how:
        world.delete_pods([world.pod(pod)])


@step(parsers.re(r"the user gives (?P<count>\d+) pods? of Job (?P<job>[a-z]) to Job (?P<other>[a-z])"))
def user_gives_pods_away(world: World, count: str, job: str, other: str) -> None:
    world.move_pods(world.active(int(count), job=job), to=other)


@step(parsers.re(r"the user takes all labels from (?P<count>\d+) pods?"))
def user_takes_labels(world: World, count: str) -> None:
    for pod in world.active(int(count)):
        world.patch_pod(pod, {"labels": None})
