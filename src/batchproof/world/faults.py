"""The verbs about faults: of requests, and of what the implementation is shown."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from batchproof.cell import Cell, ScenarioRun
from batchproof.ground.resources import Resource
from batchproof.judgement.faults import Fault, view_fault, watches_fault
from batchproof.judgement.forms import DEADLINES_S
from batchproof.proxy.transport import GONE

_STALE_FOR_S: Final = 0.5
"""How long a view stays stale after the first change that it does not show."""


class Faults:
    """What goes wrong on purpose in a scenario."""

    def __init__(self, cell: Cell, scene: ScenarioRun) -> None:
        self._cell = cell
        self._scene = scene

    def arm(self, fault: Fault) -> int:
        """Put a fault of requests in force; returns its number."""

        async def arm() -> int:
            return self._scene.arm(fault)

        return self._cell.call(arm())

    def lift(self, *numbers: int) -> None:
        """Take faults of requests out of force (all if none is named); what they hold goes on."""

        async def lift() -> None:
            for number in numbers:
                self._scene.lift(number)
            if not numbers:
                self._scene.lift_requests()

        self._cell.call(lift())

    def freeze(self, resource: Resource) -> None:
        """The implementation's view of a resource stands still until ``thaw``: it sees what there is now."""
        text = f"the view of {resource.plural} is stale"
        self._cell.call(self._withhold(text, resource, frozen=True, delay_s=0.0))

    def delay(self, resource: Resource, delay_s: float, *, of: str = "") -> None:
        """The implementation sees a resource late; ``of`` names the fault profile that wants it so."""
        text = f"{resource.plural} are seen {delay_s:g} s late"
        self._cell.call(self._withhold(text, resource, frozen=False, delay_s=delay_s, of=of))

    async def _withhold(
        self, text: str, resource: Resource, *, frozen: bool, delay_s: float, of: str = ""
    ) -> None:
        gate, scene = self._cell.proxy.gates.of(resource), self._scene
        since = await self._cell.catch_up(resource) if frozen else 0
        about = view_fault(resource, frozen=frozen, delay_s=delay_s, of=of)
        number = scene.withhold(text, resource, about)
        gate.withheld = lambda: scene.fired(number)
        gate.delay_s = delay_s
        if frozen:
            gate.freeze(since)

    def thaw(self, resource: Resource) -> None:
        """The implementation's view of a resource catches up, once it has been stale for a while.

        The implementation is given time to work with what it sees. A view of which nothing is withheld was
        never stale: the fault was not triggered.
        """

        async def thaw() -> None:
            if await self._stale(resource):
                await asyncio.sleep(_STALE_FOR_S * self._scene.seen.time_scale)
            self._scene.act(f"the view of {resource.plural} catches up")
            self._scene.thaw(resource)
            self._cell.proxy.gates.of(resource).thaw()

        self._cell.call(thaw())

    async def _stale(self, resource: Resource) -> bool:
        """Wait until a frozen view of a resource lacks something; returns whether it does in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DEADLINES_S["reaction"] * self._scene.seen.time_scale):
                await self._scene.until(self._scene.withheld(resource))
                return True
        return False

    def close_watches(self, resource: Resource | None = None, *, gone: bool = False) -> None:
        """The server ends the watches of a resource (None: of all), with 410 Gone if ``gone``.

        What a frozen view of it lacks has come to the watch by then, so that only a list can show it.
        """

        async def close() -> None:
            if resource:
                await self._stale(resource)
            text = f"the server ends the watches{' of ' + resource.plural if resource else ''}"
            number = self._scene.announce(text, watches_fault(resource, gone=gone))
            if self._cell.proxy.gates.close_watches(resource, GONE if gone else b""):
                self._scene.fired(number)

        self._cell.call(close())
