"""Ids of requirements that are taken: registered, or planned and perhaps cited already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from batchproof.documents import Problem

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from pathlib import Path

PLANNED = "planned.yaml"
"""The file in the folder of features that lists the planned ids, by area."""
_ID = re.compile(r"\b(?!KEP-)[A-Z]{3,4}-[0-9]{3}\b")


def of_ids(planned: Path, registered: Container[str], cited_in: Iterable[Path]) -> Iterator[Problem]:
    """What is wrong with the ids: one is registered and planned, or cited and neither.

    Args:
        planned: the list of the planned ones; where there is none nothing is wrong.
        registered: the ids of the registry.
        cited_in: folders whose files cite ids.
    """
    if not planned.is_file():
        return
    areas: dict[str, list[str]] = yaml.safe_load(planned.read_text("utf-8")) or {}
    taken = {id_ for ids in areas.values() for id_ in ids}
    for number, line in enumerate(planned.read_text("utf-8").splitlines(), start=1):
        for id_ in () if line.startswith("#") else _ID.findall(line):
            if id_ in registered:
                yield Problem(planned, number, f"{id_} is registered now: take it out here")
    for folder in cited_in:
        for path in sorted(one for one in folder.rglob("*") if one.suffix in {".py", ".feature"}):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                for id_ in _ID.findall(line):
                    if id_ not in registered and id_ not in taken:
                        yield Problem(path, number, f"{id_} is neither registered nor in {planned.name}")
