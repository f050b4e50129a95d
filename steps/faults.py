"""Steps that make requests, views and connections go wrong."""

from __future__ import annotations

from pytest_bdd import given, parsers, then

from batchproof.claims import eventually, never
from batchproof.facts.jobs import job_complete, job_finished
from batchproof.faults import Fault, On, answer
from batchproof.world import JOB, World


@given(parsers.parse("updates of the Job status are answered with {status:d}"))
def status_updates_fail(world: World, status: int) -> None:
    on = On("jobs", frozenset({"update", "patch"}), "status")
    world.arm(Fault(f"updates of the Job status are answered with {status}", on, answer(status)))


@then("the Job does not complete")
def job_does_not_complete(world: World) -> None:
    world.claim(never(job_finished(job=JOB)))


@then(parsers.re(r"once the faults end the Job completes with (?P<count>\d+) succeeded pods?"))
def completes_after_faults(world: World, count: str) -> None:
    world.lift()
    world.claim(eventually(job_complete(job=JOB, succeeded=int(count)), within="recovery"))
