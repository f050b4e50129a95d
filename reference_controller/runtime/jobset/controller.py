"""The controller of JobSets: which keys a change concerns."""

from __future__ import annotations

from reference_controller.jobset.objects import ChildJob, JobSet, Service
from reference_controller.objects.identity import ObjectKey, key_of
from reference_controller.runtime.jobset.known import Expected, Known
from reference_controller.runtime.jobset.sync import JobSetSync
from reference_controller.runtime.loop import Loop
from reference_controller.runtime.runtime import Runtime

WORKERS = 5


class JobSetController:
    """Watches JobSets, Jobs and Services."""

    def __init__(self, runtime: Runtime) -> None:
        self._known = known = Known(runtime)
        loop: Loop[ObjectKey] = runtime.loop(lambda key: JobSetSync(known, key), WORKERS)
        self._queue = loop.queue
        known.jobsets.subscribe(self._jobset_changed)
        known.jobs.subscribe(self._job_changed)
        known.services.subscribe(self._service_changed)

    def _jobset_changed(self, old: JobSet | None, new: JobSet | None) -> None:
        if new is not None:
            self._queue.add(key_of(new))
        elif old is not None:
            self._known.forget(old.uid)
            self._queue.forget(key_of(old))

    def _job_changed(self, old: ChildJob | None, new: ChildJob | None) -> None:
        """JST-039, JST-040: a name may be free that a Job had which the JobSet does not control."""
        self._child_changed(self._known.jobs_expected, old, new)
        if old is None or new is not None:
            return
        for jobset in self._known.index.of(old.namespace):
            if old.name.startswith(f"{jobset.name}-"):
                self._queue.add(key_of(jobset))

    def _child_changed(
        self, expected: Expected, old: ChildJob | Service | None, new: ChildJob | Service | None
    ) -> None:
        for child in (old, new):
            owner = child.controller if child else None
            if child is None or owner is None:
                continue
            lost = new is None or new.deleting or new.controller != owner
            if (expectations := expected.get(owner.uid)) is not None:
                expectations.observe(child.uid, deleting=lost, released=True)
            if (jobset := self._known.index.get(owner.uid)) is not None:
                self._queue.add(key_of(jobset))

    def _service_changed(self, old: Service | None, new: Service | None) -> None:
        """Several JobSets may share a Service, which one of them, or none, controls."""
        self._child_changed(self._known.services_expected, old, new)
        service = new or old
        if service is None:
            return
        for jobset in self._known.index.of(service.namespace):
            if jobset.subdomain == service.name:
                self._queue.add(key_of(jobset))
