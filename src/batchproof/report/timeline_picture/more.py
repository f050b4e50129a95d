"""What a picture shows of the objects of a profile beside their states: each profile says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from batchproof.judgement.history import Record
from batchproof.judgement.parts import load
from batchproof.report.timeline_picture.model import Lane

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class Taker(Protocol):
    """What is gathered of a history, record by record."""

    def take(self, record: Record) -> None:
        """Take in a record."""
        ...


class Lanes(Taker, Protocol):
    """What is gathered of a history for lanes of its own."""

    def lanes(self, end_s: float, names: AbstractSet[str] = ...) -> tuple[list[Lane], list[str]]:
        """The lanes, and what is left out in words, when the history ends; those of these names are shown."""
        ...


T = TypeVar("T", bound=type[Lanes])
_LANES: list[type[Lanes]] = []


def lanes_of(gathered: T) -> T:
    """Let every picture have these lanes too; to be used as a decorator."""
    _LANES.append(gathered)
    return gathered


def further() -> list[Lanes]:
    """Those of all profiles, for one picture."""
    load("picture")
    return [each() for each in _LANES]
