"""The page of the matrix: every requirement, the defects planted against it, and what caught each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.report import html

if TYPE_CHECKING:
    from batchproof.report.matrix import Matrix, Row, Wanted

_STANDINGS = {"caught": "passed", "missed": "failed", "not-declared": "skipped"}
_WORDS = {
    "failed": "not caught",
    "passed": "caught",
    "missing": "without a defect",
    "skipped": "not declared",
}


@dataclass(frozen=True, slots=True)
class _Shown:
    id: str
    wanted: Wanted
    rows: tuple[Row, ...]

    @property
    def standing(self) -> str:
        verdicts = {_STANDINGS[row.verdict] for row in self.rows} or {"missing"}
        return next(standing for standing in _WORDS if standing in verdicts)


def matrix_page(matrix: Matrix) -> str:
    """The whole page as HTML; of a part of the defects, only with the requirements that these break."""
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
        requirements=shown,
        standings=_STANDINGS,
        words=_WORDS,
        conformity="conformant" if matrix.exit_code == 0 else "not-conformant",
    )
