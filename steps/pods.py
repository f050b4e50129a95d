"""Steps about pods: what the kubelet does to them, what users do, and what is claimed of them.

``2 pods`` are the two oldest active pods of the scenario's Job; those of another are ``2 pods of Job b``.
"""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.profiles.job.verbs import Jobs
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.verbs import Pods
from batchproof.world import World

THE_JOB = r"(?:the Job|Job (?P<job>[a-z]))"
PODS = r"(?:all )?(?P<count>\d+) pods?(?: of Job (?P<job>[a-z]))?"

# -- what the kubelet does


@step(parsers.re(PODS + r" (?:is|are) running(?P<ready> and ready)?"))
def pods_running(jobs: Jobs, count: str, job: str | None, ready: str | None) -> None:
    jobs.run_pods(int(count), ready=bool(ready), job=job or JOB)


@step(parsers.re(r"1 pod of Job (?P<one>[a-z]) and 1 pod of Job (?P<other>[a-z]) are running"))
def pods_of_two_jobs_running(jobs: Jobs, one: str, other: str) -> None:
    jobs.run_pods(1, job=one)
    jobs.run_pods(1, job=other)


@step(parsers.re(PODS + r" succeeds?"))
def pods_succeed(jobs: Jobs, count: str, job: str | None) -> None:
    jobs.succeed_pods(int(count), job=job or JOB)


@step(parsers.re(r"(?P<count>\d+) pods succeed one after another"))
def pods_succeed_in_turn(jobs: Jobs, count: str) -> None:
    jobs.succeed_in_turn(int(count))


@step(parsers.re(r"the node of " + PODS + r" is lost"))
def node_is_lost(jobs: Jobs, count: str, job: str | None) -> None:
    jobs.lose_pods(int(count), job=job or JOB)


# -- what a user does


@step(parsers.re(r"the user deletes " + PODS))
def user_deletes_pods(jobs: Jobs, pods: Pods, count: str, job: str | None) -> None:
    pods.delete_pods(jobs.active(int(count), job=job or JOB))


@step(parsers.re(r"the user deletes the pods of " + THE_JOB))
def user_deletes_all_pods(world: World, jobs: Jobs, pods: Pods, job: str | None) -> None:
    pods.delete_all(f"Job {job or JOB}", world.seen.pods_of(jobs.job(job or JOB)))


@step(parsers.parse("the user makes {count:d} running pod vanish"))
def user_wipes_running_pods(jobs: Jobs, pods: Pods, count: int) -> None:
    pods.wipe_pods(jobs.active(count))


@step(parsers.re(r"a pod that a user made is given to " + THE_JOB))
def user_gives_pod(jobs: Jobs, job: str | None) -> None:
    jobs.give_pod("from-a-user", job=job or JOB)
