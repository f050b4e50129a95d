"""Does the fault grid have an input of the table of kinds? By its fault profiles and what it leaves out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.resources import Resource
from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.judgement.faults import Call, ConcurrentUpdate, EndWatches, Fault
from batchproof.specification.gherkin import Scenario
from batchproof.specification.kinds import KindCell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_FAULTS = "fault"
"""The tag of scenarios that the fault grid leaves out, for they stage faults of their own."""
_KILLS = re.compile(r"\bimplementation is (?:killed|started)\b")
"""The fault grid leaves out these as well."""


@dataclass(frozen=True, slots=True)
class Registered:
    """What a profile knows of itself, which its table is compared with.

    Attributes:
        objects: the resources whose objects its implementations watch or write.
        cluster_scoped: those of them that are in no namespace: faults reach requests in a namespace only.
        grid: the fault profiles under which its scenarios are run, by name.
    """

    objects: Collection[Resource]
    cluster_scoped: Collection[Resource]
    grid: Mapping[str, FaultProfile]


def unfit(scenario: Scenario, id_: str) -> str:
    """Why the fault grid does not play a scenario, which ``id_`` names or a case of it; empty if it does."""
    if _FAULTS in scenario.tags:
        return f"{id_} has the tag @{_FAULTS}, so the fault grid leaves it out: name it alone"
    if any(_KILLS.search(step.text) for step in (*scenario.background, *scenario.steps)):
        return f"{id_} kills or starts the implementation, so the fault grid leaves it out"
    return ""


def uncovered(cell: KindCell, known: Registered) -> str:
    """Why the fault grid does not play a cell, whatever its scenarios are; empty if it does."""
    if not cell.column.grid:
        return "no fault profile of the fault grid does this: name a scenario"
    played = [known.grid[name] for name in cell.column.grid if name in known.grid]
    names = " and ".join(cell.column.grid)
    if not played:
        return f"the profile is not run under {names}: name a scenario"
    about, write = cell.row.about, cell.row.write
    if about is None or (write and {*about.resources} & {*known.cluster_scoped}):
        return "faults reach requests in a namespace only: name a scenario"
    if not all(_reached(played, it, write) for it in about.resources):
        return f"the fault profile {names} does not reach it: name a scenario"
    return ""


def _reached(played: Iterable[FaultProfile], resource: Resource, write: str) -> bool:
    """Whether a fault profile reaches this write of the resource; without a write how it is seen, or kept."""
    verb, _, part = write.partition("/")
    if write:
        call = Call(verb, resource, part)
        return any(fault.on.matches(call) for one in played for fault in one.faults)
    return any(
        resource in dict(one.late_s) or any(_changes(fault, resource) for fault in one.faults)
        for one in played
    )


def _changes(fault: Fault, resource: Resource) -> bool:
    """Whether a fault ends the watches, or another client changes objects of the resource."""
    return isinstance(fault.do, EndWatches) or (
        isinstance(fault.do, ConcurrentUpdate) and fault.on.resource == resource
    )
