"""Planted defects: wrong controllers, each made of the reference controller by one small change.

A suite that is worth anything catches each of them by the scenario of the requirement that it breaks.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof import documents, suite
from batchproof.documents import Problem
from batchproof.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "reference_controller"


@dataclass(frozen=True, slots=True)
class Defect:
    """One small change of the reference controller that breaks one requirement.

    Attributes:
        name: what is wrong, in a few words joined by hyphens.
        requirement: the id of the requirement that is broken.
        what: one sentence: what the changed controller does wrong.
        file: the file that is changed, from the folder that holds the package.
        before: the text that is replaced; it is found exactly once.
        after: the text that takes its place.
        path: the file that says so.
        line: the line in it, from 1.
    """

    name: str
    requirement: str
    what: str
    file: str
    before: str
    after: str
    path: Path
    line: int


def load_defects(folder: Path | None = None) -> list[Defect]:
    """The defects in all ``*.yaml`` files of ``folder``, by default those of the suite; none if it is empty.

    Raises:
        UserError: a file is not as it must be; the message names each file, line and defect.
    """
    defects, problems = read_defects(folder or suite.defects())
    documents.refuse(problems)
    return defects


def read_defects(folder: Path) -> tuple[list[Defect], list[Problem]]:
    """The defects that can be read, and all that is wrong with the others."""
    defects: dict[str, Defect] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.yaml")):
        document = documents.read(path, "defect")
        problems += document.problems
        if document.problems:
            continue
        for position, row in enumerate(document.value):
            defect = Defect(**row, path=path, line=document.line(position))
            if first := defects.get(defect.name):
                where = f"{first.path.name}:{first.line}"
                message = f"{defect.name}: the name is used already in {where}"
                problems.append(Problem(path, defect.line, message))
                continue
            if defect.before == defect.after:
                problems.append(Problem(path, defect.line, f"{defect.name}: 'after' is the same as 'before'"))
            defects[defect.name] = defect
    return list(defects.values()), problems


def changed(defect: Defect, source_root: Path) -> str:
    """The text of the file of the defect with the one change.

    Raises:
        UserError: the file is missing, ``before`` is not found exactly once, or the result is not Python.
    """
    where = f"{defect.path}:{defect.line}: {defect.name}"
    try:
        text = (source_root / defect.file).read_text("utf-8")
    except OSError as error:
        raise UserError(f"{where}: {defect.file} cannot be read: {error.strerror}") from error
    if (count := text.count(defect.before)) != 1:
        times = "not" if count == 0 else f"{count} times"
        raise UserError(f"{where}: 'before' is found {times} in {defect.file}; it must be found exactly once")
    result = text.replace(defect.before, defect.after)
    try:
        compile(result, defect.file, "exec", dont_inherit=True)
    except SyntaxError as error:
        message = f"{where}: with 'after' {defect.file} is not Python: {error.msg}, line {error.lineno}"
        raise UserError(message) from error
    return result


def plant(defect: Defect, source_root: Path, into: Path) -> Path:
    """Make a copy of the reference controller that has the defect.

    Args:
        defect: what to change.
        source_root: the folder that holds the package ``reference_controller``.
        into: the folder that gets the copy; it must not hold one yet.

    Returns:
        The folder to put first in ``PYTHONPATH``: ``into``.

    Raises:
        UserError: the file is missing, ``before`` is not found exactly once, or the result is not Python.
    """
    text = changed(defect, source_root)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source_root / PACKAGE, into / PACKAGE, ignore=ignored)
    (into / defect.file).write_text(text, "utf-8")
    return into
