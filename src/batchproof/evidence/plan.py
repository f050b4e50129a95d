"""What the suite can play, by id: what a run sets out to judge is a part of it, and nothing else."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from batchproof.judgement.fault_profiles import FaultProfile
from batchproof.profiles import profile
from batchproof.report.records import Planned
from batchproof.specification.gherkin import Scenario, parse_features

if TYPE_CHECKING:
    from pathlib import Path

_NOT_IN_NAMES = re.compile(r"[^0-9A-Za-z.]+")
_UNDER = " under "
HISTORIES = "histories"
"""The folder of the histories within the output folder."""


def history_path(id_: str, *, second: bool = False) -> PurePosixPath:
    """Where the history of a scenario is kept, relative to the output folder: one for each play of it."""
    name = _NOT_IN_NAMES.sub("-", id_)
    if "::" in id_:  # of a feature file that gives its scenarios no ids: titles are long, and may look alike
        name = f"{name.strip('-')[-80:]}-{hashlib.sha256(id_.encode()).hexdigest()[:8]}"
    return PurePosixPath(HISTORIES, f"{name}{'-second' if second else ''}.jsonl")


@cache
def catalogue(what: Path | None = None) -> dict[str, Planned]:
    """All that can be run of the suite, of the folder of a profile, or of one feature file, by id."""
    return {
        case.id: Planned(
            case.id, one.name, case.title, one.feature, next(iter(one.requirements), ""), case.example
        )
        for one in features(what)
        for case in one.cases
    }


@cache
def features(what: Path | None) -> tuple[Scenario, ...]:
    """The scenarios of the suite, of the folder of a profile, or of one feature file, as they are written."""
    return tuple(parse_features(what))


@cache
def needs(what: Path | None = None) -> dict[str, frozenset[str]]:
    """The capabilities that the tags of each scenario name, by its id."""
    return {case.id: one.capabilities for one in features(what) for case in one.cases}


@cache
def tags(what: Path | None = None) -> dict[str, tuple[str, ...]]:
    """The tags of each scenario as a record has them, by its id."""
    return {case.id: tuple(sorted(one.tags)) for one in features(what) for case in one.cases}


@cache
def waits_s(what: Path) -> dict[str, float]:
    """About how long each of them waits, in seconds, by id."""
    return {case.id: one.waits_s(case) for one in features(what) for case in one.cases}


def under(one: Planned, faults: FaultProfile) -> Planned:
    """The play of a scenario under a fault profile: what it judges is the profile's requirement."""
    return msgspec.structs.replace(
        one,
        id=f"{one.id}{_UNDER}{faults.name}",
        title=f"{one.title}, under {faults.name}",
        requirement=faults.requirement,
        fault=faults.name,
    )


@cache
def fault_profile(feature: str, name: str) -> FaultProfile | None:
    """The fault profile of that name, under which the scenarios of a file may run; None: there is none.

    Args:
        feature: the path of the file in ``features/``, which begins with the name of a profile.
        name: as ``--faults`` has it.
    """
    return profile(feature.partition("/")[0]).fault_profiles.get(name)


def plain(id_: str) -> str:
    """The id of a scenario, without the fault profile that it is played under."""
    return id_.partition(_UNDER)[0]


def of_node(node: str, what: Path | None = None) -> Planned:
    """The scenario that pytest names so, among all of the suite or in one feature file.

    Raises:
        KeyError: there is none.
    """
    return catalogue(what)[_ids(what)[node]]


@cache
def _ids(what: Path | None) -> dict[str, str]:
    """The id of each scenario by how pytest names it."""
    return {case.node: case.id for one in features(what) for case in one.cases}
