"""A scenario of the fault grid: played without a fault to see how it ends, or under a fault profile.

Under a profile the steps only drive the play: what they wait for is waited for, and longer; what they claim
of windows and bounds is not asked, for a late watch may legally make it late. Judged are the invariants and
the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from batchproof.judgement.claims import Claim, Role, always, eventually
from batchproof.judgement.ends import determined, due, undetermined
from batchproof.judgement.facts.ends import at_rest, ends_as
from batchproof.judgement.facts.writes import implementation_runs
from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.judgement.finding import Inconclusive, Unmet
from batchproof.judgement.forms import Quantifier
from batchproof.judgement.history import TERMINATES
from batchproof.world.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAYS_FAULTS = "it stages faults of its own"
RESTARTS = "it kills the implementation, or starts it itself"
RESTLESS = "its end is not determined"
"""Why a scenario is left out of the grid."""
_LOOKS = 3
"""How often an end is looked at that does not last."""


class GridWorld(World):
    """The World of a scenario without faults, whose end is to be compared.

    Attributes:
        end: how everything ended, as far as that is determined; None: see ``left_out``.
        left_out: why nothing can be compared with its end.
    """

    end: Mapping[str, str] | None = None
    left_out: str = ""

    def finish(self, *, stopped: bool) -> None:
        """Wait until all is at rest, take down the end, and judge as ever."""
        if not stopped:
            self.step, self.sets_up = "", False
            self._take_end()
        super().finish(stopped=stopped)

    def _take_end(self) -> None:
        if self._scene.faults:
            self.left_out = PLAYS_FAULTS
        elif any(change.what in {"started", "killed"} for _, change in self.seen.processes):
            self.left_out = RESTARTS
        elif why := undetermined(self.seen):
            self.left_out = f"{RESTLESS}: {why}"
        else:
            terminate_pods_for_good(self)
            self._take_lasting_end()

    def _take_lasting_end(self) -> None:
        """Record an end that lasts for a moment: what is left to do may not have begun before."""
        for _ in range(_LOOKS):
            judged = self.wait(eventually(at_rest(), within="recovery"))
            if not judged.finding.holds:
                self.left_out = f"{RESTLESS}: {judged.finding.observed}"
                return
            end = determined(self.seen)
            if self.wait(always(ends_as(end=dict(end)), during="moment")).finding.holds:
                why = undetermined(self.seen)
                self.left_out = f"{RESTLESS}: {why}" if why else ""
                self.end = None if why else end
                return
        self.left_out = f"{RESTLESS}: it does not last"


class FaultyWorld(World):
    """The World of a scenario under a fault profile, ``under``."""

    def __init__(self, *given: Any, under: FaultProfile, end: Mapping[str, str], **more: Any) -> None:
        """Begin a scenario with the faults in force.

        Args:
            given: see ``World``.
            under: the faults.
            end: how the scenario ended without faults.
            more: see ``World``.
        """
        super().__init__(*given, **more)
        self.under = under
        self._expected = end
        if under.revives:
            self.process.keep_running()
        for fault in under.parts:
            self.faults.arm(fault)
        for resource, delay_s in under.late_s:
            self.faults.delay(resource, delay_s, of=under.name)

    def claim(self, claim: Claim) -> None:
        """Wait for what has to come about before the play goes on; nothing else is asked.

        Raises:
            Unmet: a Given or a When waits in vain for what is due, even after the faults have ended.
            Inconclusive: the same, of what need not come about under faults.
        """
        is_due = claim.fact.name in due()
        if not claim.waits or not (self.sets_up or is_due):
            return
        claim = replace(claim, quantifier=Quantifier.EVENTUALLY)
        if self.wait(claim, self.under.patience).finding.holds or not self.sets_up:
            return
        self.do(self._let_all_pass())
        self.sets_up = not is_due
        try:
            super().claim(replace(claim, limit="recovery", role=Role.JUDGED))
        finally:
            self.sets_up = True

    def finish(self, *, stopped: bool) -> None:
        """Let the faults end, and judge the end and the invariants.

        Raises:
            Unmet: an invariant is broken that is the profile's own requirement, or the end is another.
            Inconclusive: no fault of the profile was triggered.
        """
        ended: Unmet | Inconclusive | None = None
        if not stopped:
            self.step, self.sets_up = "", False
            try:
                self._see_end()
            except (Unmet, Inconclusive) as error:
                ended = error
        super().finish(stopped=stopped or ended is not None)
        if ended:
            raise ended

    def _see_end(self) -> None:
        terminate_pods_for_good(self)
        same = ends_as(end=dict(self._expected))
        self.wait(eventually(same, within="reaction"))  # while the faults last
        self.do(self._let_all_pass())
        self.wait(eventually(implementation_runs(), within="settle"))
        super().claim(eventually(same, within="recovery"))
        super().claim(always(same, during="moment"))


def terminate_pods_for_good(world: World) -> None:
    """The kubelet ends all pods that are being deleted, now and from now on."""
    world.cell.kubelet.terminates = True
    world.act(TERMINATES)
    world.do(world.cell.kubelet.terminate_all())
