"""The objects of the API as the recorder saw them: pods with their phases, others with their state."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, LEASES, NODES, PODS, Resource
from batchproof.judgement.history import Change, Record
from batchproof.judgement.objects import thing_of
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted
from batchproof.report.timeline_picture.calls import DrawnWrite
from batchproof.report.timeline_picture.model import Kind, Lane, Level, PictureMark, Span, Track
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

_MOST_PODS = 24
_MOST_OBJECTS = 12
_PHASES: dict[str, Kind] = {
    "Pending": "pending",
    "Running": "running",
    "Succeeded": "succeeded",
    "Failed": "failed",
}
_OUTCOMES: dict[Kind, set[str]] = {
    "failed": {"Failed", "Failed=True"},
    "succeeded": {"Succeeded", "Completed", "Complete=True"},
    "running": {"Restarting"},
}


@dataclass(slots=True)
class _Seen:
    """An object with its states."""

    uid: str
    name: str
    resource: Resource
    track: Track = field(default_factory=Track)
    under: Track = field(default_factory=Track)
    marks: list[PictureMark] = field(default_factory=list)

    @property
    def subject(self) -> str:
        return f"{self.resource.singular}/{self.name}"


class Objects:
    """All objects of a history but for events, leases and nodes."""

    def __init__(self, finalizer: str) -> None:
        """Begin without any.

        Args:
            finalizer: by which the implementation tracks pods.
        """
        self._finalizer = finalizer
        self._seen: dict[str, _Seen] = {}
        self._named: dict[tuple[Resource, str], _Seen] = {}
        self._owners: set[str] = set()

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case Change(resource=resource) as change if resource not in {EVENTS, LEASES, NODES}:
                thing = thing_of(resource, change.object, record.number)
                seen = self._seen.setdefault(thing.uid, _Seen(thing.uid, thing.name, resource))
                self._named[resource, thing.name] = seen
                words = " ".join(filter(None, thing.words))
                title = (
                    f"{change.subject} {change.type} {words} · +{record.at_s:.3f} s · record {record.number}"
                )
                if change.type == "DELETED":
                    seen.track.end(record.at_s)
                    seen.under.end(record.at_s)
                    seen.marks.append(PictureMark(record.at_s, "gone", title, record.number))
                    return
                told = {*re.split(r"[ ,]", words)}
                kind: Kind = next((kind for kind, some in _OUTCOMES.items() if some & told), "object")
                label = words
                if isinstance(thing, Pod):
                    kind, label = _stage(thing)
                    self._finalized(seen, thing, record)
                    self._owners.add(thing.controller_uid)
                seen.track.turn(
                    Span(record.at_s, record.at_s, kind, label, title, record.number, thing.deleting)
                )
            case _:
                pass

    def _finalized(self, seen: _Seen, pod: Pod, record: Record) -> None:
        if self._finalizer in pod.finalizers:
            title = f"{seen.subject} has the finalizer {self._finalizer}"
            seen.under.turn(Span(record.at_s, record.at_s, "tracked", "", title, record.number))
        else:
            seen.under.end(record.at_s)

    def written(self, writes: Iterable[DrawnWrite]) -> None:
        """Take in the writes of the implementation, once all records are taken in."""
        for write in writes:
            if seen := self._named.get((write.resource, write.name)):
                seen.marks.append(write.mark)

    def lanes(
        self, end_s: float, first: AbstractSet[str], names: AbstractSet[str] = frozenset()
    ) -> tuple[list[Lane], list[str]]:
        """The lanes, and what is left out or drawn together in words.

        Args:
            end_s: the end of the history.
            first: the subjects that are shown whatever else there is.
            names: the names of objects that are, too.
        """
        for one in self._seen.values():
            one.track.end(end_s)
            one.under.end(end_s)
        pods = [one for one in self._seen.values() if one.resource == PODS]
        others = [one for one in self._seen.values() if one.resource != PODS]
        others.sort(key=lambda one: one.uid not in self._owners)
        needed = {one.subject for one in self._seen.values() if one.name in names} | first
        shown, rest = _chosen(others, needed, _MOST_OBJECTS)
        shown_pods, rest_pods = _chosen(pods, needed, _MOST_PODS)
        lanes = [_lane(one, "object") for one in shown] + [_lane(one, "pod") for one in shown_pods]
        folded = []
        if rest:
            folded.append(f"{count(len(rest), 'more object')} left out of the picture")
        if rest_pods:
            lanes.append(_counted(rest_pods))
            folded.append(f"{count(len(rest_pods), 'more pod')} drawn together, as how many are active")
        return lanes, folded


def _chosen(all_: list[_Seen], first: AbstractSet[str], most: int) -> tuple[list[_Seen], list[_Seen]]:
    """At most ``most``, in their order, and the others; those in ``first`` are all shown."""
    most = max(most, sum(one.subject in first for one in all_))
    if len(all_) <= most:
        return all_, []
    ranked = sorted(range(len(all_)), key=lambda place: (all_[place].subject not in first, place))
    chosen = {*ranked[:most]}
    shown = [one for place, one in enumerate(all_) if place in chosen]
    return shown, [one for place, one in enumerate(all_) if place not in chosen]


def _lane(one: _Seen, kind: str) -> Lane:
    marks = tuple(sorted(one.marks, key=lambda mark: mark.at_s))
    spans, under = tuple(one.track.spans), tuple(one.under.spans)
    if kind == "pod":
        title = f"{one.subject}: its phases; the line below lasts as long as it has the tracking finalizer"
        return Lane("pod", one.name, title, spans, marks, under, subjects=frozenset({one.subject}))
    return Lane("object", one.subject, f"{one.subject}: its state", spans, marks)


def _stage(pod: Pod) -> tuple[Kind, str]:
    """How far a pod has come; how often its containers were started again, or with which code one ended."""
    if pod.phase == "Pending" and pod.node:
        return "bound", "bound"
    label = pod.phase
    if pod.phase == "Failed":
        codes = [((one.get("state") or {}).get("terminated") or {}).get("exitCode") for one in pod.containers]
        label += next((f", exit code {code}" for code in codes if code), "")
    elif restarts := sum(int(one.get("restartCount") or 0) for one in pod.containers):
        label += f", {count(restarts, 'restart')}"
    return _PHASES.get(pod.phase, "unknown"), label


def _counted(pods: list[_Seen]) -> Lane:
    """How many of some pods are active at each time."""
    changes: dict[float, int] = {}
    for span in (span for one in pods for span in one.track.spans):
        if span.kind not in {"succeeded", "failed"} and not span.deleting:
            changes[span.begin_s] = changes.get(span.begin_s, 0) + 1
            changes[span.end_s] = changes.get(span.end_s, 0) - 1
    times, number, levels = sorted(changes), 0, []
    for begin_s, end_s in pairwise(times):
        number += changes[begin_s]
        levels.append(Level(begin_s, end_s, number))
    name = counted(len(pods), "more pod")
    return Lane("count", name, f"{name}: how many are active", levels=tuple(levels))
