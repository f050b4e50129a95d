"""The history of a scenario: an ordered, append-only record of all that happened, and nothing else.

A verdict is a pure function of it. What a live run writes here is what ``batchproof replay`` reads, so an
entry holds JSON values only. ``at_s`` counts seconds since the scenario began. A history is one JSON object a
line, written as it happens: a recorder that is killed leaves behind what happened before.

The first record is a ``HistoryHeader``, which says how to read the rest. The others come from five witnesses:

- the proxy: ``Request`` and ``Reply`` (what the implementation asked, and how it was answered);
- the recorder, an independent watch on the API server: ``Change``;
- the audit log of an API server of ours: ``WrittenAround``;
- the harness: ``StepBegan``, ``Action`` (what a step did), ``FaultChange``, ``ProcessChange``, ``Ended``;
- the claims: ``ClaimOpened`` and ``ClaimClosed`` (between which records a claim was judged).
"""

from __future__ import annotations

import hashlib
import io
from array import array
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import msgspec

from batchproof.ground.errors import UserError
from batchproof.ground.resources import BUILT_IN_MANAGER, TRACKING_FINALIZER, Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

Json: TypeAlias = dict[str, Any]

SCHEMA = 2
"""The form of the histories that are written and read here. Form 1 had no header."""


class Origin(msgspec.Struct, frozen=True):
    """Of which run, which scenario and which implementation a history is the record.

    Attributes:
        run: the id of the run.
        scenario: the id of the scenario.
        implementation: its name and version.
        descriptor: the SHA-256 of its descriptor, in hexadecimal digits.
        suite: the digest of the suite that judged.
    """

    run: str
    scenario: str
    implementation: str
    descriptor: str
    suite: str


class HistoryHeader(msgspec.Struct, frozen=True, tag_field="kind", tag="header"):
    """How to read a history, and what its judgement has to know of the run.

    Attributes:
        schema: the form of the records (see ``SCHEMA``).
        version: the version of batchproof that recorded it.
        time_scale: the factor of all deadlines and tolerances for this implementation.
        manager: what ``spec.managedBy`` says of the Jobs that are the implementation's.
        finalizer: by which the implementation tracks the pods of its Jobs.
        audited: whether a write around the proxy would be in the history.
        origin: of what it is the history; None where no run asked for it.
    """

    schema: int = SCHEMA
    version: str = ""
    time_scale: float = 1.0
    manager: str = BUILT_IN_MANAGER
    finalizer: str = TRACKING_FINALIZER
    audited: bool = False
    origin: Origin | None = None


class Request(msgspec.Struct, frozen=True, tag_field="kind", tag="request"):
    """A request of the implementation, at the moment in which the proxy has read it whole.

    Attributes:
        call: number of the request within the history; its ``Reply`` carries the same.
        verb: get, list, watch, create, update, patch, delete or deletecollection.
        resource: what kind of objects it is about.
        body: the JSON body, or None where there is none or where it is not JSON.
        instance: which instance of the implementation asked, counted from 1; 0: a supporting process.
    """

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


class Reply(msgspec.Struct, frozen=True, tag_field="kind", tag="reply"):
    """What became of a request.

    Attributes:
        call: the number of its ``Request``.
        status: the HTTP status that the implementation was sent; 0 if it was sent none (connection cut).
        effect: whether the request reached the API server and was accepted there.
        fault: the text of the fault that changed what would have happened, or empty.
        body: the JSON reply to a write or to the read of one object, else None.
    """

    call: int
    status: int
    effect: bool
    fault: str
    body: Any

    @property
    def rejected(self) -> bool:
        """The implementation was sent an error."""
        return self.status >= 400  # noqa: PLR2004 - HTTP: what is below is no error


class Change(msgspec.Struct, frozen=True, tag_field="kind", tag="change"):
    """A watch event of the API server, seen by the recorder: ADDED, MODIFIED or DELETED."""

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


LACKS: Final = "lacks"
"""Where an action says what a step has looked for in vain."""
VAIN: Final = "looks in vain for "
"""How the text of such an action begins."""


class Action(msgspec.Struct, frozen=True, tag_field="kind", tag="action"):
    """What a step made happen, through the API server or to the implementation's process."""

    text: str
    about: Json = {}


class FaultChange(msgspec.Struct, frozen=True, tag_field="kind", tag="fault"):
    """A fault was ``armed``, has ``fired``, was ``lifted``, or the view that it froze has ``thawed``.

    Attributes:
        fault: the number of the fault in this history.
        text: the fault as a sentence.
        about: where it is ``armed``, the fault as JSON: its ``kind`` is ``requests`` (see ``faults.Fault``:
            which trigger it, what is done to them, how often), ``view`` (of a ``resource``: ``frozen``, or
            late by ``delay_s``) or ``watches`` (those of a ``resource`` are ended).
    """

    fault: int
    text: str
    what: str
    about: Json = {}


