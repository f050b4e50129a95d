"""Histories that differ from another in one thing: a value, an order, a time, something that is left out."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from batchproof.judgement.history import Change, Entry, Record, Reply, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Path = tuple[str | int, ...]

_LATER_S = 1.0
TIME = re.compile(r"\d{4}-\d\d-\d\dT.*")
"""What is a time of day."""
NEEDED = {"metadata", "name", "uid"}
"""The keys that all objects have."""
_OPPOSITES = {"True": "False", "False": "True", "ADDED": "MODIFIED"}


def variants(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Each history that differs in one thing, with what that is."""
    entries = [record.entry for record in records]
    yield from _without(records)
    for place, entry in enumerate(entries):
        yield f"{place} left out", _numbered(records, [*entries[:place], *entries[place + 1 :]])
        if place:
            later = [msgspec.structs.replace(it, at_s=it.at_s + _LATER_S) for it in records[place:]]
            yield f"{place} and what follows 1 s later", [*records[:place], *later]
        for what, other in _requested(entry):
            yield f"{place} {what}", _numbered(records, [*entries[:place], other, *entries[place + 1 :]])
    for place, (one, other) in enumerate(pairwise(entries)):
        if isinstance(one, Change) and isinstance(other, Change):
            swapped = [_of_revision(other, one.revision), _of_revision(one, other.revision)]
            yield (
                f"{place} after the next",
                _numbered(records, [*entries[:place], *swapped, *entries[place + 2 :]]),
            )
    yield from _stored(records, entries)


def _without(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """It ends earlier, or an object, or all of a resource, was never there."""
    for place in range(len(records) - 1):
        yield f"nothing after {place}", [*records[: place + 1]]
    whose = [_objects(record.entry) for record in records]
    for one in dict.fromkeys(it for some in whose for it in some):
        left = [record for record, some in zip(records, whose, strict=True) if one not in some]
        yield f"without {one}", _numbered(left, [record.entry for record in left])


def _objects(entry: Entry) -> tuple[str, ...]:
    """The object that an entry shows, and its resource."""
    match entry:
        case Change(resource=resource, object=body):
            return str(resource), f"{resource} {body['metadata']['uid']}"
        case _:
            return ()


def _numbered(records: Sequence[Record], entries: Sequence[Entry]) -> list[Record]:
    return [
        Record(number, record.at_s, entry)
        for number, (record, entry) in enumerate(zip(records, entries, strict=False))
    ]


def _requested(entry: Entry) -> Iterator[tuple[str, Entry]]:
    """A request for something else, or another answer."""
    match entry:
        case Request():
            yield "of another name", msgspec.structs.replace(entry, name=f"{entry.name}x")
            yield "of a subresource", msgspec.structs.replace(entry, subresource=f"{entry.subresource}x")
            yield "by another instance", msgspec.structs.replace(entry, instance=entry.instance + 1)
            yield "of another verb", msgspec.structs.replace(entry, verb=f"{entry.verb}x")
        case Reply():
            yield "with the opposite effect", msgspec.structs.replace(entry, effect=not entry.effect)
            yield "with another status", msgspec.structs.replace(entry, status=entry.status + 1)
            yield "by a fault", msgspec.structs.replace(entry, fault=f"{entry.fault}x")


def _of_revision(change: Change, revision: int) -> Change:
    metadata = {**change.object["metadata"], "resourceVersion": str(revision)}
    return msgspec.structs.replace(change, object={**change.object, "metadata": metadata})


def _stored(records: Sequence[Record], entries: Sequence[Entry]) -> Iterator[tuple[str, list[Record]]]:
    """One value of one object is another in all its versions."""
    places: dict[tuple[str, str, Path], None] = {}
    for entry in entries:
        if isinstance(entry, Change):
            of = (str(entry.resource), entry.object["metadata"]["uid"])
            places |= {(*of, path): None for path in paths(entry.object)}
    for resource, uid, path in places:
        for what, edit in (("other", another), ("less", less), ("none", None)):
            told = [_edited(entry, resource, uid, path, edit) for entry in entries]
            if told != entries:
                where = ".".join(map(str, path))
                yield f"{resource} {uid} {where} {what}", _numbered(records, told)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where values stand in an object that can be others."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in ("resourceVersion", "kind", "apiVersion"):
                yield (*path, key)
                yield from paths(each, (*path, key))


def _edited(entry: Entry, resource: str, uid: str, path: Path, edit: Callable[[Any], Any] | None) -> Entry:
    if not isinstance(entry, Change) or (str(entry.resource), entry.object["metadata"]["uid"]) != (
        resource,
        uid,
    ):
        return entry
    return msgspec.structs.replace(entry, object=with_value(entry.object, path, edit))


def with_value(body: Any, path: Path, edit: Callable[[Any], Any] | None) -> Any:
    """A copy with another value at a path, or without it if there is no edit; as it is if it has none."""
    key, *rest = path
    if not (key in body if isinstance(body, dict) else isinstance(body, list) and key < len(body)):  # type: ignore[operator]
        return body
    copy = body.copy()
    if rest:
        copy[key] = with_value(body[key], tuple(rest), edit)
    elif edit:
        copy[key] = edit(body[key])
    elif key not in NEEDED:
        del copy[key]
    return copy


def another(value: Any) -> Any:
    """One more, the opposite, a second later, another word."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if value.isdigit():
            return str(int(value) + 1)
        case str() if TIME.fullmatch(value):
            return (datetime.fromisoformat(value) + timedelta(seconds=1)).isoformat()
        case str():
            return _OPPOSITES.get(value, f"{value}x")
        case _:
            return value


def less(value: Any) -> Any:
    """One less, a second before."""
    match value:
        case int() if not isinstance(value, bool) and value > 0:
            return value - 1
        case str() if value.isdigit() and int(value) > 0:
            return str(int(value) - 1)
        case str() if TIME.fullmatch(value):
            return (datetime.fromisoformat(value) - timedelta(seconds=1)).isoformat()
        case _:
            return value
