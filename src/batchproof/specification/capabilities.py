"""The capabilities of a profile: the optional parts that an implementation may declare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.specification.gherkin import Scenario
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Capability:
    """An optional part.

    Attributes:
        requirements: those that are judged only where it is declared: they need it, or each of their
            scenarios does. A report counts the same as not judged.
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
    played: dict[str, int] = {}
    needs: dict[str, frozenset[str]] = {}
    for scenario in scenarios:
        if scenario.feature.startswith(f"{profile}/"):
            for name in scenario.capabilities:
                played[name] = played.get(name, 0) + len(scenario.cases)
            for id_ in scenario.requirements:
                needs[id_] = needs.get(id_, scenario.capabilities) & scenario.capabilities
    needed: dict[str, list[str]] = {}
    for one in registry.of_profile(profile).values():
        own = {one.capability} if one.capability else set[str]()
        for name in own | needs.get(one.id, frozenset()):
            needed.setdefault(name, []).append(one.id)
    return tuple(
        Capability(name, tuple(needed.get(name, ())), played.get(name, 0))
        for name in sorted({*needed, *played})
    )