ALL_FAULTS_END = "all faults end"
"""The ``Action`` before a witness is asked at the end: no fault is in force any more."""
TERMINATES = "pods that are being deleted end"
"""The ``Action`` of a kubelet that ends all pods that are being deleted."""
MEDDLES = "another client changes "
"""How an ``Action`` begins that a fault takes, at a request of the implementation."""
CONTINUES = "every replica continues"
"""The ``Action`` by which all processes run on that were paused."""
EXITED = "exited by itself"
"""How a ``ProcessChange`` begins that reports a process which ended without having been killed."""
WORKED_ON = "worked on"
"""How a ``ProcessChange`` begins that reports a witness which the implementation has worked on."""


def paused(instance: int) -> str:
    """The ``Action`` by which the process of that number is paused: it exists, and does nothing."""
    return f"replica {instance} is paused"


class ProcessChange(msgspec.Struct, frozen=True, tag_field="kind", tag="process"):
    """The implementation's process number ``instance`` was ``started``, is ``ready``, was ``killed`` ..."""

    instance: int
    what: str


class WrittenAround(msgspec.Struct, frozen=True, tag_field="kind", tag="written-around"):
    """A write in the scenario that neither the harness nor the proxy made, from the API server's audit log.

    Attributes:
        verb: create, update, patch, delete or deletecollection.
        agent: the User-Agent of the client that made it.
        user: as whom it was let in.
        at: when, in RFC 3339.
    """

    verb: str
    resource: Resource
    subresource: str
    namespace: str
    name: str
    agent: str
    user: str
    at: str

    def __str__(self) -> str:
        """In words: ``create pods bp-1-gw0-1/a by curl/8.5 as batchproof``."""
        what = "/".join(part for part in (self.resource.plural, self.subresource) if part)
        where = "/".join(part for part in (self.namespace, self.name) if part)
        return f"{self.verb} {what} {where} by {self.agent or 'a client without a User-Agent'} as {self.user}"


class StepBegan(msgspec.Struct, frozen=True, tag_field="kind", tag="step"):
    """A step of the scenario begins, with its keyword and its values filled in."""

    text: str


class Ended(msgspec.Struct, frozen=True, tag_field="kind", tag="ended"):
    """The last record of a scenario that came to its end, and was judged: all that is judged is before it."""


class ClaimOpened(msgspec.Struct, frozen=True, tag_field="kind", tag="claim-opened"):
    """From here on a claim is judged; ``claim`` is the claim as data (see ``claims.Claim``)."""

    claim_number: int
    claim: Json


class ClaimClosed(msgspec.Struct, frozen=True, tag_field="kind", tag="claim-closed", omit_defaults=True):
    """The window of claim ``claim_number`` ends here: it was decided, or its time was over.

    Attributes:
        starved_s: of what had not come about within its limit, how long the threads of the implementation,
            and that of the harness through which its requests pass, were ready to run until then and had no
            processor, in seconds, summed; 0 where that is not known.
    """

    claim_number: int
    starved_s: float = 0.0


Entry: TypeAlias = (
    HistoryHeader
    | Request
    | Reply
    | Change
    | Action
    | FaultChange
    | ProcessChange
    | WrittenAround
    | StepBegan
    | ClaimOpened
    | ClaimClosed
    | Ended
)


class Record(msgspec.Struct, frozen=True):
    """An entry with its place in the history and the time of it."""

    number: int
    at_s: float
    entry: Entry


_PIECE = 1 << 20
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Record)


T = TypeVar("T")


