"""What a history shows, taken in record by record: all that an ``Observed`` is asked for."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import msgspec

from batchproof.ground.resources import BUILT_IN_MANAGER, LEASES, PODS, TRACKING_FINALIZER, Resource
from batchproof.judgement.fault_log import FaultLog
from batchproof.judgement.history import (
    EXITED,
    Action,
    Change,
    FaultChange,
    HistoryHeader,
    Json,
    ProcessChange,
    Record,
    Reply,
    Request,
    WrittenAround,
)
from batchproof.judgement.inputs import InputKind, Inputs
from batchproof.judgement.log import Log
from batchproof.judgement.objects import ApiObject, thing_of
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.owned import Owners

_UNPROCESSABLE = 422


@dataclass(slots=True)
class Write:
    """A write of the implementation: its request, and its reply once there is one."""

    request: Request
    number: int
    at_s: float
    reply: Reply | None = None
    reply_number: int = -1
    replied_at_s: float = float("inf")
    too_late: bool = False
    """The process that asked had ended by then."""
    stored: tuple[str, int] | None = None
    """The UID and the revision of what it stored, by its reply; None where that does not say."""

    @property
    def applied(self) -> bool:
        """The API server accepted the write."""
        return self.reply is not None and self.reply.effect

    @property
    def unheard(self) -> bool:
        """The write took effect, but its reply never reached the implementation."""
        reply = self.reply
        return reply is not None and reply.effect and (self.too_late or reply.status == 0)

    @property
    def invalid(self) -> bool:
        """The API server itself refused what the write would have stored.

        A JSON patch that it cannot apply, such as one whose ``test`` fails since the object has changed, is
        answered with 422 as well. Then nothing was validated, and the reply names no cause.
        """
        if self.reply is None or self.reply.status != _UNPROCESSABLE or self.reply.fault:
            return False
        return not isinstance(self.request.body, list) or bool(_causes(self.reply.body))


def _causes(status: Any) -> Any:
    """Which fields validation complains of, in a Status that the API server replied with."""
    return (status.get("details") or {}).get("causes") if isinstance(status, dict) else None


def _stored(reply: Reply) -> tuple[str, int] | None:
    metadata = reply.body.get("metadata") if reply.effect and isinstance(reply.body, dict) else None
    if not isinstance(metadata, dict) or not {"uid", "resourceVersion"} <= metadata.keys():
        return None
    return str(metadata["uid"]), int(metadata["resourceVersion"])


@dataclass(slots=True)
class Read:
    """A get, a list or a watch of the implementation, with its reply; with that a watch begins."""

    request: Request
    at_s: float
    reply: Reply | None = None
    replied_at_s: float = float("inf")


class HistoryIndex:
    """The records so far, sorted by what is asked about them; each says which inputs it changes.

    Attributes:
        inputs: what can be read of it.
        newest: the newest record; None before the first.
        times: the time of each record.
        time_scale, manager, finalizer: what the header says of the implementation.
        objects: the newest state of each object, by resource and UID.
        arrivals: every change (a ``ApiObject``) and write, in order of arrival.
        calls: every write when it is ``asked``, and again when it is ``answered``.
        calls_to: the same by resource.
        writes: every write of the implementation, in order of arrival at the proxy.
        sorted_writes: the same by resource, subresource and verb (None: any).
        reads: every get, list and watch of the implementation, in the same order.
        faults: what became of each fault.
        processes: what became of processes, each with the number of the record.
        actions: what the harness did.
        around: the writes that were made around the proxy.
        named: the objects that there are by resource and name.
        owners: the pods of each controller.
        gone: the UIDs of the objects that were removed.
        revisions: that of the newest change of each resource.
    """

    def __init__(self) -> None:
        self.inputs = Inputs()
        self.newest: Record | None = None
        self.times = array("d")
        self.time_scale = 1.0
        self.manager = BUILT_IN_MANAGER
        self.finalizer = TRACKING_FINALIZER
        self.objects: dict[Resource, dict[str, ApiObject]] = {}
        self.arrivals: Log[Any] = Log()
        self.calls: Log[Write] = Log()
        self.calls_to: defaultdict[Resource, Log[Write]] = defaultdict(Log)
        self.writes: list[Write] = []
        self.sorted_writes: dict[tuple[Resource, str, str | None], list[Write]] = {}
        self.reads: list[Read] = []
        self.faults = FaultLog()
        self.processes: list[tuple[int, ProcessChange]] = []
        self.actions: list[tuple[int, Action]] = []
        self.around: list[WrittenAround] = []
        self.named: dict[tuple[Resource, str], dict[str, ApiObject]] = {}
        self.owners = Owners()
        self.gone: set[str] = set()
        self.revisions: dict[Resource, int] = {}
        self._ended: set[int] = set()
        self._open: dict[int, Write] = {}
        self._open_reads: dict[int, Read] = {}

    def apply(self, record: Record) -> None:
        """Take in one more record."""
        self.newest = record
        self.inputs.change(record.number, InputKind.RECORDS)
        self.times.append(record.at_s)
        match record.entry:
            case Change() as change:
                self._change(record, change)
            case Request(verb="get" | "list" | "watch") as request:
                self._read(record, request)
            case Request() as request:
                self._asked(record, request)
            case Reply() as reply:
                self._answered(record, reply)
            case FaultChange() as fault:
                self.inputs.change(record.number, InputKind.FAULTS)
                self.faults.take(fault, record.at_s)
            case ProcessChange() as process:
                self._process(record, process)
            case Action() | WrittenAround() as done:
                self._done(record, done)
            case HistoryHeader() as header:
                self.inputs.change(record.number, InputKind.HEADER)
                self.time_scale = header.time_scale
                self.manager, self.finalizer = header.manager, header.finalizer
            case _:
                pass

    def _done(self, record: Record, done: Action | WrittenAround) -> None:
        """Note what the harness did, or what a client did without the proxy."""
        self.inputs.change(record.number, InputKind.ACTIONS)
        if isinstance(done, Action):
            self.actions.append((record.number, done))
        else:
            self.around.append(done)

    def _process(self, record: Record, process: ProcessChange) -> None:
        self.inputs.change(record.number, InputKind.PROCESSES)
        self.processes.append((record.number, process))
        if process.what.startswith(("killed", EXITED)):
            self._ended.add(process.instance)

    def _read(self, record: Record, request: Request) -> None:
        self.inputs.change(record.number, InputKind.READS, request.resource)
        read = self._open_reads[request.call] = Read(request, record.at_s)
        self.reads.append(read)

    def _asked(self, record: Record, request: Request) -> None:
        self.inputs.change(record.number, InputKind.WRITES, request.resource)
        if (request.resource, request.verb, request.subresource) == (PODS, "create", ""):
            request = msgspec.structs.replace(request, body=None)  # its Change shows what was created
        write = self._open[request.call] = Write(request, record.number, record.at_s)
        self.writes.append(write)
        for verb in (None, request.verb):
            self.sorted_writes.setdefault((request.resource, request.subresource, verb), []).append(write)
        self._called("asked", write)

    def _answered(self, record: Record, reply: Reply) -> None:
        if read := self._open_reads.pop(reply.call, None):
            self.inputs.change(record.number, InputKind.READS, read.request.resource)
            read.reply, read.replied_at_s = msgspec.structs.replace(reply, body=None), record.at_s
            return
        write = self._open.pop(reply.call, None)
        if write is None:
            return
        self.inputs.change(record.number, InputKind.WRITES, write.request.resource)
        # A Change shows what an accepted write has made, but there is none of Leases; why one was refused,
        # only its reply says.
        needed = reply.rejected or write.request.resource == LEASES
        write.reply = reply if needed else msgspec.structs.replace(reply, body=None)
        write.stored = _stored(reply)
        write.reply_number, write.replied_at_s = record.number, record.at_s
        write.too_late = write.request.instance in self._ended
        self._called("answered", write)

    def _called(self, what: str, write: Write) -> None:
        for log in (self.calls, self.calls_to[write.request.resource], self.arrivals):
            log.items.append((what, write))

    def _change(self, record: Record, change: Change) -> None:
        resource, uid = change.resource, change.object["metadata"]["uid"]
        self.inputs.change(record.number, InputKind.CHANGES, resource)
        things = self.objects.setdefault(resource, {})
        before = things.get(uid)
        if before is not None:
            _share(change.object, before.raw)
        thing = thing_of(resource, change.object, record.number)
        thing.at_s, thing.resource = record.at_s, resource
        thing.born = before.born if before is not None else thing.raw
        self.revisions[resource] = thing.revision
        self.arrivals.items.append((change.type, thing))
        named = self.named.setdefault((resource, thing.name), {})
        if change.type == "DELETED":
            self.gone.add(uid)
            things.pop(uid, None)
            named.pop(uid, None)
        else:
            things[uid] = named[uid] = thing
        if isinstance(thing, Pod):
            thing.tracking = self.finalizer
            self.owners.take(thing, gone=change.type == "DELETED")


def _share(new: Json, old: Json) -> None:
    """Let what is the same in two versions of an object be one and the same in memory."""
    for new_part, old_part in ((new, old), (new["metadata"], old["metadata"])):
        for key, value in new_part.items():
            if isinstance(value, dict | list) and key != "metadata" and value == old_part.get(key):
                new_part[key] = old_part[key]
