"""Carrying out actions: the writes, their order, their limits, and what is expected of them."""

from __future__ import annotations

from reference_controller.job import api_json
from reference_controller.job.actions import (
    AdoptPods,
    CreatePods,
    RecordEvent,
    ReleasePods,
    RemoveFinalizers,
    ScaleDownPods,
    TerminatePods,
    WriteStatus,
)
from reference_controller.job.objects import Job, Pod
from reference_controller.objects.resources import JOBS, PODS
from reference_controller.runtime.children import Children
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.expectations import Expectations
from reference_controller.runtime.job.known import Known, Memory
from reference_controller.runtime.parallel import each
from reference_controller.runtime.runtime import Runtime

NAMESPACE_TERMINATING_HOLD_S = 60.0


class Effects:
    """Carries out the actions decided for one Job at a time; each method is one kind of action."""

    def __init__(self, runtime: Runtime, known: Known) -> None:
        self._client = runtime.client
        self._known = known
        self._recorder = runtime.recorder("job-controller")
        self._pods = Children(runtime, self._recorder, PODS, known.pods)

    def record(self, job: Job, action: RecordEvent) -> None:
        """Write an Event about the Job."""
        self._recorder.record(job, action.kind, action.reason, action.message)

    async def create_pods(self, job: Job, action: CreatePods, memory: Memory) -> list[ApiError]:
        """EXP-012: batches of 1, 2, 4, 8, ...; EXP-013: none after one with a failure."""
        bodies = _new_pods(job, action)
        expectations = memory.expectations
        expectations.expect_creations(len(bodies))
        size = 1
        while bodies:
            batch, bodies = bodies[:size], bodies[size:]
            results = await each(batch, lambda body: self._pods.create(job, body, expectations))
            if errors := [error for error in results if error is not None]:
                expectations.creation_failed(len(bodies))
                return self._tolerate_terminating_namespace(errors, expectations)
            size *= 2
        return []

    def _tolerate_terminating_namespace(
        self, errors: list[ApiError], expectations: Expectations
    ) -> list[ApiError]:
        """EXP-019: in a namespace that is going away creation is not an error and not tried for a while."""
        if any(error.namespace_terminating for error in errors):
            expectations.hold(NAMESPACE_TERMINATING_HOLD_S)
        return [error for error in errors if not error.namespace_terminating]

    async def scale_down(self, job: Job, action: ScaleDownPods, memory: Memory) -> list[ApiError]:
        """EXP-027: the finalizer goes before the pod. EXP-028: while it cannot, the pod stays."""
        for pod in action.pods:
            memory.expectations.expect_deletion(pod.uid)

        async def remove(pod: Pod) -> ApiError | None:
            # A pod that has changed since it was read may have finished and must be counted.
            error = await self._let_go(pod, memory, unchanged=True) if pod.tracked else None
            if error is None:
                return await self._pods.delete(job, pod, memory.expectations)
            memory.expectations.deletion_failed(pod.uid)
            return error

        return [error for error in await each(action.pods, remove) if error is not None]

    async def terminate(self, job: Job, action: TerminatePods, memory: Memory) -> list[ApiError]:
        """EXP-029: delete and keep the finalizer."""
        for pod in action.pods:
            memory.expectations.expect_deletion(pod.uid)
        results = await each(action.pods, lambda pod: self._pods.delete(job, pod, memory.expectations))
        return [error for error in results if error is not None]

    async def remove_finalizers(self, action: RemoveFinalizers, memory: Memory) -> dict[str, ApiError]:
        """FIN-011: the pods whose finalizer could not be removed, by UID."""
        failures: dict[str, ApiError] = {}

        async def remove(pod: Pod) -> None:
            error = await self._let_go(pod, memory, unchanged=False)
            if error is not None:
                failures[pod.uid] = error

        await each(action.pods, remove)
        if action.backoff is not None:
            memory.backoff = action.backoff
        return failures

    async def _let_go(self, pod: Pod, memory: Memory, *, unchanged: bool) -> ApiError | None:
        """FIN-012: a pod that is gone has none. FIN-013: it is remembered until the watch shows it."""
        memory.expectations.expect_release(pod.uid)
        patch = api_json.finalizer_removal(pod, unchanged=unchanged)
        try:
            raw = await self._client.patch(PODS.path(pod), patch)
        except ApiError as error:
            if error.not_found:
                return None
            memory.expectations.release_failed(pod.uid)
            return error
        memory.expectations.wrote(int(raw["metadata"]["resourceVersion"]))
        return None

    async def write_status(self, job: Job, action: WriteStatus, memory: Memory) -> None:
        """BAS-074: replace the status of the version that the decision was made from.

        Raises:
            ApiError: it was not stored, or that is not known. After a conflict the newest version is read,
                so that the next attempt starts from it (FIN-014, ROB-017).
        """
        body = api_json.job_with_status(job, action.status)
        try:
            memory.job = self._known.read_job(await self._client.put(JOBS.path(job, "status"), body))
        except ApiError as error:
            if error.conflict:
                fresh = self._known.read_job(await self._client.get(JOBS.path(job)))
                if fresh.uid == job.uid and fresh.version > job.version:
                    memory.job = fresh
            if not error.conflict or memory.unsure is None:
                # Also after a conflict: it may be with this very write, which the HTTP client has sent twice.
                memory.unsure = action
            raise
        memory.backoff = action.backoff
        memory.unsure = None

    async def adopt(self, job: Job, action: AdoptPods, memory: Memory) -> None:
        """EXP-034: only if the Job, read again, is still there and not being deleted.

        Raises:
            ApiError: the Job has changed, or a pod could not be adopted.
        """
        fresh = self._known.read_job(await self._client.get(JOBS.path(job)))
        if fresh.uid != job.uid or fresh.deleting:
            raise ApiError(0, f"Job {job.namespace}/{job.name} is being deleted and adopts no pods")

        for pod in action.pods:
            raw = await self._client.patch(PODS.path(pod), api_json.adoption(pod, job))
            version = int(raw["metadata"]["resourceVersion"])
            memory.expectations.expect_pod(pod.uid, version, self._known.pods.seen)

    async def release(self, job: Job, action: ReleasePods, memory: Memory) -> None:
        """EXP-037, EXP-038: pods that are gone or refuse are given up all the same.

        Raises:
            ApiError: a pod could not be released.
        """
        for pod in action.pods:
            memory.expectations.expect_release(pod.uid)
            try:
                await self._client.patch(PODS.path(pod), api_json.release(pod, job))
            except ApiError as error:
                if not error.not_found and not error.invalid:
                    memory.expectations.release_failed(pod.uid)
                    raise


def _new_pods(job: Job, action: CreatePods) -> list[bytes]:
    if action.indexes:
        failures = action.failures or (None,) * len(action.indexes)
        return [
            api_json.new_indexed_pod(job, index, before)
            for index, before in zip(action.indexes, failures, strict=True)
        ]
    return [api_json.new_pod(job)] * action.count
