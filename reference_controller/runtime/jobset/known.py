"""What the controller of JobSets knows: the caches, and what was written that they do not show yet."""

from __future__ import annotations

from collections import defaultdict

from reference_controller.jobset import api_json
from reference_controller.jobset.objects import JOBSETS, ChildJob, JobSet, Service
from reference_controller.objects.resources import JOBS, SERVICES
from reference_controller.runtime.children import Children, Reasons
from reference_controller.runtime.expectations import EXPIRY_S, Expectations
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.runtime.runtime import Runtime

Expected = defaultdict[str, Expectations]

_JOB_EVENTS = Reasons(
    created="", create_failed="JobCreationFailed", deleted="", delete_failed="JobDeletionFailed"
)
_SERVICE_EVENTS = Reasons("", "HeadlessServiceCreationFailed", "", "")


class Known:
    """JobSets, Jobs and Services, and the memories of JobSets by UID.

    Attributes:
        jobs_expected: what the watch of Jobs has not shown yet.
        services_expected: the same of Services.
        written: own status writes that the watch may not have shown yet.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.client = runtime.client
        self.jobsets = runtime.informer(JOBSETS, api_json.read_jobset)
        self.jobs = runtime.informer(JOBS, api_json.read_job)
        self.services = runtime.informer(SERVICES, api_json.read_service)
        self.index: UidIndex[JobSet] = UidIndex()
        self.owned_jobs: OwnedIndex[ChildJob] = OwnedIndex()
        self.jobs_expected: Expected = defaultdict(Expectations)
        self.services_expected: Expected = defaultdict(Expectations)
        self.written: dict[str, JobSet] = {}
        self.recorder = recorder = runtime.recorder("jobset-controller")
        self.job_children = Children(
            runtime, recorder, JOBS, self.jobs, noun="job", reasons=_JOB_EVENTS, propagation="Foreground"
        )
        self.service_children = Children(
            runtime, recorder, SERVICES, self.services, noun="service", reasons=_SERVICE_EVENTS
        )
        self.jobsets.subscribe(self.index.change)
        self.jobs.subscribe(self.owned_jobs.change, lambda seen: _caught_up(self.jobs_expected, seen))
        self.services.subscribe(_nothing, lambda seen: _caught_up(self.services_expected, seen))

    def forget(self, uid: str) -> None:
        """A JobSet is gone."""
        self.jobs_expected.pop(uid, None)
        self.services_expected.pop(uid, None)
        self.written.pop(uid, None)

    def newest(self, uid: str) -> JobSet | None:
        """JST-042: the newest version known: an own write may be ahead of the watch."""
        jobset, written = self.index.get(uid), self.written.get(uid)
        return written if jobset and written and written.version > jobset.version else jobset

    def service_of(self, jobset: JobSet) -> Service | None:
        """The Service of its subdomain, whatever controls it."""
        return self.services.objects.get((jobset.namespace, jobset.subdomain))

    def met(self, uid: str) -> bool:
        """Whether the watches have shown all Jobs and Services that were created or deleted."""
        jobs, services = self.jobs_expected[uid], self.services_expected[uid]
        jobs.expire(self.jobs.seen)
        services.expire(self.services.seen)
        return jobs.met() and services.met()

    def expires_in_s(self, uid: str) -> float:
        """When the answer of `met` may change by time alone."""
        both = (self.jobs_expected[uid], self.services_expected[uid])
        return min((it.expires_in_s() for it in both if not it.met()), default=EXPIRY_S)


def _nothing(_: Service | None, __: Service | None) -> None:
    """The cache itself is enough."""


def _caught_up(expected: Expected, seen: int) -> None:
    for expectations in expected.values():
        expectations.caught_up(seen)
