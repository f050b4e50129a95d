"""A picture as SVG: drawn with classes alone, so that it is dark where the page is dark, without a script."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from batchproof.ground.screen import printable
from batchproof.report.timeline_picture.axis import Axis
from batchproof.report.timeline_picture.model import (
    Flag,
    Lane,
    LaneKind,
    Level,
    Picture,
    PictureMark,
    Shade,
    Span,
)
from batchproof.report.timeline_picture.rows import BOLD, beside, bunched, fitted, stacked
from batchproof.report.timeline_picture.shapes import SHAPES, break_mark, cross, mist, torn
from batchproof.report.wording import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH, LEFT, RIGHT = 1000, 136, 990
_LINE, _TIMES, _CROSSES = 21, 36, 40  # from the top: flags, the line of the time, the times, the crosses
_LABEL = 11  # how high a row of labels is, beside the crosses and below them
_MOST_LABELS = 3  # rows
_SQUEEZED = 12  # how wide a stretch must be that gets the mark of a break
_GAP, _REACH = 3, 200  # between lanes; of a label, on the screen of a phone beside the names of the lanes
_APART = 46  # between the texts of two times
_ROW: dict[LaneKind, int] = {
    "claims": 12,
    "process": 12,
    "calls": 11,
    "actions": 12,
    "object": 15,
    "count": 30,
    "room": 38,
    "bound": 30,
    "use": 38,
    "node": 15,
    "pod": 13,
}
_MOST_ROWS: dict[LaneKind, int] = {"claims": 6, "calls": 6}
_SHADE = 14
_UNDER = 3


@dataclass(frozen=True, slots=True)
class Names:
    """How a picture is named and linked.

    Attributes:
        id: what its ids begin with, for there may be several on a page.
        title: its name.
        summary: what it shows, for a reader who cannot see it.
        log: the page that has the records as text, with an anchor for each; empty: this page.
        tabbed: each record that is shown can be reached by the keyboard.
    """

    id: str
    title: str
    summary: str
    log: str = ""
    tabbed: bool = False


def svg(picture: Picture, names: Names) -> Markup:
    """The picture, to be put into a page."""
    return Markup("".join(_Drawing(picture, names).parts()))  # noqa: S704 - every text in it is escaped


class _Drawing:
    def __init__(self, picture: Picture, names: Names) -> None:
        self._picture = picture
        self._names = names
        self._axis = Axis(picture.times, LEFT, RIGHT)
        self._labels = beside(
            [(self._axis.x(one.at_s), short(one.label)) for one in picture.here], RIGHT, _MOST_LABELS
        )
        rows = max((one.row for one in self._labels if one), default=0)
        self._top = _CROSSES + 13 + rows * _LABEL

    def parts(self) -> Iterator[str]:
        shades = self._picture.shades
        begin = self._top + len(shades) * _SHADE
        id_ = self._names.id
        body, places, y = [f'<g id="{id_}-lanes">'], [], begin
        for lane in self._picture.lanes:
            drawn, height = self._lane(lane, y)
            body.append(drawn)
            places.append((lane, y, height))
            y += height + _GAP
        bottom = y + 4
        body.append("</g>")
        yield (
            f'<svg class="tl" viewBox="0 0 {WIDTH} {bottom}" role="group" '
            f'aria-labelledby="{id_}-t" aria-describedby="{id_}-d">'
            f'<title id="{id_}-t">{_text(self._names.title)}</title>'
            f'<desc id="{id_}-d">{_text(self._names.summary)}</desc>'
        )
        shaded = [
            self._cover(shade, self._top + row * _SHADE, places, bottom) for row, shade in enumerate(shades)
        ]
        yield from (cover for cover, shade in zip(shaded, shades, strict=True) if not shade.fog)
        yield from self._times(bottom)
        yield from body
        yield from (cover for cover, shade in zip(shaded, shades, strict=True) if shade.fog)
        yield from (self._shade(shade, self._top + row * _SHADE) for row, shade in enumerate(shades))
        yield from self._flags(bottom)
        yield from self._here(bottom)
        yield "</svg>"  # and the names of the lanes again, which stay where a phone scrolls it sideways
        yield f'<svg class="tl names" viewBox="0 0 {LEFT} {bottom}" aria-hidden="true">'
        yield f'<use href="#{id_}-lanes"/></svg>'

    # -- what lies over the lanes

    def _times(self, bottom: int) -> Iterator[str]:
        for _, x, text in self._axis.ticks(_APART):
            yield f'<path class="tick" d="M{x:.1f} {_TIMES + 1}V{bottom}"/>'
            yield f'<text class="time" x="{x:.1f}" y="{_TIMES}">{text}</text>'
        yield f'<path class="axis" d="M{LEFT} {_LINE}H{RIGHT}"/>'
        for begin_s, end_s in self._axis.squeezed(_SQUEEZED):
            x = (self._axis.x(begin_s) + self._axis.x(end_s)) / 2
            title = f"nothing happens from +{begin_s:.3f} s to +{end_s:.3f} s: drawn narrower"
            yield self._linked(None, title, break_mark(x, _LINE, 9))

    def _flags(self, bottom: int) -> Iterator[str]:
        last = -100.0
        for flag in self._picture.flags:
            x = self._axis.x(flag.at_s)
            yield self._linked(
                flag.record,
                f"step {flag.number}: {flag.text} · +{flag.at_s:.3f} s",
                f'<path class="step" d="M{x:.1f} 4V{bottom}"/>{self._number(flag, x, last)}',
            )
            last = max(last + 11, x)

    @staticmethod
    def _number(flag: Flag, x: float, last: float) -> str:
        """Its number, beside that of the step before where the two lie at one place."""
        at = max(x, last + 11)
        return (
            f'<rect class="flag" x="{at:.1f}" y="3" width="{6 + 5 * len(str(flag.number))}" height="12"/>'
            f'<text class="flag" x="{at + 3:.1f}" y="12.5">{flag.number}</text>'
        )

    def _here(self, bottom: int) -> Iterator[str]:
        for number, (mark, label) in enumerate(zip(self._picture.here, self._labels, strict=True)):
            x = self._axis.x(mark.at_s)
            shape = f'<path class="here" d="M{x:.1f} {_CROSSES}V{bottom}"/>{cross(x, _CROSSES)}'
            if label:
                at = f'x="{label.x:.1f}" y="{_CROSSES + 8.5 + label.row * _LABEL}"'
                shape += f'<text class="decides{" before" * label.before}" {at}>{_text(label.text)}</text>'
            linked = self._linked(mark.record, mark.title, shape)
            reach = min(_REACH, len(label.text) * BOLD + 20) if label else 20
            begin, end = (x - reach, x + 20) if label and label.before else (x - 20, x + reach)
            begin, end = max(0, begin - LEFT), min(WIDTH, end)  # what a link to it brings into view
            area = f'x="{begin:.1f}" y="0" width="{end - begin:.1f}" height="{bottom}"'
            first = f'<g id="{self._names.id}-here"><rect class="around" {area}/>{linked}</g>'
            yield linked if number else first

    def _cover(self, shade: Shade, y: int, places: list[tuple[Lane, int, int]], bottom: int) -> str:
        """What a shade lies over: fog over the objects that are not seen, a fault under all lanes."""
        begin, width = self._across(shade.begin_s, shade.end_s)
        kind = "fog" if shade.fog else "fault"
        over = [(top, height) for lane, top, height in places if shade.over and covers(shade.over, lane)]
        areas = over or [(y, bottom - y)]
        return "".join(
            f'<rect class="{kind}" x="{begin:.1f}" y="{top}" width="{width:.1f}" height="{height}"/>'
            f"{mist(begin, width, top, height, WIDTH) if shade.fog else ''}"
            for top, height in areas
        )

    def _shade(self, shade: Shade, y: int) -> str:
        """The bar of a shade, with what it is."""
        begin, width = self._across(shade.begin_s, shade.end_s)
        kind = "fog" if shade.fog else "fault"
        said = f"{'view withheld' if shade.fog else 'fault'}: {shade.text}"
        until = f"from +{shade.begin_s:.3f} s to +{shade.end_s:.3f} s"
        bar = self._linked(
            shade.record,
            f"{said} · {until}",
            f'<rect class="{kind} bar" x="{begin:.1f}" y="{y}" width="{width:.1f}" height="12"/>',
        )
        x = min(begin + 4, RIGHT - 300)
        text = f'<text class="over" x="{x:.1f}" y="{y + 9.5}">{_text(fitted(said, RIGHT - x))}</text>'
        return f"{bar}{self._marks(shade.marks, y, 12)}{text}"

    # -- lanes

    def _lane(self, lane: Lane, y: int) -> tuple[str, int]:
        """A lane at a height, and how high it is."""
        row = _ROW[lane.kind]
        rows = stacked(lane.spans, self._across, _MOST_ROWS.get(lane.kind, 1))
        height = row * max(1, *(place + 1 for place in rows)) if rows else row
        full = height + (_UNDER if lane.under else 0)
        middle = y + min(full, 22) / 2 + 3.5
        decided = any(mark.kind == "decisive" for mark in lane.marks)
        named = _text(fitted(short(lane.name), LEFT - 12))
        name = f'<text class="name{" decided" * decided}" x="{LEFT - 8}" y="{middle:.1f}">{named}</text>'
        if line := _dashed(lane):
            name += f'<text class="name least" x="{LEFT - 8}" y="{middle + 11:.1f}">{line}</text>'
        drawn = [f'<g class="lane-{lane.kind}"><title>{_text(lane.title)}</title>{name}']
        drawn.append(f'<path class="base" d="M{LEFT} {y + full + 1}H{RIGHT}"/>')
        drawn.extend(self._levels(lane, y, height))
        placed = [(span, place) for span, place in zip(lane.spans, rows, strict=True) if place >= 0]
        for number, (span, place) in enumerate(placed):
            after = (other.begin_s for other, its in placed[number + 1 :] if its == place)
            until = self._axis.x(next(after, self._picture.end_s))
            drawn.append(self._span(span, y + place * row, row - 1, until))
        for span in lane.under:
            begin, width = self._across(span.begin_s, span.end_s)
            drawn.append(
                f'<rect class="{span.kind}" x="{begin:.1f}" y="{y + height}" width="{width:.1f}" height="2">'
                f"<title>{_text(span.title)}</title></rect>"
            )
        drawn.append(self._marks(lane.marks, y, height))
        return f"{''.join(drawn)}</g>", full

    def _span(self, span: Span, y: float, height: float, until: float) -> str:
        """A span; what is written after it may reach until there."""
        begin, width = self._across(span.begin_s, span.end_s)
        kind = f"{span.kind} deleting" if span.deleting else span.kind
        shape = (
            f'<rect class="{kind}" x="{begin:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
        )
        if span.kind in {"lost", "cut"}:
            shape += torn(begin + width, y, height)
        x, label = begin + 3, fitted(newest(span.label, width - 4), width - 4)
        if span.beside and label != span.label and fitted(span.beside, until - begin - width) == span.beside:
            x, label = begin + width + 3, span.beside
        if label:
            shape += f'<text class="on" x="{x:.1f}" y="{y + height / 2 + 3.3:.1f}">{_text(label)}</text>'
        return self._linked(span.record, span.title, shape)

    def _marks(self, marks: tuple[PictureMark, ...], y: float, height: float) -> str:
        drawn = []
        for x, together in bunched(marks, self._axis.x):
            titles = [one.title for one in together[:6]]
            titles += [f"and {len(together) - 6} more"] if len(together) > 6 else []  # noqa: PLR2004
            shape = SHAPES[together[0].kind](x, y, height)
            drawn.append(self._linked(together[0].record, "\n".join(titles), shape))
        return "".join(drawn)

    def _levels(self, lane: Lane, y: float, height: float) -> Iterator[str]:
        """The steps of a number, and as a dashed line the minimum of a gang or the limit of a queue."""
        if not lane.levels:
            return
        top = max(1, lane.least or 0, *(max(one.value, one.most or 0) for one in lane.levels))
        for one in _merged(lane.levels):
            begin, width = self._across(one.begin_s, one.end_s)
            high = (height - 4) * one.value / top
            least = lane.least or 0
            enough = "" if lane.least is None or one.value < least else " enough"
            part = " part" if lane.kind == "bound" and 0 < one.value < least else ""
            beyond = "" if one.most is None or one.value <= one.most else f" above {lane.limit}"
            yield (
                f'<rect class="level{enough}{part}{beyond}" x="{begin:.1f}" y="{y + height - high:.1f}" '
                f'width="{width:.1f}" height="{high:.1f}"/>'
            )
            if one.most is not None:
                line = y + height - (height - 4) * one.most / top
                yield f'<path class="least" d="M{begin:.1f} {line:.1f}h{width:.1f}"/>'
            if width > 9:  # noqa: PLR2004 - room for a digit
                yield f'<text class="on" x="{begin + 3:.1f}" y="{y + height - 2:.1f}">{one.value:.3g}</text>'
        if lane.least is not None:
            line = y + height - (height - 4) * lane.least / top
            yield f'<path class="least" d="M{LEFT} {line:.1f}H{RIGHT}"/>'

    # -- places and links

    def _across(self, begin_s: float, end_s: float) -> tuple[float, float]:
        """Where something begins, and how wide it is: never invisible."""
        begin = self._axis.x(begin_s)
        return begin, max(1.6, self._axis.x(end_s) - begin)

    def _linked(self, record: int | None, title: str, shape: str) -> str:
        """A shape that says what it is where one points at it, and leads to its record."""
        named = f"<title>{_text(title)}</title>"
        if record is None:
            return f"<g>{named}{shape}</g>"
        tab = "" if self._names.tabbed else ' tabindex="-1"'
        return f'<a href="{escape(self._names.log)}#record-{record}"{tab}>{named}{shape}</a>'


def _dashed(lane: Lane) -> str:
    """What the dashed line of a lane is, in words; at the end, where that changes."""
    if lane.least is not None:
        return f"minimum {lane.least}"
    most = lane.levels[-1].most if lane.limit and lane.levels else None
    return "" if most is None else f"{lane.limit} {most:.3g}"


def newest(label: str, width: float) -> str:
    """The state without the conditions that came first, where there is no room for these."""
    while fitted(label, width) != label and (rest := label.partition(",")[2]).lstrip() == rest != "":
        label = rest
    return label


def _merged(levels: Iterable[Level]) -> Iterator[Level]:
    """The levels, with those that follow each other alike as one."""
    for _, alike in groupby(levels, key=lambda one: (one.value, one.most)):
        first, *_, last = (*alike,) * 2
        yield replace(first, end_s=last.end_s)


def covers(plural: str, lane: Lane) -> bool:
    """Whether a lane shows objects of a resource."""
    if plural == "pods":
        return lane.kind in {"pod", "count"}
    return lane.kind == "object" and lane.name.startswith(f"{plural.removesuffix('s')}/")


def _text(text: str) -> Markup:
    return escape(printable(text))
