"""The timeline of a finding: what happened around the records that decide."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import count, takewhile
from typing import TYPE_CHECKING

from batchproof.judgement.faults import READS
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import Action, Change, FaultChange, ProcessChange, Reply, Request
from batchproof.judgement.things import thing_of
from batchproof.resources import EVENTS, LEASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from batchproof.judgement.history import Record

WAITED = "claim"
"""The subject of the moment in which a wait in vain was over."""

_AROUND = 12  # lines of a timeline up to the last decisive one: enough for a cause, few enough to be read
_LEAD = 3  # lines before an earlier decisive one
_WAIT_LEAD, _WAIT_TAIL = 8, 4  # lines about what decided a wait in vain, and before it was over


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait in vain.

    Attributes:
        since: the number of the record with which it began.
        over: its end: what was expected had not come about by then.
    """

    since: int
    over: Moment


def timeline(
    records: Iterable[Record], decisive: Iterable[int], *, until: int, waited: Wait | None = None
) -> tuple[Moment, ...]:
    """The moments to show before and at the decisive records; the last ones before ``until`` if none decides.

    The first time that each fault struck is shown however long ago it was: it may be the cause. Reads,
    written events and leases, and the claims are left out: the history has them. What is left out between two
    moments is counted.

    Args:
        records: the history.
        decisive: the numbers of the records that decide.
        until: the number of the last record that was judged.
        waited: the wait in vain that the timeline ends with. If nothing decided it, what came first in it is
            shown, for that is what was done instead.
    """
    marked = set(decisive)
    last = until if waited else max(marked, default=until)
    lead, tail = (_WAIT_LEAD, _WAIT_TAIL) if waited else (_LEAD, _AROUND)
    asked: dict[int, Request] = {}
    kept: dict[int, Moment] = {}
    struck: dict[str, tuple[int, Moment]] = {}
    recent: deque[tuple[int, Moment]] = deque(maxlen=_AROUND)
    places = count()
    for record in takewhile(lambda record: record.number <= last, records):
        if isinstance(record.entry, Request):
            asked[record.entry.call] = record.entry
        if what := _what(record, asked):
            here = record.number in marked
            recent.append((next(places), Moment(record.at_s, *what, here, record.number)))
            if isinstance(record.entry, FaultChange) and record.entry.what == "fired":
                struck.setdefault(record.entry.text, recent[-1])
            kept |= dict([*recent][-lead - 1 :]) if here else {}
            if waited and not marked and record.number <= waited.since:
                kept = dict([*recent][-_LEAD:])
            elif waited and not marked and len(kept) < _WAIT_LEAD:
                kept |= dict([recent[-1]])
    kept |= dict([*struck.values(), *[*recent][-tail:]])
    return (*_with_gaps(kept), *([waited.over] if waited else ()))


def _with_gaps(kept: dict[int, Moment]) -> Iterator[Moment]:
    """The moments in order of their places, with a line wherever some between them are left out."""
    before: int | None = None
    for place, moment in sorted(kept.items()):
        if before is not None and (left_out := place - before - 1):
            yield Moment(kept[before].at_s, "...", f"{left_out} more")
        yield moment
        before = place


def _what(record: Record, asked: dict[int, Request]) -> tuple[str, str] | None:
    """Subject and predicate of a record in a timeline; None for what only the history keeps."""
    line: tuple[str, str] | None = None
    match record.entry:
        case Change() as change:
            line = change.subject, _changed(change)
        case Request() as request if _is_shown(request):
            line = request.subject, f"{_verb(request)} {_asked(request)}".rstrip()
        case Reply() as reply if (of := asked.get(reply.call)) and _is_shown(of):
            fault = f" (fault: {reply.fault})" if reply.fault else ""
            line = of.subject, f"{_verb(of)} -> {reply.status or 'no reply'}{fault}"
        case Action(text=text):
            line = "step", text
        case FaultChange(text=text, what=what):
            line = "fault", f"{what}: {text}"
        case ProcessChange(instance=instance, what=what):
            line = f"process {instance}", what
        case _:
            pass
    return line


def _is_shown(request: Request) -> bool:
    return request.verb not in READS and request.resource not in {EVENTS, LEASES}


def _verb(request: Request) -> str:
    return f"{request.verb.upper()} {request.subresource}".rstrip()


def _asked(request: Request) -> str:
    """The part of a written body that a reader looks for first."""
    body = request.body
    match body:
        case dict() if request.verb == "delete":
            given = (body.get("preconditions") or {}).items()
            options = [f"propagationPolicy {policy}" for policy in (body.get("propagationPolicy"),) if policy]
            return ", ".join([*options, *(f"precondition {key} {value}" for key, value in given)])
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
