"""The timeline of a finding: what happened around the records that decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.faults import READS
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import Action, Change, FaultChange, ProcessChange, Reply, Request
from batchproof.judgement.things import thing_of
from batchproof.resources import EVENTS, LEASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from batchproof.judgement.history import Record

_AROUND = 12  # lines of a timeline before the decisive one: enough for a cause, few enough to be read


def timeline(records: Sequence[Record], decisive: Iterable[int], *, until: int) -> tuple[Moment, ...]:
    """The telling moments before and at the decisive records; the last ones before ``until`` if none decides.

    Reads, written events and leases, and the claims are left out: the history has them.
    """
    marked = set(decisive)
    last = max(marked, default=until)
    asked: dict[int, Request] = {}
    told: list[Moment] = []
    for record in records[: last + 1]:
        if isinstance(record.entry, Request):
            asked[record.entry.call] = record.entry
        if what := _what(record, asked):
            subject, text = what
            told.append(Moment(record.at_s, subject, text, record.number in marked, record.number))
    kept = [m for m in told[:-_AROUND] if m.here] + told[-_AROUND:]
    return tuple(kept)


def _what(record: Record, asked: dict[int, Request]) -> tuple[str, str] | None:
    """Subject and predicate of a record in a timeline; None for what only the history keeps."""
    told: tuple[str, str] | None = None
    match record.entry:
        case Change() as change:
            told = change.subject, _changed(change)
        case Request() as request if _telling(request):
            told = request.subject, f"{_verb(request)} {_asked(request)}".rstrip()
        case Reply() as reply if (of := asked.get(reply.call)) and _telling(of):
            fault = f" (fault: {reply.fault})" if reply.fault else ""
            told = of.subject, f"{_verb(of)} -> {reply.status or 'no reply'}{fault}"
        case Action(text=text):
            told = "step", text
        case FaultChange(text=text, what=what):
            told = "fault", f"{what}: {text}"
        case ProcessChange(instance=instance, what=what):
            told = f"process {instance}", what
        case _:
            pass
    return told


def _telling(request: Request) -> bool:
    return request.verb not in READS and request.resource not in {EVENTS, LEASES}


def _verb(request: Request) -> str:
    return f"{request.verb.upper()} {request.subresource}".rstrip()


def _asked(request: Request) -> str:
    """The part of a written body that a reader looks for first."""
    body = request.body
    match body:
        case {"status": dict()}:
            return " ".join(filter(None, thing_of(request.resource, {"metadata": {}, **body}).words))
        case {"metadata": {"finalizers": finalizers}}:
            return f"finalizers {finalizers}"
        case {"metadata": {"$deleteFromPrimitiveList/finalizers": finalizers}}:
            return f"removes finalizers {finalizers}"
        case _:
            return ""


def _changed(change: Change) -> str:
    words = thing_of(change.resource, change.object).words
    return " ".join([change.type, *filter(None, words)])
