"""A matrix of mutants as the terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from batchproof.ground.screen import note, printable, quiet, say, show
from batchproof.report.matrix import Matrix, MutantResult

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STYLES = {"killed": "green", "survived": "bold red", "not declared": "dim"}


def show_matrix(matrix: Matrix, output: Path) -> None:
    """Print each mutant with its outcome, and where the matrix lies."""
    shown = [row for row in matrix.rows if row.verdict == "missed" or not quiet()]
    show(*(text for row in shown for text in _lines(row)))
    if matrix.whole and matrix.bare:
        show(Text(f"without a mutant: {', '.join(matrix.bare)}", "bold red"))
    say(matrix.sentence)
    note(f"page   {output / 'index.html'}\njson   {output / 'defects.json'}")


def _lines(row: MutantResult) -> Iterator[Text]:
    word = row.outcome.upper() if row.verdict == "missed" else row.outcome
    yield Text.assemble((word, _STYLES[row.outcome]), "  ", (row.defect, "bold"), f"  {row.requirement}")
    if row.catch:
        style = "" if row.catch.last else "yellow"
        yield Text(f"  killed at {row.catch.where}: {printable(row.catch.sentence)}", style)
        yield Text(f"  of {printable(row.catch.scenario)}", "dim")
    else:
        for miss in row.misses:
            why = f": {printable(miss.why)}" if miss.why else ""
            yield Text(f"  {miss.verdict}{why}: {printable(miss.scenario)}")
        if not row.misses and row.verdict == "missed":
            yield Text("  its requirement has no scenario")
    if row.not_declared:
        yield Text(f"  not judged: {row.not_declared} is not declared", "dim")
    for warning in row.warnings:
        yield Text(f"  warning: {printable(warning)}", "yellow")
