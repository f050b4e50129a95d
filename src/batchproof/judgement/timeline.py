"""The timeline of a finding: what happened around the records that decide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, LEASES
from batchproof.judgement.faults import READS
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import Action, Change, FaultChange, ProcessChange, Record, Reply, Request
from batchproof.judgement.objects import thing_of
from batchproof.judgement.values import in_words, readable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

WAITED = "claim"
"""The subject of the moment in which a wait in vain was over."""
NOT_SO = "not so after "
"""How such a moment begins; what follows is how long was waited: ``3 s``."""

_AROUND = 12  # lines of a timeline up to the last decisive one: enough for a cause, few enough to be read
_LEAD = 3  # lines before an earlier decisive one
_MOST_DECISIVE = 3  # as many of the first and of the last decisive ones are shown, however many there are
_WAIT_LEAD, _WAIT_TAIL = 8, 4  # lines about what decided a wait in vain, and before it was over
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_SHORTEST = 3  # characters of a name that a text can be searched for: "a" is in any


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
    records: Iterable[Record],
    decisive: Iterable[int],
    *,
    until: int,
    waited: Wait | None = None,
    observed: str = "",
) -> tuple[Moment, ...]:
    """The moments to show before and at the decisive records; the last ones before ``until`` if none decides.

    The first time that each fault was triggered is shown however long ago it was: it may be the cause. Reads,
    written events and leases, and the claims are left out: the history has them. What is left out between two
    moments is counted. Of many decisive records the first and the last ones are shown. Each object that the
    finding names has a line: its last decisive record, else its last one.

    Args:
        records: the history.
        decisive: the numbers of the records that decide.
        until: the number of the last record that was judged.
        waited: the wait in vain that the timeline ends with. If nothing decided it, what came first in it is
            shown, for that is what was done instead.
        observed: what was observed instead, in the words of the finding.
    """
    marked = set(decisive)
    last = until if waited else max(marked, default=until)
    lines = list(_lines(takewhile(lambda record: record.number <= last, records), marked))
    moments = [moment for _, moment in lines]
    lead, tail = (_WAIT_LEAD, _WAIT_TAIL) if waited else (_LEAD, _AROUND)
    places = {
        *_before_decisive(moments, marked, lead),
        *_first_triggered(record for record, _ in lines),
        *range(max(0, len(lines) - tail), len(lines)),
    }
    if waited and not marked:
        places.update(_first_of_wait([record for record, _ in lines], waited.since))
    places |= {*_of_named(moments, accused(observed), places)}
    shown = _with_gaps({place: moments[place] for place in places})
    return (*shown, waited.over) if waited else tuple(shown)


def accused(observed: str) -> frozenset[str]:
    """What may be the name of an object in the words of a finding."""
    return frozenset(one for one in _NAME.findall(observed) if len(one) >= _SHORTEST)


def _of_named(moments: Sequence[Moment], names: Collection[str], places: Collection[int]) -> Iterator[int]:
    """Of each object of such a name its last decisive moment, else its last one, unless it is shown."""
    last: dict[str, int] = {}
    for place, moment in enumerate(moments):
        of_it = last.get(moment.subject)
        if moment.subject.partition("/")[2] in names and (
            moment.here or of_it is None or not moments[of_it].here
        ):
            last[moment.subject] = place
    shown = {(moments[place].subject, moments[place].here) for place in places}
    shown |= {(subject, False) for subject, _ in shown}
    yield from (place for subject, place in last.items() if (subject, moments[place].here) not in shown)


def _lines(records: Iterable[Record], marked: Collection[int]) -> Iterator[tuple[Record, Moment]]:
    """Each record that a timeline may show, with its moment."""
    asked: dict[int, Request] = {}
    for record in records:
        if isinstance(record.entry, Request):
            asked[record.entry.call] = record.entry
        if not noise(record, asked) and (what := described(record, asked)):
            yield record, Moment(record.at_s, *what, record.number in marked, record.number)


def _before_decisive(moments: Sequence[Moment], marked: Collection[int], lead: int) -> Iterator[int]:
    """The places of the first and the last decisive moments, each with those that lead to it."""
    leading = {*sorted(marked)[:_MOST_DECISIVE], *sorted(marked)[-_MOST_DECISIVE:]}
    for place, moment in enumerate(moments):
        if moment.record in leading:
            yield from range(max(0, place - lead), place + 1)


def _first_triggered(records: Iterable[Record]) -> Iterable[int]:
    """Where each fault was triggered for the first time."""
    first: dict[str, int] = {}
    for place, record in enumerate(records):
        if isinstance(record.entry, FaultChange) and record.entry.what == "fired":
            first.setdefault(record.entry.text, place)
    return first.values()


def _first_of_wait(records: Sequence[Record], since: int) -> Iterable[int]:
    """Where a wait begins: the last places before it, and the first ones in it."""
    begins = sum(record.number <= since for record in records)
    first = max(0, begins - _LEAD)
    return range(first, min(len(records), first + _WAIT_LEAD))


def _with_gaps(kept: dict[int, Moment]) -> Iterator[Moment]:
    """The moments in order of their places, with a line wherever some between them are left out."""
    before: int | None = None
    for place, moment in sorted(kept.items()):
        if before is not None and (left_out := place - before - 1):
            yield Moment(kept[before].at_s, "...", f"{left_out} more")
        yield moment
        before = place


def noise(record: Record, asked: Mapping[int, Request]) -> bool:
    """Whether a record is of a read, or of a request that is about an event or a lease.

    Args:
        record: the record.
        asked: the requests so far, by call.
    """
    request = asked.get(record.entry.call) if isinstance(record.entry, Reply) else record.entry
    return isinstance(request, Request) and (request.verb in READS or request.resource in {EVENTS, LEASES})


def described(record: Record, asked: Mapping[int, Request]) -> tuple[str, str] | None:
    """What a record is about, and what happened to that; None for what only the history keeps.

    Args:
        record: the record.
        asked: the requests so far, by call.
    """
    line: tuple[str, str] | None = None
    match record.entry:
        case Change() as change:
            line = change.subject, _changed(change)
        case Request() as request:
            line = request.subject, f"{_verb(request)} {_asked(request)}".rstrip()
        case Reply() as reply if of := asked.get(reply.call):
            fault = f" (fault: {reply.fault})" if reply.fault else ""
            line = of.subject, f"{_verb(of)} -> {reply.status or 'no reply'}{fault}"
        case Action(text=text):
            line = "step", readable(text)
        case FaultChange(text=text, what=what):
            line = "fault", f"{what}: {text}"
        case ProcessChange(instance=instance, what=what):
            line = f"process {instance}", what
        case _:
            pass
    return line


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
            return f"finalizers {in_words(finalizers)}"
        case {"metadata": {"$deleteFromPrimitiveList/finalizers": finalizers}}:
            return f"removes finalizers {in_words(finalizers)}"
        case _:
            return ""


def _changed(change: Change) -> str:
    words = thing_of(change.resource, change.object).words
    return " ".join([change.type, *filter(None, words)])
