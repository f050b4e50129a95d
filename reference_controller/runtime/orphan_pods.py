"""Removing the tracking finalizer from pods that no Job counts any more."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from reference_controller.job import api_json
from reference_controller.job.orphans import abandoned
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.effects import pod_path
from reference_controller.runtime.queue import WorkQueue
from reference_controller.runtime.worker import work_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_controller.job.objects import Job, Pod
    from reference_controller.runtime.caches import JobIndex

WORKERS = 5
MOST_REMEMBERED = 10_000

PodKey = tuple[str, str]


class OrphanPods:
    """A queue of pods to look at. FIN-030: one whose finalizer could not be removed stays in it.

    Args:
        client: the API server.
        read_job: parses a Job.
        pods: the cached pods.
        jobs: the cached Jobs.
        newest: the newest known version of the Job with a UID.
    """

    def __init__(
        self,
        client: ApiClient,
        read_job: api_json.ReadJob,
        pods: dict[PodKey, Pod],
        jobs: JobIndex,
        newest: Callable[[str], Job | None],
    ) -> None:
        self._client = client
        self._read_job = read_job
        self._pods = pods
        self._jobs = jobs
        self._newest = newest
        self._queue: WorkQueue[PodKey] = WorkQueue()
        self._gone: OrderedDict[str, None] = OrderedDict()

    def add(self, pod: Pod) -> None:
        """Have the pod looked at."""
        self._queue.add((pod.namespace, pod.name))

    def job_gone(self, uid: str) -> None:
        """The Job with this UID is known not to exist any more."""
        self._gone[uid] = None
        if len(self._gone) > MOST_REMEMBERED:
            self._gone.popitem(last=False)

    async def run(self) -> None:
        """Work for ever."""
        async with asyncio.TaskGroup() as group:
            for _ in range(WORKERS):
                group.create_task(work_on(self._queue, self._sync))

    async def _sync(self, key: PodKey) -> None:
        pod = self._pods.get(key)
        if pod is None or not pod.tracked:
            return
        owner = await self._owner(pod)
        if not abandoned(pod, owner, self._jobs.of(pod.namespace)):
            return
        try:
            await self._client.patch(pod_path(pod), api_json.finalizer_removal(pod, unchanged=False))
        except ApiError as error:
            if not error.not_found:
                raise

    async def _owner(self, pod: Pod) -> Job | None:
        """FIN-029, FIN-033: that a Job is not in the cache is no proof that it does not exist."""
        if pod.controller is None or not pod.controller.is_job:
            return None
        uid = pod.controller.uid
        if (job := self._newest(uid)) is not None or uid in self._gone:
            return job
        path = f"/apis/batch/v1/namespaces/{pod.namespace}/jobs/{pod.controller.name}"
        try:
            fresh = self._read_job(await self._client.get(path))
        except ApiError as error:
            if not error.not_found:
                raise
        else:
            if fresh.uid == uid:
                return fresh
        self.job_gone(uid)
        return None
