"""Histories in which a changeable field has another value: throughout, later, or not to be seen yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Action, Change, Entry, Json, Record, Reply
from batchproof.specification.changeable import ChangeableField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_SOON_S = 0.9
"""What follows a change so soon, an implementation may do without having seen it."""


class Other(NamedTuple):
    """A history in which one field of one object has another value.

    Attributes:
        field: the field.
        value: what it is now.
        records: the history.
    """

    field: ChangeableField
    value: Any
    records: list[Record]


def later(records: Sequence[Record], fields: Iterable[ChangeableField]) -> Iterator[Other]:
    """Each history at the end of which another client changes a field of an object that there is."""
    for field in fields:
        for value in field.values:
            for changed in _changes(records, field, value, _revision(records) + 1):
                yield Other(field, value, [*records, _after(records, changed)])


def throughout(records: Sequence[Record], fields: Iterable[ChangeableField]) -> Iterator[Other]:
    """Each history in which all objects of a kind have another value in a field from the beginning."""
    for field in fields:
        for value in field.values:
            told = [msgspec.structs.replace(it, entry=_always(it.entry, field, value)) for it in records]
            if told != list(records):
                yield Other(field, value, told)


def unseen(records: Sequence[Record], fields: Iterable[ChangeableField]) -> Iterator[Other]:
    """Each history in which another client changes a field just before something, up to a moment after that.

    Where the story itself changes the object later, as where the implementation writes the field, what would
    follow is another history.
    """
    fields = [it for it in fields if not it.made]
    for place in range(1, len(records)):
        before, rest = records[:place], records[place:]
        soon = [it for it in rest if it.at_s <= before[-1].at_s + _SOON_S]
        for field in fields:
            for value in field.values:
                for changed in _changes(before, field, value, _revision(before) + 1):
                    if _same_spec(changed, soon, before):
                        told = [_moved(it, changed, field, value) for it in soon]
                        new = msgspec.structs.replace(_after(before, changed), at_s=before[-1].at_s)
                        yield Other(field, value, [*before, new, *told])


def with_value(body: Any, path: Sequence[str], value: Any) -> Any:
    """A copy of JSON with this value at a path; as it is where there are no elements for ``*``."""
    key, *rest = path
    if key == "*":
        if isinstance(body, dict):
            return {name: with_value(it, rest, value) if rest else value for name, it in body.items()}
        return [with_value(it, rest, value) for it in body or ()]
    part = (body or {}).get(key)
    if rest and rest[0] == "*" and part is None:
        return body
    return {**(body or {}), key: with_value(part, rest, value) if rest else value}


def _always(entry: Entry, field: ChangeableField, value: Any) -> Entry:
    """An entry in which the field has this value."""
    match entry:
        case Change(resource=resource) if resource in field.of:
            return msgspec.structs.replace(entry, object=with_value(entry.object, field.path, value))
        case Action(about=about) if field.asked in about and about.get(field.path[0]) is not None:
            return msgspec.structs.replace(entry, about={**about, field.path[0]: value})
        case _:
            return entry


def _changes(
    records: Sequence[Record], field: ChangeableField, value: Any, revision: int
) -> Iterator[Change | Action]:
    """What another client does to each object, gang or queue that there is and that has another value."""
    stored: dict[tuple[Resource, str], Change] = {}
    asked: dict[str, Action] = {}
    for entry in (it.entry for it in records):
        match entry:
            case Change(resource=resource, object=body) if resource in field.of:
                stored.pop((resource, body["metadata"]["uid"]), None)
                if entry.type != "DELETED":
                    stored[resource, body["metadata"]["uid"]] = entry
            case Action(about=about) if field.asked in about and about.get(field.path[0]) is not None:
                asked[about[field.asked]] = entry
    for one in stored.values():
        if (body := with_value(one.object, field.path, value)) != one.object:
            yield Change("MODIFIED", one.resource, _revised(body, revision))
    for name, action in asked.items():
        if action.about[field.path[0]] != value:
            about = {"clock": action.about["clock"], field.asked: name, field.path[0]: value}
            yield Action(f"changes {field.asked} {name}", about)


def _same_spec(changed: Change | Action, soon: Sequence[Record], before: Sequence[Record]) -> bool:
    """Nothing that follows changes the spec of the object, or asks again for the gang or queue."""
    if isinstance(changed, Action):
        return not any(isinstance(it.entry, Action) for it in soon)
    uid = changed.object["metadata"]["uid"]

    def specs(records: Sequence[Record]) -> list[Json]:
        return [_spec(it.entry) for it in records if _is_of(it.entry, uid)]

    return all(it == specs(before)[-1] for it in specs(soon))


def _spec(entry: Entry) -> Json:
    """All of an object but its status, and what each write of it changes."""
    assert isinstance(entry, Change)
    metadata = {key: it for key, it in entry.object["metadata"].items() if key != "resourceVersion"}
    spec = {key: it for key, it in entry.object.items() if key not in ("status", "metadata")}
    return {**spec, "metadata": metadata}


def _is_of(entry: Entry, uid: str) -> bool:
    return isinstance(entry, Change) and entry.object["metadata"]["uid"] == uid


def _moved(record: Record, changed: Change | Action, field: ChangeableField, value: Any) -> Record:
    """A record as it follows a change: one further, of later revisions, and with the value from then on."""
    entry = record.entry
    if isinstance(changed, Change):
        if _is_of(entry, changed.object["metadata"]["uid"]):
            entry = _always(entry, field, value)
        entry = _revised_after(entry, changed.revision)
    return msgspec.structs.replace(record, number=record.number + 1, entry=entry)


def _revised_after(entry: Entry, revision: int) -> Entry:
    """An entry whose revision makes way for a new one; what a watch showed late keeps its older one."""

    def moved(body: Json) -> Json:
        old = int(body["metadata"]["resourceVersion"])
        return _revised(body, old + (old >= revision))

    match entry:
        case Change(object=stored):
            return msgspec.structs.replace(entry, object=moved(stored))
        case Reply(body={"metadata": {"resourceVersion": _}} as stored):
            return msgspec.structs.replace(entry, body=moved(stored))
        case _:
            return entry


def _revised(body: Json, revision: int) -> Json:
    return {**body, "metadata": {**body["metadata"], "resourceVersion": str(revision)}}


def _revision(records: Sequence[Record]) -> int:
    """The newest revision of a history."""
    return max((it.entry.revision for it in records if isinstance(it.entry, Change)), default=0)


def _after(records: Sequence[Record], entry: Change | Action) -> Record:
    return Record(records[-1].number + 1, records[-1].at_s + 0.1, entry)


def differing(
    found: Callable[[Sequence[Record]], Any], records: Sequence[Record], others: Iterable[Other]
) -> Iterator[tuple[Other, Any, Any]]:
    """Those histories in which something else is found, with what is found here and there."""
    here = found(records)
    for other in others:
        if (there := found(other.records)) != here:
            yield other, here, there
