"""What the suite demands of a run of an implementation: its requirements, which are needed, its waivers.

A run writes this into its header, for reports; the replay of a run takes it from here, not from there.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from batchproof.descriptor.implementation import Deviation, Implementation
from batchproof.evidence.plan import features
from batchproof.ground import stored, suite
from batchproof.report.records import RequirementRecord, Waiver, argument
from batchproof.specification.mutants import load_mutants
from batchproof.specification.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date


def recorded(registry: Registry) -> dict[str, RequirementRecord]:
    """The requirements as a header has them, by id."""
    places, mutants = _places({one.profile for one in registry.values()}), _mutants()
    found = {}
    for one in registry.values():
        feature, rule = places.get(one.id, ("", ""))
        found[one.id] = stored.copied(
            RequirementRecord, one, feature=feature, rule=rule, mutants=mutants.get(one.id, ())
        )
    return found


def _places(profiles: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The feature file and the rule of the first scenario of each requirement of some profiles, by its id."""
    found: dict[str, tuple[str, str]] = {}
    for one in chain.from_iterable(features(suite.features() / name) for name in sorted(profiles)):
        for id_ in one.requirements:
            found.setdefault(id_, (one.feature, one.rule or ""))
    return found


@cache
def _mutants() -> dict[str, tuple[str, ...]]:
    """The mutants of the suite, by the requirement that they break."""
    found: dict[str, tuple[str, ...]] = {}
    for one in load_mutants():
        found[one.requirement] = (*found.get(one.requirement, ()), one.name)
    return found


def required(
    registry: Registry, implementation: Implementation, taken: Collection[str] = ()
) -> tuple[str, ...]:
    """The MUST requirements that need a verdict.

    Args:
        registry: of the profile.
        implementation: the one that is judged.
        taken: the capabilities that the cluster itself has.
    """
    return tuple(
        one.id
        for one in registry.values()
        if one.level == "MUST"
        and implementation.declares(one.capability)
        and one.capability not in taken
        and one.in_force(implementation.implements)
    )


def not_in_force(registry: Registry, implementation: Implementation) -> tuple[str, ...]:
    """The requirements that do not hold in the version that an implementation follows."""
    return tuple(one.id for one in registry.values() if not one.in_force(implementation.implements))


def waivers(implementation: Implementation, day: date) -> tuple[Waiver, ...]:
    """The deviations of an implementation that are in force on a day, as a header has them."""
    return tuple(map(_waiver, implementation.in_force(day)))


def _waiver(deviation: Deviation) -> Waiver:
    """A deviation as the results carry it."""
    return Waiver(
        **{
            **asdict(deviation),
            "expires": deviation.expires.isoformat(),
            "arguments": tuple(argument(name, value) for name, value in deviation.arguments.items()),
        }
    )
