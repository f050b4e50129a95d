"""Deleting finished Jobs whose time to live is over: a small controller of its own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from reference_controller.job import api_json
from reference_controller.job.actions import DeleteJob
from reference_controller.job.ttl import expires_at, reconcile_ttl
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.effects import job_path
from reference_controller.runtime.queue import WorkQueue
from reference_controller.runtime.worker import work_on

if TYPE_CHECKING:
    from reference_controller.job.actions import Decision
    from reference_controller.job.objects import Job

WORKERS = 5

Key = tuple[str, str]


class ExpiredJobs:
    """A queue of finished Jobs that have a TTL."""

    def __init__(self, client: ApiClient, read_job: api_json.ReadJob, jobs: dict[Key, Job]) -> None:
        self._client = client
        self._read_job = read_job
        self._jobs = jobs
        self._queue: WorkQueue[Key] = WorkQueue()

    def add(self, job: Job) -> None:
        """BAS-049: look at the Job if it has finished and has a TTL, also one set or lowered afterwards."""
        if expires_at(job) is not None:
            self._queue.add((job.namespace, job.name))

    async def run(self) -> None:
        """Work for ever."""
        async with asyncio.TaskGroup() as group:
            for _ in range(WORKERS):
                group.create_task(work_on(self._queue, self._sync))

    async def _sync(self, key: Key) -> None:
        """BAS-048: the cached Job says when to look; the one read anew says whether to delete."""
        job = self._jobs.get(key)
        if job is None or not self._due(key, reconcile_ttl(job, clock.now())):
            return
        try:
            fresh = self._read_job(await self._client.get(job_path(job)))
            if self._due(key, reconcile_ttl(fresh, clock.now())):
                options = api_json.deletion(fresh.uid, propagation="Foreground")
                await self._client.delete(job_path(fresh), options)
        except ApiError as error:
            if not error.not_found:
                raise

    def _due(self, key: Key, decision: Decision) -> bool:
        if decision.requeue_after_s is not None:
            self._queue.add_after(key, decision.requeue_after_s)
        return any(isinstance(action, DeleteJob) for action in decision.actions)
