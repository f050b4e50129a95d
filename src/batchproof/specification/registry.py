"""The registry: every requirement that a verdict can be about.

It is read from ``features/requirements/*.yaml``, one list of requirements a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.ground import documents, suite
from batchproof.ground.documents import Problem
from batchproof.ground.errors import UserError
from batchproof.ground.files import while_unchanged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Level = Literal["MUST", "SHOULD", "MAY"]
Norm = Literal["api", "kep", "docs", "convention", "implementation"]

REQUIREMENT_ID = re.compile(r"[A-Z]{3,4}-[0-9]{3}")
_VERSION = re.compile(r"[0-9]+\.[0-9]+")
_LEVEL_WORD = re.compile(r"\b(MUST|SHOULD|MAY)\b")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative sentence with an id that is never reused.

    Attributes:
        id: the area and a number, ``FIN-004``.
        level: how binding it is (RFC 2119).
        profile: what is certified as a whole and to what this belongs.
        sentence: what is observed from outside.
        norm: whose word it is; ``implementation``: that of code, tests or issues alone.
        source: the place of the norm.
        see: more about it; empty if there is nothing.
        since: the version from which it holds, maybe with more about it: of Kubernetes, or of what
            the profile names (``Profile.versions_of``).
        until: the version from which it holds no more; empty where it still does.
        capability: the optional part that an implementation must declare for this to apply; None if it
            applies to all.
        explains: the requirements whose breach is how a breach of this one shows.
        proven_by: what shows that its scenarios can fail, and why no mutant does; empty if one does.
        notes: exceptions, and versions in which a known implementation breaks it.
        path: the file that says so.
        line: the line in it, from 1.
    """

    id: str
    level: Level
    profile: str
    sentence: str
    norm: Norm
    source: str
    see: str
    since: str
    until: str
    capability: str | None
    explains: tuple[str, ...]
    proven_by: str
    notes: str
    path: Path
    line: int

    def in_force(self, version: str) -> bool:
        """Whether it holds in that version of the Kubernetes API (``1.30``)."""
        asked = _version(version)
        return _version(self.since) <= asked and (not self.until or asked < _version(self.until))

    def holds_with(self, other: Requirement) -> bool:
        """Whether it holds in every version in which another one does."""
        if _version(self.since) > _version(other.since):
            return False
        return not self.until or (bool(other.until) and _version(other.until) <= _version(self.until))


def _version(text: str) -> tuple[int, ...]:
    """The version that a text begins with."""
    found = _VERSION.match(text)
    return tuple(map(int, found[0].split("."))) if found else ()


class Registry(Mapping[str, Requirement]):
    """All requirements by id, in the order of the files and of their lines."""

    def __init__(self, requirements: Mapping[str, Requirement]) -> None:
        self._requirements = dict(requirements)

    def __getitem__(self, requirement: str) -> Requirement:
        return self._requirements[requirement]

    def __iter__(self) -> Iterator[str]:
        return iter(self._requirements)

    def __len__(self) -> int:
        return len(self._requirements)

    def capabilities(self) -> frozenset[str]:
        """Every capability that some requirement needs."""
        return frozenset(one.capability for one in self.values() if one.capability)

    def of_profile(self, profile: str) -> Registry:
        """Only the requirements of that profile."""
        return Registry({one.id: one for one in self.values() if one.profile == profile})


def load_registry(folder: Path | None = None) -> Registry:
    """The requirements in all ``*.yaml`` files of ``folder``, by default those of the suite.

    Raises:
        UserError: a file is not as it must be; the message names each file, line and id.
    """
    registry, problems = read_registry(folder or suite.features() / "requirements")
    documents.refuse(problems)
    return registry


def read_registry(folder: Path) -> tuple[Registry, list[Problem]]:
    """The requirements that can be read, and all that is wrong with the others.

    Raises:
        UserError: there is no file to read.
    """
    if not _files(folder):
        raise UserError(f"{folder}: no requirements here: at least one file *.yaml is needed")
    registry, problems = _read(folder)
    return registry, list(problems)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.yaml"))


@while_unchanged(_files, most=10)
def _read(folder: Path) -> tuple[Registry, tuple[Problem, ...]]:
    requirements: dict[str, Requirement] = {}
    problems: list[Problem] = []
    for path in _files(folder):
        document = documents.read(path, "requirement")
        problems += document.problems
        for position, row in documents.good_rows(document):
            requirement = _requirement(row, path, document.line(position))
            if first := requirements.get(requirement.id):
                where = f"{first.path.name}:{first.line}"
                problems.append(
                    Problem(path, requirement.line, f"{requirement.id}: the id is used already in {where}")
                )
                continue
            problems += _wording(requirement)
            requirements[requirement.id] = requirement
    return Registry(requirements), tuple(problems)


def _requirement(row: Mapping[str, str], path: Path, line: int) -> Requirement:
    return Requirement(
        id=row["id"],
        level=row["level"],  # type: ignore[arg-type]  # the schema allows no other
        profile=row["profile"],
        sentence=row["sentence"],
        norm=row["norm"],  # type: ignore[arg-type]  # the schema allows no other
        source=row["source"],
        see=row.get("see", ""),
        since=row["since"],
        until=row.get("until", ""),
        capability=row.get("capability"),
        explains=tuple(row.get("explains", ())),
        proven_by=row.get("proven_by", ""),
        notes=row.get("notes", ""),
        path=path,
        line=line,
    )


def _wording(requirement: Requirement) -> Iterator[Problem]:
    """The sentence says the level, and no other level; a MUST is the word of more than an implementation."""
    if requirement.level == "MUST" and requirement.norm == "implementation":
        message = (
            f"{requirement.id}: a MUST needs a norm that is not an implementation: an API comment, a KEP, "
            "documentation or a convention; find one, or make it a SHOULD"
        )
        yield Problem(requirement.path, requirement.line, message)
    said = set(_LEVEL_WORD.findall(requirement.sentence))
    if said != {requirement.level}:
        found = " and ".join(sorted(said)) or "none of MUST, SHOULD, MAY"
        message = f"{requirement.id}: the level is {requirement.level}, but the sentence says {found}"
        yield Problem(requirement.path, requirement.line, message)
