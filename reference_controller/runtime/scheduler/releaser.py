"""Deleting groups that no pod needs any more: GNG-052."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.runtime.client import ApiError
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.worker import Workers
from reference_controller.scheduler.dialects import Dialect
from reference_controller.scheduler.objects import Key, PodGroup

if TYPE_CHECKING:
    from collections.abc import Iterable

WORKERS = 2


class Releaser:
    """Takes the finalizer off groups that are to go.

    Args:
        runtime: what all controllers share.
        dialect: how groups are spelled.
    """

    def __init__(self, runtime: Runtime, dialect: Dialect) -> None:
        self._client = runtime.client
        self._dialect = dialect
        self._wanted: dict[Key, PodGroup] = {}
        workers: Workers[Key] = runtime.workers(self._sync, WORKERS)
        self._queue = workers.queue

    def release(self, groups: Iterable[PodGroup]) -> None:
        """Let these groups go, and none that was to go before."""
        self._wanted = {(group.namespace, group.name): group for group in groups}
        for key in self._wanted:
            self._queue.add(key)

    async def _sync(self, key: Key) -> None:
        """One attempt to let a group go; one that failed is made again, later and later.

        Raises:
            ApiError: it is not known to have gone; what it was changed to is shown by the watch.
        """
        group = self._wanted.get(key)
        if group is None:
            return
        try:
            path = self._dialect.group_resource.path(group)
            await self._client.merge(path, self._dialect.unprotected(group))
        except ApiError as error:
            if not error.not_found:
                raise
