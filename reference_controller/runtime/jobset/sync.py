"""One look at a JobSet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, assert_never

from reference_controller.decision import Decision
from reference_controller.jobset import api_json
from reference_controller.jobset.actions import (
    Action,
    CreateJobs,
    CreateService,
    DeleteJobs,
    DeleteJobSet,
    ResumeJobs,
    SuspendJobs,
    WriteStatus,
)
from reference_controller.jobset.objects import JOBSETS, ChildJob, JobSet, ReplicatedJob
from reference_controller.jobset.reconcile import Observed, reconcile
from reference_controller.jobset.ttl import time_left_s
from reference_controller.objects.api_json import deletion
from reference_controller.objects.identity import ObjectKey
from reference_controller.objects.resources import JOBS
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.jobset.known import Known
from reference_controller.runtime.loop import Sync

if TYPE_CHECKING:
    from collections.abc import Coroutine


class JobSetSync(Sync[Observed, Action]):
    """One sync of one JobSet."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key

    async def observe(self) -> Observed | None:
        """The JobSet with all that belongs to it; None once it is gone, or after an error."""
        jobset = self._of.newest(self._key.uid)
        if jobset is None or self.errors:
            return None
        return Observed(
            jobset,
            tuple(self._of.owned_jobs.owned_by(jobset.uid)),  # JST-039, JST-040: by UID
            self._of.service_of(jobset) is not None,
            self._of.met(jobset.uid),
        )

    def reconcile(self, observed: Observed, now: float) -> Decision[Action]:
        """See `jobset.reconcile`."""
        if not observed.expectations_met:
            return Decision(requeue_after_s=self._of.expires_in_s(observed.jobset.uid))
        return reconcile(observed, now)

    async def carry_out(self, action: Action, observed: Observed) -> None:
        """Make the write; the errors of Jobs and Services are kept, and raised at the end of the sync."""
        jobset = observed.jobset
        match action:
            case WriteStatus():
                await self._write(jobset, action)
            case CreateService():
                await self._create_service(jobset)
            case CreateJobs(jobs):
                await self._create_jobs(jobset, jobs)
            case DeleteJobs(jobs):
                await self._delete_jobs(jobset, jobs)
            case SuspendJobs(jobs):
                await self._all([self._change(job, api_json.suspended(job)) for job in jobs])
            case ResumeJobs(jobs):
                await self._all([self._resume(jobset, job) for job in jobs])
            case DeleteJobSet():
                await self._delete_jobset(jobset)
            case _:
                assert_never(action)

    async def _write(self, jobset: JobSet, action: WriteStatus) -> None:
        body = api_json.with_status(jobset, action.status)
        raw = await self._of.client.put(JOBSETS.path(jobset, "status"), body)
        self._of.written[jobset.uid] = api_json.read_jobset(raw)
        for event in action.events:
            self._of.recorder.record(jobset, event.kind, event.reason, event.message)

    async def _create_service(self, jobset: JobSet) -> None:
        expected = self._of.services_expected[jobset.uid]
        expected.expect_creations(1)
        await self._all([self._of.service_children.create(jobset, api_json.new_service(jobset), expected)])

    async def _create_jobs(self, jobset: JobSet, jobs: tuple[tuple[ReplicatedJob, int], ...]) -> None:
        """JST-043: what failed is not waited for; the error brings the JobSet back."""
        expected = self._of.jobs_expected[jobset.uid]
        expected.expect_creations(len(jobs))
        bodies = [api_json.new_job(jobset, spec, index) for spec, index in jobs]
        await self._all([self._of.job_children.create(jobset, body, expected) for body in bodies])

    async def _delete_jobs(self, jobset: JobSet, jobs: tuple[ChildJob, ...]) -> None:
        expected = self._of.jobs_expected[jobset.uid]
        for job in jobs:
            expected.expect_deletion(job.uid)
        await self._all([self._of.job_children.delete(jobset, job, expected) for job in jobs])

    async def _resume(self, jobset: JobSet, job: ChildJob) -> ApiError | None:
        """A Job that had started is first made one that has not."""
        if job.started and (error := await self._change(job, api_json.not_started(job), "status")):
            return error
        return await self._change(job, api_json.resumed(jobset, job))

    async def _change(self, job: ChildJob, body: bytes, subresource: str = "") -> ApiError | None:
        """Change a Job, whatever its controller has written meanwhile; the error if that failed."""
        try:
            await self._of.client.merge(JOBS.path(job, subresource), body)
        except ApiError as error:
            return error
        return None

    async def _all(self, writes: list[Coroutine[None, None, ApiError | None]]) -> None:
        errors = [error for error in await asyncio.gather(*writes) if error is not None]
        self.errors += [error for error in errors if not error.not_found]

    async def _delete_jobset(self, jobset: JobSet) -> None:
        """JST-034: only if the JobSet, read again, is still the one whose time to live is over."""
        fresh = api_json.read_jobset(await self._of.client.get(JOBSETS.path(jobset)))
        left_s = time_left_s(fresh, clock.now())
        if fresh.uid == jobset.uid and left_s is not None and left_s <= 0:
            options = deletion(jobset.uid, propagation="Foreground")
            await self._of.client.delete(JOBSETS.path(jobset), options)
