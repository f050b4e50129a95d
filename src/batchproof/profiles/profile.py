"""The record of a profile: all that it adds to a run, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from batchproof.cell.scope import Collection
    from batchproof.cell.witness import Witness
    from batchproof.descriptor.implementation import Implementation
    from batchproof.exploration.program import Rules
    from batchproof.world import World


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing that the smoke test tried.

    Attributes:
        holds: it went well.
        text: what was tried, as a fact: ``it creates a pod for a Job``.
        advice: what to look at in the descriptor where it failed or looks odd.
    """

    holds: bool
    text: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is certified as a whole.

    Attributes:
        name: its name, and that of its folder in ``features/``.
        reference: the bundled implementation that is judged where none is named.
        variants: further references, in which the defects of capabilities are planted that it does not have.
        collections: what is recorded of a scenario and deleted after it, for an implementation.
        witness: on what an implementation shows that it is alive when nothing happens; None: the steps see to
            that.
        rules: what may happen in random programs, and how they have to end; None: it is not explored.
        acts: sees in the smoke test that an implementation does the least that its users expect of it.
    """

    name: str
    reference: str
    collections: Callable[[Implementation], tuple[Collection, ...]]
    acts: Callable[[World, Implementation], Trial]
    witness: Callable[[Implementation], Witness] | None = None
    rules: Rules | None = None
    variants: tuple[str, ...] = ()


def requests(world: World) -> int:
    """How many requests the implementation has made: one that made none never reached the API server."""
    return len(world.seen.writes) + world.seen.reads
