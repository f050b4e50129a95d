"""Histories with something foreign in them: the same or another story of objects that have other names.

Whatever is said of a Job, a gang or a pod is said of that one. What happens at the same time to others of
their kind must not change it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from batchproof.ground.resources import GANG_LABEL, QUEUE_LABEL, SCENE_LABEL, Resource
from batchproof.judgement.history import Action, Change, Entry, Json, Record, Reply, Request

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MARK = "z"
"""How the names of what is foreign begin."""
_CALLS = 1000
"""Calls of what is foreign are counted from here on."""
_DEFAULT = "default"
"""The queue that everybody has."""
_NAMING = (GANG_LABEL, QUEUE_LABEL, SCENE_LABEL)
"""The labels that name what things belong to."""


def foreign(records: Sequence[Record], *without: Resource) -> list[Record]:
    """The same story of other objects: what is stored, what is asked, which gangs are made.

    What is left out is about the implementation and the harness: faults, processes, claims.

    Args:
        records: the story.
        without: resources of which a scenario has one object.
    """
    renamed = _Renamed({name for record in records for name in _names(record.entry)})
    return [
        msgspec.structs.replace(record, entry=renamed.entry(record.entry))
        for record in records
        if _of_others(record.entry, without)
    ]


def _of_others(entry: Entry, without: Sequence[Resource]) -> bool:
    match entry:
        case Change(resource=resource):
            return resource not in without
        case Action(about=about):
            return bool(about.keys() & {"gang", "queue"}) or about.keys() == {"clock"}
        case _:
            return isinstance(entry, Request | Reply)


def mixed(
    own: Sequence[Record], others: Sequence[Record], *, ahead: bool = False
) -> tuple[list[Record], dict[int, int]]:
    """Two stories at once, by their times; and the new numbers of the records of the first.

    Revisions are counted through, so that each story has its own in the same order as before.

    Args:
        own: the first story.
        others: the second.
        ahead: of two records of the same time the one of the second story comes first.
    """
    told = [(record.at_s, whose, record) for whose, some in enumerate((own, others)) for record in some]
    told.sort(key=lambda one: (one[0], one[1] ^ ahead))
    revisions = _counted_through(own, others)
    records = [
        Record(number, record.at_s, _revised(record.entry, whose, revisions))
        for number, (_, whose, record) in enumerate(told)
    ]
    numbers = {record.number: number for number, (_, whose, record) in enumerate(told) if whose == 0}
    return records, numbers


def _counted_through(*stories: Sequence[Record]) -> dict[tuple[int, int], int]:
    """The new revision of each change, by whose it is and its old one."""
    places = []
    for whose, records in enumerate(stories):
        changes = [(record.at_s, record.entry) for record in records if isinstance(record.entry, Change)]
        times = sorted(at_s for at_s, _ in changes)
        old = sorted({change.revision for _, change in changes})
        places += [(at_s, whose, revision) for at_s, revision in zip(times, old, strict=False)]
    return {(whose, revision): 100 + number for number, (_, whose, revision) in enumerate(sorted(places))}


def _revised(entry: Entry, whose: int, revisions: dict[tuple[int, int], int]) -> Entry:
    match entry:
        case Change(object=stored):
            return msgspec.structs.replace(entry, object=_recounted(stored, whose, revisions))
        case Reply(body={"metadata": {"resourceVersion": _}} as stored):
            return msgspec.structs.replace(entry, body=_recounted(stored, whose, revisions))
        case _:
            return entry


def _recounted(stored: Json, whose: int, revisions: dict[tuple[int, int], int]) -> Json:
    metadata = stored["metadata"]
    revision = revisions[whose, int(metadata["resourceVersion"])]
    return {**stored, "metadata": {**metadata, "resourceVersion": str(revision)}}


def _names(entry: Entry) -> Iterator[str]:
    """What an entry names: objects, their UIDs, gangs, queues, the scene."""
    match entry:
        case Change(object=body):
            metadata, spec = body["metadata"], body.get("spec") or {}
            yield from (metadata["name"], metadata["uid"])
            if spec.get("queue", _DEFAULT) != _DEFAULT:
                yield spec["queue"]
            if about := body.get("involvedObject"):
                yield about["name"]
            for uids in ((body.get("status") or {}).get("uncountedTerminatedPods") or {}).values():
                yield from uids
            yield from (owner["uid"] for owner in metadata.get("ownerReferences") or ())
            for labels in (metadata.get("labels") or {}, spec.get("nodeSelector") or {}):
                yield from (labels[key] for key in _NAMING if key in labels)
        case Request(name=name) if name:
            yield name
        case Action(about={"gang": name} | {"queue": name}):
            yield name


class _Renamed:
    """Gives other names to what is named."""

    def __init__(self, names: set[str]) -> None:
        words = sorted(map(re.escape, names), key=len, reverse=True)
        short = [word for word in words if len(word) == 1]
        self._names = re.compile(
            "|".join(
                [
                    *(rf"^{word}(?=$|[-.])" for word in short),
                    *(rf"(?<![\w.-]){word}(?!\w)" for word in words if word not in short),
                ]
            )
            or "(?!)"
        )

    def entry(self, entry: Entry) -> Entry:
        """An entry about others."""
        match entry:
            case Change(object=body):
                return msgspec.structs.replace(entry, object=self._value(body))
            case Request(call=call, name=name, body=body):
                return msgspec.structs.replace(
                    entry, call=call + _CALLS, name=self._value(name), body=self._value(body)
                )
            case Reply(call=call, body=body):
                return msgspec.structs.replace(entry, call=call + _CALLS, body=self._value(body))
            case Action(about=about):
                return msgspec.structs.replace(entry, about=self._value(about))
            case _:
                return entry

    def _value(self, value: Any) -> Any:
        match value:
            case str():
                return self._names.sub(lambda found: _MARK + found[0], value)
            case dict():
                return {key: self._value(each) for key, each in value.items()}
            case list():
                return [self._value(each) for each in value]
            case _:
                return value


def untrue(records: Sequence[Record], like: Sequence[Sequence[Record]]) -> list[Record]:
    """The same story, in which objects have besides each condition that they lack, with the status False.

    Args:
        records: the story.
        like: the stories whose objects have such conditions, with whatever status.
    """
    known: dict[Resource, dict[str, Any]] = {}
    for entry in (record.entry for some in like for record in some):
        if isinstance(entry, Change):
            for one in _conditions(entry.object):
                known.setdefault(entry.resource, {}).setdefault(one["type"], one)
    return [msgspec.structs.replace(record, entry=_besides(record.entry, known)) for record in records]


def _conditions(body: Json) -> list[Json]:
    """Those that have a type; Volcano Jobs have others as well."""
    return [one for one in (body.get("status") or {}).get("conditions") or [] if "type" in one]


def _besides(entry: Entry, known: dict[Resource, dict[str, Any]]) -> Entry:
    if not isinstance(entry, Change) or entry.resource not in known:
        return entry
    has = _conditions(entry.object)
    types = {one["type"] for one in has}
    lacking = [one for kind, one in known[entry.resource].items() if kind not in types]
    status = dict(entry.object.get("status") or {})
    told = [{**one, "status": "False"} for one in lacking]
    status["conditions"] = [*told, *(status.get("conditions") or [])]
    return msgspec.structs.replace(entry, object={**entry.object, "status": status})
