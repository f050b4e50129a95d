"""The history of a scenario: an ordered, append-only record of all that happened, and nothing else.

A verdict is a pure function of it. What is written here by a live run is what ``batchproof replay`` reads,
so an entry holds JSON values only. ``at_s`` counts seconds since the scenario began.

Entries come from four witnesses:

- the proxy: ``Request`` and ``Reply`` (what the implementation asked, and what it was told);
- the recorder, an independent watch on the API server: ``Change``;
- the harness: ``Action`` (what a step did), ``FaultChange``, ``ProcessChange``;
- the claims: ``ClaimOpened`` and ``ClaimClosed`` (between which records a claim was judged).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import orjson

from batchproof.errors import UserError
from batchproof.resources import Resource, parse_resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the implementation, at the moment in which the proxy has read it whole.

    Attributes:
        call: number of the request within the history; its ``Reply`` carries the same.
        verb: get, list, watch, create, update, patch, delete or deletecollection.
        resource: what kind of objects it is about.
        body: the JSON body, or None where there is none or where it is not JSON.
        instance: which instance of the implementation asked, counted from 1; 0: a supporting process.
    """

    kind: ClassVar[str] = "request"
    call: int
    verb: str
    resource: Resource
    subresource: str
    namespace: str
    name: str
    body: Any
    agent: str
    instance: int

    @property
    def subject(self) -> str:
        """What the request is about, as a timeline names it: ``job/a``."""
        return f"{self.resource.singular}/{self.name}" if self.name else self.resource.plural


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a request.

    Attributes:
        call: the number of its ``Request``.
        status: the HTTP status that the implementation was sent; 0 if it was sent none (connection cut).
        effect: whether the request reached the API server and was accepted there.
        fault: the text of the fault that changed what would have happened, or empty.
        body: the JSON reply to a write or to the read of one object, else None.
    """

    kind: ClassVar[str] = "reply"
    call: int
    status: int
    effect: bool
    fault: str
    body: Any


@dataclass(frozen=True, slots=True)
class Change:
    """A watch event of the API server, seen by the recorder: ADDED, MODIFIED or DELETED."""

    kind: ClassVar[str] = "change"
    type: str
    resource: Resource
    object: Json

    @property
    def revision(self) -> int:
        """The etcd revision of the change: the order in which changes truly happened."""
        return int(self.object["metadata"]["resourceVersion"])

    @property
    def subject(self) -> str:
        """What changed, as a timeline names it: ``pod/a-x7fk2``."""
        return f"{self.resource.singular}/{self.object['metadata']['name']}"


@dataclass(frozen=True, slots=True)
class Action:
    """What a step made happen, through the API server or to the implementation's process."""

    kind: ClassVar[str] = "action"
    text: str
    about: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FaultChange:
    """A fault was ``armed``, has ``fired`` or was ``lifted``."""

    kind: ClassVar[str] = "fault"
    fault: int
    text: str
    what: str


@dataclass(frozen=True, slots=True)
class ProcessChange:
    """The implementation's process number ``instance`` was ``started``, is ``ready``, was ``killed`` ..."""

    kind: ClassVar[str] = "process"
    instance: int
    what: str


@dataclass(frozen=True, slots=True)
class ClaimOpened:
    """From here on a claim is judged; ``claim`` is the claim as data (see ``claims.Claim``)."""

    kind: ClassVar[str] = "claim-opened"
    claim_number: int
    claim: Json


@dataclass(frozen=True, slots=True)
class ClaimClosed:
    """The window of claim ``claim_number`` ends here: it was decided, or its time was over."""

    kind: ClassVar[str] = "claim-closed"
    claim_number: int


Entry: TypeAlias = Request | Reply | Change | Action | FaultChange | ProcessChange | ClaimOpened | ClaimClosed
_ENTRIES: dict[str, type[Entry]] = {
    cls.kind: cls
    for cls in (Request, Reply, Change, Action, FaultChange, ProcessChange, ClaimOpened, ClaimClosed)
}


@dataclass(frozen=True, slots=True)
class Record:
    """An entry with its place in the history and the time of it."""

    number: int
    at_s: float
    entry: Entry


class History:
    """The records of one scenario, in the order in which the harness learnt of them.

    Not thread-safe: only the cell's event loop appends.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        """Begin an empty history; ``clock`` gives the seconds since the scenario began."""
        self._clock = clock
        self.records: list[Record] = []
        self._listeners: list[Callable[[Record], None]] = []

    def append(self, entry: Entry) -> Record:
        """Add an entry, stamped with its number and time, and tell the listeners."""
        record = Record(len(self.records), round(self._clock(), 4), entry)
        self.records.append(record)
        for listener in tuple(self._listeners):
            listener(record)
        return record

    def listen(self, listener: Callable[[Record], None]) -> Callable[[], None]:
        """Call ``listener`` with each further record; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


def encode(records: Iterable[Record]) -> bytes:
    """One JSON object a line, in order."""
    return b"".join(_line(record) for record in records)


def _line(record: Record) -> bytes:
    entry = record.entry
    body = {"number": record.number, "at_s": record.at_s, "kind": entry.kind}
    body |= {f.name: getattr(entry, f.name) for f in fields(entry)}
    return orjson.dumps(
        body, default=str, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_PASSTHROUGH_DATACLASS
    )


def read(path: Path) -> Iterator[Record]:
    """The records of a saved history.

    Raises:
        UserError: the file is no history, or a line of it is damaged.
    """
    with path.open("rb") as lines:
        for number, line in enumerate(lines):
            try:
                body = orjson.loads(line)
                cls = _ENTRIES[body["kind"]]
                told = {f.name: body[f.name] for f in fields(cls)}
                if "resource" in told:
                    told["resource"] = parse_resource(told["resource"])
                entry = cls(**told)
                if body["number"] != number:
                    raise UserError(f"{path}:{number + 1}: record {body['number']}, expected {number}")
                yield Record(number, body["at_s"], entry)
            except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
                raise UserError(f"{path}:{number + 1}: not a record of a history: {error}") from error
