"""The record of a profile: all that it adds to a run, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        versions_of: whose versions its requirements and ``implements`` of a descriptor speak of.
        reference: the bundled implementation that is judged where none is named.
        variants: further references, in which the defects of capabilities are planted that it does not have.
        collections: what is recorded of a scenario and deleted after it, for an implementation.
        rules: what may happen in random programs, and how they have to end.
        witness: on what an implementation shows that it is alive when nothing happens; None: the steps see to
            that.
        verbs: what its steps ask for beside the World, by the name of the argument, and what makes it.
        acts: sees in the smoke test that an implementation does the least that its users expect of it.
    """

    name: str
    reference: str
    collections: Callable[[Implementation], tuple[Collection, ...]]
    acts: Callable[[World, Implementation], Trial]
    rules: Rules
    witness: Callable[[Implementation], Witness] | None = None
    verbs: Mapping[str, Callable[[World], object]] = field(default_factory=lambda: MappingProxyType({}))
    variants: tuple[str, ...] = ()
    versions_of: str = "Kubernetes"


def requests(world: World) -> int:
    """How many requests the implementation has made: one that made none never reached the API server."""
    return len(world.seen.writes) + len(world.seen.reads)
