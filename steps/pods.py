"""Steps about pods: what the kubelet does to them, what users do, and what is claimed of them.

``2 pods`` are the two oldest active pods of the scenario's Job; those of another are ``2 pods of Job b``.
"""

from __future__ import annotations

from pytest_bdd import parsers, step, then

from batchproof.judgement.claims import always, eventually, never
from batchproof.judgement.facts.pods import (
    active_pods_exactly,
    controller_changed,
    counted_and_released,
    created_pods,
    more_created_pods,
    surplus_created,
)
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


@step(parsers.re(PODS + r" fails?(?: with exit code (?P<exit_code>\d+))?"))
def pods_fail(world: World, count: str, job: str | None, exit_code: str | None) -> None:
    world.fail_pods(int(count), exit_code=int(exit_code or 1), job=job or JOB)


@step(parsers.re(r"the node of " + PODS + r" is lost"))
def node_is_lost(world: World, count: str, job: str | None) -> None:
    world.lose_pods(int(count), job=job or JOB)


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


@step(parsers.re(r"a pod that a user made is given to " + THE_JOB))
def user_gives_pod(world: World, job: str | None) -> None:
    world.give_pod("from-a-user", job=job or JOB)


# -- what is claimed of pods


@step(parsers.re(PODS + r" (?:is|are) active"))
def pods_are_active(world: World, count: str, job: str | None) -> None:
    world.claim(eventually(active_pods_exactly(job=job or JOB, count=int(count))))


@then(parsers.re(PODS + r" (?:stays?|remains?) active for 2 seconds"))
def pods_stay_active(world: World, count: str, job: str | None) -> None:
    world.claim(always(active_pods_exactly(job=job or JOB, count=int(count))))


@step(parsers.re(PODS + r" (?:has|have) been created in all"))
def pods_were_created(world: World, count: str, job: str | None) -> None:
    world.claim(eventually(created_pods(job=job or JOB, count=int(count))))


@then(parsers.re(r"no more than " + PODS + r" (?:is|are) created in all, watched for 5 seconds"))
def no_more_pods_for_long(world: World, count: str, job: str | None) -> None:
    world.claim(never(more_created_pods(job=job or JOB, count=int(count)), during="long window"))


@then(parsers.re(r"no more than " + PODS + r" (?:is|are) created in all, watched for 2 seconds"))
def no_more_pods(world: World, count: str, job: str | None) -> None:
    world.claim(never(more_created_pods(job=job or JOB, count=int(count))))


@then("the number of active pods is not raised above what the Job allows for 2 seconds")
def no_surplus(world: World) -> None:
    world.claim(never(surplus_created(job=JOB)))


@step(parsers.re(THE_JOB + r" has counted and released (?P<count>\d+) succeeded pods?"))
def pods_are_counted_and_released(world: World, job: str | None, count: str) -> None:
    world.claim(eventually(counted_and_released(job=job or JOB, succeeded=int(count))))


@then("no pod changes its controller for 2 seconds")
def controllers_stay(world: World) -> None:
    world.claim(never(controller_changed()))
