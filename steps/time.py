"""Steps about time: it passes, deadlines take effect, finished Jobs are deleted."""

from __future__ import annotations

from pytest_bdd import parsers, step, then

from batchproof.judgement.claims import eventually, never, now
from batchproof.judgement.facts.deadlines import (
    deadline_not_early,
    deadline_punctual,
    deadline_took_effect,
    failed_by_deadline,
)
from batchproof.judgement.facts.deletion import deleted_safely, deletion_not_early, job_deleted
from batchproof.world import JOB, World


@step(parsers.re(r"(?P<seconds>[\d.]+) seconds? (?:pass|passes|have passed|has passed)"))
def seconds_pass(world: World, seconds: str) -> None:
    world.let_pass(float(seconds))


# -- activeDeadlineSeconds


@then("the Job fails by its deadline")
def job_fails_by_deadline(world: World) -> None:
    world.claim(eventually(failed_by_deadline(job=JOB), within="settle"))


@then("the deadline takes effect")
def deadline_takes_effect(world: World) -> None:
    world.claim(eventually(deadline_took_effect(job=JOB)))


@then("the deadline does not take effect for 2 seconds")
def deadline_takes_no_effect(world: World) -> None:
    world.claim(never(deadline_took_effect(job=JOB)))


@then("not before it is due")
def deadline_is_not_early(world: World) -> None:
    world.claim(now(deadline_not_early(job=JOB)))


@then(parsers.parse("no more than {slack:d} seconds after it is due"))
def deadline_is_punctual(world: World, slack: int) -> None:
    world.claim(now(deadline_punctual(job=JOB, slack=slack * world.scale)))


# -- ttlSecondsAfterFinished


@then("the Job is deleted")
def job_is_deleted(world: World) -> None:
    world.claim(eventually(job_deleted(job=JOB)))


@then("the Job is not deleted for 2 seconds")
def job_is_not_deleted(world: World) -> None:
    world.claim(never(job_deleted(job=JOB)))


@then("the deletion is in the foreground and names the UID of the Job")
def deletion_is_safe(world: World) -> None:
    world.claim(now(deleted_safely(job=JOB)))


@then("not before its time to live is over")
def deletion_is_not_early(world: World) -> None:
    world.claim(now(deletion_not_early(job=JOB)))
