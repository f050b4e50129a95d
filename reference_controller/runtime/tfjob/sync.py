"""One look at a TFJob."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, assert_never

from reference_controller.decision import Decision
from reference_controller.objects.api_json import adoption, deletion, release
from reference_controller.objects.identity import ObjectKey
from reference_controller.objects.resources import PODS, SERVICES, Resource
from reference_controller.runtime import clock
from reference_controller.runtime.children import Children
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.expectations import Expectations, ExpectationsByType
from reference_controller.runtime.loop import Sync
from reference_controller.runtime.tfjob.known import Known
from reference_controller.tfjob import api_json
from reference_controller.tfjob.actions import (
    Action,
    Adopt,
    CreateGroup,
    CreatePods,
    CreateServices,
    DeleteGroup,
    DeleteJob,
    DeletePods,
    DeleteServices,
    Release,
    UpdateGroup,
    WriteStatus,
)
from reference_controller.tfjob.objects import TFJOBS, ReplicaPod, Service, Status, TFJob
from reference_controller.tfjob.reconcile import Observed, reconcile

if TYPE_CHECKING:
    from collections.abc import Coroutine


class TFJobSync(Sync[Observed, Action]):
    """One sync of one TFJob."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key

    async def observe(self) -> Observed | None:
        """The TFJob with all that belongs to it; None once it is gone, or after an error."""
        job = self._of.newest(self._key.uid)
        if job is None or self.errors:
            return None
        return Observed(
            job,
            tuple(self._of.owned_pods.owned_by(job.uid)),
            tuple(self._of.owned_services.owned_by(job.uid)),
            tuple(self._of.owned_pods.without_controller(job.namespace)),
            tuple(self._of.owned_services.without_controller(job.namespace)),
            self._of.gang,
            self._of.group_of(job),
            self._of.met(job.uid),
        )

    def reconcile(self, observed: Observed, now: float) -> Decision[Action]:
        """See `tfjob.reconcile`."""
        if not observed.expectations_met:
            return Decision(requeue_after_s=self._of.expires_in_s(observed.job.uid))
        return reconcile(observed, now)

    async def carry_out(self, action: Action, observed: Observed) -> None:
        """Make the write; the errors of pods and services are kept, and raised at the end of the sync."""
        job = observed.job
        pods, services = self._of.pods_expected[job.uid], self._of.services_expected[job.uid]
        match action:
            case WriteStatus(status):
                await self._write(job, status)
            case CreatePods(replicas):
                bodies = [(it.spec.kind, api_json.new_pod(job, it, self._of.gang)) for it in replicas]
                await self._create(job, self._of.pod_children, pods, bodies)
            case CreateServices(replicas):
                bodies = [(it.spec.kind, api_json.new_service(job, it)) for it in replicas]
                await self._create(job, self._of.service_children, services, bodies)
            case DeletePods(doomed):
                await self._delete(job, self._of.pod_children, pods, doomed)
            case DeleteServices(gone):
                await self._delete(job, self._of.service_children, services, gone)
            case Adopt(children):
                await self._adopt(job, children)
            case Release(children):
                await self._release(job, children)
            case DeleteJob():
                await self._of.client.delete(TFJOBS.path(job), deletion(job.uid, propagation="Background"))
            case CreateGroup() | UpdateGroup() | DeleteGroup():
                await self._regroup(job, action)
            case _:
                assert_never(action)

    async def _regroup(self, job: TFJob, action: CreateGroup | UpdateGroup | DeleteGroup) -> None:
        gang, client = self._of.gang, self._of.client
        match action:
            case CreateGroup() if gang is not None:
                await client.post(gang.groups.of(job.namespace), api_json.new_group(job, gang))
            case UpdateGroup(group, wanted) if gang is not None:
                await client.merge(gang.groups.path(group), api_json.group_change(group, wanted))
            case DeleteGroup(group) if gang is not None:
                await client.delete(gang.groups.path(group), deletion(group.uid))
                if self._of.group_of(job) is not None:  # the watch may have shown it as gone by now
                    self._of.groups_deleted.add(group.uid)

    async def _write(self, job: TFJob, status: Status) -> None:
        body = api_json.with_status(job, status, clock.now())
        raw = await self._of.client.put(TFJOBS.path(job, "status"), body)
        self._of.written[job.uid] = api_json.read_tfjob(raw)
        if status.suspended and not job.status.suspended:  # TFJ-043: once
            message = f"TFJob {job.name} is suspended."
            self._of.recorder.record(job, "Normal", "TFJobSuspended", message)

    async def _adopt(self, job: TFJob, children: tuple[ReplicaPod | Service, ...]) -> None:
        """TFJ-020: only if the TFJob, read again, is still there and not being deleted.

        Raises:
            ApiError: it is not, or one could not be adopted.
        """
        fresh = api_json.read_tfjob(await self._of.client.get(TFJOBS.path(job)))
        if fresh.uid != job.uid or fresh.deleting:
            raise ApiError(0, f"TFJob {job.namespace}/{job.name} is being deleted and adopts nothing")
        for it in children:
            raw = await self._of.client.patch(_resource(it).path(it), adoption(it.uid, job))
            expected, seen = self._expected(job, it)
            expected.expect_pod(it.uid, int(raw["metadata"]["resourceVersion"]), seen)

    async def _release(self, job: TFJob, children: tuple[ReplicaPod | Service, ...]) -> None:
        """TFJ-020: what does not carry the labels of the TFJob is not its own.

        Raises:
            ApiError: one could not be released.
        """
        for it in children:
            expected, _ = self._expected(job, it)
            expected.expect_deletion(it.uid)  # from its owner: the watch shows it without one
            try:
                await self._of.client.patch(_resource(it).path(it), release(it.uid, job))
            except ApiError as error:
                expected.deletion_failed(it.uid)
                if not error.not_found:
                    raise

    def _expected(self, job: TFJob, child: ReplicaPod | Service) -> tuple[Expectations, int]:
        """The expectations that a child counts to, and how far its watch is."""
        if isinstance(child, ReplicaPod):
            return self._of.pods_expected[job.uid][child.type], self._of.pods.seen
        return self._of.services_expected[job.uid][child.type], self._of.services.seen

    async def _create(
        self, job: TFJob, of: Children, expected: ExpectationsByType[str], bodies: list[tuple[str, bytes]]
    ) -> None:
        """TFJ-016: what failed is not waited for; the error brings the TFJob back."""
        for kind, _ in bodies:
            expected[kind].expect_creations(1)
        await self._all([of.create(job, body, expected[kind]) for kind, body in bodies])

    async def _delete(
        self,
        job: TFJob,
        of: Children,
        expected: ExpectationsByType[str],
        doomed: tuple[ReplicaPod, ...] | tuple[Service, ...],
    ) -> None:
        for it in doomed:
            expected[it.type].expect_deletion(it.uid)
        await self._all([of.delete(job, it, expected[it.type]) for it in doomed])

    async def _all(self, writes: list[Coroutine[None, None, ApiError | None]]) -> None:
        errors = [error for error in await asyncio.gather(*writes) if error is not None]
        self.errors += [error for error in errors if not error.not_found]


def _resource(child: ReplicaPod | Service) -> Resource:
    return PODS if isinstance(child, ReplicaPod) else SERVICES
