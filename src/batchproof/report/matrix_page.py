"""The page of the matrix: every requirement, the mutants that break it, and which scenario killed each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from batchproof.ground.errors import UserError
from batchproof.report import html
from batchproof.report.drawings import TIMELINES, Drawings
from batchproof.report.matrix import Matrix, MutantResult, MutatedRequirement
from batchproof.report.results import read_results
from batchproof.report.wording import count, named
from batchproof.specification.areas import area_name
from batchproof.specification.ids import area

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

_STANDINGS = {"caught": "passed", "missed": "failed", "not-declared": "skipped"}
_WORDS = {
    "failed": "survived",
    "passed": "killed",
    "missing": "without a mutant",
    "skipped": "not declared",
}
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Shown:
    """A requirement with its mutants."""

    id: str
    wanted: MutatedRequirement
    rows: tuple[MutantResult, ...]

    @property
    def standing(self) -> str:
        """The worst of what its mutants came to."""
        verdicts = {_STANDINGS[row.verdict] for row in self.rows} or {"missing"}
        return next(standing for standing in _WORDS if standing in verdicts)

    @property
    def summary(self) -> str:
        """Its mutants in one line: how many of them which scenarios killed."""
        mutants = count(len(self.rows), "mutant")
        by = dict.fromkeys(row.catch.scenario for row in self.rows if row.catch)
        killed = sum(row.catch is not None for row in self.rows)
        if not killed:
            return mutants
        number = "" if killed == len(self.rows) else f"{killed} "
        return f"{mutants}, {number}killed by {named([*by], _MOST_NAMED)}"


@dataclass(frozen=True, slots=True)
class _Area:
    """The requirements whose ids begin alike."""

    id: str
    name: str
    requirements: tuple[_Shown, ...]

    @property
    def mutants(self) -> int:
        """How many mutants break one of them."""
        return sum(len(one.rows) for one in self.requirements)


def matrix_page(matrix: Matrix, drawn: Collection[str] = ()) -> str:
    """The whole page as HTML; of a part of the mutants, only with the requirements that these break.

    Args:
        matrix: the matrix.
        drawn: the mutants whose kill has a drawn timeline beside the page.
    """
    every = [
        _Shown(id_, wanted, tuple(row for row in matrix.rows if row.requirement == id_))
        for id_, wanted in matrix.requirements.items()
    ]
    shown = [one for one in every if one.rows or matrix.whole]
    counted = Counter(one.standing for one in shown)
    return html.page(
        "matrix.html.jinja",
        shares={name: counted[name] for name in _WORDS if counted[name]},
        matrix=matrix,
        profiles=dict.fromkeys(matrix.selection.profiles),
        areas=tuple(_areas(shown)),
        standings=_STANDINGS,
        words=_WORDS,
        conformity="conformant" if matrix.exit_code == 0 else "not-conformant",
        timeline_of=lambda row: f"{TIMELINES}/{row.defect}.html" if row.defect in drawn else "",
    )


def catches(matrix: Matrix, folder: Path) -> Mapping[str, bytes]:
    """The drawn timeline of the scenario that killed each mutant, by the name of the mutant.

    Args:
        matrix: the matrix.
        folder: where it lies, with the results of the mutants; those that are elsewhere have no picture.
    """
    return dict(_catches(matrix, folder))


def _catches(matrix: Matrix, folder: Path) -> Iterator[tuple[str, bytes]]:
    drawings = Drawings(folder)
    for row in matrix.rows:
        if row.catch is None or row.catch.history is None:
            continue
        try:
            results = read_results(folder / row.defect)
        except UserError:
            continue
        for scenario in results.scenarios:
            if scenario.id == row.catch.scenario:
                inside = replace(scenario, history=row.catch.history)
                if page := drawings.page(results, inside):
                    yield row.defect, page


def _areas(shown: Collection[_Shown]) -> Iterator[_Area]:
    for id_, those in groupby(sorted(shown, key=lambda one: one.id), key=lambda one: area(one.id)):
        yield _Area(id_, area_name(id_), tuple(those))
