"""Small suites that others ask for: a few scenarios, by whose results something is to be shown elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof import suite
from batchproof.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Suite:
    """A feature file, played instead of the features of its profile.

    Attributes:
        name: how it is asked for.
        profile: what it judges.
    """

    name: str
    profile: str

    @property
    def feature(self) -> Path:
        """Its feature file."""
        return suite.suites() / f"{self.name}.feature"

    def see_profile(self, profile: str | None) -> str:
        """Its profile, which the user may name as well.

        Raises:
            UserError: the user has named another one.
        """
        if profile not in {None, self.profile}:
            raise UserError(f"--suite {self.name} judges the profile {self.profile}, not {profile}")
        return self.profile


AI_CONFORMANCE = Suite("ai-conformance", "gang")
"""The gang scheduling of CNCF AI Conformance: KAR-0053 of kubernetes-sigs/ai-conformance."""

AI_CONFORMANCE_OPERATOR = Suite("ai-conformance-operator", "tfjob")
"""The complex operator of CNCF AI Conformance: KAR-0063 of kubernetes-sigs/ai-conformance."""

SUITES = {one.name: one for one in (AI_CONFORMANCE, AI_CONFORMANCE_OPERATOR)}
