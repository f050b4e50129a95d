"""Names: each public class of the harness has one that no other has, so that it is known which is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "batchproof"
DOUBLES: frozenset[str] = frozenset()
"""The names that stand twice still; no name may be added."""


def classes() -> dict[str, list[str]]:
    """Where each public class is defined, by its name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(SOURCE).as_posix())
    return found


def test_no_public_class_has_the_name_of_another() -> None:
    twice = {name: where for name, where in classes().items() if len(where) > 1}
    assert {name: where for name, where in twice.items() if name not in DOUBLES} == {}
    assert twice.keys() >= DOUBLES, "these have names of their own by now: take them out of DOUBLES"
