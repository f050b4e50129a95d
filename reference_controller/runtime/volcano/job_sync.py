"""One look at a Volcano Job."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from reference_controller.decision import Decision
from reference_controller.objects.api_json import deletion
from reference_controller.objects.identity import ObjectKey
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.loop import Sync
from reference_controller.runtime.volcano.belongings import prepare
from reference_controller.runtime.volcano.known import Known
from reference_controller.volcano import api_json
from reference_controller.volcano.actions import (
    Action,
    CreatePods,
    DeleteJob,
    DeletePods,
    RestartTask,
    WriteStatus,
)
from reference_controller.volcano.events import Event, events
from reference_controller.volcano.objects import JOBS, Job, JobPod, Status, Task
from reference_controller.volcano.phases import FINAL, after_action
from reference_controller.volcano.reconcile import Observed, asked_for, next_due_s, reconcile

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

BLOCKED_S = 2.0


class JobSync(Sync[Observed, Action]):
    """One sync of one Job."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key

    async def observe(self) -> Observed | None:
        """The Job with all that belongs to it; None once it is gone, or after an error."""
        job = self._of.newest(self._key.uid)
        if job is None or self.errors:
            return None
        expectations = self._of.expectations[job.uid]
        expectations.expire(self._of.pods.seen)
        return Observed(
            job,
            tuple(self._of.owned_pods.owned_by(job.uid)),
            self._of.group_of(job),
            self._of.next_asked(job.uid),
            expectations.met(),
            tuple(self._of.evicted[job.uid]),
            tuple(it for it in self._of.owned_extras.owned_by(job.uid)),
            frozenset(it.name for it in self._of.claim_index.of(job.namespace)),
            {it.name: it.value for it in self._of.priority_index.all()},
            self._of.queue_named(job.queue) is not None,
            self._of.exhausted(job.uid),
        )

    def reconcile(self, observed: Observed, now: float) -> Decision[Action]:
        """See `volcano.reconcile`."""
        job = observed.job
        if not observed.expectations_met:
            return Decision(requeue_after_s=self._of.expectations[job.uid].expires_in_s())
        if observed.command and not after_action(job.status.phase, observed.command):
            self._of.answered(job.uid)  # it does nothing in this phase
            return self.reconcile(replace(observed, command=self._of.next_asked(job.uid)), now)
        observed = replace(observed, passed_s=self._passed_s(observed, now))
        due_s = next_due_s(observed)
        if asked_for(observed) is None and due_s is None:
            self._of.evicted.pop(job.uid, None)  # no policy speaks of them
        decision = reconcile(observed, now)
        if not decision.actions:
            self._of.failures.pop(job.uid, None)
        # What a status write made is known; of all else the watch has to show it before the next decision.
        final = decision.final or not any(isinstance(it, WriteStatus) for it in decision.actions)
        return Decision(decision.actions, decision.requeue_after_s or due_s, final=final)

    def _passed_s(self, observed: Observed, now: float) -> dict[Event, float]:
        """VOL-088: how long ago each event was first known; this drops what is no longer so."""
        job, before = observed.job, self._of.happened.get(observed.job.uid, {})
        there = events(job, observed.pods, observed.evicted, observed.group)
        self._of.happened[job.uid] = happened = {event: before.get(event, now) for event in there}
        return {event: now - at for event, at in happened.items()}

    async def carry_out(self, action: Action, observed: Observed) -> None:
        """Make the write; errors are kept, and raised at the end of the sync."""
        failed_before = bool(self.errors)
        try:
            await self._carry_out(action, observed)
        except ApiError as error:
            if error.already_exists:  # another object of the name, or one of our own that is not seen yet
                self.again_s = BLOCKED_S
            else:
                self.errors.append(error)
        if self.errors and not failed_before:
            self._failed(observed)

    def _failed(self, observed: Observed) -> None:
        """VOL-013: it is counted how often that happens."""
        job = observed.job
        self._of.failures[job.uid] += 1
        if self._of.exhausted(job.uid):
            asked = asked_for(observed)
            message = f"Job failed on action {asked.action if asked else 'SyncJob'} for retry limit reached"
            self._of.recorder.record(job, "Normal", "ExecuteAction", message)
            self.errors.clear()  # it is not retried: the Job is terminated
            self._of.look_at(job.uid)

    async def _carry_out(self, action: Action, observed: Observed) -> None:
        job = observed.job
        match action:
            case WriteStatus(status, because):
                await self._write(observed, status, because)
            case CreatePods(pods):
                await self._create_pods(job, pods)
            case DeletePods(pods):
                await self._delete_pods(job, pods)
            case RestartTask(pods, status):
                self._tell_action(job, "RestartTask")
                await self._delete_pods(job, pods)
                if not self.errors:
                    await self._write(observed, status, "")
                    self._of.evicted.pop(job.uid, None)
            case DeleteJob():
                await self._delete_job(job)
            case _:
                await prepare(self._of, action, observed)

    async def _write(self, observed: Observed, status: Status, because: str) -> None:
        job = observed.job
        if because:
            self._tell_action(job, because)
        body = api_json.with_status(job, status, clock.now())
        raw = await self._of.client.put(JOBS.path(job, "status"), body)
        stored = api_json.read_job(raw)
        # Volcano's own definition drops which indexes are done: else that would be written without end.
        self._of.written[job.uid] = replace(stored, status=replace(stored.status, done=status.done))
        if because:
            self._of.evicted.pop(job.uid, None)
            self._of.failures.pop(job.uid, None)
            if because == observed.command:
                self._of.answered(job.uid)

    def _tell_action(self, job: Job, action: str) -> None:
        """VOL-039."""
        self._of.recorder.record(job, "Normal", "ExecuteAction", f"Start to execute action {action}")

    async def _create_pods(self, job: Job, pods: Iterable[tuple[Task, int]]) -> None:
        bodies = [api_json.new_pod(job, task, index) for task, index in pods]
        await self._all([self._create(job, body) for body in bodies])

    async def _create(self, job: Job, body: bytes) -> ApiError | None:
        """VOL-051: a pod of this name that is not the Job's is left alone; it is asked for again later."""
        expectations = self._of.expectations[job.uid]
        expectations.expect_creations(1)
        error = await self._of.children.create(job, body, expectations)
        if error is not None and error.already_exists:
            self.again_s = BLOCKED_S
            return None
        return error

    async def _delete_pods(self, job: Job, pods: tuple[JobPod, ...]) -> None:
        """VOL-053: what could not be deleted is retried, and the Job waits for it."""
        expectations = self._of.expectations[job.uid]
        for pod in pods:
            expectations.expect_deletion(pod.uid)
        await self._all([self._delete(job, pod) for pod in pods])

    async def _delete(self, job: Job, pod: JobPod) -> ApiError | None:
        """What is gone already need not be deleted; that it failed would count against the Job (VOL-013)."""
        error = await self._of.children.delete(job, pod, self._of.expectations[job.uid])
        return None if error is not None and error.not_found else error

    async def _all(self, writes: list[Coroutine[None, None, ApiError | None]]) -> None:
        self.errors += [error for error in await asyncio.gather(*writes) if error is not None]

    async def _delete_job(self, job: Job) -> None:
        """VOL-048: only if the Job, read again, has ended for so long."""
        fresh = api_json.read_job(await self._of.client.get(JOBS.path(job)))
        over = (fresh.status.since or 0) + (fresh.ttl_s or 0) <= clock.now()
        if fresh.uid == job.uid and fresh.status.phase in FINAL and fresh.ttl_s is not None and over:
            options = deletion(job.uid, propagation="Foreground")
            await self._of.client.delete(JOBS.path(job), options)
