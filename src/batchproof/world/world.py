"""The World: what one scenario can do and see. Steps parse a sentence and call one verb of it."""

from __future__ import annotations

from batchproof.errors import HarnessError
from batchproof.world.faults import Faults
from batchproof.world.gangs import Gangs
from batchproof.world.jobs import Jobs
from batchproof.world.process import Process


class World(Jobs, Faults, Process):
    """The verbs of the steps, a base for each subject; another profile brings verbs of its own."""

    _gangs: Gangs | None = None

    @property
    def gangs(self) -> Gangs:
        """The verbs about nodes, gangs and queues.

        Raises:
            HarnessError: the implementation's descriptor has no dialect.
        """
        if self._gangs is None:
            if self._cell.dialect is None:
                raise HarnessError("the descriptor has no dialect: how is a gang spelled for it?")
            self._gangs = Gangs(self, self._cell, self._cell.dialect)
        return self._gangs

    def _see_all_as_made(self) -> None:
        """Something may have changed a gang's minimum since it was last read back."""
        if self._gangs:
            self.do(self._cell.catch_up())
            self._gangs.see_minimums()

    def _settle(self) -> None:
        """See ``Gangs.settle``."""
        if self._gangs:
            self._gangs.settle()
