"""What a history shows, folded up to some record: the objects as they are, and the writes so far.

Facts are functions of an ``Observed``; they speak of ``pod.finished`` and ``job.condition("Complete")`` (see
``things``).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from batchproof.errors import UserError
from batchproof.judgement.history import Action, Change, FaultChange, ProcessChange, Reply, Request
from batchproof.judgement.things import Thing, thing_of
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.thing import timestamp
from batchproof.resources import EVENTS, JOBS, PODS, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from batchproof.judgement.history import Json, Record


@dataclass(slots=True)
class Write:
    """A write of the implementation: its request, and its reply once there is one."""

    request: Request
    number: int
    at_s: float
    reply: Reply | None = None
    reply_number: int = -1
    replied_at_s: float | None = None

    @property
    def applied(self) -> bool:
        """The API server accepted the write."""
        return self.reply is not None and self.reply.effect

    @property
    def unheard(self) -> bool:
        """The write took effect, but its reply never reached the implementation."""
        return self.applied and self.reply is not None and self.reply.status == 0

    @property
    def made(self) -> Json | None:
        """The object that the API server stored, where the reply shows it."""
        return self.reply.body if self.applied and self.reply and isinstance(self.reply.body, dict) else None


@dataclass
class Observed:
    """The state of the world after some record, and how it came about.

    Attributes:
        records: all records so far.
        objects: the newest state of each object, by resource and UID.
        changes: every watch event so far, in order of arrival.
        writes: every write of the implementation, in order of arrival at the proxy.
        reads: every get, list and watch of the implementation.
        faults: how often each fault has fired, by its number; armed ones are there with 0.
    """

    records: list[Record] = field(default_factory=list)
    objects: dict[Resource, dict[str, Thing]] = field(default_factory=dict)
    changes: list[tuple[int, Change]] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    reads: list[tuple[int, Request]] = field(default_factory=list)
    faults: dict[int, int] = field(default_factory=dict)
    processes: list[tuple[int, ProcessChange]] = field(default_factory=list)
    _calls: dict[int, Write] = field(default_factory=dict)

    @property
    def now_s(self) -> float:
        """The time of the newest record."""
        return self.records[-1].at_s if self.records else 0.0

    @property
    def last(self) -> int:
        """The number of the newest record."""
        return len(self.records) - 1

    def clock(self, number: int) -> datetime:
        """The time of day at a record, by the newest action of the harness before it (all of them tell it).

        Raises:
            UserError: nothing that the harness did came before that record.
        """
        for record in reversed(self.records[: number + 1]):
            if isinstance(record.entry, Action):
                passed = timedelta(seconds=self.records[number].at_s - record.at_s)
                return timestamp(record.entry.about["clock"]) + passed
        raise UserError(f"no action before record {number} tells the time")

    def apply(self, record: Record) -> None:
        """Take in one more record."""
        self.records.append(record)
        match record.entry:
            case Change() as change:
                self._change(record.number, change)
            case Request(verb="get" | "list" | "watch") as request:
                self.reads.append((record.number, request))
            case Request() as request:
                write = Write(request, record.number, record.at_s)
                self.writes.append(write)
                self._calls[request.call] = write
            case Reply() as reply if replied := self._calls.get(reply.call):
                replied.reply, replied.reply_number, replied.replied_at_s = reply, record.number, record.at_s
            case FaultChange() as fault:
                self.faults[fault.fault] = self.faults.get(fault.fault, 0) + (fault.what == "fired")
            case ProcessChange() as process:
                self.processes.append((record.number, process))
            case _:
                pass

    def _change(self, number: int, change: Change) -> None:
        self.changes.append((number, change))
        things = self.objects.setdefault(change.resource, {})
        uid = change.object["metadata"]["uid"]
        if change.type == "DELETED":
            things.pop(uid, None)
        else:
            things[uid] = thing_of(change.resource, change.object, number)

    def caught_up(self, resource: Resource, listed_at: int, stands: dict[str, int]) -> bool:
        """All changes are in that led to a list, made at a revision, of UIDs with their own revisions."""
        things = self.objects.get(resource, {})
        gone = {c.object["metadata"]["uid"] for _, c in self.changes if c.type == "DELETED"}
        newest = all(
            uid in gone or (uid in things and things[uid].revision >= revision)
            for uid, revision in stands.items()
        )
        return newest and all(uid in stands or thing.revision > listed_at for uid, thing in things.items())

    def newest_changes(self, *resources: Resource) -> Iterator[Change]:
        """The change of each of these resources that came last, where there is one."""
        for resource in resources:
            yield from itertools.islice((c for _, c in reversed(self.changes) if c.resource == resource), 1)

    def job(self, name: str) -> Job | None:
        """The newest Job of that name, if there is one now."""
        found = [job for job in self.jobs if job.name == name]
        return max(found, key=lambda job: job.record, default=None)

    @property
    def jobs(self) -> list[Job]:
        """All Jobs that there are now."""
        return [thing for thing in self.objects.get(JOBS, {}).values() if isinstance(thing, Job)]

    @property
    def pods(self) -> list[Pod]:
        """All pods that there are now, oldest first."""
        return [thing for thing in self.objects.get(PODS, {}).values() if isinstance(thing, Pod)]

    def pods_of(self, job: Job | None) -> list[Pod]:
        """The pods that are controlled by this Job now."""
        return [pod for pod in self.pods if job and pod.owned_by(job)]

    def versions(self, resource: Resource) -> Iterator[tuple[str, Thing]]:
        """Each change of a resource in the order of revisions, with the type of the change."""
        for change, thing in self.in_order(resource):
            yield change.type, thing

    def versions_of(self, job: str) -> Iterator[tuple[str, Job]]:
        """Each change of a Job of that name in the order of revisions, with the type of the change."""
        for kind, thing in self.versions(JOBS):
            if isinstance(thing, Job) and thing.name == job:
                yield kind, thing

    def in_order(self, *resources: Resource) -> Iterator[tuple[Change, Thing]]:
        """Each change of these resources in the order in which they happened in etcd."""
        of_them = [(number, c) for number, c in self.changes if c.resource in resources]
        for number, change in sorted(of_them, key=lambda pair: pair[1].revision):
            yield change, thing_of(change.resource, change.object, number)

    def writes_to(self, resource: Resource, verb: str | None = None, subresource: str = "") -> list[Write]:
        """The writes to a resource (and verb, and subresource), in order of arrival."""
        return [
            write
            for write in self.writes
            if write.request.resource == resource
            and write.request.subresource == subresource
            and verb in {None, write.request.verb}
        ]

    @property
    def events(self) -> list[Json]:
        """The Event objects that there are now."""
        return [thing.raw for thing in self.objects.get(EVENTS, {}).values()]


def observe(records: Iterable[Record]) -> Observed:
    """Fold a whole history."""
    seen = Observed()
    for record in records:
        seen.apply(record)
    return seen
