"""Label selectors, and the requirements that selectors and affinities state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Requirement:
    """One matchExpressions entry of a label selector or a node selector."""

    key: str
    operator: str
    values: frozenset[str]

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether the labels meet it; an unknown operator is met by none (ROB-033)."""
        match self.operator:
            case "In":
                return labels.get(self.key) in self.values
            case "NotIn":
                return labels.get(self.key) not in self.values
            case "Exists":
                return self.key in labels
            case "DoesNotExist":
                return self.key not in labels
            case "Gt" | "Lt":
                return self._compares(labels.get(self.key))
            case _:
                return False

    def _compares(self, label: str | None) -> bool:
        """Only nodes are selected by order; the API server admits exactly one value, an integer."""
        try:
            number, bound = int(label or ""), int(next(iter(self.values)))
        except (ValueError, StopIteration):
            return False
        return number > bound if self.operator == "Gt" else number < bound


@dataclass(frozen=True, slots=True)
class Selector:
    """A label selector; an empty one selects nothing, for an owner without a selector owns nothing."""

    labels: tuple[tuple[str, str], ...] = ()
    requirements: tuple[Requirement, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether labels meet every part of the selector."""
        for key, value in self.labels:
            if labels.get(key) != value:
                return False
        if not self.requirements:
            return bool(self.labels)
        return all(requirement.matches(labels) for requirement in self.requirements)
