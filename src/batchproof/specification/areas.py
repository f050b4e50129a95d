"""The areas of the suite: what requirements are about whose ids begin alike."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from batchproof.ground import documents, suite
from batchproof.specification.ids import area
from batchproof.specification.registry import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_FILE = "areas.yaml"
"""The file in the folder of a profile's features that says what its areas are about."""


@cache
def names() -> Mapping[str, str]:
    """What the areas of the suite are about, by how the ids of their requirements begin."""
    found: dict[str, str] = {}
    for path in sorted(suite.features().glob(f"*/{_FILE}")):
        document = documents.read(path, "areas")
        documents.refuse(document.problems)
        found |= document.value
    return found


def area_name(id_: str) -> str:
    """What an area is about; empty for an area that is not ours."""
    return names().get(id_, "")


def unnamed(requirements: Iterable[Requirement]) -> Iterator[Requirement]:
    """The first requirement of each area that has no name: a page would head it with its letters alone."""
    seen: set[str] = set()
    for one in requirements:
        if area(one.id) not in seen and not area_name(area(one.id)):
            yield one
        seen.add(area(one.id))
