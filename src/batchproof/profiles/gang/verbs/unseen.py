"""Changes that the implementation sees late, or learns from a list because its watch has a gap."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

from batchproof.ground.resources import Resource
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

Seen: TypeAlias = Literal["", "late", "missed"]
"""How the implementation sees a change: at once, late, or only by what a new list has."""
UNSEEN = "the implementation sees late, or not, what there is"
"""Why scenarios in which a watch of the implementation misses something cannot be judged in place."""
LATE_S = 1.0
"""So long a watch is held back where no more is said: longer than a decision takes."""


@contextmanager
def changing(world: World, resource: Resource, seen: Seen) -> Iterator[None]:
    """Change objects of a resource while the watch of the implementation is held back, unless it sees all."""
    if not seen:
        yield
        return
    world.faults.freeze(resource)
    yield
    if seen == "missed":
        world.faults.close_watches(resource, gone=True)
    else:
        world.let_pass(LATE_S)
    world.faults.thaw(resource)
