"""The capabilities of a profile: the optional parts that an implementation may declare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from batchproof.specification.gherkin import Scenario
    from batchproof.specification.registry import Registry


@dataclass(frozen=True, slots=True)
class Capability:
    """An optional part.

    Attributes:
        requirements: those that hold only where it is declared.
        scenarios: how many scenarios are played only where it is declared, each example counted.
    """

    name: str
    requirements: tuple[str, ...]
    scenarios: int

    @property
    def text(self) -> str:
        """How much it adds: ``3 requirements and 5 scenarios``."""
        counts = {"requirement": len(self.requirements), "scenario": self.scenarios}
        return " and ".join(f"{number} {noun}{'s' * (number != 1)}" for noun, number in counts.items())


def capabilities(profile: str, registry: Registry, scenarios: Iterable[Scenario]) -> tuple[Capability, ...]:
    """The capabilities of a profile in the order of their names: those of requirements, and those of tags."""
    needed: dict[str, list[str]] = {}
    played: dict[str, int] = {}
    for requirement in registry.of_profile(profile).values():
        if requirement.capability:
            needed.setdefault(requirement.capability, []).append(requirement.id)
    for scenario in scenarios:
        if scenario.feature.startswith(f"{profile}/"):
            for name in scenario.capabilities:
                played[name] = played.get(name, 0) + len(scenario.cases)
    return tuple(
        Capability(name, tuple(needed.get(name, ())), played.get(name, 0))
        for name in sorted({*needed, *played})
    )
