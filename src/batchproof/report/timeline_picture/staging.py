"""What the scenario does: its steps, actions, claims and faults, and the processes it starts and kills."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from batchproof.ground.errors import UserError
from batchproof.judgement.claims import Claim
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import (
    CONTINUES,
    Action,
    ClaimClosed,
    ClaimOpened,
    FaultChange,
    ProcessChange,
    Record,
    StepBegan,
    paused,
)
from batchproof.judgement.timeline import WAITED
from batchproof.judgement.values import readable
from batchproof.report.records import UnmetClaim
from batchproof.report.timeline_picture.model import Flag, Kind, Lane, PictureMark, Shade, Span, Track

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_STEP, _CLAIM = frozenset({"step"}), frozenset({WAITED})


def _at(record: Record) -> str:
    return f"+{record.at_s:.3f} s · record {record.number}"


class Steps:
    """The steps of the scenario, and what they did."""

    def __init__(self) -> None:
        self.flags: list[Flag] = []
        self._actions: list[PictureMark] = []

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case StepBegan(text=text):
                self.flags.append(Flag(len(self.flags) + 1, record.at_s, text, record.number))
            case Action(text=text):
                mark = PictureMark(record.at_s, "action", f"{readable(text)} · {_at(record)}", record.number)
                self._actions.append(mark)
            case _:
                pass

    def lanes(self) -> Iterator[Lane]:
        """The lane of what the steps did."""
        if self._actions:
            yield Lane("actions", "test", "what the steps did", (), tuple(self._actions), subjects=_STEP)


class Claims:
    """The windows in which claims were judged.

    The one that is broken is the last one of the fact that a finding names.

    Attributes:
        ends: when the window of the broken claim was over, by the place of its finding.
    """

    def __init__(self, unmet: Sequence[UnmetClaim]) -> None:
        self._unmet = unmet
        self._open: dict[int, Span] = {}
        self._closed: list[Span] = []
        self._broken: dict[str, Span] = {}
        self._broken_by: dict[str, list[int]] = {}
        self.ends: dict[int, Moment] = {}

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case ClaimOpened(claim_number=number, claim=claim):
                self._open[number] = self._opened(record, claim)
            case ClaimClosed(claim_number=number) if number in self._open:
                span = self._open.pop(number)
                self._close(span, record.at_s)
                for place in self._broken_by.get(span.label, ()):
                    what = f"not so: {span.label}"
                    self.ends[place] = Moment(record.at_s, WAITED, what, here=True, record=record.number)
            case _:
                pass

    def _close(self, opened: Span, at_s: float) -> None:
        span = replace(opened, end_s=at_s)
        self._closed.append(span)
        if span.kind == "broken":
            self._broken[span.label] = span

    def _opened(self, record: Record, claim: dict[str, Any]) -> Span:
        kind: Kind = "judged" if claim.get("role", "judged") == "judged" else "needed"
        text = sentence(claim)
        if places := self._findings(claim):
            kind, self._broken_by[text] = "broken", places
        return Span(record.at_s, record.at_s, kind, text, f"{text} · {_at(record)}", record.number)

    def _findings(self, claim: dict[str, Any]) -> list[int]:
        """The places of the findings by which a claim is broken."""
        fact = claim.get("fact") or {}
        asked = fact.get("name"), fact.get("arguments") or {}
        return [at for at, one in enumerate(self._unmet) if asked == (one.fact, {**one.arguments})]

    def lanes(self, end_s: float) -> Iterator[Lane]:
        """The lane of the windows."""
        for span in self._open.values():
            self._close(span, end_s)
        spans = [
            replace(it, kind="judged") if it.kind == "broken" and it is not self._broken[it.label] else it
            for it in sorted(self._closed, key=lambda span: span.begin_s)
        ]
        if spans:
            yield Lane("claims", "claims", "when each claim was judged", tuple(spans), subjects=_CLAIM)


def sentence(claim: dict[str, Any]) -> str:
    """A claim as a scenario says it; the name of its fact where this version does not know that."""
    try:
        return Claim.from_json(claim).text
    except (UserError, LookupError):
        return str((claim.get("fact") or {}).get("name", "claim"))


class StagedFaults:
    """Faults as long as they are in force, and views as long as they are withheld."""

    def __init__(self) -> None:
        self._armed: dict[int, Shade] = {}
        self._over: list[Shade] = []

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case FaultChange(fault=number, what="armed") as fault:
                self._armed[number] = _shade(record, fault)
            case FaultChange(fault=number, what="fired") as fault:
                armed = self._armed.get(number) or _shade(record, fault)
                mark = PictureMark(
                    record.at_s, "fired", f"triggered: {fault.text} · {_at(record)}", record.number
                )
                self._armed[number] = replace(armed, marks=(*armed.marks, mark))
            case FaultChange(fault=number, what="lifted" | "thawed") if number in self._armed:
                self._over.append(replace(self._armed.pop(number), end_s=record.at_s))
            case _:
                pass

    def shades(self, end_s: float) -> tuple[Shade, ...]:
        """All of them, in the order in which they began."""
        left = (replace(one, end_s=max(end_s, one.begin_s)) for one in self._armed.values())
        return tuple(sorted((*self._over, *left), key=lambda one: one.begin_s))


def _shade(record: Record, fault: FaultChange) -> Shade:
    over = ""
    match fault.about:
        case {"kind": "view", "resource": {"plural": str(over)}}:
            pass
        case {"do": {"effect": "Freeze", "resource": {"plural": str(over)}}}:
            pass
    return Shade(record.at_s, record.at_s, bool(over), fault.text, over, record.number)


class Processes:
    """The processes of the implementation: starting, ready, paused, killed."""

    def __init__(self) -> None:
        self._tracks: dict[int, Track] = {}
        self._marks: dict[int, list[PictureMark]] = {}
        self._paused: dict[int, Span] = {}

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case ProcessChange(instance=number, what=what):
                track = self._tracks.setdefault(number, Track())
                title = f"process {number} {what} · {_at(record)}"
                if what in {"started", "ready"}:
                    kind: Kind = "process" if what == "ready" else "starting"
                    track.turn(Span(record.at_s, record.at_s, kind, what, title, record.number))
                    return
                ended = what.startswith(("killed", "exited"))
                if ended:
                    track.end(record.at_s)
                mark = PictureMark(record.at_s, "killed" if ended else "action", title, record.number)
                self._marks.setdefault(number, []).append(mark)
            case Action(text=text):
                self._acted(record, text)
            case _:
                pass

    def _acted(self, record: Record, text: str) -> None:
        """Take in what a step did: it may pause a process, or let all run on."""
        for number, track in self._tracks.items():
            before = track.now
            if before and before.kind != "paused" and text == paused(number):
                self._paused[number] = before
                title = f"process {number} is paused · {_at(record)}"
                track.turn(Span(record.at_s, record.at_s, "paused", "paused", title, record.number))
            elif before and before.kind == "paused" and text == CONTINUES:
                title = f"process {number} continues · {_at(record)}"
                ran = self._paused[number]
                track.turn(
                    replace(ran, begin_s=record.at_s, title=title, record=record.number, label="continues")
                )

    def lanes(self, end_s: float) -> Iterator[Lane]:
        """A lane for each process."""
        for number, track in self._tracks.items():
            track.end(end_s)
            marks = tuple(self._marks.get(number, ()))
            yield Lane(
                "process", f"process {number}", "the implementation's process", tuple(track.spans), marks
            )
