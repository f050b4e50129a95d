"""Steps that hold back what the implementation sees of a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_bdd import parsers, step

from batchproof.errors import HarnessError

if TYPE_CHECKING:
    from batchproof.world import World

NOT_IN_PLACE = "the implementation sees late, or not, what there is"
"""Why scenarios with these steps cannot be judged in place (``specification.in_place``)."""

_VIEWED = r"(?P<resource>pods|jobs|services|tfjobs|podgroups|commands)"


@step(parsers.re(r"the implementation's view of " + _VIEWED + r" is frozen"))
def view_is_frozen(world: World, resource: str) -> None:
    world.freeze(world.resource(resource))


@step(parsers.re(r"the server ends the watches of " + _VIEWED + r"(?P<gone> with 410)?"))
def watches_end(world: World, resource: str, gone: str | None) -> None:
    world.close_watches(world.resource(resource), gone=bool(gone))


@step(parsers.re(r"the view of " + _VIEWED + r" catches up"))
def view_catches_up(world: World, resource: str) -> None:
    world.thaw(world.resource(resource))


@step(parsers.parse("the implementation misses that the group of gang {gang:w} is deleted"))
def deletion_is_missed(world: World, gang: str) -> None:
    groups = world.gangs.dialect.told_by
    if groups is None:
        raise HarnessError("gangs have no object in this dialect")
    world.freeze(groups)
    world.gangs.delete(gang)
    world.close_watches(groups, gone=True)
    world.thaw(groups)
