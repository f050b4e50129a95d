"""What a history shows, folded up to some record: the objects as they are, and the writes so far.

Facts are functions of an ``Observed``; they speak of ``pod.finished`` and ``job.condition("Complete")`` (see
``things``). What a fact needs of all objects is kept as an index, what it needs of all that ever happened
is a fold over a log (see ``log``): nothing is looked at twice, so a record of a long history costs no more
than one of a short history.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from batchproof.errors import UserError
from batchproof.judgement.history import (
    EXITED,
    Action,
    Change,
    FaultChange,
    Header,
    ProcessChange,
    Reply,
    Request,
)
from batchproof.judgement.log import Chosen, Log, Ordered
from batchproof.judgement.owned import Owned, Owners
from batchproof.judgement.things import Thing, thing_of
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.judgement.things.thing import timestamp
from batchproof.labels import BUILT_IN_MANAGER, TRACKING_FINALIZER
from batchproof.resources import EVENTS, JOBS, LEASES, PODS, Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from batchproof.judgement.history import Json, Record

_ERROR = 400


@dataclass(slots=True)
class Write:
    """A write of the implementation: its request, and its reply once there is one."""

    request: Request
    number: int
    at_s: float
    reply: Reply | None = None
    reply_number: int = -1
    replied_at_s: float | None = None
    too_late: bool = False
    """The process that asked had ended by then."""

    @property
    def applied(self) -> bool:
        """The API server accepted the write."""
        return self.reply is not None and self.reply.effect

    @property
    def unheard(self) -> bool:
        """The write took effect, but its reply never reached the implementation."""
        return self.applied and self.reply is not None and (self.too_late or self.reply.status == 0)


@dataclass(slots=True)
class Read:
    """A get, a list or a watch of the implementation, with its reply; with that a watch begins."""

    request: Request
    at_s: float
    reply: Reply | None = None
    replied_at_s: float | None = None


@dataclass(slots=True)
class Withheld:
    """A view of a resource that is frozen or late.

    Attributes:
        resource: what the implementation sees late, or not.
        since_s: since when.
        delay_s: how late; 0 of a frozen view.
        until_s: when it caught up; None while it does not.
    """

    resource: Resource
    since_s: float
    delay_s: float
    until_s: float | None = None


class Observed:
    """The state of the world after some record, and how it came about.

    Attributes:
        newest: the newest record; None before the first.
        last: its number; -1 before the first.
        time_scale: the factor of all deadlines and tolerances.
        manager: what ``spec.managedBy`` says of the implementation's Jobs.
        finalizer: by which the implementation tracks pods.
        objects: the newest state of each object, by resource and UID.
        arrivals: every change (a ``Thing``) and write, in order of arrival.
        calls: every write when it is ``asked``, and again when it is ``answered``.
        writes: every write of the implementation, in order of arrival at the proxy.
        reads: every get, list and watch of the implementation, in the same order.
        faults: how often each fault has fired, by its number; armed ones are there with 0.
        withheld: the views that were frozen or late.
        processes: what became of processes, each with the number of the record.
        actions: what the harness did.
    """

    def __init__(self, records: Iterable[Record] | None = None) -> None:
        """Begin before the first record.

        Args:
            records: where all records can be read again (see ``records``); None: they are kept here.
        """
        self._source = records
        self._kept: list[Record] = []
        self._times = array("d")
        self.newest: Record | None = None
        self.last = -1
        self.time_scale = 1.0
        self.manager = BUILT_IN_MANAGER
        self.finalizer = TRACKING_FINALIZER
        self.objects: dict[Resource, dict[str, Thing]] = {}
        self.arrivals: Log[Any] = Log()
        self.calls: Log[Write] = Log()
        self.writes: list[Write] = []
        self.reads: list[Read] = []
        self.faults: dict[int, int] = {}
        self.withheld: dict[int, Withheld] = {}
        self.processes: list[tuple[int, ProcessChange]] = []
        self._ended: set[int] = set()
        self.actions: list[tuple[int, Action]] = []
        self._armed: dict[int, Json] = {}
        self._texts: dict[int, str] = {}
        self._open: dict[int, Write] = {}
        self._open_reads: dict[int, Read] = {}
        self._writes: dict[tuple[Resource, str, str | None], list[Write]] = {}
        self._logs: dict[object, Log[Any]] = {}
        self._named: dict[tuple[Resource, str], dict[str, Thing]] = {}
        self._uids: dict[str, dict[str, None]] = {}
        self._owners = Owners()
        self._gone: set[str] = set()
        self._revisions: dict[Resource, int] = {}

    # -- records and times

    @property
    def records(self) -> Iterable[Record]:
        """All records so far, read again from where they are kept."""
        return self._kept if self._source is None else islice(self._source, self.last + 1)

    @property
    def now_s(self) -> float:
        """The time of the newest record."""
        return self.newest.at_s if self.newest else 0.0

    def at_s(self, number: int) -> float:
        """The time of a record."""
        return self._times[number]

    def clock(self, number: int) -> datetime:
        """The time of day at a record, by the newest action of the harness before it (all of them have it).

        Raises:
            UserError: nothing that the harness did came before that record.
        """
        action = self.action_before(number + 1)
        if action is None:
            raise UserError(f"no action before record {number} has the time")
        since, action_ = action
        passed = timedelta(seconds=self._times[number] - self._times[since])
        return timestamp(action_.about["clock"]) + passed

    def action_before(self, number: int) -> tuple[int, Action] | None:
        """The newest action of the harness before a record, with its own number."""
        place = bisect_right(self.actions, number - 1, key=lambda action: action[0])
        return self.actions[place - 1] if place else None

    # -- what happens

    def apply(self, record: Record) -> None:
        """Take in one more record."""
        self.newest, self.last = record, record.number
        self._times.append(record.at_s)
        if self._source is None:
            self._kept.append(record)
        match record.entry:
            case Change() as change:
                self._change(record, change)
            case Request(verb="get" | "list" | "watch") as request:
                read = self._open_reads[request.call] = Read(request, record.at_s)
                self.reads.append(read)
            case Request() as request:
                self._asked(record, request)
            case Reply() as reply:
                self._answered(record, reply)
            case FaultChange() as fault:
                self._fault(record, fault)
            case ProcessChange() as process:
                self._process(record, process)
            case Action() as action:
                self.actions.append((record.number, action))
            case Header() as header:
                self.time_scale = header.time_scale
                self.manager, self.finalizer = header.manager, header.finalizer
            case _:
                pass

    def _process(self, record: Record, process: ProcessChange) -> None:
        self.processes.append((record.number, process))
        if process.what.startswith(("killed", EXITED)):
            self._ended.add(process.instance)

    def _asked(self, record: Record, request: Request) -> None:
        if (request.resource, request.verb, request.subresource) == (PODS, "create", ""):
            request = msgspec.structs.replace(request, body=None)  # its Change shows what was created
        write = self._open[request.call] = Write(request, record.number, record.at_s)
        self.writes.append(write)
        for verb in (None, request.verb):
            self._writes.setdefault((request.resource, request.subresource, verb), []).append(write)
        self.calls.items.append(("asked", write))
        self.arrivals.items.append(("asked", write))

    def _answered(self, record: Record, reply: Reply) -> None:
        if read := self._open_reads.pop(reply.call, None):
            read.reply, read.replied_at_s = msgspec.structs.replace(reply, body=None), record.at_s
            return
        write = self._open.pop(reply.call, None)
        if write is None:
            return
        # A Change shows what an accepted write has made, but there is none of Leases; why one was refused,
        # only its reply says.
        needed = reply.status >= _ERROR or write.request.resource == LEASES
        write.reply = reply if needed else msgspec.structs.replace(reply, body=None)
        write.reply_number, write.replied_at_s = record.number, record.at_s
        write.too_late = write.request.instance in self._ended
        self.calls.items.append(("answered", write))
        self.arrivals.items.append(("answered", write))

    def _fault(self, record: Record, fault: FaultChange) -> None:
        number = fault.fault
        self.faults[number] = self.faults.get(number, 0) + (fault.what == "fired")
        self._texts[number] = fault.text
        match fault.what, fault.about or self._armed.get(number, {}):
            case "armed", {"kind": "view", "resource": resource, "delay_s": delay_s} as about:
                self._armed[number] = about
                self.withheld[number] = Withheld(Resource(**resource), record.at_s, delay_s)
            case "armed", about:
                self._armed[number] = about
            case "fired", {"do": {"effect": "Freeze", "resource": resource}}:
                self.withheld.setdefault(number, Withheld(Resource(**resource), record.at_s, 0.0))
            case "thawed", _ if number in self.withheld:
                self.withheld[number].until_s = record.at_s

    @property
    def unfired(self) -> list[str]:
        """The faults that never struck; of the faults of one profile it is enough that one has struck."""
        profile = {number: self._armed.get(number, {}).get("of", "") for number in self.faults}
        struck = {profile[number] for number, fired in self.faults.items() if fired} - {""}
        return [
            self._texts[number]
            for number, fired in self.faults.items()
            if not fired and profile[number] not in struck
        ]

    def known_since_s(self, resource: Resource, at_s: float, reaction_s: float) -> float:
        """Since when changes of a resource may be unknown to an implementation that acts at a time.

        Args:
            resource: what changes.
            at_s: when the implementation acts.
            reaction_s: how long it may take to act on what it sees.
        """
        since_s = at_s - reaction_s
        for view in self._stale(resource, at_s, reaction_s):
            began_s = at_s - view.delay_s if view.delay_s else view.since_s
            since_s = min(since_s, began_s - reaction_s)
        return since_s

    def stale(self, resource: Resource, at_s: float, reaction_s: float) -> bool:
        """Whether the view of a resource is withheld from an implementation that acts at a time."""
        return any(self._stale(resource, at_s, reaction_s))

    def _stale(self, resource: Resource, at_s: float, reaction_s: float) -> Iterator[Withheld]:
        for view in self.withheld.values():
            late_until_s = float("inf") if view.until_s is None else view.until_s + reaction_s + view.delay_s
            if view.resource == resource and view.since_s <= at_s <= late_until_s:
                yield view

    def _change(self, record: Record, change: Change) -> None:
        resource, uid = change.resource, change.object["metadata"]["uid"]
        things = self.objects.setdefault(resource, {})
        before = things.get(uid)
        if before is not None:
            _share(change.object, before.raw)
        thing = thing_of(resource, change.object, record.number)
        thing.at_s, thing.resource = record.at_s, resource
        self._revisions[resource] = thing.revision
        self.arrivals.items.append((change.type, thing))
        named = self._named.setdefault((resource, thing.name), {})
        if change.type == "DELETED":
            self._gone.add(uid)
            things.pop(uid, None)
            named.pop(uid, None)
        else:
            things[uid] = named[uid] = thing
        match thing:
            case Job():
                self._uids.setdefault(thing.name, {})[uid] = None
            case Pod():
                thing.tracking = self.finalizer
                self._owners.take(thing, gone=change.type == "DELETED")

    # -- whether all is in

    def caught_up(self, resource: Resource, listed_at: int, stands: dict[str, int]) -> Callable[[], bool]:
        """Whether all changes are in that led to a list, made at a revision, of UIDs with their revisions.

        Returns:
            A function to be asked again after each record.
        """
        missing = dict(stands)

        def is_in() -> bool:
            things = self.objects.get(resource, {})
            while missing:
                uid, revision = next(iter(missing.items()))
                if uid not in self._gone and (uid not in things or things[uid].revision < revision):
                    return False
                del missing[uid]
            return all(uid in stands or thing.revision > listed_at for uid, thing in things.items())

        return is_in

    def newest_revision(self, resource: Resource) -> int:
        """The revision of the newest change of a resource; 0 before the first."""
        return self._revisions.get(resource, 0)

    # -- what there is

    def named(self, resource: Resource, name: str) -> list[Thing]:
        """The objects of that name that there are now: one, or one for each namespace."""
        return list(self._named.get((resource, name), {}).values())

    def job(self, name: str) -> Job | None:
        """The newest Job of that name, if there is one now."""
        found = [job for job in self.named(JOBS, name) if isinstance(job, Job)]
        return max(found, key=lambda job: job.record, default=None)

    def pod(self, name: str) -> Pod | None:
        """The pod of that name, if there is one now."""
        return next((pod for pod in self.named(PODS, name) if isinstance(pod, Pod)), None)

    @property
    def jobs(self) -> list[Job]:
        """All Jobs that there are now."""
        return [thing for thing in self.objects.get(JOBS, {}).values() if isinstance(thing, Job)]

    @property
    def pods(self) -> list[Pod]:
        """All pods that there are now, oldest first."""
        return [thing for thing in self.objects.get(PODS, {}).values() if isinstance(thing, Pod)]

    def owned(self, owner: Thing | str | None) -> Owned:
        """The pods of a controller, or of one with that UID."""
        uid = owner.uid if isinstance(owner, Thing) else owner
        return self._owners.of(uid or "")

    def uids_of(self, job: str) -> Iterable[str]:
        """The UID of each Job that ever had that name, in order of arrival."""
        return self._uids.get(job, {})

    def pods_of(self, job: Job | None) -> list[Pod]:
        """The pods that are controlled by this Job now, oldest first."""
        pods = self.owned(job).pods
        return [pod for pod in self.pods if pod.uid in pods] if pods else []

    @property
    def events(self) -> list[Json]:
        """The Event objects that there are now."""
        return [thing.raw for thing in self.objects.get(EVENTS, {}).values()]

    def writes_to(self, resource: Resource, verb: str | None = None, subresource: str = "") -> list[Write]:
        """The writes to a resource (and verb, and subresource), in order of arrival: to be read only."""
        return self._writes.get((resource, subresource, verb), [])

    # -- what there ever was, in the order of revisions

    def in_order(self, *resources: Resource) -> Log[Thing]:
        """Each change of these resources in the order in which they happened in etcd, with its type."""
        return self._log(resources, lambda: Ordered(self.arrivals, _is_of(resources)))

    def versions(self, resource: Resource) -> Log[Thing]:
        """Each change of a resource in the order of revisions, with the type of the change."""
        return self.in_order(resource)

    def versions_of(self, job: str) -> Log[Job]:
        """Each change of a Job of that name in the order of revisions, with the type of the change."""

        def wanted(item: object) -> bool:
            return isinstance(item, Job) and item.name == job

        return self._log(("versions of", job), lambda: Ordered(self.arrivals, wanted))

    def versions_of_pods(self, job: str) -> Log[Pod]:
        """Each change of a pod that a Job of that name has ever controlled, from then on, in order."""

        def chooser() -> Callable[[object], bool]:
            owned: set[str] = set()
            uids = self._uids.get(job, {})

            def chosen(pod: object) -> bool:
                if not isinstance(pod, Pod):
                    return False
                if pod.controller and pod.controller["uid"] in uids:
                    owned.add(pod.uid)
                return pod.uid in owned

            return chosen

        return self._log(
            ("pods of", job),
            lambda: Chosen(self.versions(PODS), chooser, lambda: len(self._uids.get(job, ()))),
        )

    def _log(self, key: object, make: Callable[[], Log[Any]]) -> Log[Any]:
        if key not in self._logs:
            self._logs[key] = make()
        return self._logs[key]


def _is_of(resources: tuple[Resource, ...]) -> Callable[[object], bool]:
    def wanted(item: object) -> bool:
        return isinstance(item, Thing) and item.resource in resources

    return wanted


def _share(new: Json, old: Json) -> None:
    """Let what is the same in two versions of an object be one and the same in memory."""
    for new_part, old_part in ((new, old), (new["metadata"], old["metadata"])):
        for key, value in new_part.items():
            if isinstance(value, dict | list) and key != "metadata" and value == old_part.get(key):
                new_part[key] = old_part[key]


def observe(records: Iterable[Record]) -> Observed:
    """Fold a whole history."""
    seen = Observed(records)
    for record in records:
        seen.apply(record)
    return seen
