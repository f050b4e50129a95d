"""Witnesses: small objects of the harness on which an implementation shows that it is alive and able.

"Nothing happens" is also what a program does that hangs. So after it the implementation gets something to do
that it always has to do, in a namespace of its own: no fault applies there, and nothing of it is in a
scenario's history but that it was done.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.api.client import make_namespace
from batchproof.cell.cell import Cell
from batchproof.cell.scenario_run import ScenarioRun
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import NAMESPACES, Resource
from batchproof.judgement.history import WORKED_ON, Json

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Witness:
    """What an implementation of a profile always has to do, at once.

    Attributes:
        resource: what is given to it.
        body: the object of that name, for an implementation that handles what names this manager (None: what
            names no manager).
        shown_by: what it makes for it, as its controller.
        apart: how to judge beside a controller of the cluster that does the same; empty: not at all.
    """

    resource: Resource
    body: Callable[[str, str | None], Json]
    shown_by: Resource
    apart: str = ""


class Witnesses:
    """The witnesses of a cell, one after the other."""

    def __init__(self, cell: Cell, witness: Witness) -> None:
        self._cell = cell
        self._witness = witness
        self._namespace = ""
        self._numbers = itertools.count(1)
        self._leaving: set[asyncio.Task[None]] = set()

    def can_be_seen(self) -> bool:
        """The implementation runs, and is shown what is given to it."""
        gate = self._cell.proxy.gates.of(self._witness.resource)
        return self._cell.alive and not gate.frozen and not gate.delay_s

    async def ensure_namespace(self) -> str:
        """The namespace of the witnesses, made by the first."""
        if not self._namespace:
            name = f"{self._cell.name}-witness"
            await make_namespace(
                self._cell.api, name, self._cell.name, with_account=self._cell.plane.traits.controlled
            )
            self._namespace = name
        return self._namespace

    async def call(self, scene: ScenarioRun) -> tuple[str, asyncio.Task[None]]:
        """Give the implementation a witness; the task notes in the history that it has worked on it."""
        namespace, api = await self.ensure_namespace(), self._cell.api
        name = f"witness-{next(self._numbers)}"
        scene.act(f"gives the implementation {self._witness.resource.singular} {name} to work on")
        body = self._witness.body(name, self._cell.managed_by)
        made = await api.create(self._witness.resource.path(namespace), body)
        return name, asyncio.create_task(self._watch(scene, name, made["metadata"]))

    async def _watch(self, scene: ScenarioRun, name: str, metadata: Json) -> None:
        try:
            path = self._witness.shown_by.path(self._namespace)
            async for event in self._cell.api.watch(path, metadata["resourceVersion"]):
                owners = event["object"]["metadata"].get("ownerReferences") or []
                if any(owner["uid"] == metadata["uid"] for owner in owners):
                    scene.process(self._cell.instance.number, f"{WORKED_ON} {name}")
                    return
        except HarnessError as error:
            scene.fail(error)

    async def dismiss(self, name: str, watching: asyncio.Task[None]) -> None:
        """Delete a witness, without a wait."""
        leaving = asyncio.create_task(self._remove(name, watching))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        """Wait until all have gone; of a cluster that stays, their namespace goes too."""
        await asyncio.gather(*self._leaving, return_exceptions=True)
        if self._namespace and not self._cell.plane.traits.disposable:
            with contextlib.suppress(HarnessError):
                await self._cell.api.delete(NAMESPACES.path(name=self._namespace))

    async def _remove(self, name: str, watching: asyncio.Task[None]) -> None:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        api, made = self._cell.api, self._witness.shown_by.path(self._namespace)
        with contextlib.suppress(HarnessError):  # an error while it closes changes no verdict
            resource = self._witness.resource
            await api.delete(resource.path(self._namespace, name), propagationPolicy="Background")
            places = [f"{made}/{item['metadata']['name']}" for item in (await api.get(made))["items"]]
            for place in places:
                await api.patch(place, {"metadata": {"finalizers": None}}, missing_ok=True)
                await api.delete(place, gracePeriodSeconds=0)
