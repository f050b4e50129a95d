"""The numbers of the suite in the output that pages show, which ``pages.py`` keeps up to date."""

from __future__ import annotations

import re
from pathlib import Path

from batchproof import suite
from batchproof.evidence.claims import manifest
from batchproof.specification.registry import load_registry

_ROOT = Path(__file__).parents[1]
_NOT_DECLARED = "ManagedBy"
"""The capability that the reference lacks: what needs it is skipped."""


def pages() -> dict[Path, str]:
    """The text of each page with the numbers of today in it."""
    return {path: _with_numbers(path, patterns) for path, patterns in _patterns().items()}


def _patterns() -> dict[Path, dict[str, str]]:
    """What to look for on each page, and what it has to say: the group ``n`` of a pattern is the number."""
    registry = load_registry(suite.features() / "requirements")
    scenarios = [one for one in manifest() if registry[one.split(".")[0]].profile == "job"]
    all_ = {one.split(".")[0] for one in scenarios}
    declared = {one for one in all_ if registry[one].capability != _NOT_DECLARED}
    musts = sum(registry[one].level == "MUST" for one in declared)
    conformant = r"\d+ skipped; the run is complete: CONFORMANT, without"
    whole = {
        rf"(?P<n>\d+) requirements: \d+ passed, {conformant}": len(all_),
        rf"\d+ requirements: (?P<n>\d+) passed, {conformant}": len(declared),
    }
    tutorial = {**whole, r"\n(?P<n>\d+) scenarios\n": len(scenarios), r" of (?P<n>\d+) done": len(scenarios)}
    left = r"(?P<n>\d+) MUST requirements not judged"
    return {
        path: {pattern: str(number) for pattern, number in found.items()}
        for path, found in (
            (_ROOT / "README.md", whole),
            (_ROOT / "docs" / "tutorial" / "get-started.md", tutorial),
            # The requirement of this guide is a new one.
            (_ROOT / "docs" / "how-to" / "write-a-scenario.md", {left: musts}),
            (_ROOT / "docs" / "how-to" / "develop.md", {left: musts - 2}),
        )
    }


def _with_numbers(path: Path, patterns: dict[str, str]) -> str:
    text = path.read_text("utf-8")
    for pattern, number in patterns.items():
        found = re.search(pattern, text)
        if found is None:
            raise LookupError(f"{path} does not show {pattern!r} any more: say so here")
        text = text[: found.start("n")] + number + text[found.end("n") :]
    return text
