"""The records that a failure is shown by, and whether a mutant touched their objects. It is pure.

A mark that is right is of something that the wrong controller did or left out: an object that it wrote, one
of a resource on which it left out a write that the sound one makes in the same scenario, its own process, or
the answer to a request that its admission webhook decides about.
A mark on a step, on a fault or on an object that is not its business would point at an innocent moment.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from batchproof.ground.resources import Resource
from batchproof.judgement.facts.actions import ANSWER, NAME
from batchproof.judgement.finding import Moment
from batchproof.judgement.history import Action, Change, ProcessChange, Record, Reply, Request
from batchproof.judgement.timeline import WAITED
from batchproof.report.records import UnmetClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_READS = frozenset({"get", "list", "watch"})


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record that a failure is shown by.

    Attributes:
        record: its number in the history.
        subject: what it is about: ``pod/a-1``.
        touched: what the wrong controller has to do with that: ``written``, ``left out`` (a write that the
            sound one makes), ``process``, or ``answered`` (a request of the user, by its webhook); empty:
            nothing.
    """

    record: int
    subject: str
    touched: str = ""


def marked(unmet: UnmetClaim) -> tuple[Moment, ...]:
    """The moments of records that break it; that a wait was over is none."""
    return tuple(moment for moment in unmet.timeline if moment.here and moment.subject != WAITED)


def marks(unmet: UnmetClaim) -> tuple[Mark, ...]:
    """The marks of a failure, with no word yet on what touched them."""
    return tuple(Mark(one.record, one.subject) for one in marked(unmet) if one.record is not None)


def touched(marks: Iterable[Mark], wrong: Sequence[Record], sound: Iterable[Record]) -> tuple[Mark, ...]:
    """The marks with what the wrong controller has to do with each.

    Args:
        marks: the marks of a failure.
        wrong: the history of the wrong controller.
        sound: that of the sound one in the same scenario.
    """
    requests = {it.entry.call: it.entry for it in wrong if isinstance(it.entry, Request)}
    done = _Done(
        requests,
        _written(wrong, requests),
        {of for of, *_ in _kinds(sound) - _kinds(wrong)},
        {it.entry.about[NAME] for it in wrong if isinstance(it.entry, Action) and NAME in it.entry.about},
        {*_reported(wrong)},
    )
    return tuple(msgspec.structs.replace(mark, touched=_how(wrong[mark.record], done)) for mark in marks)


@dataclass(frozen=True, slots=True)
class _Done:
    """What the wrong controller did, and what it left out.

    Attributes:
        requests: its requests by call.
        written: the objects that it asked to write.
        fewer: the resources for which it asked for fewer writes of some kind than the sound one.
        answered: the names of objects that a user asked for and got as its admission webhook filled them in.
        reported: the records by which the status of what is in no namespace changed: requests for that are
            not in a history.
    """

    requests: Mapping[int, Request]
    written: set[tuple[Resource, str]]
    fewer: set[Resource]
    answered: set[object]
    reported: set[int]


def _how(record: Record, done: _Done) -> str:
    entry = record.entry
    if isinstance(entry, Reply):
        entry = done.requests.get(entry.call, entry)
    match entry:
        case Request():
            return "written"
        case ProcessChange():
            return "process"
        case Action(about=about) if ANSWER in about:
            return "answered"
        case Change() as change:
            return _of(change, record.number, done)
        case _:
            return ""


def _of(change: Change, number: int, done: _Done) -> str:
    """What the wrong controller has to do with a change of an object."""
    resource, name = change.resource, change.object["metadata"]["name"]
    if (resource, name) in done.written or number in done.reported:
        return "written"
    if resource in done.fewer:
        return "left out"
    return "answered" if name in done.answered else ""


def _writes(records: Iterable[Record]) -> Iterable[Request]:
    entries = (record.entry for record in records)
    return (it for it in entries if isinstance(it, Request) and it.verb not in _READS and it.instance)


def _kinds(records: Iterable[Record]) -> Counter[tuple[Resource, str, str]]:
    """How often each kind of write was asked for."""
    return Counter((it.resource, it.verb, it.subresource) for it in _writes(records))


def _reported(records: Iterable[Record]) -> Iterator[int]:
    """The records by which the status of what is in no namespace changed, which its controller alone reports.

    The harness writes that of what is in no group, such as nodes.
    """
    known: dict[str, object] = {}
    for record in records:
        match record.entry:
            case Change(type=kind, resource=of, object={"metadata": {"uid": uid} as metadata} as stored) if (
                of.group and "namespace" not in metadata
            ):
                if kind == "MODIFIED" and stored.get("status") != known.get(uid):
                    yield record.number
                known[uid] = stored.get("status")
            case _:
                pass


def _written(records: Iterable[Record], requests: dict[int, Request]) -> set[tuple[Resource, str]]:
    """The objects that the implementation has asked to write; one that it creates is named by the reply."""
    written = {(it.resource, it.name) for it in requests.values() if it.verb not in _READS and it.instance}
    for record in records:
        match record.entry:
            case Reply(call=call, body={"metadata": {"name": str(name)}}) if of := requests.get(call):
                if of.verb not in _READS and of.instance:
                    written.add((of.resource, name))
            case _:
                pass
    return written
