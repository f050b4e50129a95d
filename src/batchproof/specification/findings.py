"""What ``batchproof lint`` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from batchproof.ground.documents import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class LintFinding:
    """Something that is not right.

    Attributes:
        path: the file.
        line: the line in it, from 1.
        code: which rule, in a few words joined by hyphens.
        message: what is wrong, and what to do.
        severity: an error fails the command, a warning does not.
    """

    path: Path
    line: int
    code: str
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        mark = " (warning)" if self.severity == "warning" else ""
        return f"{self.path}:{self.line}: {self.code}{mark} {self.message}"


def invalid(code: str, problems: Iterable[Problem]) -> Iterator[LintFinding]:
    """What is wrong in files that people wrote, as findings."""
    return (LintFinding(problem.path, problem.line, code, problem.message) for problem in problems)
