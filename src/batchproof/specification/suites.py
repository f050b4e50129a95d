"""Small suites that others ask for: a few scenarios, by whose results something is to be shown elsewhere.

A feature file in ``suites/`` each; nothing else lists them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from batchproof.ground import suite
from batchproof.ground.errors import UserError
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class SmallSuite:
    """A feature file, played instead of the features of its profile.

    Attributes:
        feature: the file.
    """

    feature: Path

    @property
    def name(self) -> str:
        """How it is asked for."""
        return self.feature.stem

    @property
    def profile(self) -> str:
        """What it judges: the profile of the requirements of its scenarios.

        Raises:
            UserError: they are of several, or of none.
        """
        registry = load_registry()
        ids = {id_ for one in parse_features(self.feature) for id_ in one.requirements}
        found = sorted({registry[id_].profile for id_ in ids if id_ in registry})
        if len(found) != 1:
            raise UserError(f"{self.feature}: its requirements are of {' and '.join(found) or 'no profile'}")
        return found[0]

    def check_profile(self, profile: str | None, option: str = "--suite") -> str:
        """Its profile, which the user may name as well.

        Args:
            profile: what the user has named.
            option: how the user has asked for the suite.

        Raises:
            UserError: the user has named another one.
        """
        if profile not in {None, self.profile}:
            raise UserError(f"{option} {self.name} judges the profile {self.profile}, not {profile}")
        return self.profile


@cache
def small_suites() -> dict[str, SmallSuite]:
    """All of them by name."""
    return {file.stem: SmallSuite(file) for file in sorted(suite.suites().glob("*.feature"))}
