"""Steps about Jobs that are suspended and resumed.

The user's part is in the steps of Jobs: ``the user suspends the Job``, ``the user resumes the Job``.
"""

from __future__ import annotations

from pytest_bdd import given, parsers, step, then

from batchproof.judgement.claims import eventually, now
from batchproof.judgement.facts.pods import active_pods_exactly
from batchproof.judgement.facts.suspension import (
    job_not_started,
    job_resumed,
    job_suspended,
    started_at_resume,
    status_writes_valid,
)
from batchproof.world import JOB, World


@given("the user has suspended the Job")
def user_has_suspended(world: World) -> None:
    world.patch_job(JOB, suspend=True)
    world.claim(eventually(job_suspended(job=JOB)))


@step("the Job becomes suspended")
def job_becomes_suspended(world: World) -> None:
    world.claim(eventually(job_suspended(job=JOB)))


@step("the Job becomes resumed")
def job_becomes_resumed(world: World) -> None:
    world.claim(eventually(job_resumed(job=JOB)))


@then(parsers.re(r"once the user resumes the Job (?P<count>\d+) pods are active"))
def active_once_resumed(world: World, count: str) -> None:
    world.patch_job(JOB, suspend=False)
    world.claim(eventually(active_pods_exactly(job=JOB, count=int(count))))


@then("the Job has no startTime")
def job_has_no_start_time(world: World) -> None:
    world.claim(eventually(job_not_started(job=JOB)))


@then("its startTime is not before it was resumed")
def start_time_is_of_resume(world: World) -> None:
    world.claim(eventually(started_at_resume(job=JOB)))


@then("no status write has been refused as invalid")
def no_status_write_refused(world: World) -> None:
    world.claim(now(status_writes_valid()))
