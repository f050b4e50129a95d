"""Steps about Jobs: what a user does to them and what is claimed of their status."""

from __future__ import annotations

from pytest_bdd import given, parsers, then

from batchproof.claims import eventually
from batchproof.facts.jobs import job_complete
from batchproof.world import JOB, World


@given(parsers.re(r"a Job with (?P<completions>\d+) completions?( and parallelism (?P<parallelism>\d+))?"))
def a_job(world: World, completions: str, parallelism: str | None) -> None:
    world.create_job(completions=int(completions), parallelism=int(parallelism or completions))


@then(parsers.re(r"the Job completes with (?P<count>\d+) succeeded pods?"))
def job_completes(world: World, count: str) -> None:
    world.claim(eventually(job_complete(job=JOB, succeeded=int(count)), within="settle"))
