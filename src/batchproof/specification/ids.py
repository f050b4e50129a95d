"""Ids of requirements that are taken: registered, still to do, or not judged for a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from batchproof.ground import documents, suite
from batchproof.ground.documents import Problem

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from pathlib import Path

PLANNED = "planned.yaml"
"""The file in the folder of features that says which ids are taken without being registered."""
_NOT_JUDGED = "not-judged"
_ID = re.compile(r"\b(?!KEP-)[A-Z]{3,4}-[0-9]{3}\b")


@dataclass(frozen=True, slots=True)
class PlannedId:
    """The ids that are taken though no requirement is registered under them.

    Attributes:
        to_do: those that are to be registered.
        not_judged: those that will not be, each with the reason in one sentence.
        lines: the line of each in the file, from 1.
    """

    to_do: tuple[str, ...] = ()
    not_judged: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def of_areas(self, areas: Container[str]) -> PlannedId:
        """Only the ids of these areas, such as ``FIN``."""
        return PlannedId(
            tuple(id_ for id_ in self.to_do if area(id_) in areas),
            {id_: why for id_, why in self.not_judged.items() if area(id_) in areas},
            self.lines,
        )


def area(requirement: str) -> str:
    """The area of an id: ``FIN`` of ``FIN-004``."""
    return requirement.partition("-")[0]


def load_planned() -> PlannedId:
    """The planned ids of the suite.

    Raises:
        UserError: the file is not as it must be.
    """
    planned, problems = read_planned(suite.features() / PLANNED)
    documents.refuse(problems)
    return planned


def read_planned(path: Path) -> tuple[PlannedId, list[Problem]]:
    """What the file says, and what is wrong with it; nothing is planned where there is no file."""
    if not path.is_file():
        return PlannedId(), []
    document = documents.read(path, "planned")
    if document.problems:
        return PlannedId(), list(document.problems)
    said: dict[str, list[str]] = dict(document.value or {})
    reasons: Mapping[str, str] = document.value.get(_NOT_JUDGED, {}) if document.value else {}
    said.pop(_NOT_JUDGED, None)
    lines = {id_: document.line(name, place) for name, ids in said.items() for place, id_ in enumerate(ids)}
    problems = [
        Problem(path, lines[id_], f"{id_} is of another area than {name}")
        for name, ids in said.items()
        for id_ in ids
        if area(id_) != name
    ]
    for id_ in reasons:
        line = document.line(_NOT_JUDGED, id_)
        if id_ in lines:
            problems.append(Problem(path, line, f"{id_} is still to do, and not judged: it can be one only"))
        lines[id_] = line
    to_do = tuple(id_ for ids in said.values() for id_ in ids)
    return PlannedId(to_do, dict(reasons), lines), problems


def of_ids(planned: Path, registered: Container[str], cited_in: Iterable[Path]) -> Iterator[Problem]:
    """What is wrong with the ids: one is registered and planned, or cited and neither.

    Args:
        planned: the list of the planned ones; where there is none nothing is wrong.
        registered: the ids of the registry.
        cited_in: folders whose files cite ids.
    """
    if not planned.is_file():
        return
    taken, problems = read_planned(planned)
    yield from problems
    for id_, line in taken.lines.items():
        if id_ in registered:
            yield Problem(planned, line, f"{id_} is registered now: take it out here")
    if problems:  # what cannot be read is no reason to blame all that cites it
        return
    for folder in cited_in:
        for path in sorted(one for one in folder.rglob("*") if one.suffix in {".py", ".feature"}):
            for number, line_ in enumerate(path.read_text("utf-8").splitlines(), start=1):
                for id_ in _ID.findall(line_):
                    if id_ not in registered and id_ not in taken.lines:
                        yield Problem(path, number, f"{id_} is neither registered nor in {planned.name}")
