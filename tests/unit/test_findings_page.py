"""The page of findings: its table lists every section, and every deviation of a descriptor has one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from batchproof.descriptor.implementation import document_of
from batchproof.specification.registry import load_registry

_ROOT = Path(__file__).parents[2]
(_PAGE,) = (path.read_text("utf-8") for path in (_ROOT / "docs").rglob("findings.md"))
_SECTIONS = re.findall(r"^### ((.*): (\S+) \S+)$", _PAGE, re.MULTILINE)
_ROWS = re.findall(r"^\| \[(.*)\]\(#(\S+)\) \| (.*?) \| (\S+ \S+) \|", _PAGE, re.MULTILINE)
_ID = re.compile(r"[A-Z]{3,4}-\d{3}")
_DESCRIPTORS: list[dict[str, Any]] = [
    document_of(path).value
    for path in sorted((_ROOT / "fixtures" / "implementations").glob("*.yaml"))
    if not path.name.startswith("cluster-")  # those of a cluster have the deviations of what comes with it
]


def _anchor(heading: str) -> str:
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()))


def test_the_table_lists_every_section_in_order() -> None:
    assert [(anchor, f"{ids}: {of}") for ids, anchor, _, of in _ROWS] == [
        (_anchor(heading), heading) for heading, *_ in _SECTIONS
    ]
    assert len({anchor for _, anchor, *_ in _ROWS}) == len(_ROWS) > 70


def test_a_finding_says_what_was_observed_why_and_what_follows() -> None:
    for text in _PAGE.split("\n### ")[1:]:
        assert re.search(r"\*\*Observed\.\*\*.*\*\*Why\.\*\*.*\*\*State\.\*\*", text, re.DOTALL), text


def test_the_table_has_the_levels_of_the_requirements() -> None:
    known = load_registry()
    for ids, _, level, _ in _ROWS:
        assert {known[one].level for one in _ID.findall(ids)} <= set(level.split(" and ")), ids


@pytest.mark.parametrize("described", _DESCRIPTORS, ids=lambda it: it["name"])
def test_every_deviation_has_a_finding(described: dict[str, Any]) -> None:
    """A variant of an implementation, such as one with another configuration, shares its findings."""
    name = described["name"]
    found = {one for _, ids, of in _SECTIONS if f"{name}-".startswith(f"{of}-") for one in _ID.findall(ids)}
    found |= {one for _, ids, of in _SECTIONS if f"{of}-".startswith(f"{name}-") for one in _ID.findall(ids)}
    assert {one["requirement"] for one in described.get("deviations", ())} <= found
