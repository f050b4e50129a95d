"""What the controller of TFJobs knows: the caches, and what was written that they do not show yet."""

from __future__ import annotations

from collections import defaultdict

from reference_controller.objects.resources import PODS, SERVICES
from reference_controller.runtime.children import Children
from reference_controller.runtime.expectations import ExpectationsByType
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.runtime.runtime import Runtime
from reference_controller.tfjob import api_json
from reference_controller.tfjob.objects import TFJOBS, GangScheduler, PodGroup, ReplicaPod, Service, TFJob

Expected = defaultdict[str, ExpectationsByType[str]]


class Known:
    """TFJobs, pods, services and PodGroups, and the memories of TFJobs by UID.

    Attributes:
        pods_expected: what the watch of pods has not shown yet, for each type of replica.
        services_expected: the same of services.
        gang: the scheduler that pods are given to in PodGroups; None: there are none.
        written: own status writes that the watch may not have shown yet.
        groups_deleted: the UIDs of PodGroups that were deleted here and that the watch still shows.
    """

    def __init__(self, runtime: Runtime, gang: GangScheduler | None = None) -> None:
        self.client = runtime.client
        self.jobs = runtime.informer(TFJOBS, api_json.read_tfjob)
        self.pods = runtime.informer(PODS, api_json.read_pod)
        self.services = runtime.informer(SERVICES, api_json.read_service)
        self.gang = gang
        self.groups = runtime.informer(gang.groups, api_json.read_group) if gang else None
        self.owned_groups: OwnedIndex[PodGroup] = OwnedIndex()
        self.groups_deleted: set[str] = set()
        if self.groups is not None:
            self.groups.subscribe(self.owned_groups.change)
            self.groups.subscribe(self._group_changed)
        self.job_index: UidIndex[TFJob] = UidIndex()
        self.owned_pods: OwnedIndex[ReplicaPod] = OwnedIndex()
        self.owned_services: OwnedIndex[Service] = OwnedIndex()
        self.pods_expected: Expected = defaultdict(ExpectationsByType)
        self.services_expected: Expected = defaultdict(ExpectationsByType)
        self.written: dict[str, TFJob] = {}
        self.recorder = recorder = runtime.recorder("tfjob-controller")
        self.pod_children = Children(runtime, recorder, PODS, self.pods)
        self.service_children = Children(runtime, recorder, SERVICES, self.services, noun="service")
        self.jobs.subscribe(self.job_index.change)
        self.pods.subscribe(self.owned_pods.change, lambda seen: _caught_up(self.pods_expected, seen))
        self.services.subscribe(
            self.owned_services.change, lambda seen: _caught_up(self.services_expected, seen)
        )

    def group_of(self, job: TFJob) -> PodGroup | None:
        """The PodGroup that the TFJob controls; TFJ-045: one that was deleted here admits no pod any more."""
        groups = self.owned_groups.owned_by(job.uid)
        return next((it for it in groups if it.uid not in self.groups_deleted), None)

    def _group_changed(self, old: PodGroup | None, new: PodGroup | None) -> None:
        if old is not None and new is None:
            self.groups_deleted.discard(old.uid)

    def forget(self, uid: str) -> None:
        """A TFJob is gone."""
        self.pods_expected.pop(uid, None)
        self.services_expected.pop(uid, None)
        self.written.pop(uid, None)

    def newest(self, uid: str) -> TFJob | None:
        """The newest version known: an own write may be ahead of the watch."""
        job, written = self.job_index.get(uid), self.written.get(uid)
        return written if job and written and written.version > job.version else job

    def met(self, uid: str) -> bool:
        """TFJ-015: whether the watches have shown all that was written for all types, pods and services."""
        self.pods_expected[uid].expire(self.pods.seen)
        self.services_expected[uid].expire(self.services.seen)
        return self.pods_expected[uid].met() and self.services_expected[uid].met()

    def expires_in_s(self, uid: str) -> float:
        """When the answer of `met` may change by time alone."""
        return min(self.pods_expected[uid].expires_in_s(), self.services_expected[uid].expires_in_s())


def _caught_up(expected: Expected, seen: int) -> None:
    for expectations in expected.values():
        expectations.caught_up(seen)
