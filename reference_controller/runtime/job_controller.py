"""The Job controller at work: what changes leads to which sync, and what a sync does."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from reference_controller.job import api_json
from reference_controller.job.actions import (
    Action,
    AdoptPods,
    CreatePods,
    RecordEvent,
    ReleasePods,
    RemoveFinalizers,
    ScaleDownPods,
    TerminatePods,
    WriteStatus,
)
from reference_controller.job.observed import Observed
from reference_controller.job.reconcile import ours, reconcile
from reference_controller.runtime import clock
from reference_controller.runtime.caches import JobIndex, PodIndex
from reference_controller.runtime.effects import Effects, Memory
from reference_controller.runtime.events import EventRecorder
from reference_controller.runtime.expired_jobs import ExpiredJobs
from reference_controller.runtime.informer import Informer
from reference_controller.runtime.orphan_pods import OrphanPods
from reference_controller.runtime.queue import WorkQueue
from reference_controller.runtime.worker import work_on

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from reference_controller.job.objects import Job, Pod
    from reference_controller.runtime.client import ApiClient, ApiError

log = logging.getLogger(__name__)

BATCH_PERIOD_S = 1.0
MOST_STATUS_WRITES = 3


class JobKey(NamedTuple):
    """A Job by name and UID: one recreated under the same name is another (EXP-041, FAIL-059)."""

    namespace: str
    name: str
    uid: str


def key_of(job: Job) -> JobKey:
    """The Job's key."""
    return JobKey(job.namespace, job.name, job.uid)


class Sync:
    """One sync: stage after stage, with what went wrong so far."""

    def __init__(self) -> None:
        self.status_writes = 0
        self.moves_failed = False
        self.stuck: frozenset[str] = frozenset()
        self.errors: list[ApiError] = []