class History:
    """The records of one scenario, in the order in which the harness learnt of them.

    They are kept in a file, not in memory: to iterate is to read them again. Not thread-safe: only the cell's
    event loop appends; others may read what is there already. The one that appends (the proxy, during a
    request of the implementation) never receives an error of a listener or of the file.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        header: HistoryHeader | None = None,
        spool: Path | None = None,
        trouble: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Begin a history.

        Args:
            clock: gives the seconds since the scenario began.
            header: its first record.
            spool: the file to write; None: this history is kept in memory.
            trouble: takes what went wrong; a listener that raises is removed. None: it is raised.
        """
        self._clock = clock
        self._trouble = trouble
        self._spool = spool
        self._file: io.BytesIO | io.FileIO = io.BytesIO() if spool is None else io.FileIO(spool, "w")
        self._ends = array("Q")
        self._writing = Lock()  # the cell's loop appends, the thread of the steps closes
        self._listeners: list[Callable[[Record], None]] = []
        if header:
            self.append(header)

    def __len__(self) -> int:
        """How many records there are."""
        return len(self._ends)

    def __iter__(self) -> Iterator[Record]:
        """All records up to now."""
        return iter(self.until(len(self)))

    @property
    def now_s(self) -> float:
        """The seconds since the scenario began."""
        return self._clock()

    def append(self, entry: Entry) -> Record:
        """Add an entry, stamped with its number and time, and call the listeners with it."""
        record = Record(len(self._ends), round(self._clock(), 4), entry)
        line = _line(record)
        self._ends.append((self._ends[-1] if self._ends else 0) + len(line))
        with self._writing:
            if not self._file.closed:  # what is still under way when a scenario has ended belongs to none
                self._safely(self._file.write, line)
        for listener in tuple(self._listeners):
            if not self._safely(listener, record):
                self._forget(listener)
        return record

    def _safely(self, act: Callable[[T], object], about: T) -> bool:
        """Whatever goes wrong: no request of the implementation may fail with it."""
        try:
            act(about)
        except Exception as error:
            if self._trouble is None:
                raise
            self._trouble(error)
            return False
        return True

    def listen(self, listener: Callable[[Record], None]) -> Callable[[], None]:
        """Call ``listener`` with each further record; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._forget(listener)

    def _forget(self, listener: Callable[[Record], None]) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def until(self, length: int) -> Iterable[Record]:
        """The first ``length`` records, to be read as often as one likes."""
        return _Part(self._open, length)

    def _open(self) -> io.BufferedIOBase:
        if self._spool is None:
            return io.BytesIO(self._file.getvalue())  # type: ignore[union-attr]
        return self._spool.open("rb")

    def digest(self, length: int) -> str:
        """The SHA-256 of the first ``length`` records as they stand in the file, in hexadecimal digits."""
        found, left = hashlib.sha256(), self._ends[length - 1] if length else 0
        with self._open() as file:
            while piece := file.read(min(left, _PIECE)):
                found.update(piece)
                left -= len(piece)
        return found.hexdigest()

    def close(self, length: int | None = None) -> None:
        """Write no more; only the first ``length`` records stay in the file.

        A record that another thread wrote after the file is cut would leave a hole in it.
        """
        with self._writing:
            if length is not None and length < len(self._ends):
                self._file.truncate(self._ends[length - 1] if length else 0)
            self._file.close()


class _Part:
    """The beginning of a history that is being written."""

    def __init__(self, opened: Callable[[], io.BufferedIOBase], length: int) -> None:
        self._opened = opened
        self._length = length

    def __iter__(self) -> Iterator[Record]:
        with self._opened() as lines:
            yield from map(_DECODER.decode, islice(lines, self._length))


class Saved:
    """The records of a saved history, to be read as often as one likes.

    Attributes:
        line: the line that was read last, from 1.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.line = 0

    def __iter__(self) -> Iterator[Record]:
        """Read the file.

        Raises:
            UserError: it is no history, of another form, or a line of it is damaged.
        """
        with self._path.open("rb") as lines:
            for number, line in enumerate(lines):
                self.line = number + 1
                try:
                    record = _DECODER.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise self._refused(number, line, error) from error
                if number == 0:
                    self._see_header(record.entry)
                if record.number != number:
                    raise UserError(f"{self._path}:{number + 1}: record {record.number}, expected {number}")
                yield record

    def _refused(self, number: int, line: bytes, error: Exception) -> UserError:
        try:
            first = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            first = None
        match first:
            case {"number": 0, "at_s": _, "kind": _}:
                return UserError(f"{self._path} has no header: record the run again")
            case {"entry": {"kind": "header", "schema": schema, "version": version}} if schema != SCHEMA:
                return _other_form(self._path, schema, version)
            case _:
                return UserError(f"{self._path}:{number + 1}: not a record of a history: {error}")

    def _see_header(self, entry: Entry) -> None:
        if not isinstance(entry, HistoryHeader):
            raise UserError(f"{self._path}:1: not a record of a history: it does not begin with a header")
        if entry.schema != SCHEMA:
            raise _other_form(self._path, entry.schema, entry.version)


def _other_form(path: Path, schema: object, version: object) -> UserError:
    return UserError(f"{path} is of form {schema}, not {SCHEMA}: batchproof {version} reads it")


def encode(records: Iterable[Record]) -> bytes:
    """One JSON object a line, in order."""
    return b"".join(map(_line, records))


def _line(record: Record) -> bytes:
    return _ENCODER.encode(record) + b"\n"
