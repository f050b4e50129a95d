"""Which planted defects a run judges, and with which scenarios."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof import profiles, suite
from batchproof.descriptor import implementation as descriptors
from batchproof.errors import NothingSelected, UserError
from batchproof.running.defects.since import changed_since
from batchproof.running.runner import Choices, see_suite, selected_defects
from batchproof.running.session.collect import catalogue
from batchproof.specification.defects import changed, load_defects
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from batchproof.control_plane.choice import Choice
    from batchproof.descriptor.implementation import Implementation
    from batchproof.specification.defects import Defect
    from batchproof.specification.registry import Registry


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user chose on the command line; see ``batchproof defects --help``."""

    profile: str | None
    implementation: str | None
    expression: str
    since: str
    shard: str
    workers: int | None
    patient: bool
    output: Path
    choice: Choice
    reference: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """The defects of one profile that are planted in one reference.

    Attributes:
        implementation: what is changed.
        requirements: those of the profile.
        judged: the defects that are judged, in the order of their files.
        pairs: each of them with each scenario that may catch it.
        not_declared: the defects of capabilities that no reference declares.
    """

    choices: Choices
    implementation: Implementation
    requirements: Registry
    judged: tuple[Defect, ...]
    pairs: tuple[tuple[str, str], ...]
    not_declared: tuple[Defect, ...]


def chosen(wish: Wish, say: Callable[[str], None]) -> list[Chosen]:
    """The defects that a run is for, by profile; shards are not divided yet.

    Args:
        wish: what the user chose.
        say: called with what was chosen, and why.

    Raises:
        UserError: the selection cannot be used, or a defect cannot be planted.
        NothingSelected: there is no such defect.
    """
    every = load_defects()
    if wish.since:
        again = changed_since(wish.since, every, say)
        every = [one for one in every if one.name in again]
    names = [wish.profile] if wish.profile else list(profiles.profiles())
    found = [one for name in names for one in _of_profile(wish, name, every)]
    if every and not any(one.judged or one.not_declared for one in found):
        raise NothingSelected(f"no planted defect is of what {wish.expression!r} selects")
    for one in found:
        for defect in one.judged:
            changed(defect, suite.reference().parent)
    return found


def _of_profile(wish: Wish, name: str, every: Sequence[Defect]) -> Iterator[Chosen]:
    judged_as = profiles.profile(name)
    see_suite(judged_as.name)
    requirements = load_registry().of_profile(judged_as.name)
    left = [one for one in every if one.requirement in requirements]
    references = [wish.implementation] if wish.implementation else [judged_as.reference, *judged_as.variants]
    for reference in references:
        choices = Choices(
            implementation=reference,
            profile=judged_as.name,
            expression=wish.expression,
            workers=wish.workers,
            output=wish.output,
            junit=None,
            choice=wish.choice,
        )
        implementation = descriptors.load(descriptors.find(reference))
        judged, left = declared(left, requirements, implementation)
        pairs = _pairs(judged)
        if wish.expression:  # without one, a defect without any scenario is not caught
            pairs = selected_defects(choices, pairs) if pairs else []
            judged = [one for one in judged if one.name in {defect for defect, _ in pairs}]
        others = () if wish.expression or reference != references[-1] else tuple(left)
        yield Chosen(choices, implementation, requirements, tuple(judged), tuple(pairs), others)


def declared(
    defects: Iterable[Defect], requirements: Registry, implementation: Implementation
) -> tuple[list[Defect], list[Defect]]:
    """The defects that can be planted in a reference, and those whose capability it does not declare."""
    can: list[Defect] = []
    cannot: list[Defect] = []
    for defect in defects:
        needs = needed(defect, requirements)
        (can if all(map(implementation.declares, needs)) else cannot).append(defect)
    return can, cannot


def needed(defect: Defect, requirements: Registry) -> list[str]:
    """The capabilities that an implementation has to declare so that a defect can show."""
    both = (requirements[defect.requirement].capability, defect.capability)
    return [one for one in both if one]


def _pairs(defects: Iterable[Defect]) -> list[tuple[str, str]]:
    scenarios: defaultdict[str, list[str]] = defaultdict(list)
    for id_, one in catalogue().items():
        scenarios[one.requirement].append(id_)
    return [(defect.name, id_) for defect in defects for id_ in scenarios[defect.requirement]]


def share(names: Sequence[str], weights: Sequence[int], shard: str) -> frozenset[str]:
    """The part of some defects that a shard such as ``2/5`` judges.

    The heaviest is dealt first, to whoever has least: each shard comes to the same division by itself.

    Raises:
        UserError: it is no shard.
    """
    parsed = re.fullmatch(r"([1-9][0-9]*)/([1-9][0-9]*)", shard)
    if not parsed or int(parsed[1]) > int(parsed[2]):
        raise UserError(f"--shard: {shard!r} is none; write the second of five as 2/5")
    number, total = int(parsed[1]), int(parsed[2])
    hands: list[list[str]] = [[] for _ in range(total)]
    held = [0] * total
    for weight, name in sorted(zip(weights, names, strict=True), key=lambda one: (-one[0], one[1])):
        least = held.index(min(held))
        hands[least].append(name)
        held[least] += weight
    return frozenset(hands[number - 1])
