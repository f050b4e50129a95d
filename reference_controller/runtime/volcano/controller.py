"""The controllers of Volcano: which keys a change concerns."""

from __future__ import annotations

from reference_controller.objects.identity import ObjectKey, key_of
from reference_controller.runtime.loop import Loop
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.volcano.command_sync import CommandSync
from reference_controller.runtime.volcano.job_sync import JobSync
from reference_controller.runtime.volcano.known import Known
from reference_controller.runtime.volcano.pod_sync import NormalPods
from reference_controller.runtime.volcano.queue_sync import QueueSync
from reference_controller.volcano.objects import Child, Command, Group, Job, JobPod, Queue

WORKERS = 5
TOGETHER_S = 0.05
"""So long after the first of some changes of pods a Job is looked at, for all of them at once."""


class VolcanoController:
    """Three loops: Jobs with their pods and PodGroups, queues, and the Commands of users; and normal pods."""

    def __init__(self, runtime: Runtime, most_failures: int = -1) -> None:
        self._known = known = Known(runtime, most_failures)
        NormalPods(runtime, known)
        self._jobs: Loop[ObjectKey] = runtime.loop(lambda key: JobSync(known, key), WORKERS)
        self._queues: Loop[ObjectKey] = runtime.loop(lambda key: QueueSync(known, key), WORKERS)
        self._commands: Loop[ObjectKey] = runtime.loop(lambda key: CommandSync(known, key), WORKERS)
        known.on_ask.append(self._asked)
        known.pods.subscribe(self._pod_changed)
        known.jobs.subscribe(self._job_changed)
        known.groups.subscribe(self._group_changed)
        known.queues.subscribe(self._queue_changed)
        known.commands.subscribe(self._command_changed)
        known.claims.subscribe(self._claim_changed)
        for informer in known.extras:
            informer.subscribe(self._extra_changed)

    def _asked(self, uid: str) -> None:
        if job := self._known.job_index.get(uid):
            self._jobs.queue.add(key_of(job))
        if queue := self._known.queue_index.get(uid):
            self._queues.queue.add(key_of(queue))

    def _job_changed(self, old: Job | None, new: Job | None) -> None:
        if new is not None:
            self._jobs.queue.add(key_of(new))
            self._look_at_commands(old, new.uid)
        elif old is not None:
            self._known.forget(old.uid)
            self._jobs.queue.forget(key_of(old))

    def _look_at_commands(self, old: Job | Queue | None, uid: str) -> None:
        """VOL-021, VOL-055: a Command may be seen before what it is for."""
        if old is None:
            for command in self._known.command_index.all():
                if command.target == uid:
                    self._commands.queue.add(key_of(command))

    def _pod_changed(self, old: JobPod | None, new: JobPod | None) -> None:
        pod = new or old
        if pod is None or pod.controller is None:
            return
        if (expectations := self._known.expectations.get(pod.controller.uid)) is not None:
            expectations.observe(pod.uid, deleting=new is None or pod.deleting, released=True)
        if (job := self._known.job_index.get(pod.controller.uid)) is not None:
            self._jobs.queue.add_after(key_of(job), TOGETHER_S)

    def _group_changed(self, old: Group | None, new: Group | None) -> None:
        """VOL-005: whatever its phase is when it is first seen."""
        group = new or old
        if group is None:
            return
        if group.controller and (job := self._known.job_index.get(group.controller.uid)):
            self._jobs.queue.add(key_of(job))
        concerned = {it.queue for it in (old, new) if it is not None}  # VOL-054: it may have left the old one
        for queue in self._known.queue_index.all():
            if queue.name in concerned:
                self._queues.queue.add(key_of(queue))

    def _extra_changed(self, old: Child | None, new: Child | None) -> None:
        extra = new or old
        if extra is None or extra.controller is None:
            return
        if (job := self._known.job_index.get(extra.controller.uid)) is not None:
            self._jobs.queue.add(key_of(job))

    def _claim_changed(self, old: Child | None, new: Child | None) -> None:
        """VOL-007: any Job of the namespace may wait for it."""
        claim = new or old
        for job in self._known.job_index.of(claim.namespace if claim else ""):
            self._jobs.queue.add(key_of(job))

    def _queue_changed(self, old: Queue | None, new: Queue | None) -> None:
        if new is not None:
            self._queues.queue.add(key_of(new))
            self._look_at_commands(old, new.uid)
            if old is None:  # VOL-008: its Jobs may have waited for it
                for job in self._known.job_index.all():
                    if job.queue == new.name:
                        self._jobs.queue.add(key_of(job))
        elif old is not None:
            self._known.forget(old.uid)
            self._queues.queue.forget(key_of(old))

    def _command_changed(self, old: Command | None, new: Command | None) -> None:
        if new is not None:
            self._commands.queue.add(key_of(new))
        elif old is not None:
            self._commands.queue.forget(key_of(old))
