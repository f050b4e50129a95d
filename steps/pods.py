"""Steps about pods: what the kubelet does to them, what users do, and what is claimed of them.

``2 pods`` are the two oldest active pods of the scenario's Job; those of another are ``2 pods of Job b``.
"""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.world import JOB, World

THE_JOB = r"(?:the Job|Job (?P<job>[a-z]))"
PODS = r"(?:all )?(?P<count>\d+) pods?(?: of Job (?P<job>[a-z]))?"

# -- what the kubelet does


@step(parsers.re(PODS + r" (?:is|are) running(?P<ready> and ready)?"))
def pods_running(world: World, count: str, job: str | None, ready: str | None) -> None:
    world.run_pods(int(count), ready=bool(ready), job=job or JOB)


@step(parsers.re(PODS + r" succeeds?"))
def pods_succeed(world: World, count: str, job: str | None) -> None:
    world.succeed_pods(int(count), job=job or JOB)


@step(parsers.re(r"(?P<count>\d+) pods succeed one after another"))
def pods_succeed_in_turn(world: World, count: str) -> None:
    world.succeed_in_turn(int(count))


@step(parsers.re(r"the node of " + PODS + r" is lost"))
def node_is_lost(world: World, count: str, job: str | None) -> None:
    world.lose_pods(int(count), job=job or JOB)


@step("the pods that are being deleted end")
def deleted_pods_end(world: World) -> None:
    world.terminate_pods()


@step("deleted pods stay terminating")
def terminations_are_held(world: World) -> None:
    world.hold_terminations()


@step("the terminating pods end")
def terminating_pods_end(world: World) -> None:
    world.terminate_pods()


# -- what a user does


@step(parsers.re(r"the user deletes " + PODS))
def user_deletes_pods(world: World, count: str, job: str | None) -> None:
    world.delete_pods(world.active(int(count), job=job or JOB))


@step(parsers.re(r"the user deletes the pods of " + THE_JOB))
def user_deletes_all_pods(world: World, job: str | None) -> None:
    world.delete_pods(world.seen.pods_of(world.job(job or JOB)))


@step(parsers.parse("the user makes {count:d} running pod vanish"))
def user_wipes_running_pods(world: World, count: int) -> None:
    world.wipe_pods(world.active(count))


@step(parsers.re(r"a pod that a user made is given to " + THE_JOB))
def user_gives_pod(world: World, job: str | None) -> None:
    world.give_pod("from-a-user", job=job or JOB)
