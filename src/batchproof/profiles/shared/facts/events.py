"""Facts about the Events about a Job."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from batchproof.ground.resources import EVENTS, PODS
from batchproof.judgement.facts import Finding, fact, found, listed
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Collection

_SHOWN = 10  # messages that a finding lists at the most


@fact('exactly one {kind:event} event {reason:word}{job:of_job} says "{message:text}"')
def event_once(seen: Observed, *, job: str, kind: str, reason: str, message: str) -> Finding:
    """The Events about the Job of that type and reason were written once in all, with this message."""
    events = _events(seen, job, kind, reason)
    return found(
        events.count == 1 and message in events.messages,
        observed=stated(f"{events.count}: {_told(events.messages)}", {"events": events.count})
        if events.count
        else "none",
        decisive=events.newest,
    )


@fact("<a|no> second {kind:event} event {reason:word}{job:of_job} follows")
def event_repeated(seen: Observed, *, job: str, kind: str, reason: str) -> Finding:
    """The Events about the Job of that type and reason were written more than once in all."""
    events = _events(seen, job, kind, reason)
    return found(
        events.count > 1, observed=said("{events} in all", events=events.count), decisive=events.newest
    )


@fact(
    "one {kind:event} event {reason:word}{job:of_job} names each pod that was {what:made}",
    in_place=False,
)
def pods_have_events(seen: Observed, *, job: str, kind: str, reason: str, what: str) -> Finding:
    """Each pod that was ``created`` or ``deleted`` is named by one Event, and no other pod is."""
    names = _names(seen, job)
    if what == "deleted":
        names = [name for name in seen.calls_to(PODS).fold(_DeletedPods).names if name in names]
    events = _events(seen, job, kind, reason)
    expected = (
        {f"{what.capitalize()} pod: {name}": 1 for name in names} if len(names) == events.events else {}
    )
    return found(
        expected and events.messages == expected,
        expected=f"{counted(len(names), 'event')}, one for each pod that is {what}: {_told(names)}",
        observed=stated(f"{events.events}: {_told(events.messages)}", {"events": events.events}),
    )


@fact('a {kind:event} event {reason:word}{job:of_job} says "{start:text}" and the error')
def event_starts(seen: Observed, *, job: str, kind: str, reason: str, start: str) -> Finding:
    """There is an Event of that type and reason whose message goes on after these words."""
    messages = _events(seen, job, kind, reason).messages
    holds = any(message.startswith(start) and len(message) > len(start) for message in messages)
    return found(holds, observed=_told(messages))


def _told(words: Collection[str]) -> str:
    """Some of the words, in order."""
    return listed(sorted(islice(words, _SHOWN)), len(words) - _SHOWN, separator="; ")


def _names(seen: Observed, job: str) -> Collection[str]:
    """The names of all pods that Jobs of that name have ever controlled."""
    match [seen.owned(uid).names for uid in seen.uids(Job, job)]:
        case [names]:
            return names
        case several:
            return dict.fromkeys(chain(*several))


class _DeletedPods:
    """The names of the pods that the implementation has deleted."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def take(self, _: str, write: Write) -> None:
        it = write.request
        if write.applied and (it.resource, it.verb) == (PODS, "delete"):
            self.names[it.name] = None


def _events(seen: Observed, job: str, kind: str, reason: str) -> _Events:
    """The Events of one type and reason whose subject is a Job of that name, as they are now."""
    return about(seen, "Job", job, kind, reason)


def about(seen: Observed, subject: str, name: str, kind: str, reason: str) -> _Events:
    """The Events of one type and reason about an object of that kind and name, as they are now."""
    return seen.versions(EVENTS).fold(_Events, subject, name, kind, reason)


class _Events:
    """Some Events about an object.

    Attributes:
        events: how many Events there are.
        count: how often they were written in all.
        messages: how many Events have a message.
        newest: the record that showed the last of them.
    """

    def __init__(self, subject: str, name: str, kind: str, reason: str) -> None:
        self.events = 0
        self.count = 0
        self.messages: dict[str, int] = {}
        self.newest: tuple[int, ...] = ()
        self._about = (subject, name, kind, reason)
        self._now: dict[str, tuple[int, str]] = {}

    def take(self, kind: str, thing: ApiObject) -> None:
        if before := self._now.pop(thing.uid, None):
            self._add(-1, -before[0], before[1])
        raw, about = thing.raw, thing.raw["involvedObject"]
        if kind != "DELETED" and self._about == (
            about.get("kind"),
            about.get("name"),
            raw.get("type"),
            raw.get("reason"),
        ):
            event = self._now[thing.uid] = (raw.get("count") or 1, in_words(raw.get("message")))
            self._add(1, *event)
            self.newest = (thing.record,)

    def _add(self, events: int, count: int, message: str) -> None:
        self.events += events
        self.count += count
        self.messages[message] = self.messages.get(message, 0) + events
        if not self.messages[message]:
            del self.messages[message]
