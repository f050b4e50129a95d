"""The smoke test of a descriptor: does it describe something that starts, watches, acts, and ends?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.cell import Cell
from batchproof.control_plane.leftovers import cell_name
from batchproof.control_plane.plane import Plane
from batchproof.descriptor.implementation import Implementation
from batchproof.descriptor.launch import ProcessSpec
from batchproof.ground.errors import HarnessError
from batchproof.profiles import profile
from batchproof.profiles.records import Profile, Trial
from batchproof.running.environment import RunEnvironment
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def smoke(stage: RunEnvironment, plane: Plane) -> Iterator[Trial]:
    """Try one thing after the other; the first that fails is the last."""
    judged_as = profile(stage.implementation.profiles[0])
    collections = judged_as.collections(stage.implementation)
    cell = Cell(cell_name(stage.run, "smoke"), plane, stage.program, collections)
    try:
        cell.call(cell.open())
        yield from _try(stage.implementation, judged_as, cell)
    finally:
        cell.shut()


def _try(implementation: Implementation, judged_as: Profile, cell: Cell) -> Iterator[Trial]:
    starts = _starts(implementation.processes)
    try:
        world = World(
            cell,
            requirement="descriptor",
            sentences={"descriptor": "what the descriptor describes acts on a Job"},
            scale=implementation.time_scale,
        )
    except HarnessError as error:
        yield Trial(holds=False, text=starts, advice=str(error))
        return
    yield Trial(holds=True, text=starts)
    acted = judged_as.acts(world, implementation)
    if not acted.holds:
        acted = replace(acted, advice=f"{acted.advice}\n{cell.instance.last_words}".rstrip())
    yield acted
    if not acted.holds or not implementation.processes:
        return
    again = "it starts again after SIGKILL"
    try:
        world.process.restart()
    except HarnessError as error:
        yield Trial(holds=False, text=again, advice=str(error))
        return
    yield Trial(holds=True, text=again)
    cell.instance.stop()
    yield Trial(holds=not cell.instance.alive, text="it terminates after SIGTERM")


def _starts(processes: Sequence[ProcessSpec]) -> str:
    """What is to be seen when it has started."""
    match processes:
        case ():
            return "it is installed in the cluster"
        case (alone,):
            return f"it starts and {alone.ready}"
        case _:
            return f"it starts: {'; '.join(f'{each.name} {each.ready}' for each in processes)}"
