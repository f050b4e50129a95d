"""The recorder: an independent watch on what the API server holds of a scenario."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.history import Change

if TYPE_CHECKING:
    from batchproof.api import Api
    from batchproof.cell.scene import Scene

_RECORDED = {
    "pods": "/api/v1/namespaces/{namespace}/pods",
    "jobs": "/apis/batch/v1/namespaces/{namespace}/jobs",
    "events": "/api/v1/namespaces/{namespace}/events",
}


class Recorder:
    """Writes every change of the scenario's pods, jobs and events into its history."""

    def __init__(self, api: Api, scene: Scene, revision: str) -> None:
        self._api = api
        self._scene = scene
        self._tasks = [
            asyncio.create_task(self._record(resource, path.format(namespace=scene.namespace), revision))
            for resource, path in _RECORDED.items()
        ]

    async def _record(self, resource: str, path: str, revision: str) -> None:
        try:
            while True:
                async for event in self._api.watch(path, revision):
                    if event["type"] == "ERROR":
                        raise HarnessError(f"the watch of {resource} ended with {event['object']}")  # noqa: TRY301
                    revision = event["object"]["metadata"]["resourceVersion"]
                    event["object"]["metadata"].pop("managedFields", None)
                    self._scene.history.append(Change(event["type"], resource, event["object"]))
        except HarnessError as error:
            self._scene.fail(error)

    async def stop(self) -> None:
        """End the watches."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
