"""Which mutants a run judges, and with which scenarios."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof import profiles
from batchproof.control_plane.choice import ClusterOptions
from batchproof.descriptor import implementation as descriptors
from batchproof.descriptor.implementation import Implementation
from batchproof.evidence.plan import catalogue
from batchproof.ground import suite
from batchproof.ground.errors import NothingSelected, UserError
from batchproof.running.mutants.since import changed_since, not_proved
from batchproof.running.plays import Play
from batchproof.running.runner import RunOptions, check_suite, selected_plays
from batchproof.specification.mutants import Mutant, changed, load_mutants
from batchproof.specification.registry import Registry, load_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class MutantOptions:
    """What the user chose on the command line; see ``batchproof mutants --help``."""

    profile: str | None
    implementation: str | None
    expression: str
    since: str
    shard: str
    workers: int | None
    patient: bool
    output: Path
    choice: ClusterOptions
    reference: tuple[Path, ...] = ()
    proved: Path | None = None
    sample: int = 0


@dataclass(frozen=True, slots=True)
class SelectedMutants:
    """The mutants of one profile that are planted in one reference.

    Attributes:
        implementation: what is changed.
        requirements: those of the profile.
        judged: the mutants that are judged, in the order of their files.
        plays: each of them with each scenario that may catch it.
        not_declared: the mutants of capabilities that no reference declares.
    """

    choices: RunOptions
    implementation: Implementation
    requirements: Registry
    judged: tuple[Mutant, ...]
    plays: tuple[Play, ...]
    not_declared: tuple[Mutant, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All of them by name, judged or not."""
        return tuple(mutant.name for mutant in (*self.judged, *self.not_declared))

    def only(self, names: Collection[str]) -> SelectedMutants:
        """The part of them that has these names."""
        return replace(
            self,
            judged=tuple(mutant for mutant in self.judged if mutant.name in names),
            plays=tuple(play for play in self.plays if play.mutant in names),
            not_declared=tuple(mutant for mutant in self.not_declared if mutant.name in names),
        )


def chosen(wish: MutantOptions, say: Callable[[str], None]) -> list[SelectedMutants]:
    """The mutants that a run is for, by profile; shards are not divided yet.

    Args:
        wish: what the user chose.
        say: called with what was chosen, and why.

    Raises:
        UserError: the selection cannot be used, or a mutant cannot be planted.
        NothingSelected: there is no such mutant.
    """
    every = load_mutants()
    if wish.since:
        again = changed_since(wish.since, every, say)
        every = [one for one in every if one.name in again]
    if wish.proved:
        again = not_proved(wish.proved, wish.sample, every, say)
        every = [one for one in every if one.name in again]
    names = [wish.profile] if wish.profile else list(profiles.profiles())
    found = [one for name in names for one in _of_profile(wish, name, every)]
    if every and not any(one.judged or one.not_declared for one in found):
        raise NothingSelected(f"no mutant is of what {wish.expression!r} selects")
    for one in found:
        for mutant in one.judged:
            changed(mutant, suite.reference().parent)
    return found


def _of_profile(wish: MutantOptions, name: str, every: Sequence[Mutant]) -> Iterator[SelectedMutants]:
    judged_as = profiles.profile(name)
    check_suite(judged_as.name)
    requirements = load_registry().of_profile(judged_as.name)
    left = [one for one in every if one.requirement in requirements]
    references = [wish.implementation] if wish.implementation else [judged_as.reference, *judged_as.variants]
    for reference in references:
        choices = RunOptions(
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
        plays = _plays(judged)
        if wish.expression:  # without one, a mutant without any scenario is not caught
            plays = selected_plays(choices, plays) if plays else []
            judged = [one for one in judged if one.name in {play.mutant for play in plays}]
        others = () if wish.expression or reference != references[-1] else tuple(left)
        yield SelectedMutants(choices, implementation, requirements, tuple(judged), tuple(plays), others)


def declared(
    mutants: Iterable[Mutant], requirements: Registry, implementation: Implementation
) -> tuple[list[Mutant], list[Mutant]]:
    """The mutants that can be planted in a reference, and those whose capability it does not declare."""
    can: list[Mutant] = []
    cannot: list[Mutant] = []
    for mutant in mutants:
        needs = needed(mutant, requirements)
        (can if all(map(implementation.declares, needs)) else cannot).append(mutant)
    return can, cannot


def needed(mutant: Mutant, requirements: Registry) -> list[str]:
    """The capabilities that an implementation has to declare so that a mutant can show."""
    both = (requirements[mutant.requirement].capability, mutant.capability)
    return [one for one in both if one]


def _plays(mutants: Iterable[Mutant]) -> list[Play]:
    scenarios: defaultdict[str, list[str]] = defaultdict(list)
    for id_, one in catalogue().items():
        scenarios[one.requirement].append(id_)
    return [Play(id_, mutant=one.name) for one in mutants for id_ in scenarios[one.requirement]]


def share(names: Sequence[str], weights: Sequence[int], shard: str) -> frozenset[str]:
    """The part of some mutants that a shard such as ``2/5`` judges.

    The heaviest is dealt first, to the shard that has least: each shard comes to the same division by itself.

    Raises:
        UserError: it is no shard.
    """
    number, total = numbers_of(shard)
    hands: list[list[str]] = [[] for _ in range(total)]
    held = [0] * total
    for weight, name in sorted(zip(weights, names, strict=True), key=lambda one: (-one[0], one[1])):
        least = held.index(min(held))
        hands[least].append(name)
        held[least] += weight
    return frozenset(hands[number - 1])


def numbers_of(shard: str) -> tuple[int, int]:
    """The number of a shard, and how many there are: 2 and 5 of ``2/5``.

    Raises:
        UserError: it is no shard.
    """
    parsed = re.fullmatch(r"([1-9][0-9]*)/([1-9][0-9]*)", shard)
    if not parsed or int(parsed[1]) > int(parsed[2]):
        raise UserError(f"--shard: {shard!r} is none; write the second of five as 2/5")
    return int(parsed[1]), int(parsed[2])
