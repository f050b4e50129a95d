"""``batchproof lint``: is the suite, or a descriptor, in itself right?"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import orjson

from batchproof.report import wording
from batchproof.screen import say
from batchproof.specification import lint
from batchproof.specification.gherkin import parse_features
from batchproof.specification.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("lint")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(path: Path | None, *, as_json: bool) -> None:
    """Check features, tags, requirements, planted defects and descriptors.

    PATH is a folder with the layout of the repository, or one descriptor; without it the suite that
    batchproof itself uses is checked. Exits with 1 if there is an error; warnings alone are no error.
    """
    findings = _findings(path)
    if as_json:
        say(orjson.dumps([_row(one) for one in findings], option=orjson.OPT_INDENT_2).decode())
    else:
        _print(findings)
    if any(one.severity == "error" for one in findings):
        sys.exit(1)


def _findings(path: Path | None) -> list[lint.Finding]:
    today = datetime.now(UTC).date()
    if path is None:
        return lint.lint(lint.bundled(), today)
    if path.is_file():
        return lint.lint_alone(path, load_registry(), list(parse_features()), today)
    return lint.lint(lint.checkout(path), today)


def _print(findings: Sequence[lint.Finding]) -> None:
    for finding in findings:
        say(_relative(finding))
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    if findings:
        say(f"{wording.count(errors, 'error')}, {wording.count(warnings, 'warning')}", err=True)
    else:
        say("no problems found", err=True)


def _relative(finding: lint.Finding) -> str:
    """The finding with its path from the working directory, if it lies below."""
    return str(finding).removeprefix(f"{Path.cwd()}/")


def _row(finding: lint.Finding) -> dict[str, str | int]:
    return {
        "path": str(finding.path),
        "line": finding.line,
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
    }
