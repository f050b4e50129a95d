"""What a history shows, folded up to some record: the objects as they are, and the writes so far.

Facts are functions of an ``Observed``; they read typed objects, such as ``pod.finished`` (see ``objects``).
What a fact needs of all objects is kept as an index, what it needs of all that ever happened is a fold over a
log (see ``log``): nothing is looked at twice, so a record of a long history costs no more than one of a short
history.

Whatever is asked of an ``Observed`` notes which inputs that reads (see ``inputs``): it has no attribute that
could be read unnoticed.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from batchproof.ground.errors import UserError
from batchproof.ground.resources import EVENTS, PODS, Resource
from batchproof.judgement.fault_log import StaleView
from batchproof.judgement.history import Action, Json, ProcessChange, Record, WrittenAround
from batchproof.judgement.history_index import HistoryIndex, Read, Write
from batchproof.judgement.inputs import Input, InputKind
from batchproof.judgement.log import Log, Ordered, SelectedLog
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.owned import Owned

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

T = TypeVar("T", bound=ApiObject)

__all__ = ["Observed", "Read", "Write", "observe"]


class Observed:
    """The state of the world after some record, and how it came about."""

    def __init__(self, records: Iterable[Record] | None = None) -> None:
        """Begin before the first record.

        Args:
            records: where all records can be read again (see ``records``); None: they are kept here.
        """
        self._source = records
        self._kept: list[Record] = []
        self._taken = HistoryIndex()
        self._logs: dict[object, Log[Any]] = {}

    def apply(self, record: Record) -> None:
        """Take in one more record."""
        if self._source is None:
            self._kept.append(record)
        self._taken.apply(record)

    def noted(self) -> AbstractContextManager[set[Input]]:
        """The inputs that are read within; each knows the newest record that changed it."""
        return self._taken.inputs.noted()

    def _read(self, kind: InputKind, *resources: Resource) -> HistoryIndex:
        """What was taken in, of which this is read; of all resources where none is named."""
        self._taken.inputs.read(kind, *resources)
        return self._taken

    # -- records and times

    @property
    def records(self) -> Iterable[Record]:
        """All records so far, read again from where they are kept."""
        return self._kept if self._source is None else islice(self._source, self.last + 1)

    @property
    def newest(self) -> Record | None:
        """The newest record; None before the first."""
        return self._read(InputKind.RECORDS).newest

    @property
    def last(self) -> int:
        """The number of the newest record; -1 before the first."""
        return self.newest.number if self.newest else -1

    @property
    def now_s(self) -> float:
        """The time of the newest record."""
        return self.newest.at_s if self.newest else 0.0

    def at_s(self, number: int) -> float:
        """The time of a record, which no later one changes."""
        return self._taken.times[number]

    def clock(self, number: int) -> datetime:
        """The time of day at a record, by the newest action of the harness before it (all of them have it).

        Raises:
            UserError: nothing that the harness did came before that record.
        """
        action = self.action_before(number + 1)
        if action is None:
            raise UserError(f"no action before record {number} has the time")
        since, action_ = action
        return timestamp(action_.about["clock"]) + timedelta(seconds=self.at_s(number) - self.at_s(since))

    # -- the implementation

    @property
    def time_scale(self) -> float:
        """The factor of all deadlines and tolerances."""
        return self._read(InputKind.HEADER).time_scale

    @property
    def manager(self) -> str:
        """What ``spec.managedBy`` says of the implementation's Jobs."""
        return self._read(InputKind.HEADER).manager

    @property
    def finalizer(self) -> str:
        """The finalizer by which the implementation tracks pods."""
        return self._read(InputKind.HEADER).finalizer

    # -- what the harness did

    @property
    def actions(self) -> Sequence[tuple[int, Action]]:
        """What the harness did, each with the number of the record."""
        return self._read(InputKind.ACTIONS).actions

    @property
    def around(self) -> Sequence[WrittenAround]:
        """The writes that were made around the proxy."""
        return self._read(InputKind.ACTIONS).around

    def action_before(self, number: int) -> tuple[int, Action] | None:
        """The newest action of the harness before a record, with its own number."""
        place = bisect_right(self.actions, number - 1, key=lambda action: action[0])
        return self.actions[place - 1] if place else None

    @property
    def processes(self) -> Sequence[tuple[int, ProcessChange]]:
        """What became of processes, each with the number of the record."""
        return self._read(InputKind.PROCESSES).processes

    @property
    def faults(self) -> Mapping[int, int]:
        """How often each fault has fired, by its number; armed ones are there with 0."""
        return self._read(InputKind.FAULTS).faults.fired

    @property
    def unfired(self) -> list[str]:
        """The faults that were never triggered; of the faults of one profile it is enough that one was."""
        return self._read(InputKind.FAULTS).faults.unfired

    @property
    def withheld(self) -> Mapping[int, StaleView]:
        """The views that were frozen or late, by the number of the fault."""
        return self._read(InputKind.FAULTS).faults.withheld

    def known_since_s(self, resource: Resource, at_s: float, reaction_s: float) -> float:
        """Since when changes of a resource may be unknown to an implementation that acts at a time.

        Args:
            resource: what changes.
            at_s: when the implementation acts.
            reaction_s: how long it may take to act on what it sees.
        """
        return self._read(InputKind.FAULTS).faults.known_since_s(resource, at_s, reaction_s)

    def stale(self, resource: Resource, at_s: float, reaction_s: float) -> bool:
        """Whether the view of a resource is withheld from an implementation that acts at a time."""
        return self._read(InputKind.FAULTS).faults.stale(resource, at_s, reaction_s)

    # -- whether all is in

    def caught_up(
        self,
        resource: Resource,
        listed_at: int,
        stands: Mapping[str, int],
        written: Mapping[str, int] | None = None,
    ) -> Callable[[], bool]:
        """Whether all changes are in that led to a list, made at a revision, of UIDs with their revisions.

        Args:
            resource: of which they are.
            listed_at: the revision of the list.
            stands: what the list has.
            written: what was written before, and may be gone again, so that the list does not have it.

        Returns:
            A function to be called after each record.
        """
        missing = {**(written or {}), **stands}

        def is_in() -> bool:
            things, gone = self.objects(resource), self._taken.gone
            while missing:
                uid, revision = next(iter(missing.items()))
                if uid not in gone and (uid not in things or things[uid].revision < revision):
                    return False
                del missing[uid]
            return all(uid in stands or thing.revision > listed_at for uid, thing in things.items())

        return is_in

    def newest_revision(self, resource: Resource) -> int:
        """The revision of the newest change of a resource; 0 before the first."""
        return self._read(InputKind.CHANGES, resource).revisions.get(resource, 0)

    # -- what there is

    def objects(self, resource: Resource) -> Mapping[str, ApiObject]:
        """The objects of a resource that there are now, by UID, oldest first."""
        return self._read(InputKind.CHANGES, resource).objects.get(resource, {})

    def all(self, kind: type[T]) -> list[T]:
        """The objects of a class that there are now, oldest first."""
        return [it for it in self.objects(kind.served_as).values() if isinstance(it, kind)]

    def first(self, kind: type[T], name: str | None = None) -> T | None:
        """The oldest object of a class that there is now, of that name if one is given."""
        things = self.objects(kind.served_as).values() if name is None else self.named(kind.served_as, name)
        return next((it for it in things if isinstance(it, kind)), None)

    def named(self, resource: Resource, name: str) -> list[ApiObject]:
        """The objects of that name that there are now: one, or one for each namespace."""
        return list(self._read(InputKind.CHANGES, resource).named.get((resource, name), {}).values())

    def find(self, kind: type[T], name: str) -> T | None:
        """The newest object of a kind and name, if there is one now."""
        found = [it for it in self.named(kind.served_as, name) if isinstance(it, kind)]
        return max(found, key=lambda it: it.record, default=None)

    def pod(self, name: str) -> Pod | None:
        """The pod of that name, if there is one now."""
        return next((pod for pod in self.named(PODS, name) if isinstance(pod, Pod)), None)

    @property
    def pods(self) -> list[Pod]:
        """All pods that there are now, oldest first."""
        return self.all(Pod)

    def owned(self, owner: ApiObject | str | None) -> Owned:
        """The pods of a controller, or of one with that UID: to be read only."""
        uid = owner.uid if isinstance(owner, ApiObject) else owner
        return self._read(InputKind.CHANGES, PODS).owners.of(uid or "")

    def uids(self, kind: type[ApiObject], name: str) -> Collection[str]:
        """The UID of each object of a kind that ever had that name, in order of arrival."""
        return self.arrived(kind.served_as).fold(_Uids).of.get(name, {})

    def pods_of(self, owner: ApiObject | None) -> list[Pod]:
        """The pods that are controlled by this object now, oldest first."""
        pods = self.owned(owner).pods
        return [pod for pod in self.pods if pod.uid in pods] if pods else []

    @property
    def events(self) -> list[Json]:
        """The Event objects that there are now."""
        return [thing.raw for thing in self.objects(EVENTS).values()]

    # -- what the implementation asked for

    @property
    def calls(self) -> Log[Write]:
        """Every write when it is ``asked``, and again when it is ``answered``."""
        return self._read(InputKind.WRITES).calls

    def calls_to(self, resource: Resource) -> Log[Write]:
        """Every write to a resource when it is ``asked``, and again when it is ``answered``."""
        return self._read(InputKind.WRITES, resource).calls_to[resource]

    @property
    def writes(self) -> Sequence[Write]:
        """Every write of the implementation, in order of arrival at the proxy."""
        return self._read(InputKind.WRITES).writes

    def writes_to(
        self, resource: Resource, verb: str | None = None, subresource: str = ""
    ) -> Sequence[Write]:
        """The writes to a resource (and verb, and subresource), in order of arrival."""
        return self._read(InputKind.WRITES, resource).sorted_writes.get((resource, subresource, verb), [])

    @property
    def reads(self) -> Sequence[Read]:
        """Every get, list and watch of the implementation, in order of arrival at the proxy."""
        return self._read(InputKind.READS).reads

    # -- what there ever was

    @property
    def arrivals(self) -> Log[Any]:
        """Every change (a ``ApiObject``) and write, in order of arrival."""
        self._read(InputKind.WRITES)
        return self._read(InputKind.CHANGES).arrivals

    def arrived(self, *resources: Resource) -> Log[ApiObject]:
        """Each change of these resources in order of arrival, with its type."""
        arrivals = self._read(InputKind.CHANGES, *resources).arrivals
        return self._log(
            ("arrived", resources), lambda: SelectedLog(arrivals, lambda: _is_of(resources), lambda: 0)
        )

    def in_order(self, *resources: Resource) -> Log[ApiObject]:
        """Each change of these resources in the order in which they happened in etcd, with its type."""
        arrivals = self._read(InputKind.CHANGES, *resources).arrivals
        return self._log(resources, lambda: Ordered(arrivals, _is_of(resources)))

    def versions(self, resource: Resource) -> Log[ApiObject]:
        """Each change of a resource in the order of revisions, with the type of the change."""
        return self.in_order(resource)

    def versions_of(self, kind: type[T], name: str) -> Log[T]:
        """Each change of an object of that kind and name in the order of revisions, with its type."""

        def wanted(item: object) -> bool:
            return isinstance(item, kind) and item.name == name

        arrivals = self._read(InputKind.CHANGES, kind.served_as).arrivals
        return self._log(("versions of", kind, name), lambda: Ordered(arrivals, wanted))

    def versions_of_pods(self, kind: type[ApiObject], name: str) -> Log[Pod]:
        """Each change of a pod that such an object ever controlled, from then on, in order."""
        self._read(InputKind.CHANGES, kind.served_as, PODS)

        def chooser() -> Callable[[object], bool]:
            owned: set[str] = set()
            uids = self.uids(kind, name)

            def chosen(pod: object) -> bool:
                if not isinstance(pod, Pod):
                    return False
                if pod.controller_uid in uids:
                    owned.add(pod.uid)
                return pod.uid in owned

            return chosen

        return self._log(
            ("pods of", kind, name),
            lambda: SelectedLog(self.versions(PODS), chooser, lambda: len(self.uids(kind, name))),
        )

    def _log(self, key: object, make: Callable[[], Log[Any]]) -> Log[Any]:
        if key not in self._logs:
            self._logs[key] = make()
        return self._logs[key]


class _Uids:
    """The UIDs of the objects of each name, in order of arrival."""

    def __init__(self) -> None:
        self.of: dict[str, dict[str, None]] = {}

    def take(self, _: str, thing: ApiObject) -> None:
        self.of.setdefault(thing.name, {})[thing.uid] = None


def _is_of(resources: tuple[Resource, ...]) -> Callable[[object], bool]:
    def wanted(item: object) -> bool:
        return isinstance(item, ApiObject) and item.resource in resources

    return wanted


def observe(records: Iterable[Record]) -> Observed:
    """Fold a whole history."""
    seen = Observed(records)
    for record in records:
        seen.apply(record)
    return seen
