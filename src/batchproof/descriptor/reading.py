"""A descriptor while it is read: each part gives its value, and notes what is wrong with it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from batchproof.ground.documents import Document, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Place = tuple[str | int, ...]


class Reading:
    """What is read of a descriptor, and what is wrong with it.

    A part that is wrong by the schema is left out, with all that depends on it; the others are read.

    Args:
        document: the descriptor, a mapping.

    Attributes:
        content: its content.
        folder: the folder that it lies in.
        problems: what is wrong with it beyond what a schema can say.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.content: dict[str, Any] = document.value
        self.folder: Path = document.path.parent
        self.problems: list[Problem] = []

    def usable(self, *keys: str) -> bool:
        """Whether the schema has nothing against the values of these keys at the top."""
        return self.document.spoiled.isdisjoint(keys)

    def part(self, key: str, default: Any) -> Any:
        """The value of a key at the top; the default one if it is not there, or cannot be used."""
        return self.content.get(key, default) if self.usable(key) else default

    def wrong(self, message: str, *place: str | int) -> None:
        """Note a mistake, by its message and its place."""
        self.problems.append(Problem(self.document.path, self.document.line(*place), message))

    def take(self, problems: Iterable[Problem]) -> bool:
        """Note what another reader has found; whether that is anything."""
        found = [*problems]
        self.problems += found
        return bool(found)


def texts(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Every text in a value of YAML, with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, (*place, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from texts(inner, (*place, position))
