"""Where a worker judges: a cell with its implementation, on the control plane of all or on one of its own."""

from __future__ import annotations

from batchproof.cell import Cell
from batchproof.cell.instance import LaunchPlan
from batchproof.cell.witness import Witnesses
from batchproof.control_plane.embedded import EmbeddedControlPlane
from batchproof.control_plane.plane import OwnPlane, Plane, await_plane
from batchproof.profiles import profile
from batchproof.running.settings import Settings


class WorkerSlot:
    """A cell that is opened by its first scenario, so that a place without any costs nothing.

    Args:
        settings: those of the run.
        name: that of the cell; its namespaces and nodes begin with it.
        own: what its own control plane is made of; None: it is on the one of all.

    Attributes:
        witnesses: what shows that the implementation is alive, once the cell is open; None: nothing is asked.
    """

    def __init__(self, settings: Settings, name: str, own: OwnPlane | None) -> None:
        self._settings = settings
        self._name = name
        self._made_of = own
        self._own: tuple[EmbeddedControlPlane, Plane] | None = None
        self._cell: Cell | None = None
        self.witnesses: Witnesses | None = None

    def cell(self, program: LaunchPlan) -> Cell:
        """The cell, with this program in it.

        Raises:
            HarnessError: the control plane has died, or the program does not start.
        """
        plane = self._living_plane()
        if self._cell is None:
            judged_as = profile(self._settings.profile)
            cell = Cell(self._name, plane, program, judged_as.collections(program.implementation))
            try:
                cell.call(cell.open())
            except BaseException:
                cell.shut()
                raise
            self._cell = cell
            if witness := judged_as.witness:
                self.witnesses = Witnesses(cell, witness(program.implementation))
        self._cell.call(self._cell.use(program))
        return self._cell

    def leave(self) -> None:
        """Stop the implementation, the proxy and the own control plane; a next scenario opens it again."""
        if self._cell:
            if self.witnesses:
                self._cell.call(self.witnesses.close())
            self._cell.shut()
        if self._own:
            self._own[0].stop()
        self._cell, self._own, self.witnesses = None, None, None

    def _living_plane(self) -> Plane:
        """The control plane; asked each time, for it may have died."""
        if self._made_of is None:
            return await_plane(self._settings.run_dir)
        if self._own is None:
            provider = EmbeddedControlPlane.of(self._made_of, self._settings.run_dir)
            self._own = (provider, provider.start())
        provider, plane = self._own
        provider.check()
        return plane
