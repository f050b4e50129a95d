"""Steps about finished pods: their finalizers, and how they are recorded and counted."""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.profiles.job import bodies
from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.verbs import Pods
from batchproof.world import World

FINISHED = r"(?:(?P<count>\d+) finished pods|finished pod)"
A_FINALIZER = r"the finalizer (?P<finalizer>[\w./-]+)"
NOBODY = "0d7c5a7e-5b0e-4c59-9d0c-6f6b3c1f7a11"
"""The UID of a controller that is none of the Jobs of the scenario."""

GROUP = {bodies.GROUP: "shared"}
"""The labels by which a Job ``with selector shared`` knows its pods."""

# -- what users and nodes do to pods that have ended


@step(parsers.re(r"the user deletes the " + FINISHED))
def user_deletes_finished_pods(jobs: Jobs, pods: Pods, count: str | None) -> None:
    pods.delete_pods(jobs.finished(int(count or 1)))


@step(parsers.re(r"the user makes the " + FINISHED + " vanish"))
def user_wipes_finished_pods(jobs: Jobs, pods: Pods, count: str | None) -> None:
    pods.wipe_pods(jobs.finished(int(count or 1)))


@step("the terminating pod succeeds")
def terminating_pod_succeeds(jobs: Jobs, pods: Pods) -> None:
    pods.end_pods(jobs.terminating(1), exit_code=0)


@step(parsers.re("the user adds " + A_FINALIZER + " to the " + FINISHED))
def user_adds_finalizer(jobs: Jobs, pods: Pods, finalizer: str, count: str | None) -> None:
    pods.add_finalizer(jobs.finished(int(count or 1)), finalizer)


@step(parsers.re("the user adds " + A_FINALIZER + r" to (?P<count>\d+) running pods"))
def user_adds_finalizer_to_running(jobs: Jobs, pods: Pods, finalizer: str, count: str) -> None:
    pods.add_finalizer(jobs.active(int(count)), finalizer)


@step(parsers.re(r"a user creates pod (?P<pod>\w+) with the tracking finalizer and no controller"))
def pod_without_controller(world: World, pods: Pods, pod: str) -> None:
    pods.create_pod(pod, finalizers=[world.seen.finalizer])


@step(
    parsers.re(
        r"pod (?P<pod>\w+) with the tracking finalizer (?P<matching>matches the Job and )?"
        r"is controlled by a (?P<owner>\w+ of [\w.]+/\w+)"
    )
)
def pod_of_another_controller(world: World, pods: Pods, pod: str, matching: str | None, owner: str) -> None:
    kind, _, group = owner.partition(" of ")
    controller = {"apiVersion": group, "kind": kind, "name": JOB, "uid": NOBODY, "controller": True}
    labels = GROUP if matching else {}
    pods.create_pod(pod, labels=labels, finalizers=[world.seen.finalizer], ownerReferences=[controller])


@step(parsers.re(r"the user deletes pod (?P<pod>\w+)"))
def user_deletes_that_pod(world: World, pods: Pods, pod: str) -> None:
    # The garbage collector deletes it too, for want of its owner. Then it is gone if its finalizer was taken.
    pods.delete_pods([one for one in world.seen.pods if one.name == pod])
