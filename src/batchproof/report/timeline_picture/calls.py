"""The requests of the implementation, from the moment it asked to the reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, LEASES, Resource
from batchproof.judgement.faults import READS
from batchproof.judgement.history import Record, Reply, Request
from batchproof.judgement.timeline import described
from batchproof.report.timeline_picture.model import Kind, Lane, PictureMark, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TITLES: dict[Kind, str] = {
    "done": "requests that changed something, from request to reply",
    "lost": "requests whose reply was lost: filled if they took effect nevertheless",
    "refused": "requests that were answered with an error, or not before the end",
    "read": "reads",
}
_NAMES: dict[Kind, str] = {"done": "writes", "lost": "lost replies", "refused": "failed", "read": "reads"}
_LANES: dict[Kind, Kind] = {"cut": "lost"}
"""The kinds that share the lane of another."""


@dataclass(frozen=True, slots=True)
class DrawnWrite:
    """A write that was carried out, and the object that it was about."""

    resource: Resource
    name: str
    mark: PictureMark


class Calls:
    """The requests of a history; those about events and leases are left out."""

    def __init__(self) -> None:
        self._open: dict[int, Record] = {}
        self._closed: dict[tuple[int, Kind], list[Span]] = {}
        self.written: list[DrawnWrite] = []
        self.left_out = 0

    def take(self, record: Record, asked: Mapping[int, Request]) -> None:
        """Take in a record."""
        match record.entry:
            case Request(resource=resource) if resource in {EVENTS, LEASES}:
                self.left_out += 1
            case Request(call=call):
                self._open[call] = record
            case Reply(call=call) as reply if call in self._open:
                self._close(self._open.pop(call), record, reply, asked)
            case _:
                pass

    def _close(self, opened: Record, closed: Record, reply: Reply, asked: Mapping[int, Request]) -> None:
        request = asked[reply.call]
        kind = _kind(request, reply)
        name = request.name or _name(reply.body)
        title = _title(opened, closed, reply, asked, name)
        beside = {"refused": str(reply.status), "lost": "no reply", "cut": "no reply"}.get(kind, "")
        label = _label(request, name)
        span = Span(opened.at_s, closed.at_s, kind, label, title, opened.number, beside=beside)
        self._closed.setdefault((request.instance, _LANES.get(kind, kind)), []).append(span)
        if kind in {"done", "lost"} and request.verb not in READS and name:
            mark = PictureMark(closed.at_s, "written", title, opened.number)
            self.written.append(DrawnWrite(request.resource, name, mark))

    def lanes(self, end_s: float) -> Iterator[Lane]:
        """A lane for writes, for lost replies, for what failed, and for reads; of each process its own."""
        for opened in self._open.values():
            if isinstance(request := opened.entry, Request):
                label = _label(request, request.name)
                title = f"{label}: no reply until the end · +{opened.at_s:.3f} s · record {opened.number}"
                span = Span(opened.at_s, end_s, "refused", label, title, opened.number)
                self._closed.setdefault((request.instance, "refused"), []).append(span)
        several = len({instance for instance, _ in self._closed}) > 1
        order: tuple[Kind, ...] = ("done", "lost", "refused", "read")
        for instance, kind in sorted(self._closed, key=lambda it: (it[0], order.index(it[1]))):
            name = _NAMES[kind]
            if several or not instance:
                name += f" of {instance}" if instance else " (support)"
            spans = sorted(self._closed[instance, kind], key=lambda span: span.begin_s)
            yield Lane("calls", name, _TITLES[kind], tuple(spans))


def _kind(request: Request, reply: Reply) -> Kind:
    """What became of a request: one whose reply was lost may have taken effect, or was cut before that."""
    if not reply.status:
        return "lost" if reply.effect else "cut"
    if reply.rejected:
        return "refused"
    return "read" if request.verb in READS else "done"


def _label(request: Request, name: str) -> str:
    """A request in few letters: ``UPDATE a/status``."""
    about = "/".join(filter(None, (name or request.subject, request.subresource)))
    return f"{request.verb.upper()} {about}"


def _name(body: object) -> str:
    """The name of what a request has created, from the reply."""
    match body:
        case {"metadata": {"name": str(name)}}:
            return name
        case _:
            return ""


def _title(opened: Record, closed: Record, reply: Reply, asked: Mapping[int, Request], name: str) -> str:
    subject, what = described(opened, asked) or ("", "")
    _, answered = described(closed, asked) or ("", "")
    answer = answered.partition(" -> ")[2]
    if not reply.status:
        answer += ", took effect" if reply.effect else ", no effect"
    named = f"{subject}/{name}" if name and "/" not in subject else subject
    took = f"{(closed.at_s - opened.at_s) * 1000:.0f} ms"
    return f"{named} {what} -> {answer} · +{opened.at_s:.3f} s, took {took} · record {opened.number}"
