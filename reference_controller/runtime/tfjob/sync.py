"""One look at a TFJob."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, assert_never

from reference_controller.decision import Decision
from reference_controller.runtime.loop import Sync
from reference_controller.tfjob import api_json
from reference_controller.tfjob.actions import (
    Action,
    CreatePods,
    CreateServices,
    DeletePods,
    DeleteServices,
    WriteStatus,
)
from reference_controller.tfjob.objects import TFJOBS
from reference_controller.tfjob.reconcile import Observed, reconcile

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from reference_controller.objects.identity import ObjectKey
    from reference_controller.runtime.children import Children
    from reference_controller.runtime.client import ApiError
    from reference_controller.runtime.expectations import ExpectationsByType
    from reference_controller.runtime.tfjob.known import Known
    from reference_controller.tfjob.objects import ReplicaPod, Service, Status, TFJob


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
            self._of.met(job.uid),
        )

    def reconcile(self, observed: Observed, now: float) -> Decision[Action]:  # noqa: ARG002 - nothing depends on time
        """See `tfjob.reconcile`."""
        if not observed.expectations_met:
            return Decision(requeue_after_s=self._of.expires_in_s(observed.job.uid))
        return reconcile(observed)

    async def carry_out(self, action: Action, observed: Observed) -> None:
        """Make the write; the errors of pods and services are kept, and raised at the end of the sync."""
        job = observed.job
        pods, services = self._of.pods_expected[job.uid], self._of.services_expected[job.uid]
        match action:
            case WriteStatus(status):
                await self._write(job, status)
            case CreatePods(replicas):
                bodies = [(it.spec.kind, api_json.new_pod(job, it)) for it in replicas]
                await self._create(job, self._of.pod_children, pods, bodies)
            case CreateServices(replicas):
                bodies = [(it.spec.kind, api_json.new_service(job, it)) for it in replicas]
                await self._create(job, self._of.service_children, services, bodies)
            case DeletePods(doomed):
                await self._delete(job, self._of.pod_children, pods, doomed)
            case DeleteServices(gone):
                await self._delete(job, self._of.service_children, services, gone)
            case _:
                assert_never(action)

    async def _write(self, job: TFJob, status: Status) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        raw = await self._of.client.put(TFJOBS.path(job, "status"), api_json.with_status(job, status, now))
        self._of.written[job.uid] = api_json.read_tfjob(raw)

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
