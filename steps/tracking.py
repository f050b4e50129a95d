"""Steps about finished pods: their finalizers, and how they are recorded and counted."""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.world import JOB, World

FINISHED = r"(?:(?P<count>\d+) finished pods|finished pod)"
A_FINALIZER = r"the finalizer (?P<finalizer>[\w./-]+)"
NOBODY = "0d7c5a7e-5b0e-4c59-9d0c-6f6b3c1f7a11"
"""The UID of a controller that is none of the Jobs of the scenario."""

GROUP = {"batchproof.dev/group": "shared"}
"""The labels by which a Job ``with selector shared`` knows its pods."""

# -- what users and nodes do to pods that have ended


@step(parsers.re(r"the user deletes the " + FINISHED))
def user_deletes_finished_pods(world: World, count: str | None) -> None:
    world.delete_pods(world.finished(int(count or 1)))


@step(parsers.re(r"the user makes the " + FINISHED + " vanish"))
def user_wipes_finished_pods(world: World, count: str | None) -> None:
    world.wipe_pods(world.finished(int(count or 1)))


@step("the terminating pod succeeds")
def terminating_pod_succeeds(world: World) -> None:
    world.end_pods(world.terminating(1), exit_code=0)


@step(parsers.re("the user adds " + A_FINALIZER + " to the " + FINISHED))
def user_adds_finalizer(world: World, finalizer: str, count: str | None) -> None:
    world.add_finalizer(world.finished(int(count or 1)), finalizer)


@step(parsers.re("the user adds " + A_FINALIZER + r" to (?P<count>\d+) running pods"))
def user_adds_finalizer_to_running(world: World, finalizer: str, count: str) -> None:
    world.add_finalizer(world.active(int(count)), finalizer)


@step(parsers.re(r"a user creates pod (?P<pod>\w+) with the tracking finalizer and no controller"))
def pod_without_controller(world: World, pod: str) -> None:
    world.create_pod(pod, finalizers=[world.seen.finalizer])


@step(
    parsers.re(
        r"pod (?P<pod>\w+) with the tracking finalizer (?P<matching>matches the Job and )?"
        r"is controlled by a (?P<kind>\w+) of (?P<group>[\w.]+/\w+)"
    )
)
def pod_of_another_controller(world: World, pod: str, matching: str | None, kind: str, group: str) -> None:
    owner = {"apiVersion": group, "kind": kind, "name": JOB, "uid": NOBODY, "controller": True}
    labels = GROUP if matching else {}
    world.create_pod(pod, labels=labels, finalizers=[world.seen.finalizer], ownerReferences=[owner])


@step(parsers.re(r"the user deletes pod (?P<pod>\w+)"))
def user_deletes_that_pod(world: World, pod: str) -> None:
    # The garbage collector deletes it too, for want of its owner. Then it is gone if its finalizer was taken.
    world.delete_pods([one for one in world.seen.pods if one.name == pod])
