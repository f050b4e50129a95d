"""The smoke test of a descriptor: does it describe something that starts, watches, acts, and ends?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.cell import Cell
from batchproof.control_plane.remains import cell_name
from batchproof.errors import HarnessError
from batchproof.judgement.claims import always, eventually
from batchproof.judgement.facts.gangs import gang_bound, gang_bound_at_most
from batchproof.judgement.facts.pods import active_pods
from batchproof.judgement.finding import Unmet
from batchproof.world import JOB, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from batchproof.control_plane.plane import Plane
    from batchproof.descriptor.implementation import Implementation
    from batchproof.descriptor.launch import ProcessSpec
    from batchproof.running.stage import Stage


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried, and what to look at in the descriptor where it failed or looks odd."""

    holds: bool
    text: str
    advice: str = ""


def smoke(stage: Stage, plane: Plane) -> Iterator[Finding]:
    """Try one thing after the other; the first that fails is the last."""
    cell = Cell(cell_name(stage.run, "smoke"), plane, stage.program)
    try:
        cell.call(cell.open())
        yield from _try(stage.implementation, cell)
    finally:
        cell.shut()


def _try(implementation: Implementation, cell: Cell) -> Iterator[Finding]:
    where = implementation.descriptor
    starts = _starts(implementation.processes)
    try:
        world = World(
            cell,
            requirement="descriptor",
            sentences={"descriptor": "what the descriptor describes acts on a Job"},
            waived=(),
            scale=implementation.time_scale,
        )
    except HarnessError as error:
        yield Finding(holds=False, text=starts, advice=str(error))
        return
    yield Finding(holds=True, text=starts)
    if implementation.dialect:
        acted = _acts_on_a_gang(world, where, implementation.dialect.scheduler)
    else:
        acted = _acts_on_a_job(world, where)
    yield acted
    if not acted.holds or not implementation.processes:
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


def _starts(processes: Sequence[ProcessSpec]) -> str:
    """What is to be seen when it has started."""
    match processes:
        case ():
            return "it is started by somebody else"
        case (alone,):
            return f"it starts and {alone.ready}"
        case _:
            return f"it starts: {'; '.join(f'{each.name} {each.ready}' for each in processes)}"


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


def _acts_on_a_gang(world: World, descriptor: Path, scheduler: str) -> Finding:
    acts = "it binds a gang of two pods"
    alone = ""
    try:
        world.gangs.add_node("2")
        world.gangs.add("a", 2)
        world.gangs.add_pods("a", 1)
        try:
            world.claim(always(gang_bound_at_most(gang="a", count=0)))
        except Unmet:
            alone = (
                "A pod of it was bound alone, though: either GNG-001 fails, or 'dialect.member' is not how "
                "its users make a pod a member."
            )
        world.gangs.add_pods("a", 1)
        world.claim(eventually(gang_bound(gang="a", count=2), within="settle"))
    except Unmet:
        advice = (
            f"It made {_asked(world)} requests, but no binding. Does {descriptor} start the scheduler with "
            "{kubeconfig} and without leader election, is it configured with the name "
            f"{scheduler!r} of 'dialect.scheduler', and is 'dialect' how its users spell a gang?"
        )
        return Finding(holds=False, text=acts, advice=advice)
    except HarnessError as error:
        return Finding(holds=False, text=acts, advice=f"{error}\nLook at 'dialect' in {descriptor}.")
    return Finding(holds=True, text=acts, advice=alone)


def _asked(world: World) -> int:
    return len(world.seen.writes) + len(world.seen.reads)
