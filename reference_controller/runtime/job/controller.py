"""What changes of Jobs and pods lead to which sync."""

from __future__ import annotations

from reference_controller.job.objects import Job, Pod, is_job
from reference_controller.job.reconcile import BATCH_PERIOD_S, ours
from reference_controller.objects.identity import ObjectKey, key_of
from reference_controller.runtime.job.effects import Effects
from reference_controller.runtime.job.expired import ExpiredJobs
from reference_controller.runtime.job.known import Known
from reference_controller.runtime.job.orphans import OrphanPods
from reference_controller.runtime.job.sync import JobSync
from reference_controller.runtime.loop import Loop
from reference_controller.runtime.runtime import Runtime


class JobController:
    """Watches Jobs and pods and carries out what `reconcile` decides.

    Args:
        runtime: what all controllers share.
        concurrent_syncs: how many Jobs are worked on at once.
        manager: the name that the controller answers to.
        tracking: the finalizer of its pods.
    """

    def __init__(self, runtime: Runtime, concurrent_syncs: int, manager: str, tracking: str) -> None:
        self._known = Known(runtime, manager, tracking)
        self._effects = Effects(runtime, self._known)
        self._orphans = OrphanPods(runtime, self._known)
        self._expired = ExpiredJobs(runtime, self._known)
        loop: Loop[ObjectKey] = runtime.loop(self._begin, concurrent_syncs)
        self._queue = loop.queue
        self._known.pods.subscribe(self._pod_changed)
        self._known.jobs.subscribe(self._job_changed)

    def _begin(self, key: ObjectKey) -> JobSync:
        return JobSync(self._known, self._effects, key, lambda delay_s: self._queue.add_after(key, delay_s))

    def _pod_changed(self, old: Pod | None, new: Pod | None) -> None:
        controllers = {pod.controller for pod in (old, new) if pod is not None}
        for controller in controllers:
            if controller is not None and is_job(controller):
                self._owned_pod_changed(controller.uid, old, new)
        pod = new or old
        if pod is None or pod.controller is not None:
            return
        if new is not None and new.tracked:
            self._orphans.add(new)
        for job in self._known.by_uid.of(pod.namespace):
            if job.selector.matches(pod.labels) and not job.foreign:
                self._queue.add_after(key_of(job), BATCH_PERIOD_S)

    def _owned_pod_changed(self, uid: str, old: Pod | None, new: Pod | None) -> None:
        pod = new or old
        if pod is None:
            return
        if memory := self._known.memories.get(uid):
            stranger = new is None or new.controller is None or new.controller.uid != uid
            memory.expectations.observe(
                pod.uid, deleting=stranger or pod.deleting, released=stranger or not pod.tracked
            )
        job = self._known.newest(uid)
        if job is not None and ours(job):
            # ROB-030: many pod events within a second make one sync.
            self._queue.add_after(key_of(job), BATCH_PERIOD_S)
        elif new is not None and new.tracked:
            self._orphans.add(new)

    def _job_changed(self, old: Job | None, new: Job | None) -> None:
        if new is not None:
            self._job_stored(old, new)
        elif old is not None:
            # ROB-034: nothing is kept of a Job that is gone.
            self._known.memories.pop(old.uid, None)
            self._queue.forget(key_of(old))
            self._orphans.job_gone(old.uid)
            self._abandon_pods(old)

    def _job_stored(self, old: Job | None, new: Job) -> None:
        self._expired.add(new)
        memory = self._known.memories.get(new.uid)
        if new.finished:
            if memory is not None and memory.job is not None and new.version >= memory.job.version:
                del self._known.memories[new.uid]
            self._abandon_pods(new)
            return
        if new.deleting:
            self._abandon_pods(new)
        # ROB-031: a change of the spec at once, one of the status after the batch period.
        if old is None or old.generation != new.generation or old.deleting != new.deleting:
            self._queue.add(key_of(new))
        elif memory is None or memory.job is None or memory.job.version < new.version:
            self._queue.add_after(key_of(new), BATCH_PERIOD_S)

    def _abandon_pods(self, job: Job) -> None:
        """Have every tracked pod looked at that this Job may have given up."""
        owned = self._known.owned
        pods = [] if job.deleting and not job.finished else owned.owned_by(job.uid)
        pods += owned.without_controller(job.namespace)
        for pod in pods:
            if pod.tracked and (pod.controller is not None or job.selector.matches(pod.labels)):
                self._orphans.add(pod)
