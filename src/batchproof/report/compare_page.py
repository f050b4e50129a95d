"""Runs side by side as a page: where they differ first, and from each verdict a link to what shows it."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from batchproof import __version__
from batchproof.report import html
from batchproof.report.compare import ComparedDeviation, Comparison, ComparisonCell, ComparisonRow
from batchproof.report.drawings import Drawings
from batchproof.report.evidence import Evidence
from batchproof.report.records import NOT_DECLARED
from batchproof.report.wording import relative_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_PAGE: Final = "index.html"
"""The page of a run, in the folder of its results."""
Agreement = Literal["contested", "differing", "undeclared", "same"]

WORDS: Final[Mapping[Agreement, str]] = {
    "contested": "broken by some, met by others",
    "differing": "otherwise different",
    "undeclared": "declared by some only",
    "same": "the same in all",
}
"""How far the runs agree in a requirement, in the order of the page."""


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """A verdict of the matrix.

    Attributes:
        cell: what the run says.
        link: what shows it, relative to the page: a timeline, else the requirement on the page of the run;
            empty where neither is there.
        finding: how the requirement is broken in the clearest history.
    """

    cell: ComparisonCell
    link: str
    finding: Evidence | None


@dataclass(frozen=True, slots=True)
class ComparisonLine:
    """A row of the matrix."""

    row: ComparisonRow
    agreement: Agreement
    shown: tuple[ShownComparison, ...]
    deviations: tuple[ComparedDeviation, ...]


def comparison_page(compared: Comparison, folders: Iterable[Path], page: Path) -> str:
    """The whole page as HTML.

    Args:
        compared: the verdicts.
        folders: where the results lie, in the order of the runs.
        page: the file that the page is written to: its links are relative to that.
    """
    beside = [_Folder(folder, page) for folder in folders]
    lines = [_line(row, beside, compared.deviations) for row in compared.rows]
    lines.sort(key=_disagreement, reverse=True)  # stable: in the order of the registry
    groups = {name: [line for line in lines if line.agreement == name] for name in WORDS}
    return html.page(
        "compare.html.jinja",
        shares={name: len(those) for name, those in groups.items() if those},
        version=__version__,
        compared=compared,
        names=[one.implementation for one in compared.runs],
        pages=[one.page for one in beside],
        words=WORDS,
        unfolded={name: groups[name] for name in WORDS if name != "same" and groups[name]},
        same=_folded(groups["same"]),
        number=len(lines),
        differ=len(lines) - len(groups["same"]),
    )


def agreement(cells: Iterable[ComparisonCell]) -> Agreement:
    """How far the runs agree in a requirement."""
    found = {(one.state, one.verdict, one.sometimes) for one in cells}
    if len(found) == 1:
        return "same"
    if {"met", "broken"} <= {state for state, *_ in found}:
        return "contested"
    declared = [one for one in found if NOT_DECLARED not in one[1]]
    return "undeclared" if len(declared) == 1 else "differing"


def _disagreement(line: ComparisonLine) -> tuple[int, int, int]:
    """How much a row says that the runs differ in: what splits them most evenly, then what most break."""
    broken = sum(one.cell.state == "broken" for one in line.shown)
    met = sum(one.cell.state == "met" for one in line.shown)
    failed = sum(one.cell.standing == "failed" for one in line.shown)
    return min(broken, met), failed, broken


def _folded(lines: Iterable[ComparisonLine]) -> list[tuple[str, list[ComparisonLine]]]:
    """The rows in which all runs agree, by what they agree on; what is broken first."""
    found: dict[str, list[ComparisonLine]] = {}
    for line in lines:
        found.setdefault(line.shown[0].cell.verdict, []).append(line)
    return sorted(found.items(), key=lambda one: one[1][0].shown[0].cell.state != "broken")


def _line(
    row: ComparisonRow, folders: Iterable[_Folder], deviations: Iterable[ComparedDeviation]
) -> ComparisonLine:
    shown = tuple(folder.shown(row.id, cell) for folder, cell in zip(folders, row.cells, strict=True))
    admitted = tuple(one for one in deviations if one.requirement == row.id)
    return ComparisonLine(row, agreement(row.cells), shown, admitted)


class _Folder:
    """A folder of results as the page sees it."""

    def __init__(self, results: Path, page: Path) -> None:
        self._path = results if results.is_dir() else results.parent
        self._from = page.absolute().parent
        self._drawings = Drawings(self._path)
        self.page = self._relative(_PAGE)

    def shown(self, id_: str, cell: ComparisonCell) -> ShownComparison:
        """A verdict with the link to what shows it."""
        finding = cell.evidence[0] if cell.evidence else None
        return ShownComparison(cell, next(self._links(id_, cell, finding), ""), finding)

    def _links(self, id_: str, cell: ComparisonCell, finding: Evidence | None) -> Iterator[str]:
        scenarios = [finding.scenario] if finding else cell.scenarios
        for name in map(self._drawings.link, scenarios):
            if name and (link := self._relative(name)):
                yield link
        if self.page and cell.standing != "not-run":
            yield f"{self.page}#{relative_link(id_)}"

    def _relative(self, name: str) -> str:
        """The link from the page to a file in the folder; empty if it is not there."""
        path = self._path / name
        if not path.is_file():
            return ""
        return relative_link(Path(os.path.relpath(path.absolute(), self._from)).as_posix())
