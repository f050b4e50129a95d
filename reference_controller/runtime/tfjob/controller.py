"""The controller of TFJobs: which keys a change concerns."""

from __future__ import annotations

from reference_controller.objects.identity import ObjectKey, key_of
from reference_controller.runtime.loop import Loop
from reference_controller.runtime.runtime import Runtime
from reference_controller.runtime.tfjob.known import Expected, Known
from reference_controller.runtime.tfjob.sync import TFJobSync
from reference_controller.tfjob.names import JOB_NAME
from reference_controller.tfjob.objects import GangScheduler, PodGroup, ReplicaPod, Service, TFJob

WORKERS = 5


class TFJobController:
    """Watches TFJobs, their pods and services, and their PodGroups where there are some."""

    def __init__(self, runtime: Runtime, gang: GangScheduler | None = None) -> None:
        self._known = known = Known(runtime, gang)
        loop: Loop[ObjectKey] = runtime.loop(lambda key: TFJobSync(known, key), WORKERS)
        self._queue = loop.queue
        known.jobs.subscribe(self._job_changed)
        known.pods.subscribe(lambda old, new: self._child_changed(known.pods_expected, old, new))
        known.services.subscribe(lambda old, new: self._child_changed(known.services_expected, old, new))
        if known.groups is not None:
            known.groups.subscribe(self._group_changed)

    def _job_changed(self, old: TFJob | None, new: TFJob | None) -> None:
        if new is not None:
            self._queue.add(key_of(new))
        elif old is not None:
            self._known.forget(old.uid)
            self._queue.forget(key_of(old))

    def _child_changed(
        self, expected: Expected, old: ReplicaPod | Service | None, new: ReplicaPod | Service | None
    ) -> None:
        for child in (old, new):
            owner = child.controller if child else None
            if child is None or owner is None:
                continue
            lost = new is None or new.deleting or new.controller != owner
            if (expectations := expected.get(owner.uid)) is not None:
                expectations.observe(child.uid, deleting=lost)
            if (job := self._known.job_index.get(owner.uid)) is not None:
                self._queue.add(key_of(job))
        if new is not None and new.controller is None:
            self._offered(new)

    def _group_changed(self, old: PodGroup | None, new: PodGroup | None) -> None:
        group = new or old
        if group is None or group.controller is None:
            return
        if (job := self._known.job_index.get(group.controller.uid)) is not None:
            self._queue.add(key_of(job))

    def _offered(self, child: ReplicaPod | Service) -> None:
        """TFJ-020: no controller owns it; its labels say which may."""
        for job in self._known.job_index.of(child.namespace):
            if job.name == child.labels.get(JOB_NAME):
                self._queue.add(key_of(job))
