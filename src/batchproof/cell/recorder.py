"""The recorder: an independent watch on what the API server holds of a scenario."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from batchproof.api.client import Api
from batchproof.cell.scenario_run import ScenarioRun
from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping


class Recorder:
    """Writes every change of the scenario's objects into its history.

    Attributes:
        collections: the URL path of each collection that is recorded, by resource.
    """

    def __init__(
        self, api: Api, scene: ScenarioRun, collections: Mapping[Resource, str], revision: str
    ) -> None:
        self._api = api
        self._scene = scene
        self.collections = collections
        self._tasks = [
            asyncio.create_task(self._record(resource, path, revision))
            for resource, path in collections.items()
        ]

    async def _record(self, resource: Resource, path: str, revision: str) -> None:
        try:
            while True:
                async for event in self._api.watch(path, revision):
                    if event["type"] == "ERROR":
                        raise HarnessError(f"the watch of {resource.plural} ended with {event['object']}")  # noqa: TRY301
                    revision = event["object"]["metadata"]["resourceVersion"]
                    event["object"]["metadata"].pop("managedFields", None)
                    self._scene.changed(event["type"], resource, event["object"])
        except HarnessError as error:
            self._scene.fail(error)

    async def stop(self) -> None:
        """End the watches."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
