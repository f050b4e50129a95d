"""Deleting finished Jobs whose time to live is over: a small controller of its own."""

from __future__ import annotations

from reference_controller.decision import Decision
from reference_controller.job.actions import DeleteJob
from reference_controller.job.objects import Job
from reference_controller.job.ttl import expires_at, reconcile_ttl
from reference_controller.objects import api_json
from reference_controller.objects.resources import JOBS
from reference_controller.runtime.client import ApiClient, ApiError
from reference_controller.runtime.informer import Key
from reference_controller.runtime.job.known import Known
from reference_controller.runtime.loop import Loop, Sync
from reference_controller.runtime.runtime import Runtime

WORKERS = 5


class ExpiredJobs:
    """The finished Jobs that have a TTL."""

    def __init__(self, runtime: Runtime, known: Known) -> None:
        self._client = runtime.client
        self._known = known
        loop: Loop[Key] = runtime.loop(self._begin, WORKERS)
        self._queue = loop.queue

    def add(self, job: Job) -> None:
        """BAS-049: look at the Job if it has finished and has a TTL, also one set or lowered afterwards."""
        if expires_at(job) is not None:
            self._queue.add((job.namespace, job.name))

    def _begin(self, key: Key) -> ExpirySync:
        return ExpirySync(self._client, self._known, key)


class ExpirySync(Sync[Job, DeleteJob]):
    """BAS-048: the cached Job says when to look; the one read again says whether to delete."""

    def __init__(self, client: ApiClient, known: Known, key: Key) -> None:
        super().__init__()
        self._client = client
        self._known = known
        self._key = key
        self._confirming = False
        self._done = False

    async def observe(self) -> Job | None:
        """First the cached Job, then, if its time is over, the one read again."""
        job = self._known.jobs.objects.get(self._key)
        if job is None or self._done:
            return None
        if not self._confirming:
            return job
        try:
            return self._known.read_job(await self._client.get(JOBS.path(job)))
        except ApiError as error:
            if not error.not_found:
                raise
            return None

    def reconcile(self, observed: Job, now: float) -> Decision[DeleteJob]:
        """See `job.ttl`."""
        return reconcile_ttl(observed, now)

    async def carry_out(self, action: DeleteJob, observed: Job) -> None:
        """Delete, if the Job that was observed has been read again."""
        if not self._confirming:
            self._confirming = True
            return
        try:
            options = api_json.deletion(action.uid, propagation="Foreground")
            await self._client.delete(JOBS.path(observed), options)
        except ApiError as error:
            if not error.not_found:
                raise
        self._done = True
