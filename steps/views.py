"""Steps that hold back what the implementation sees of a resource."""

from __future__ import annotations

from pytest_bdd import parsers, step

from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import JOBS
from batchproof.judgement.fault_words import views_pattern
from batchproof.profiles.gang.verbs import Gangs
from batchproof.profiles.job.verbs import Jobs
from batchproof.world import World

NOT_IN_PLACE = "the implementation sees late, or not, what there is"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""

_VIEWED = rf"(?P<resource>{views_pattern()})"


@step(parsers.re(r"the implementation's view of " + _VIEWED + r" is stale"))
def view_is_frozen(world: World, resource: str) -> None:
    world.faults.freeze(world.resource(resource))


@step(parsers.re(r"the server ends the watches of " + _VIEWED + r"(?P<gone> with 410)?"))
def watches_end(world: World, resource: str, gone: str | None) -> None:
    world.faults.close_watches(world.resource(resource), gone=bool(gone))


@step(parsers.re(r"the view of " + _VIEWED + r" catches up"))
def view_catches_up(world: World, resource: str) -> None:
    world.faults.thaw(world.resource(resource))


@step("the implementation misses that the Job is deleted and created again")
def recreation_is_missed(world: World, jobs: Jobs) -> None:
    world.faults.freeze(JOBS)
    jobs.recreate_job()
    world.faults.close_watches(JOBS, gone=True)
    world.faults.thaw(JOBS)


@step(parsers.parse("the implementation misses that the group of gang {gang:w} is deleted"))
def deletion_is_missed(world: World, gangs: Gangs, gang: str) -> None:
    groups = gangs.dialect.status_resource
    if groups is None:
        raise HarnessError("gangs have no object in this dialect")
    world.faults.freeze(groups)
    gangs.delete(gang)
    world.faults.close_watches(groups, gone=True)
    world.faults.thaw(groups)
