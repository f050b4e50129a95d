"""One scenario in a cell: its namespace, its history, and the faults in force."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from batchproof.cell.redaction import redacted, scrubbed
from batchproof.ground.resources import Resource
from batchproof.judgement.faults import READS, Armed, Call, Fault, FaultTable, Freeze, Hold
from batchproof.judgement.history import (
    MEDDLES,
    Action,
    Change,
    FaultChange,
    History,
    HistoryHeader,
    Json,
    ProcessChange,
    Reply,
    Request,
)
from batchproof.judgement.observed import Observed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path


class ScenarioRun:
    """What the proxy, the recorder and the World share while a scenario runs.

    Attributes:
        namespace: the scenario's own namespace.
        history: all that happened in it.
        seen: the history, folded up to its newest record.
        trouble: what broke in the harness while no task waited for it.
    """

    def __init__(
        self,
        namespace: str,
        kill: Callable[[], None],
        *,
        meddle: Callable[[Call], Awaitable[None]] | None = None,
        header: HistoryHeader | None = None,
        spool: Path | None = None,
    ) -> None:
        """Begin a scenario.

        Args:
            namespace: the scenario's own.
            kill: ends the implementation.
            meddle: changes, as another client, the object that a request names.
            header: what the judgement has to know of the run.
            spool: where the history is written as it happens; None: it is kept in memory.
        """
        began = asyncio.get_running_loop().time()
        clock = asyncio.get_running_loop().time
        self.namespace = namespace
        self.trouble: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self.history = History(lambda: clock() - began, header or HistoryHeader(), spool, self.fail)
        self.seen = Observed(self.history)
        self._kill = kill
        self._meddle = meddle
        self._table = FaultTable()
        self._numbers = itertools.count(1)
        self._calls = itertools.count(1)
        self._open: dict[int, Call] = {}
        self._written: dict[Resource, int] = {}
        self._unshown: defaultdict[Resource, dict[str, int]] = defaultdict(dict)
        self._texts: dict[int, str] = {}
        self._frozen: dict[int, Resource] = {}
        self._lifted: dict[int, asyncio.Event] = {}
        for record in self.history:  # the header: it was there before there could be a listener
            self.seen.apply(record)
        self.history.listen(self.seen.apply)

    # -- what the proxy reports

    def asked(self, call: Call, body: Any, agent: str, *, instance: int) -> int:
        """Record a request of that instance of the implementation; a supporting process is of none: 0."""
        number = next(self._calls)
        self._open[number] = call
        self.history.append(
            Request(
                number,
                call.verb,
                call.resource,
                call.subresource,
                call.namespace,
                call.name,
                redacted(call.resource, call.subresource, body),
                agent,
                instance,
            )
        )
        return number

    def answered(self, number: int, status: int, *, effect: bool, fault: str, body: Any) -> None:
        """Record what became of a request."""
        call = self._open.pop(number)
        kept = redacted(call.resource, call.subresource, body)
        self.history.append(Reply(number, status, effect, fault, kept))
        match body:
            case {"metadata": {"resourceVersion": revision}} if effect and call.verb not in READS:
                self._written[call.resource] = max(self.newest_written(call.resource), int(revision))
                if call.namespace == self.namespace and (uid := body["metadata"].get("uid")):
                    unshown = self._unshown[call.resource]
                    unshown[uid] = max(unshown.get(uid, 0), int(revision))

    def newest_written(self, resource: Resource) -> int:
        """The newest revision of a resource by which a write of the implementation was answered; 0: none."""
        return self._written.get(resource, 0)

    def unshown(self, resource: Resource) -> dict[str, int]:
        """What the implementation has written of a resource, and may not be in the history yet.

        Returns:
            the revisions by which its writes were answered, by UID.
        """
        return dict(self._unshown[resource])

    def shown(self, resource: Resource, written: Mapping[str, int]) -> None:
        """The history has what was written of these objects, by UID, up to these revisions."""
        left = self._unshown[resource]
        for uid, revision in written.items():
            if left.get(uid, 0) <= revision:
                left.pop(uid, None)

    @property
    def writing(self) -> bool:
        """Whether a write of the implementation is not answered yet."""
        return any(call.verb not in READS for call in self._open.values())

    # -- what the recorder and the cell report

    def changed(self, kind: str, resource: Resource, obj: Json) -> None:
        """Record a change of an object: ADDED, MODIFIED or DELETED."""
        self.history.append(Change(kind, resource, redacted(resource, "", obj)))

    def reaches(self, resource: Resource) -> bool:
        """A fault in force names this resource."""
        return any(armed.fault.on.resource == resource for armed in self._table.armed)

    def strike(self, call: Call) -> Armed | None:
        """The fault that this request triggers, recorded as fired."""
        armed = self._table.decide(call)
        if armed:
            self.fired(armed.number)
            if isinstance(armed.fault.do, Freeze):
                self._frozen[armed.number] = armed.fault.do.resource
        return armed

    async def released(self, fault: Armed) -> None:
        """Wait until the fault is lifted."""
        await self._lifted[fault.number].wait()

    def crash(self) -> None:
        """Kill the implementation, now."""
        self._kill()

    async def meddle(self, call: Call) -> None:
        """Change the object that a request names, as another client."""
        self.act(f"{MEDDLES}{call.resource.singular} {call.name}")
        if self._meddle:
            await self._meddle(call)

    # -- what the steps do

    def arm(self, fault: Fault) -> int:
        """Put a fault of requests in force."""
        number = self.announce(fault.text, fault.to_json())
        self._table.arm(number, fault)
        return number

    def withhold(self, text: str, resource: Resource, about: Json) -> int:
        """Record that the view of a resource is frozen or late from now on; returns the fault's number."""
        number = self.announce(text, about)
        self._frozen[number] = resource
        return number

    def withheld(self, resource: Resource) -> Callable[[], bool]:
        """Whether each frozen or delayed view of a resource has withheld an event; call it at each record."""
        numbers = [number for number, frozen in self._frozen.items() if frozen == resource]
        return lambda: all(self.seen.faults.get(number, 0) for number in numbers)

    def thaw(self, resource: Resource) -> None:
        """Record that the view of a resource catches up."""
        for number in [number for number, frozen in self._frozen.items() if frozen == resource]:
            del self._frozen[number]
            self.history.append(FaultChange(number, self._texts[number], "thawed"))

    def announce(self, text: str, about: Json) -> int:
        """Record that a fault is in force; returns its number."""
        number = next(self._numbers)
        self._texts[number] = text
        self._lifted[number] = asyncio.Event()
        self.history.append(FaultChange(number, text, "armed", about))
        return number

    def fired(self, number: int) -> None:
        """Record that a fault was triggered."""
        self.history.append(FaultChange(number, self._texts[number], "fired"))

    def lift(self, number: int) -> None:
        """Take a fault out of force and release what it holds; a second time is no error."""
        if not self._lifted[number].is_set():
            self._table.lift(number)
            self._lifted[number].set()
            self.history.append(FaultChange(number, self._texts[number], "lifted"))

    def lift_requests(self) -> None:
        """Take every fault of requests out of force; views stay as they are."""
        for armed in tuple(self._table.armed):
            self.lift(armed.number)

    def lift_all(self) -> None:
        """Take every fault out of force."""
        for number in self._texts:
            self.lift(number)

    @property
    def holding(self) -> bool:
        """A fault holds requests, or their replies, until it is lifted: a process that waits is not dead."""
        return any(isinstance(armed.fault.do, Hold) for armed in self._table.armed)

    @property
    def unfired(self) -> list[str]:
        """The faults that were never triggered."""
        return self.seen.unfired

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Each fault with how often it was triggered, as the results stream carries it."""
        return [
            {"text": text, "fired": self.seen.faults.get(number, 0)} for number, text in self._texts.items()
        ]

    async def until(self, shown: Callable[[], bool]) -> None:
        """Wait until ``seen`` shows something; it is looked at again after each record."""
        heard = asyncio.Event()
        forget = self.history.listen(lambda _: heard.set())
        try:
            while not shown():
                heard.clear()
                await heard.wait()
        finally:
            forget()

    def act(self, text: str, **about: Any) -> None:
        """Record what a step makes happen, with the time of day: it dates the records around it."""
        clock = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.history.append(Action(text, {"clock": clock, **about}))

    async def let_pass(self, seconds: float) -> None:
        """Let time pass, where time itself is what happens."""
        self.act(f"{seconds:g} s pass")
        await asyncio.sleep(seconds)

    def process(self, instance: int, what: str) -> None:
        """Record what became of a process of the implementation."""
        self.history.append(ProcessChange(instance, scrubbed(what)))

    def fail(self, error: BaseException) -> None:
        """Note an error of the harness for the next task that waits."""
        if not self.trouble.done():
            self.trouble.set_result(error)
