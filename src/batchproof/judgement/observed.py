"""What a history shows, folded up to some record: the objects as they are, and the writes so far.

Facts are functions of an ``Observed``. It is the only place in the judgement that reads API JSON by key;
facts speak of ``pod.finished`` and ``job.condition("Complete")``.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from batchproof.errors import UserError
from batchproof.judgement.history import Action, Change, FaultChange, ProcessChange, Reply, Request
from batchproof.judgement.timeline import status_text
from batchproof.labels import GANG_LABEL, TRACKING_FINALIZER
from batchproof.resources import EVENTS, JOBS, NODES, PODS, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from batchproof.judgement.history import Json, Record

_SUFFIXES = {
    "n": "e-9",
    "u": "e-6",
    "m": "e-3",
    "k": "e3",
    "M": "e6",
    "G": "e9",
    "T": "e12",
    "P": "e15",
    "E": "e18",
}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


class Thing:
    """An object of the API, read only."""

    def __init__(self, raw: Json, record: int = -1) -> None:
        """Wrap the JSON of an object; ``record`` is the number of the record that showed it."""
        self.raw = raw
        self.record = record

    @property
    def metadata(self) -> Json:
        """The object's metadata."""
        found: Json = self.raw["metadata"]
        return found

    @property
    def name(self) -> str:
        """The object's name."""
        return str(self.metadata["name"])

    @property
    def uid(self) -> str:
        """The object's UID."""
        return str(self.metadata["uid"])

    @property
    def revision(self) -> int:
        """The etcd revision at which the object became as it is here."""
        return int(self.metadata["resourceVersion"])

    @property
    def deleting(self) -> bool:
        """The object has a deletionTimestamp."""
        return "deletionTimestamp" in self.metadata

    @property
    def finalizers(self) -> list[str]:
        """The object's finalizers."""
        return list(self.metadata.get("finalizers") or [])

    @property
    def status(self) -> Json:
        """The object's status."""
        found: Json = self.raw.get("status") or {}
        return found

    @property
    def spec(self) -> Json:
        """The object's spec."""
        found: Json = self.raw.get("spec") or {}
        return found


class Pod(Thing):
    """A pod as the API server shows it."""

    @property
    def phase(self) -> str:
        """The pod's phase."""
        return str(self.status.get("phase", ""))

    @property
    def finished(self) -> bool:
        """The pod is Succeeded or Failed."""
        return self.phase in {"Succeeded", "Failed"}

    @property
    def active(self) -> bool:
        """The pod is neither finished nor being deleted."""
        return not self.finished and not self.deleting

    @property
    def terminating(self) -> bool:
        """The pod is being deleted but not finished."""
        return self.deleting and not self.finished

    @property
    def ready(self) -> bool:
        """The pod's Ready condition is true."""
        return any(
            c["type"] == "Ready" and c["status"] == "True" for c in self.status.get("conditions") or []
        )

    @property
    def tracked(self) -> bool:
        """The pod carries the Job tracking finalizer."""
        return TRACKING_FINALIZER in self.finalizers

    @property
    def controller(self) -> Json | None:
        """The owner reference with controller=true."""
        owners: list[Json] = self.metadata.get("ownerReferences") or []
        return next((owner for owner in owners if owner.get("controller")), None)

    def owned_by(self, job: Job) -> bool:
        """The pod is controlled by this very Job (by UID)."""
        return self.controller is not None and self.controller["uid"] == job.uid

    @property
    def labels(self) -> dict[str, str]:
        """The pod's labels."""
        return self.metadata.get("labels") or {}

    @property
    def gang(self) -> str:
        """The name of the pod's gang in the scenario; empty outside of gangs."""
        return self.labels.get(GANG_LABEL, "")

    @property
    def node(self) -> str:
        """The node that the pod is bound to; empty before."""
        return str(self.spec.get("nodeName") or "")

    @property
    def requests(self) -> dict[str, Fraction]:
        """What the pod's containers ask for in all, and one of the places for pods."""
        asked: dict[str, Fraction] = {"pods": Fraction(1)}
        for container in self.spec.get("containers") or []:
            for resource, amount in ((container.get("resources") or {}).get("requests") or {}).items():
                asked[resource] = asked.get(resource, Fraction(0)) + quantity(amount)
        return asked


