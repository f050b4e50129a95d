"""How a Job ends."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.job.objects import COMPLETE, FAILED, SUCCESS_CRITERIA_MET


@dataclass(frozen=True, slots=True)
class Ending:
    """The interim condition that announces the end, with the words that the terminal one repeats."""

    target: str
    reason: str
    message: str

    @property
    def terminal(self) -> str:
        """BAS-055, BAS-056: the condition that follows once every pod is terminal and counted."""
        return COMPLETE if self.target == SUCCESS_CRITERIA_MET else FAILED
