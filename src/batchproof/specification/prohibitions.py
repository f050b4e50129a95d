"""What a requirement forbids has to be watched: that it is not so once shows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.forms import Quantifier
from batchproof.judgement.invariants import invariants
from batchproof.specification import gherkin
from batchproof.specification.gherkin import Scenario
from batchproof.specification.registry import Registry, Requirement
from batchproof.specification.vocabulary import claims_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

_FORBIDS = "MUST NOT"


def unwatched(
    registry: Registry, scenarios: Iterable[Scenario], steps: Sequence[ModuleType]
) -> Iterator[Requirement]:
    """The requirements that forbid something, while all their scenarios only wait for something to come.

    A claim of a window or of the past watches, and so does an invariant, or a step that claims by itself.
    """
    only_wait: dict[str, bool] = {}
    everywhere = invariants()
    for scenario in scenarios:
        for id_ in scenario.requirements:
            forbids = id_ in registry and _FORBIDS in registry[id_].sentence
            if forbids and id_ not in everywhere:
                only_wait[id_] = only_wait.get(id_, True) and _only_waits(scenario, steps)
    return (registry[id_] for id_, waits in only_wait.items() if waits)


def _only_waits(scenario: Scenario, steps: Sequence[ModuleType]) -> bool:
    """Each Then of a scenario becomes true at some moment, and may be false at the next."""
    thens = {text for _, kind, text in gherkin.sentences(scenario) if kind == "then"}
    claimed = [claims_of(steps, "then", text) for text in thens]
    return all(
        claims and all(claim.quantifier is Quantifier.EVENTUALLY for claim in claims) for claims in claimed
    )
