"""Where there is little room: spans that overlap lie in rows, marks of one place are one, texts are cut."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from batchproof.report.timeline_picture.model import PictureMark, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_CHARACTER = 5.4  # how wide one is, about
BOLD = 6.0  # the same of a text that is bold
_LEAST_SHOWN = 3  # characters of a text that is cut: fewer say nothing
_ONE_PLACE = 3.0  # marks that are nearer than this cannot be distinguished
_ASIDE = 8.0  # from the place to its label, so that a cross has room
_LONGEST = 76  # characters of a label
_CROWD = 400  # spans from which on those of one place are drawn once


def stacked(
    spans: Sequence[Span], across: Callable[[float, float], tuple[float, float]], most: int
) -> list[int]:
    """The row of each span, so that none covers another as long as ``most`` rows are enough.

    -1: it is not drawn, for in a crowd it would lie on one that is.

    Args:
        spans: in the order of their beginnings.
        across: where a span begins, and how wide it is.
        most: how many rows there may be.
    """
    ends: list[float] = []
    places: list[int] = []
    for span in spans:
        begin, width = across(span.begin_s, span.end_s)
        free = next((row for row, end in enumerate(ends) if end <= begin + 0.05), None)
        if free is None and len(ends) < most:
            ends.append(0.0)
            free = len(ends) - 1
        if free is None and len(spans) > _CROWD:
            places.append(-1)
            continue
        row = min(range(len(ends)), key=ends.__getitem__) if free is None else free
        ends[row] = max(ends[row], begin + width)
        places.append(row)
    return places


def bunched(
    marks: Iterable[PictureMark], x: Callable[[float], float]
) -> Iterator[tuple[float, list[PictureMark]]]:
    """The marks with their places; those of one kind that lie at one place are together."""
    together: list[PictureMark] = []
    at = 0.0
    for mark in sorted(marks, key=lambda one: (one.kind, one.at_s)):
        place = x(mark.at_s)
        if together and (mark.kind != together[0].kind or place - at >= _ONE_PLACE):
            yield at, together
            together = []
        if not together:
            at = place
        together.append(mark)
    if together:
        yield at, together


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A text beside a place.

    Attributes:
        row: in which row it is written.
        x: where it begins; where it ends if it is before its place.
        before: it is on the left of its place.
        text: as much of it as there is room for.
    """

    row: int
    x: float
    before: bool
    text: str


def beside(labels: Sequence[tuple[float, str]], right: float, most: int) -> list[PlacedLabel | None]:
    """Where the text of each place is written: beside it, and over no other text; None: there is no room.

    The places have crosses in the first row, and no text is written over these. The first text has room
    wherever there are two rows.

    Args:
        labels: the places, each with its text.
        right: up to where texts may reach.
        most: how many rows there may be.
    """
    taken: list[list[tuple[float, float]]] = [[] for _ in range(most)]
    taken[0].extend((x - _ASIDE, x + _ASIDE) for x, _ in labels)
    placed: list[PlacedLabel | None] = []
    for place, text in labels:
        short = fitted(text, _LONGEST * _CHARACTER)
        width = len(short) * BOLD
        found: PlacedLabel | None = None
        for row, before in product(range(most), (False, True)):
            x = place - _ASIDE if before else place + _ASIDE
            begin = x - width if before else x
            if found is None and 0 <= begin <= right - width and not _covers(taken[row], begin, width):
                found = PlacedLabel(row, x, before, short)
                taken[row].append((begin, begin + width))
        placed.append(found)
    return placed


def _covers(taken: Iterable[tuple[float, float]], begin: float, width: float) -> bool:
    return any(begin < other_end and other_begin < begin + width for other_begin, other_end in taken)


def fitted(text: str, width: float) -> str:
    """The text, cut to a width; empty where too little would be left."""
    room = int(width / _CHARACTER)
    if len(text) <= room:
        return text
    return f"{text[: room - 1]}…" if room > _LEAST_SHOWN else ""
