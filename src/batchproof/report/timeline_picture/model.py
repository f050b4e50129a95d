"""What a drawn timeline shows: lanes of spans and marks. All times are seconds since the scenario began."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

LaneKind = Literal[
    "claims", "process", "calls", "actions", "object", "count", "room", "bound", "use", "node", "pod"
]
Kind = Literal[
    "judged",
    "broken",
    "needed",
    "process",
    "starting",
    "paused",
    "done",
    "lost",
    "cut",
    "refused",
    "read",
    "action",
    "object",
    "pending",
    "bound",
    "running",
    "succeeded",
    "failed",
    "unknown",
    "node",
    "tracked",
    "written",
    "killed",
    "gone",
    "fired",
    "decisive",
]
"""What a span or a mark stands for; the style sheet has a class for each."""


@dataclass(frozen=True, slots=True)
class Span:
    """Something that lasts.

    Attributes:
        label: what is written on it where it is wide enough.
        title: all that there is to say of it.
        record: the number of the record with which it begins.
        deleting: the object has a deletionTimestamp.
        beside: what is written after it where there is no room on it.
    """

    begin_s: float
    end_s: float
    kind: Kind
    label: str = ""
    title: str = ""
    record: int | None = None
    deleting: bool = False
    beside: str = ""


@dataclass(frozen=True, slots=True)
class PictureMark:
    """Something that happens at one moment.

    Attributes:
        title: all that there is to say of it.
        record: the number of the record that shows it.
        label: what is written beside it; empty: nothing.
    """

    at_s: float
    kind: Kind
    title: str
    record: int | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Level:
    """A number that lasts for a time.

    Attributes:
        most: what it should not be above then; None: nothing says that.
    """

    begin_s: float
    end_s: float
    value: float
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Lane:
    """Everything about one thing.

    Attributes:
        name: what is written beside it.
        title: what it shows, in a sentence.
        under: what is drawn as a line below the spans: as long as a pod has the tracking finalizer.
        levels: of a lane that counts: the number at each time.
        least: of a lane of a gang: its minimum.
        limit: of a lane of a queue: what its levels should not be above, its ``capability`` or its ``share``.
        subjects: what it is about, as a timeline names that; empty: its name.
    """

    kind: LaneKind
    name: str
    title: str = ""
    spans: tuple[Span, ...] = ()
    marks: tuple[PictureMark, ...] = ()
    under: tuple[Span, ...] = ()
    levels: tuple[Level, ...] = ()
    least: int | None = None
    limit: Literal["", "capability", "share"] = ""
    subjects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shade:
    """What lies over all lanes, or over some, for a time.

    Attributes:
        fog: a view that is frozen or late; else a fault.
        over: the plural of the resource whose lanes it covers; empty: all.
        marks: when it was triggered.
    """

    begin_s: float
    end_s: float
    fog: bool
    text: str
    over: str = ""
    record: int | None = None
    marks: tuple[PictureMark, ...] = ()


@dataclass(frozen=True, slots=True)
class Flag:
    """A step of the scenario, with its number from 1."""

    number: int
    at_s: float
    text: str
    record: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A timeline to be drawn.

    Attributes:
        end_s: when the history ends.
        shades: faults and fog.
        here: the moments that decide.
        folded: what is left out or drawn together, in words.
    """

    end_s: float
    lanes: tuple[Lane, ...]
    shades: tuple[Shade, ...] = ()
    flags: tuple[Flag, ...] = ()
    here: tuple[PictureMark, ...] = ()
    folded: tuple[str, ...] = ()

    @property
    def times(self) -> tuple[float, ...]:
        """Every time at which something begins, happens or ends, sorted."""
        found = {0.0, self.end_s}
        found.update(one.at_s for one in self.flags)
        found.update(one.at_s for one in self.here)
        for lane in self.lanes:
            found.update(time for one in (*lane.spans, *lane.under) for time in (one.begin_s, one.end_s))
            found.update(time for one in lane.levels for time in (one.begin_s, one.end_s))
        for shade in self.shades:
            found.update((shade.begin_s, shade.end_s))
        marked = (*(lane.marks for lane in self.lanes), *(shade.marks for shade in self.shades))
        found.update(one.at_s for marks in marked for one in marks)
        return tuple(sorted(found))


class Track:
    """The states of one thing, one after the other.

    Attributes:
        spans: those that are over.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._now: Span | None = None

    def turn(self, span: Span) -> None:
        """Enter a state; its end is not yet known. The same state again is no other one."""
        now = self._now
        if now and (now.kind, now.label, now.deleting) == (span.kind, span.label, span.deleting):
            return
        self.end(span.begin_s)
        self._now = span

    @property
    def now(self) -> Span | None:
        """The state that lasts; None if there is none."""
        return self._now

    def end(self, at_s: float) -> None:
        """Leave the state, if there is one."""
        if self._now:
            self.spans.append(replace(self._now, end_s=max(at_s, self._now.begin_s)))
        self._now = None