class JobController:
    """Watches Jobs and pods and carries out what `reconcile` decides."""

    def __init__(self, client: ApiClient, concurrent_syncs: int, manager: str) -> None:
        read_job = partial(api_json.read_job, manager=manager)
        self._concurrent_syncs = concurrent_syncs
        self._queue: WorkQueue[JobKey] = WorkQueue()
        self._memories: dict[str, Memory] = {}
        self._owned = PodIndex()
        self._jobs = JobIndex()
        self._pod_informer = Informer(
            client, "/api/v1/pods", api_json.read_pod, self._pod_changed, self._pods_listed
        )
        self._job_informer = Informer(client, "/apis/batch/v1/jobs", read_job, self._job_changed)
        self._recorder = EventRecorder(client, "job-controller")
        self._effects = Effects(client, read_job, self._recorder, lambda: self._pod_informer.seen)
        self._orphans = OrphanPods(client, read_job, self._pod_informer.objects, self._jobs, self._newest)
        self._expired = ExpiredJobs(client, read_job, self._job_informer.objects)

    async def run(self) -> None:
        """Work for ever. ROB-007: nothing is decided before both caches are complete."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pod_informer.run())
            group.create_task(self._job_informer.run())
            await self._pod_informer.synced.wait()
            await self._job_informer.synced.wait()
            log.info("caches are complete")
            for task in self._tasks():
                group.create_task(task)

    def _tasks(self) -> list[Coroutine[None, None, None]]:
        syncs = [work_on(self._queue, self._sync) for _ in range(self._concurrent_syncs)]
        return [self._recorder.run(), self._orphans.run(), self._expired.run(), *syncs]

    # --- what changes, and whom it concerns ---

    def _pods_listed(self, seen: int) -> None:
        for memory in self._memories.values():
            memory.expectations.caught_up(seen)

    def _pod_changed(self, old: Pod | None, new: Pod | None) -> None:
        self._owned.change(old, new)
        controllers = {pod.controller for pod in (old, new) if pod is not None}
        for controller in controllers:
            if controller is not None and controller.is_job:
                self._owned_pod_changed(controller.uid, old, new)
        pod = new or old
        if pod is None or pod.controller is not None:
            return
        if new is not None and new.tracked:
            self._orphans.add(new)
        for job in self._jobs.of(pod.namespace):
            if job.selector.matches(pod.labels) and not job.foreign:
                self._queue.add_after(key_of(job), BATCH_PERIOD_S)

    def _owned_pod_changed(self, uid: str, old: Pod | None, new: Pod | None) -> None:
        pod = new or old
        if pod is None:
            return
        if memory := self._memories.get(uid):
            stranger = new is None or new.controller is None or new.controller.uid != uid
            memory.expectations.observe(
                pod.uid, deleting=stranger or pod.deleting, released=stranger or not pod.tracked
            )
        job = self._newest(uid)
        if job is not None and ours(job):
            # ROB-030: many pod events within a second make one sync.
            self._queue.add_after(key_of(job), BATCH_PERIOD_S)
        elif new is not None and new.tracked:
            self._orphans.add(new)

    def _job_changed(self, old: Job | None, new: Job | None) -> None:
        self._jobs.change(old, new)
        if new is not None:
            self._job_stored(old, new)
        elif old is not None:
            # ROB-034: nothing is kept of a Job that is gone.
            self._memories.pop(old.uid, None)
            self._queue.forget(key_of(old))
            self._orphans.job_gone(old.uid)
            self._abandon_pods(old)

    def _job_stored(self, old: Job | None, new: Job) -> None:
        self._expired.add(new)
        memory = self._memories.get(new.uid)
        if new.finished:
            if memory is not None and memory.job is not None and new.version >= memory.job.version:
                del self._memories[new.uid]
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
        pods = [] if job.deleting and not job.finished else self._owned.owned_by(job.uid)
        pods += self._owned.without_controller(job.namespace)
        for pod in pods:
            if pod.tracked and (pod.controller is not None or job.selector.matches(pod.labels)):
                self._orphans.add(pod)

    # --- one sync ---

    def _newest(self, uid: str) -> Job | None:
        """BAS-060, FIN-014: the newest version known: an own write may be ahead of the watch."""
        job = self._jobs.get(uid)
        memory = self._memories.get(uid)
        if job is None or memory is None or memory.job is None or memory.job.version <= job.version:
            return job
        return memory.job

    async def _sync(self, key: JobKey) -> None:
        """Decide and act until nothing is left to do.

        Raises:
            ApiError: something failed; the rest was done as far as it could be.
        """
        sync = Sync()
        while True:
            job = self._newest(key.uid)
            if job is None or not ours(job):
                return
            memory = self._memories.setdefault(key.uid, Memory())
            decision = reconcile(self._observe(job, memory, sync), clock.now())
            if not decision.actions:
                self._look_again(key, decision.requeue_after_s, memory)
                break
            if sync.status_writes == MOST_STATUS_WRITES and isinstance(decision.actions[0], WriteStatus):
                self._queue.add_after(key, BATCH_PERIOD_S)
                break
            for action in decision.actions:
                await self._carry_out(action, job, memory, sync)
            if isinstance(decision.actions[0], RecordEvent):
                break
        if sync.errors:
            raise sync.errors[0]

    def _look_again(self, key: JobKey, delay_s: float | None, memory: Memory) -> None:
        if delay_s is not None:
            self._queue.add_after(key, max(delay_s, 0.01))
        if not memory.expectations.met():
            self._queue.add_after(key, max(memory.expectations.expires_in_s(), BATCH_PERIOD_S))

    def _observe(self, job: Job, memory: Memory, sync: Sync) -> Observed:
        owned = self._owned.owned_by(job.uid)
        matching = [pod for pod in owned if job.selector.matches(pod.labels)]
        strayed = [pod for pod in owned if not job.selector.matches(pod.labels)]
        loose = self._owned.without_controller(job.namespace)
        expectations = memory.expectations
        expectations.expire(self._pod_informer.seen)
        return Observed(
            job=job,
            pods=tuple(matching),
            strayed=tuple(strayed),
            adoptable=tuple(pod for pod in loose if job.selector.matches(pod.labels)),
            backoff=memory.backoff,
            expectations_met=expectations.met(),
            unseen_creations=frozenset(expectations.creations),
            unseen_deletions=frozenset(expectations.deletions),
            released=frozenset(expectations.releases),
            moves_failed=sync.moves_failed,
            stuck=sync.stuck,
        )

    async def _carry_out(self, action: Action, job: Job, memory: Memory, sync: Sync) -> None:
        """ROB-024: a failed move or finalizer does not keep the sync from doing the rest.

        Raises:
            ApiError: without this action nothing after it may be done.
        """
        match action:
            case CreatePods():
                self._note(await self._effects.create_pods(job, action, memory), sync)
            case ScaleDownPods():
                self._note(await self._effects.scale_down(job, action, memory), sync)
            case TerminatePods():
                self._note(await self._effects.terminate(job, action, memory), sync)
            case RemoveFinalizers():
                failures = await self._effects.remove_finalizers(action, memory)
                sync.stuck |= failures.keys()
                sync.errors += failures.values()
            case WriteStatus():
                sync.status_writes += 1
                await self._effects.write_status(job, action, memory)
            case RecordEvent():
                self._recorder.record(job, action.kind, action.reason, action.message)
            case AdoptPods():
                await self._effects.adopt(job, action, memory)
            case ReleasePods():
                await self._effects.release(job, action, memory)

    def _note(self, errors: list[ApiError], sync: Sync) -> None:
        """EXP-026: also pods that were gone already: the next move waits until the watch shows it."""
        sync.moves_failed = sync.moves_failed or bool(errors)
        sync.errors += errors
