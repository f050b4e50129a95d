"""Histories that differ from another in a few things at once, drawn by a seed.

``told_otherwise.variants`` changes one thing that a history shows already. Here objects get what they lack (a
deletionTimestamp, a second element of a list, a twin of another name or namespace, a successor of the same
name), values become equal to others that stand elsewhere, the same happens to other objects besides, records
get equal times and times that are a limit apart, and the implementation is killed or sees late.

Each history has a number. ``told_otherwise_chosen.json`` has the numbers of those that tell a wrong edit of
the judge from the right one where no other history does: ``tests/judge_mutants --search`` looks for them.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import orjson
from foreign import foreign
from histories import condition, time_of_day
from told_otherwise import NEEDED, TIME, another, less, paths, with_value

from batchproof.ground.resources import COMPLETION_INDEX, JOBS, PODS, TRACKING_FINALIZER, Resource
from batchproof.judgement.faults import view_fault
from batchproof.judgement.history import (
    Change,
    Entry,
    FaultChange,
    HistoryHeader,
    ProcessChange,
    Record,
    Reply,
    Request,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_GAPS_S = (0.0, 0.0, 0.125, 0.5, 1.0, 2.0, 3.0, 10.0, 600.0)
"""How much later a record may come than the one before: at once, and the limits that the judge knows."""
_LONGEST_S = 10_000
_STATUSES = (0, 200, 201, 400, 403, 404, 409, 422, 500)
_VERBS = ("create", "update", "patch", "delete", "get", "list")
_NAMED = {"name", "uid", "type", "key"}
"""What tells one element of a list from another."""
_PHASES = ("Pending", "Running", "Succeeded", "Failed")
_GRAFTS: dict[Resource | None, tuple[tuple[tuple[str, ...], Any], ...]] = {
    None: (
        (("metadata", "deletionTimestamp"), time_of_day(1)),
        (("metadata", "labels"), {"other": "label"}),
        (("metadata", "annotations"), {"other": "annotation"}),
        (("metadata", "namespace"), "elsewhere"),
        (("metadata", "ownerReferences"), [{"kind": "Job", "name": "z", "uid": "uid-z", "controller": True}]),
    ),
    PODS: (
        *((("status", "phase"), phase) for phase in _PHASES),
        (("metadata", "finalizers"), []),
        (("metadata", "finalizers"), [TRACKING_FINALIZER, "example.com/other"]),
        (("metadata", "annotations"), {COMPLETION_INDEX: "0"}),
        (("metadata", "annotations"), {COMPLETION_INDEX: "7"}),
        (("status", "conditions"), [{"type": "Ready", "status": "True"}]),
        (("spec", "nodeName"), "n"),
        (("spec", "nodeName"), ""),
        (("spec", "schedulingGates"), [{"name": "example.com/gate"}]),
    ),
    JOBS: (
        (("status", "conditions"), [condition("Complete")]),
        (("status", "conditions"), [condition("Failed", "BackoffLimitExceeded")]),
        (("status", "conditions"), [condition("FailureTarget", "DeadlineExceeded")]),
        (("status", "conditions"), [condition("SuccessCriteriaMet")]),
        (("status", "conditions"), [condition("Suspended", "JobSuspended")]),
        (("status", "startTime"), time_of_day(1)),
        (("status", "completionTime"), time_of_day(1)),
        *((("status", counter), count) for counter in ("active", "succeeded", "failed") for count in (0, 1)),
        (("status", "completedIndexes"), "0"),
        (("status", "failedIndexes"), "1"),
        (("spec", "suspend"), True),
        (("spec", "parallelism"), 1),
        (("spec", "completions"), 1),
        (("spec", "completionMode"), "Indexed"),
        (("spec", "backoffLimit"), 0),
        (("spec", "activeDeadlineSeconds"), 1),
        (("spec", "managedBy"), "example.com/other"),
    ),
}
"""What objects of a kind may have and often lack in a story."""


class Told(NamedTuple):
    """An entry of a history under change: when, and in which order it was stored."""

    at_s: float
    order: float
    entry: Entry


class Dice:
    """Draws that are the same with every version of Python."""

    def __init__(self, seed: str) -> None:
        self._dice = Random(seed)  # noqa: S311 - no secret

    def below(self, count: int) -> int:
        """A number from 0 on that is less than this one."""
        return int(self._dice.random() * count)

    def one(self, some: Sequence[Any]) -> Any:
        """One of them."""
        return some[self.below(len(some))]


CHOSEN = Path(__file__).with_name("told_otherwise_chosen.json")


@cache
def chosen() -> dict[str, list[int]]:
    """The numbers of histories that notice what no others do, by the name of what they differ from."""
    return {str(of): [*numbers] for of, numbers in orjson.loads(CHOSEN.read_bytes()).items()}


def name_of(records: Sequence[Record]) -> str:
    """A name for a history, by what is told in it alone."""
    told_of = [record for record in records if not isinstance(record.entry, HistoryHeader)]
    return hashlib.sha256(msgspec.json.encode(told_of)).hexdigest()


def at_random(records: Sequence[Record], numbers: Iterable[int]) -> Iterator[tuple[str, list[Record]]]:
    """The histories of these numbers that differ from this one."""
    seed = name_of(records)
    begun = [Told(record.at_s, number, record.entry) for number, record in enumerate(records)]
    for number in numbers:
        dice = Dice(f"{seed} {number}")
        told, what = begun, []
        for _ in range(1 + dice.below(3)):
            edit = dice.one(_EDITS)
            what.append(edit.__name__.strip("_"))
            told = edit(told, dice) if told else told
        yield f"at random {number}: {', '.join(what)}", _recorded(told)


def _recorded(told: Sequence[Told]) -> list[Record]:
    """As records with numbers, and revisions in their order."""
    stored = sorted({it.order for it in told})
    revisions = {order: 100 + place for place, order in enumerate(stored)}
    return [
        Record(number, it.at_s, _revised(it.entry, revisions[it.order])) for number, it in enumerate(told)
    ]


def _revised(entry: Entry, revision: int) -> Entry:
    if not isinstance(entry, Change):
        return entry
    metadata = {**entry.object["metadata"], "resourceVersion": str(revision)}
    return msgspec.structs.replace(entry, object={**entry.object, "metadata": metadata})


# -- edits of objects


def _edited(told: list[Told], dice: Dice, edit: Callable[[Any], Any]) -> list[Told]:
    """One object is another in one version, from one version on, or in all."""
    changes = [place for place, it in enumerate(told) if isinstance(it.entry, Change)]
    if not changes:
        return told
    place, scope = dice.one(changes), dice.below(3)
    uid = told[place].entry.object["metadata"]["uid"]
    new = list(told)
    for number, it in enumerate(told):
        entry = it.entry
        meant = number == place if scope == 0 else scope == 1 or number >= place
        if meant and isinstance(entry, Change) and entry.object["metadata"]["uid"] == uid:
            new[number] = it._replace(entry=msgspec.structs.replace(entry, object=edit(entry.object)))
    return new


def _value(told: list[Told], dice: Dice) -> list[Told]:
    """A value is another: one more, one less, far more, empty, none, or what another object has there."""
    bodies = [it.entry.object for it in told if isinstance(it.entry, Change)]
    if not bodies:
        return told
    path = dice.one([*paths(dice.one(bodies))])
    there = dice.one([value for body in bodies for value in _at(body, path)])
    edits: list[Callable[[Any], Any] | None] = [another, less, lambda _: there, _equal(told, dice)]
    if path[-1] not in NEEDED:
        edits += [None, _extreme(dice.below(2))]
    edit = dice.one(edits)
    return _edited(told, dice, lambda it: with_value(it, path, edit))


def _equal(told: list[Told], dice: Dice) -> Callable[[Any], Any]:
    """Whatever value of its kind stands anywhere in the history."""
    place = dice.below(1000)

    def equal(value: Any) -> Any:
        others = [it for it in _values(told) if type(it) is type(value) and _is_time(it) == _is_time(value)]
        return others[place % len(others)] if others else value

    return equal


def _values(told: list[Told]) -> list[Any]:
    """The different numbers and words in objects, in order."""
    bodies = [it.entry.object for it in told if isinstance(it.entry, Change)]
    some = [value for body in bodies for path in paths(body) for value in _at(body, path)]
    return list(dict.fromkeys(it for it in some if isinstance(it, int | float | str)))


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and TIME.fullmatch(value) is not None


def _extreme(far: int) -> Callable[[Any], Any]:
    """Nothing of a kind, or very much."""

    def extreme(value: Any) -> Any:
        match value:
            case bool():
                return not value
            case int() | float():
                return 1000 * far
            case str() if value.isdigit():
                return str(1000 * far)
            case str() | list() | dict():
                return type(value)()
            case _:
                return value

    return extreme


def _at(body: Any, path: Sequence[str | int]) -> list[Any]:
    """The value at a path, if there is one."""
    for key in path:
        if not (key in body if isinstance(body, dict) else isinstance(body, list) and key < len(body)):  # type: ignore[operator]
            return []
        body = body[key]
    return [body]


def _graft(told: list[Told], dice: Dice) -> list[Told]:
    """An object has what it lacks."""
    resources = sorted({it.entry.resource for it in told if isinstance(it.entry, Change)}, key=str)
    if not resources:
        return told
    path, value = dice.one([*_GRAFTS[None], *_GRAFTS.get(dice.one(resources), ())])
    return _edited(told, dice, lambda it: _grafted(it, path, value))


def _grafted(body: Any, path: Sequence[str], value: Any) -> Any:
    """A copy with a value at a path; a list gets what it does not have yet."""
    key, *rest = path
    there = body.get(key)
    if rest:
        return {**body, key: _grafted(there or {}, rest, value)}
    return {**body, key: [*there, *value] if isinstance(there, list) else value}


def _more(told: list[Told], dice: Dice) -> list[Told]:
    """A list has one element more, which is named otherwise, or the other order."""
    bodies = [it.entry.object for it in told if isinstance(it.entry, Change)]
    lists = [path for body in bodies for path in paths(body) for value in _at(body, path) if _many(value)]
    if not lists:
        return told
    path, how, first, last = dice.one(lists), dice.below(4), dice.below(2), dice.below(2)

    def more(value: Any) -> Any:
        if not _many(value):
            return value
        element = value[-last]
        new = {0: element, 1: _other(element, _NAMED)}.get(how, _other(element, None))
        return [new, *value] if first else [*value, new]

    return _edited(told, dice, lambda it: with_value(it, path, more))


def _many(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _other(value: Any, keys: set[str] | None) -> Any:
    """A copy that is another in these keys; None: in all that it has."""
    match value:
        case dict():
            edited = value.keys() if keys is None else value.keys() & keys
            return {key: _other(each, keys) if key in edited else each for key, each in value.items()}
        case list():
            return [_other(each, keys) for each in value]
        case _:
            return another(value)


# -- edits of what happens


def _drop(told: list[Told], dice: Dice) -> list[Told]:
    """Something does not happen."""
    place = dice.below(len(told))
    return [*told[:place], *told[place + 1 :]]


def _repeat(told: list[Told], dice: Dice) -> list[Told]:
    """Something happens once more."""
    place = dice.below(len(told))
    order, entry = told[place][1:]
    if isinstance(entry, Change):
        entry = msgspec.structs.replace(entry, type=dice.one(["MODIFIED", entry.type]))
    after = place + dice.below(len(told) - place)
    return _inserted(told, after, Told(told[after].at_s, max(order, told[after].order) + 0.5, entry))


def _inserted(told: list[Told], after: int, *new: Told) -> list[Told]:
    return [*told[: after + 1], *new, *told[after + 1 :]]


def _again(told: list[Told], dice: Dice) -> list[Told]:
    """A part of what happens happens again, and perhaps more often, after it or at the end."""
    begin = dice.below(len(told))
    part = told[begin : begin + 1 + dice.below(6)]
    new = list(told)
    for time in range(1, 2 + dice.below(3)):
        later_s = new[-1].at_s + dice.one(_GAPS_S) - part[0].at_s
        order = max(it.order for it in new) + 1
        new += [
            Told(it.at_s + later_s, order + number / 16, _once_more(it.entry, time))
            for number, it in enumerate(part)
        ]
    return new


def _once_more(entry: Entry, time: int) -> Entry:
    match entry:
        case Request(call=call) | Reply(call=call):
            return msgspec.structs.replace(entry, call=call + 100 * time)
        case Change(type="ADDED"):
            return msgspec.structs.replace(entry, type="MODIFIED")
        case _:
            return entry


def _sooner(told: list[Told], dice: Dice) -> list[Told]:
    """A record comes before others that it came after; where it was stored stays."""
    place = dice.below(len(told))
    before = dice.below(place + 1)
    moved = told[place]._replace(at_s=told[before].at_s)
    return [*told[:before], moved, *told[before:place], *told[place + 1 :]]


def _pause(told: list[Told], dice: Dice) -> list[Told]:
    """Times are exact in binary, and the time between two records is a limit of the judge, or none."""
    limits_s = [it for it in _values(told) if type(it) is int and 0 < it < _LONGEST_S]
    place, gap_s = dice.below(len(told)), float(dice.one([*_GAPS_S, *limits_s]))
    times = [round(it.at_s * 8) / 8 for it in told]
    later_s = times[place - 1] + gap_s - times[place] if place else gap_s
    return [
        it._replace(at_s=times[number] + (later_s if number >= place else 0))
        for number, it in enumerate(told)
    ]


def _gone(told: list[Told], dice: Dice) -> list[Told]:
    """An object is gone at some time; perhaps another one has its name afterwards."""
    changes = [place for place, it in enumerate(told) if isinstance(it.entry, Change)]
    if not changes:
        return told
    place, again = dice.one(changes), dice.below(2)
    at_s, order, entry = told[place]
    body = entry.object
    ended = Told(at_s, order + 0.25, msgspec.structs.replace(entry, type="DELETED"))
    other = {**body, "metadata": {**body["metadata"], "uid": f"{body['metadata']['uid']}z"}}
    new = Told(at_s, order + 0.375, msgspec.structs.replace(entry, type="ADDED", object=other))
    return _inserted(told, place, ended, *([new] if again else []))


def _twin(told: list[Told], dice: Dice) -> list[Told]:
    """Whatever happens to an object happens to one of another name or namespace, just before or after."""
    bodies = [it.entry.object for it in told if isinstance(it.entry, Change)]
    if not bodies:
        return told
    metadata, behind = dice.one(bodies)["metadata"], dice.below(2)
    other_name = dice.one([{"name": f"z{metadata['name']}"}, {"namespace": "elsewhere"}])
    new: list[Told] = []
    for it in told:
        entry, twin = it.entry, []
        if isinstance(entry, Change) and entry.object["metadata"]["uid"] == metadata["uid"]:
            named = {**entry.object["metadata"], **other_name, "uid": f"z{metadata['uid']}"}
            other = msgspec.structs.replace(entry, object={**entry.object, "metadata": named})
            twin = [Told(it.at_s, it.order + (0.125 if behind else -0.125), other)]
        new += [it, *twin] if behind else [*twin, it]
    return new


def _beside(told: list[Told], dice: Dice) -> list[Told]:
    """The same happens to other objects as well, or most of it, just before, just after, or later."""
    order = 1 + max(it.order for it in told)
    some = foreign([Record(number, it.at_s, it.entry) for number, it in enumerate(told)])
    others = [Told(it.at_s, told[it.number].order, it.entry) for it in some]
    if others and dice.below(2):
        others = dice.one(_OF_OTHERS)(others, dice)
    how = dice.below(3)
    if how == 0:
        later_s = told[-1].at_s - told[0].at_s
        return [*told, *(it._replace(at_s=it.at_s + later_s, order=it.order + order) for it in others)]
    nearer = 1 / 128 if how == 1 else -1 / 128
    others = [it._replace(order=it.order + nearer) for it in others]
    return sorted([*told, *others], key=lambda it: (it.at_s, it.order))


def _ambient(told: list[Told], dice: Dice) -> list[Told]:
    """The implementation ends, begins, or sees late or nothing of some resource; deadlines are longer."""
    first = told[0].entry
    if isinstance(first, HistoryHeader) and not dice.below(4):
        header = msgspec.structs.replace(first, time_scale=dice.one([0.5, 2.0]))
        return [told[0]._replace(entry=header), *told[1:]]
    after, resource, number = dice.below(len(told)), dice.one([PODS, JOBS]), dice.one([1, 91])
    frozen = bool(dice.below(2))
    view = view_fault(resource, frozen=frozen, delay_s=0.0 if frozen else dice.one([1.0, 5.0]))
    entry = dice.one(
        [
            *(
                ProcessChange(1 + dice.below(2), what)
                for what in ("started", "ready", "killed", "exited by itself: 1")
            ),
            FaultChange(number, "a view", "armed", view),
            *(FaultChange(number, "a view", what) for what in ("fired", "lifted", "thawed")),
        ]
    )
    return _inserted(told, after, Told(told[after].at_s, told[after].order, entry))


def _call(told: list[Told], dice: Dice) -> list[Told]:
    """A request is another, or another's, or gets another answer or none."""
    calls = [place for place, it in enumerate(told) if isinstance(it.entry, Request | Reply)]
    if not calls:
        return told
    place = dice.one(calls)
    names = sorted({it.entry.object["metadata"]["name"] for it in told if isinstance(it.entry, Change)})
    entry = told[place].entry
    match entry:
        case Request():
            entry = msgspec.structs.replace(
                entry,
                **dice.one(
                    [
                        {"verb": dice.one(_VERBS)},
                        {"name": dice.one(["", *names])},
                        {"subresource": dice.one(["", "status", "binding"])},
                        {"instance": dice.below(3)},
                        {"body": None},
                    ]
                ),
            )
        case Reply():
            entry = msgspec.structs.replace(
                entry,
                **dice.one(
                    [
                        {"status": dice.one(_STATUSES)},
                        {"status": 200, "effect": True},
                        {"effect": not entry.effect},
                        {"fault": dice.one(["", "on purpose"])},
                        {"body": None},
                    ]
                ),
            )
    return [*told[:place], told[place]._replace(entry=entry), *told[place + 1 :]]


_OF_OTHERS = [_value, _graft, _drop, _gone, _call]
_EDITS = [
    _value,
    _value,
    _value,
    _graft,
    _graft,
    _beside,
    _more,
    _drop,
    _repeat,
    _again,
    _again,
    _sooner,
    _pause,
    _gone,
    _twin,
    _ambient,
    _call,
]
