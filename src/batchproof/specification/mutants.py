"""Mutants: wrong controllers, each made of the reference controller by a few small edits.

A suite that is worth anything catches each of them by the scenario of the requirement that it breaks.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from batchproof.ground import documents, suite
from batchproof.ground.documents import Problem
from batchproof.ground.errors import UserError
from batchproof.ground.files import while_unchanged
from batchproof.specification.edits import Edit, NotApplicable, edited

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "reference_controller"


class NotApplicableMutant(UserError):  # noqa: N818 - what a mutant is, not what went wrong
    """A mutant cannot be planted in a reference controller.

    Attributes:
        problem: where it is described, and why not.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of the reference controller that breaks one requirement.

    Attributes:
        name: what is wrong, in a few words joined by hyphens.
        requirement: the id of the requirement that is broken.
        what: one sentence: what the changed controller does wrong.
        edits: the changes, in the order in which they are made.
        path: the file that says so.
        line: the line in it, from 1.
        lines: the line of each edit.
        capability: what an implementation has to declare so that the mutant can show, if its requirement
            alone does not need that.
    """

    name: str
    requirement: str
    what: str
    edits: tuple[Edit, ...]
    path: Path
    line: int
    lines: tuple[int, ...]
    capability: str | None = None

    @property
    def files(self) -> frozenset[str]:
        """The files that are changed, from the folder that holds the package."""
        return frozenset(edit.file for edit in self.edits)


def load_mutants(folder: Path | None = None) -> list[Mutant]:
    """The mutants in all ``*.yaml`` files of ``folder``, by default those of the suite; none if it is empty.

    Raises:
        UserError: a file is not as it must be; the message names each file, line and mutant.
    """
    mutants, problems = read_mutants(folder or suite.defects())
    documents.refuse(problems)
    return mutants


def read_mutants(folder: Path) -> tuple[list[Mutant], list[Problem]]:
    """The mutants that can be read, and all that is wrong with the others."""
    mutants, problems = _read(folder)
    return list(mutants), list(problems)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.yaml"))


@while_unchanged(_files, most=10)
def _read(folder: Path) -> tuple[tuple[Mutant, ...], tuple[Problem, ...]]:
    mutants: dict[str, Mutant] = {}
    problems: list[Problem] = []
    for path in _files(folder):
        document = documents.read(path, "defect")
        problems += document.problems
        for position, row in documents.good_rows(document):
            edits = tuple(map(Edit.of, row["edits"]))
            lines = tuple(document.line(position, "edits", number) for number in range(len(edits)))
            line = document.line(position)
            needs = row.get("capability")
            mutant = Mutant(row["name"], row["requirement"], row["what"], edits, path, line, lines, needs)
            if first := mutants.get(mutant.name):
                where = f"{first.path.name}:{first.line}"
                message = f"{mutant.name}: the name is used already in {where}"
                problems.append(Problem(path, mutant.line, message))
                continue
            mutants[mutant.name] = mutant
    return tuple(mutants.values()), tuple(problems)


def changed(mutant: Mutant, source_root: Path) -> dict[str, str]:
    """The files that the mutant changes, each with its new source.

    Raises:
        NotApplicableMutant: a file is missing, an edit cannot be made in it, or the result is not Python.
    """
    by_file = sorted(zip(mutant.edits, mutant.lines, strict=True), key=lambda one: one[0].file)
    return {
        file: _changed(mutant, file, list(pairs), source_root)
        for file, pairs in groupby(by_file, key=lambda one: one[0].file)
    }


def _changed(mutant: Mutant, file: str, edits: list[tuple[Edit, int]], source_root: Path) -> str:
    try:
        return edited((source_root / file).read_text("utf-8"), [edit for edit, _ in edits])
    except OSError as error:
        line, why = edits[0][1], f"{file} cannot be read: {error.strerror}"
    except NotApplicable as error:
        line, why = edits[error.edit][1], str(error)
    raise NotApplicableMutant(Problem(mutant.path, line, f"{mutant.name}: {why}"))


def plant(mutant: Mutant, source_root: Path, into: Path, *, linked: bool = False) -> Path:
    """Make a copy of the reference controller that has the mutant.

    Args:
        mutant: what to change.
        source_root: the folder that holds the package ``reference_controller``.
        into: the folder that gets the copy; it must not hold one yet.
        linked: what is not changed is the same file, also what is compiled; both are on one disk.

    Returns:
        The folder to put first in ``PYTHONPATH``: ``into``.

    Raises:
        NotApplicableMutant: a file is missing, an edit cannot be made in it, or the result is not Python.
    """
    new = changed(mutant, source_root)
    if linked:
        shutil.copytree(source_root / PACKAGE, into / PACKAGE, copy_function=os.link)
    else:
        sound(source_root, into)
    for file, text in new.items():
        (into / file).unlink()  # else the same file of others would change with it
        (into / file).write_text(text, "utf-8")
    return into


def sound(source_root: Path, into: Path) -> None:
    """Make a copy of the reference controller as it is."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source_root / PACKAGE, into / PACKAGE, ignore=ignored)
