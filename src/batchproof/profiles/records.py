"""The record of a profile: all that it adds to a run, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from batchproof.cell.scope import Collection
from batchproof.cell.witness import Witness
from batchproof.control_plane.competing import Probe
from batchproof.descriptor.implementation import Implementation
from batchproof.exploration.program import Rules
from batchproof.judgement.facts import FactCall
from batchproof.judgement.fault_profiles import FaultProfile, Reach, fault_profiles
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


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
        variants: further references, of which the mutants are made whose capabilities it lacks.
        collections: what is recorded of a scenario and deleted after it, for an implementation.
        rules: what may happen in random programs, and how they have to end; None: it has no model, and
            cannot be explored.
        drafted: what the descriptor that `init` writes says of the control plane, as lines.
        watches: what an implementation of it watches once it is ready, as that descriptor names them; empty:
            what is usual.
        witness: on what an implementation shows that it is alive when nothing happens; None: the steps see to
            that.
        verbs: what its steps ask for beside the World, by the name of the argument: classes.
        faults: what the faults of the fault grid are about; None: its scenarios are not run under faults.
        built_in: the controllers of kube-controller-manager that do the same, by their names of today.
        beside: those of its controllers that run on a control plane of ours, beside an implementation.
        probes: the capabilities that a cluster may have itself, with how that is seen.
        given: the arguments of facts that their sentences do not say and a scenario of it knows, by fact.
        sees: what it makes sure of before a fact is claimed.
        acts: sees in the smoke test that an implementation does the least that its users expect of it.
    """

    name: str
    reference: str
    collections: Callable[[Implementation], tuple[Collection, ...]]
    acts: Callable[[World, Implementation], Trial]
    rules: Rules | None = None
    drafted: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()
    witness: Callable[[Implementation], Witness] | None = None
    verbs: Mapping[str, type] = field(default_factory=lambda: MappingProxyType({}))
    given: Mapping[str, Callable[[World], Mapping[str, Any]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    sees: Callable[[World, FactCall], None] | None = None
    variants: tuple[str, ...] = ()
    faults: Reach | None = None
    built_in: tuple[str, ...] = ()
    beside: Callable[[Implementation], tuple[str, ...]] = lambda _: ()
    probes: Mapping[str, Probe] = field(default_factory=lambda: MappingProxyType({}))
    versions_of: str = "Kubernetes"

    @property
    def fault_profiles(self) -> Mapping[str, FaultProfile]:
        """The fault profiles under which its scenarios are run, by name."""
        return {one.name: one for one in fault_profiles(self.faults)} if self.faults else {}


def requests(world: World) -> int:
    """How many requests the implementation has made: one that made none never reached the API server."""
    return len(world.seen.writes) + len(world.seen.reads)
