"""The smoke test of a descriptor: does it describe something that starts, watches, acts, and ends?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.cell import Cell
from batchproof.cell.instance import Program
from batchproof.claims import eventually
from batchproof.control_plane.remains import cell_name
from batchproof.errors import HarnessError, Unmet
from batchproof.facts.gangs import gang_bound
from batchproof.facts.pods import active_pods
from batchproof.world import JOB, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from batchproof.implementation import Implementation
    from batchproof.stage import Stage


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried, and what to look at in the descriptor where it failed."""

    holds: bool
    text: str
    advice: str = ""


def smoke(stage: Stage) -> Iterator[Finding]:
    """Try one thing after the other; the first that fails is the last."""
    implementation = stage.implementation
    cell = Cell(cell_name(stage.run, "smoke"), stage.plane, Program(implementation, stage.binary, {}))
    cell.call(cell.open())
    try:
        yield from _try(implementation, cell)
    finally:
        cell.shut()


def _try(implementation: Implementation, cell: Cell) -> Iterator[Finding]:
    where = implementation.descriptor
    start = implementation.start
    watches = ", ".join(start.ready.watches) if start else "nothing: it is started by somebody else"
    try:
        world = World(
            cell,
            requirement="descriptor",
            sentences={"descriptor": "what the descriptor describes acts on a Job"},
            waived=(),
            scale=implementation.time_scale,
        )
    except HarnessError as error:
        yield Finding(holds=False, text=f"it starts and watches {watches}", advice=str(error))
        return
    yield Finding(holds=True, text=f"it starts and watches {watches}")
    acted = _acts_on_a_gang(world, where) if implementation.dialect else _acts_on_a_job(world, where)
    yield acted
    if not acted.holds:
        return
    if start is None:
        return
    again = "it starts again after SIGKILL"
    try:
        world.restart()
    except HarnessError as error:
        yield Finding(holds=False, text=again, advice=str(error))
        return
    yield Finding(holds=True, text=again)
    cell.instance.stop()
    yield Finding(holds=not cell.instance.alive, text="it ends when it is asked to")


def _acts_on_a_job(world: World, descriptor: Path) -> Finding:
    acts = "it creates a pod for a Job"
    try:
        world.create_job(completions=1)
        world.claim(eventually(active_pods(job=JOB, at_least=1), within="settle"))
    except Unmet:
        advice = f"It made {_asked(world)} requests, but no pod. Does {descriptor} start the Job controller, "
        advice += "with {kubeconfig}, for all namespaces, without leader election?"
        return Finding(holds=False, text=acts, advice=advice)
    return Finding(holds=True, text=acts)


def _acts_on_a_gang(world: World, descriptor: Path) -> Finding:
    acts = "it binds a gang of two pods"
    try:
        world.gangs.add_node("2")
        world.gangs.add("a", 2)
        world.gangs.add_pods("a", 2)
        world.claim(eventually(gang_bound(gang="a", count=2), within="settle"))
    except Unmet:
        advice = (
            f"It made {_asked(world)} requests, but no binding. Does {descriptor} start the scheduler with "
        )
        advice += "{kubeconfig} and without leader election, and is 'dialect' how its users spell a gang?"
        return Finding(holds=False, text=acts, advice=advice)
    except HarnessError as error:
        return Finding(holds=False, text=acts, advice=f"{error}\nLook at 'dialect' in {descriptor}.")
    return Finding(holds=True, text=acts)


def _asked(world: World) -> int:
    return len(world.seen.writes) + len(world.seen.reads)
