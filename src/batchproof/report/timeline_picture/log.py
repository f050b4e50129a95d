"""The history as text: each record a line; runs of what no reader looks for are folded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, LEASES
from batchproof.judgement.history import (
    Change,
    ClaimClosed,
    ClaimOpened,
    Ended,
    HistoryHeader,
    Record,
    Request,
    StepBegan,
    WrittenAround,
)
from batchproof.judgement.timeline import described, noise
from batchproof.report.timeline_picture.staging import sentence
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet


@dataclass(frozen=True, slots=True)
class LogLine:
    """A record as text.

    Attributes:
        noise: a read, an event, a lease, or the begin or end of a claim: of little use to most readers.
        here: this is what decided.
    """

    record: int
    at_s: float
    subject: str
    what: str
    noise: bool
    here: bool


@dataclass(frozen=True, slots=True)
class LineRun:
    """Records that follow each other, all noise or none; ``text`` says what is folded."""

    lines: tuple[LogLine, ...]

    @property
    def folded(self) -> bool:
        """All of it is noise."""
        return self.lines[0].noise

    @property
    def text(self) -> str:
        """What is folded: ``4 records: event/a.1, pods``."""
        subjects = dict.fromkeys(line.subject.partition("/")[0] for line in self.lines)
        return f"{count(len(self.lines), 'record')}: {', '.join(subjects)}"


def log(records: Iterable[Record], here: AbstractSet[int]) -> tuple[LineRun, ...]:
    """All records of a history as text.

    Args:
        records: the whole history.
        here: the numbers of the records that decide.
    """
    return tuple(
        LineRun(tuple(lines)) for _, lines in groupby(_lines(records, here), key=lambda line: line.noise)
    )


def _lines(records: Iterable[Record], here: AbstractSet[int]) -> Iterator[LogLine]:
    asked: dict[int, Request] = {}
    claims: dict[int, str] = {}
    for record in records:
        if isinstance(record.entry, Request):
            asked[record.entry.call] = record.entry
        if isinstance(record.entry, ClaimOpened):
            claims[record.entry.claim_number] = sentence(record.entry.claim)
        subject, what = described(record, asked) or _other(record, claims)
        decides = record.number in here
        yield LogLine(
            record.number, record.at_s, subject, what, not decides and _dull(record, asked), decides
        )


def _dull(record: Record, asked: Mapping[int, Request]) -> bool:
    match record.entry:
        case Change(resource=resource):
            return resource in {EVENTS, LEASES}
        case ClaimOpened() | ClaimClosed() | HistoryHeader() | Ended():
            return True
        case _:
            return noise(record, asked)


def _other(record: Record, claims: Mapping[int, str]) -> tuple[str, str]:
    """What only the whole history has."""
    line = "record", type(record.entry).__name__
    match record.entry:
        case StepBegan(text=text):
            line = "scenario", text
        case ClaimOpened(claim_number=number):
            line = f"claim {number}", f"judged from here on: {claims[number]}"
        case ClaimClosed(claim_number=number, starved_s=starved_s):
            starved = f" (no processor for {starved_s:.1f} s)" if starved_s else ""
            line = f"claim {number}", f"judged until here{starved}: {claims.get(number, '')}"
        case HistoryHeader(version=version):
            line = "history", f"recorded by batchproof {version}"
        case Ended():
            line = "history", "the scenario has ended"
        case WrittenAround() as write:
            line = "written around the proxy", str(write)
        case _:
            pass
    return line
