"""Where there is little room: spans that overlap lie in rows, marks of one place are one, texts are cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from batchproof.report.timeline_picture.model import PictureMark, Span

_CHARACTER = 5.4  # how wide one is, about
_LEAST_SHOWN = 3  # characters of a text that is cut: fewer say nothing
_ONE_PLACE = 3.0  # marks that are nearer than this cannot be told apart
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


def fitted(text: str, width: float) -> str:
    """The text, cut to a width; empty where too little would be left."""
    room = int(width / _CHARACTER)
    if len(text) <= room:
        return text
    return f"{text[: room - 1]}…" if room > _LEAST_SHOWN else ""
