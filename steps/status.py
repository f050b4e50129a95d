"""Steps about the times, the conditions and the end of a Job."""

from __future__ import annotations

from pytest_bdd import parsers, step, then

from batchproof.judgement.claims import always, eventually, now
from batchproof.judgement.facts.conditions import (
    clean_end,
    completion_time_right,
    completion_time_unset,
    end_announced,
    finished_last,
    job_condition,
    job_started,
    one_ending,
    start_time_kept,
)
from batchproof.judgement.facts.jobs import job_complete, job_failed
from batchproof.world import JOB, World

# -- times


@step("the Job has started")
def job_has_started(world: World) -> None:
    world.claim(eventually(job_started(job=JOB)))


@then("the startTime of the Job has never changed")
def start_time_is_kept(world: World) -> None:
    world.claim(now(start_time_kept(job=JOB)))


@then("the completionTime of the Job came with Complete and has not changed")
def completion_time_is_right(world: World) -> None:
    world.claim(now(completion_time_right(job=JOB)))


@then("the Job has never had a completionTime")
def no_completion_time(world: World) -> None:
    world.claim(now(completion_time_unset(job=JOB)))


# -- conditions


@then(parsers.re(r'(?P<condition>\w+) is true: (?P<reason>\w+), "(?P<message>[^"]+)"'))
def condition_is_true(world: World, condition: str, reason: str, message: str) -> None:
    fact = job_condition(job=JOB, condition=condition, reason=reason, message=message)
    world.claim(eventually(fact, within="settle"))


@then(parsers.re(r'(?P<target>\w+) came before (?P<terminal>\w+): (?P<reason>\w+), "(?P<message>[^"]+)"'))
def end_was_announced(world: World, target: str, terminal: str, reason: str, message: str) -> None:
    words = {"reason": reason, "message": message}
    world.claim(now(end_announced(job=JOB, target=target, terminal=terminal, **words)))


@then("it keeps its one terminal condition for 2 seconds")
def one_ending_is_kept(world: World) -> None:
    world.claim(always(one_ending(job=JOB)))


@then("it counts no pod as active, terminating or uncounted")
def end_is_clean(world: World) -> None:
    world.claim(now(clean_end(job=JOB)))


# -- the end


@then(parsers.parse("once the terminating pods end the Job completes with {count:d} succeeded pod"))
def completes_after_terminations(world: World, count: int) -> None:
    world.terminate_pods()
    world.claim(eventually(job_complete(job=JOB, succeeded=count), within="settle"))


@then(parsers.parse("once the terminating pods end the Job fails with reason {reason}"))
def fails_after_terminations(world: World, reason: str) -> None:
    world.terminate_pods()
    world.claim(eventually(job_failed(job=JOB, reason=reason), within="settle"))


@then("no pod of the Job was active or terminating when it finished")
def pods_ended_first(world: World) -> None:
    world.claim(eventually(finished_last(job=JOB)))


@then(parsers.parse("once the view of {resource} catches up the Job completes with {count:d} succeeded pod"))
def completes_after_thaw(world: World, resource: str, count: int) -> None:
    world.thaw(world.resource(resource))
    world.claim(eventually(job_complete(job=JOB, succeeded=count), within="settle"))