class Node(Thing):
    """A node as the API server shows it."""

    @property
    def allocatable(self) -> dict[str, Fraction]:
        """What the node has for pods."""
        return {name: quantity(amount) for name, amount in (self.status.get("allocatable") or {}).items()}

    def suits(self, pod: Pod) -> bool:
        """The node is ready, not cordoned, has the labels that the pod selects and no taint it does not bear.

        The harness's pods select by nodeSelector, and tolerate by key and effect. Admission lets every pod
        bear ``not-ready`` for some minutes once it runs (NoExecute); that allows no binding.
        """
        ready = any(
            c["type"] == "Ready" and c["status"] == "True" for c in self.status.get("conditions") or []
        )
        borne = {(each.get("key"), each.get("effect", "")) for each in pod.spec.get("tolerations") or []}
        taints = [(taint["key"], taint["effect"]) for taint in self.spec.get("taints") or []]
        tolerated = all((key, effect) in borne or (key, "") in borne for key, effect in taints)
        selected = (pod.spec.get("nodeSelector") or {}).items()
        labels = (self.metadata.get("labels") or {}).items()
        return ready and not self.spec.get("unschedulable") and tolerated and selected <= labels


class Job(Thing):
    """A batch/v1 Job as the API server shows it."""

    def count(self, counter: str) -> int:
        """``active``, ``ready``, ``succeeded``, ``failed`` or ``terminating``; 0 where it is unset."""
        return int(self.status.get(counter) or 0)

    def condition(self, kind: str) -> Json | None:
        """The condition of that type whose status is True."""
        return next((c for c in self.conditions if c["type"] == kind and c["status"] == "True"), None)

    @property
    def conditions(self) -> list[Json]:
        """All conditions, true or not."""
        return list(self.status.get("conditions") or [])

    @property
    def finished(self) -> bool:
        """The Job is Complete or Failed."""
        return bool(self.condition("Complete") or self.condition("Failed"))

    @property
    def uncounted(self) -> dict[str, list[str]]:
        """UIDs that wait to be counted, by ``succeeded`` and ``failed``."""
        found = self.status.get("uncountedTerminatedPods") or {}
        return {key: list(found.get(key) or []) for key in ("succeeded", "failed")}

    @property
    def parallelism(self) -> int:
        """How many pods may be active at once."""
        return int(self.spec.get("parallelism", 1))

    @property
    def suspended(self) -> bool:
        """The user wants the Job suspended, whatever its status says."""
        return bool(self.spec.get("suspend"))

    @property
    def start_time(self) -> datetime | None:
        """When the Job was started or resumed, by its status."""
        told = self.status.get("startTime")
        return timestamp(told) if told else None

    @property
    def active_deadline_s(self) -> int | None:
        """How long the Job may be active, in seconds."""
        return self.spec.get("activeDeadlineSeconds")

    @property
    def ttl_s(self) -> int | None:
        """How long the Job is kept once it is finished, in seconds."""
        return self.spec.get("ttlSecondsAfterFinished")

    @property
    def indexed(self) -> bool:
        """The Job counts by completion index."""
        return bool(self.spec.get("completionMode") == "Indexed")

    @property
    def completions(self) -> int | None:
        """How many pods must succeed; None in work-queue mode."""
        return self.spec.get("completions")

    @cached_property
    def summary(self) -> str:
        """The status in one line."""
        return status_text(self.status) or "empty status"


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
            things[uid] = _thing(change, number)

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
            yield change, _thing(change, number)

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


def _thing(change: Change, number: int) -> Thing:
    kinds: dict[Resource, type[Thing]] = {PODS: Pod, JOBS: Job, NODES: Node}
    return kinds.get(change.resource, Thing)(change.object, number)


def observe(records: Iterable[Record]) -> Observed:
    """Fold a whole history."""
    seen = Observed()
    for record in records:
        seen.apply(record)
    return seen


def quantity(text: str) -> Fraction:
    """A quantity of the API (``500m``, ``2Gi``) as a number."""
    if text[-2:] in _BINARY_SUFFIXES:
        return Fraction(text[:-2]) * (1 << _BINARY_SUFFIXES[text[-2:]])
    if text[-1:] in _SUFFIXES:
        return Fraction(text[:-1] + _SUFFIXES[text[-1:]])
    return Fraction(text)


def timestamp(text: str) -> datetime:
    """A time of the API (RFC 3339) as a datetime in UTC."""
    return datetime.fromisoformat(text)
