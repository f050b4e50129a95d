"""What a run plays: a scenario as it is written, with a mutant, or in the fault grid."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from batchproof.evidence.plan import fault_profile, under
from batchproof.ground.errors import HarnessError
from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.report.records import Planned


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One play of a scenario.

    Attributes:
        scenario: its id.
        mutant: what is judged instead of the implementation itself; empty: nothing.
        faults: of the fault grid: the fault profile; empty: without faults. None: it is in no grid.
        end: how the scenario ended without faults.
    """

    scenario: str
    mutant: str = ""
    faults: str | None = None
    end: Mapping[str, str] | None = None

    @property
    def variant(self) -> str | None:
        """With what it is played; None: as it is written, and not to be compared with another play."""
        return self.mutant or self.faults

    def fault_profile(self, written: Planned) -> FaultProfile | None:
        """What it is played under; None: no fault is injected for it.

        Args:
            written: the scenario.

        Raises:
            HarnessError: its profile has no such faults.
        """
        if not self.faults:
            return None
        found = fault_profile(written.feature, self.faults)
        if found is None:
            raise HarnessError(
                f"{written.id} cannot run under {self.faults!r}: its profile has no such faults"
            )
        return found

    def judges(self, written: Planned) -> Planned:
        """What it judges; a mutant is no part of its id.

        Args:
            written: the scenario.
        """
        found = self.fault_profile(written)
        return under(written, found) if found else written
