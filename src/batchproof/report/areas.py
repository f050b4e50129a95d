"""The requirements of a run by area, feature and rule, as a reader looks for them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report.records import Planned
from batchproof.report.standing import STANDINGS, RequirementOutcome
from batchproof.specification.areas import area_name
from batchproof.specification.ids import area as area_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_LEVELS = {"MUST": 0, "SHOULD": 1, "MAY": 2}


@dataclass(frozen=True, slots=True)
class Rule:
    """The requirements of a feature file under one rule; MUST before SHOULD, then by id.

    Attributes:
        name: the rule; empty where they stand under none.
    """

    name: str
    requirements: tuple[RequirementOutcome, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The requirements of an area with scenarios in one feature file, by rule.

    Attributes:
        name: the feature file in words; empty where there is none.
    """

    name: str
    rules: tuple[Rule, ...]

    @property
    def requirements(self) -> tuple[RequirementOutcome, ...]:
        """All of them, rule by rule."""
        return tuple(one for rule in self.rules for one in rule.requirements)


@dataclass(frozen=True, slots=True)
class Area:
    """The requirements whose ids begin alike.

    Attributes:
        id: how they begin: ``FIN``.
        name: what they are about; empty for an area that is not ours.
        groups: by feature file.
        counts: how many have which verdict, in the order of the verdicts.
    """

    id: str
    name: str
    groups: tuple[Group, ...]
    counts: Mapping[str, int]

    @property
    def unrun(self) -> bool:
        """The run did not set out to judge any of them."""
        return set(self.counts) == {"not-run"}

    @property
    def requirements(self) -> tuple[RequirementOutcome, ...]:
        """All of them, by id."""
        return tuple(sorted((one for group in self.groups for one in group.requirements), key=_by_id))


def areas(requirements: Iterable[RequirementOutcome], planned: Iterable[Planned]) -> tuple[Area, ...]:
    """The areas of a run, in the order of their ids.

    Args:
        requirements: all requirements of the run.
        planned: all scenarios that it set out to judge.
    """
    feature: dict[str, str] = {}
    for play in planned:
        if not play.fault:
            feature.setdefault(play.requirement, play.feature)
    found: dict[str, dict[str, list[RequirementOutcome]]] = {}
    for one in requirements:
        file = one.requirement.feature or feature.get(one.id) or _feature(one)
        found.setdefault(area_of(one.id), {}).setdefault(file, []).append(one)
    return tuple(_area(id_, groups) for id_, groups in sorted(found.items()))


def _feature(one: RequirementOutcome) -> str:
    return one.scenarios[0].feature if one.scenarios else ""


def _area(id_: str, groups: Mapping[str, list[RequirementOutcome]]) -> Area:
    counted = Counter(one.standing for group in groups.values() for one in group)
    ordered = [Group(_words(file), tuple(_rules(group))) for file, group in groups.items()]
    ordered.sort(key=lambda group: min(map(_by_id, group.requirements)))
    return Area(
        id_,
        area_name(id_),
        tuple(ordered),
        {name: counted[name] for name in STANDINGS if counted[name]},
    )


def _rules(group: Iterable[RequirementOutcome]) -> Iterator[Rule]:
    """The rules of a feature file: those that have a MUST first, then in the order of the ids."""
    found: dict[str, list[RequirementOutcome]] = {}
    for one in sorted(group, key=lambda one: (_LEVELS[one.requirement.level], _by_id(one))):
        found.setdefault(one.requirement.rule, []).append(one)
    for name, those in found.items():
        yield Rule(name, tuple(those))


def _by_id(one: RequirementOutcome) -> tuple[str, int, str]:
    """``FIN-9`` before ``FIN-10``, however they are padded."""
    area, _, number = one.id.partition("-")
    return area, int(number) if number.isascii() and number.isdigit() else 0, one.id


def _words(file: str) -> str:
    """A feature file in words: ``Running to completion``; empty if there is none."""
    words = file.rpartition("/")[2].removesuffix(".feature").replace("-", " ")
    return f"{words[:1].upper()}{words[1:]}"
