"""Removing the tracking finalizer from pods that no Job counts any more."""

from __future__ import annotations

from collections import OrderedDict

from reference_controller.decision import Decision
from reference_controller.job import api_json
from reference_controller.job.actions import RemoveFinalizers
from reference_controller.job.objects import Job, Pod, is_job
from reference_controller.job.orphans import ObservedPod, reconcile_orphan
from reference_controller.objects.resources import JOBS, PODS
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.informer import Key
from reference_controller.runtime.job.known import Known
from reference_controller.runtime.loop import Loop, Sync
from reference_controller.runtime.runtime import Runtime

WORKERS = 5
MOST_REMEMBERED = 10_000


class OrphanPods:
    """The pods to look at. FIN-030: one whose finalizer could not be removed stays in the queue."""

    def __init__(self, runtime: Runtime, known: Known) -> None:
        self.client = runtime.client
        self.known = known
        self._gone: OrderedDict[str, None] = OrderedDict()
        loop: Loop[Key] = runtime.loop(self._begin, WORKERS)
        self._queue = loop.queue

    def add(self, pod: Pod) -> None:
        """Have the pod looked at."""
        self._queue.add((pod.namespace, pod.name))

    def job_gone(self, uid: str) -> None:
        """The Job with this UID is known not to exist any more."""
        self._gone[uid] = None
        if len(self._gone) > MOST_REMEMBERED:
            self._gone.popitem(last=False)

    async def owner(self, pod: Pod) -> Job | None:
        """FIN-029, FIN-033: that a Job is not in the cache is no proof that it does not exist.

        Raises:
            ApiError: whether it exists is not known.
        """
        if pod.controller is None or not is_job(pod.controller):
            return None
        uid = pod.controller.uid
        if (job := self.known.newest(uid)) is not None or uid in self._gone:
            return job
        path = JOBS.named(pod.namespace, pod.controller.name)
        try:
            fresh = self.known.read_job(await self.client.get(path))
        except ApiError as error:
            if not error.not_found:
                raise
        else:
            if fresh.uid == uid:
                return fresh
        self.job_gone(uid)
        return None

    def _begin(self, key: Key) -> OrphanSync:
        return OrphanSync(self, key)


class OrphanSync(Sync[ObservedPod, RemoveFinalizers]):
    """One look at one pod."""

    def __init__(self, orphans: OrphanPods, key: Key) -> None:
        super().__init__()
        self._orphans = orphans
        self._key = key

    async def observe(self) -> ObservedPod | None:
        """The pod, if it is tracked, its owner, and the Jobs that may adopt it."""
        known = self._orphans.known
        pod = known.pods.objects.get(self._key)
        if pod is None or not pod.tracked:
            return None
        owner = await self._orphans.owner(pod)
        return ObservedPod(pod, owner, tuple(known.by_uid.of(pod.namespace)))

    def reconcile(self, observed: ObservedPod, now: float) -> Decision[RemoveFinalizers]:  # noqa: ARG002 - no rule depends on time
        """See `job.orphans`."""
        return reconcile_orphan(observed)

    async def carry_out(self, action: RemoveFinalizers, observed: ObservedPod) -> None:  # noqa: ARG002 - the action says it
        """Remove the finalizers."""
        for pod in action.pods:
            try:
                patch = api_json.finalizer_removal(pod, unchanged=False)
                await self._orphans.client.patch(PODS.path(pod), patch)
            except ApiError as error:
                if not error.not_found:
                    raise
