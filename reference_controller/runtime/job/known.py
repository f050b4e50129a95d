"""What this process knows of Jobs: the caches, and what it has written that they do not show yet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from reference_controller.job import api_json
from reference_controller.job.actions import WriteStatus
from reference_controller.job.backoff import Backoff
from reference_controller.job.objects import Job, Pod
from reference_controller.objects.resources import JOBS, PODS
from reference_controller.runtime.expectations import Expectations
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.runtime.runtime import Runtime


@dataclass(slots=True)
class Memory:
    """What this process remembers of one Job (by UID, so that a recreated Job inherits nothing, EXP-041).

    `ends` says when a finish time in the future was seen first, by the UID of the pod and that time. `unsure`
    is a status write that had no success, but may have been stored.
    """

    expectations: Expectations = field(default_factory=Expectations)
    backoff: Backoff | None = None
    job: Job | None = None
    ends: dict[tuple[str, float], float] = field(default_factory=dict)
    unsure: WriteStatus | None = None

    def settle(self, job: Job) -> None:
        """FAIL-008: the write was stored, if that is the status now; its failures delay what comes next."""
        if self.unsure is not None and self.unsure.status == job.status:
            self.backoff, self.unsure = self.unsure.backoff, None

    def as_seen(self, pod: Pod, now: float) -> Pod:
        """ROB-036: a pod whose node is ahead ended when that was seen first, or its delay would not begin."""
        told = pod.finish_time
        if told is None or (told <= now and (pod.uid, told) not in self.ends):
            return pod
        return replace(pod, finish_time=self.ends.setdefault((pod.uid, told), now))


class Known:
    """Jobs and pods, and the memories of Jobs by UID.

    Args:
        runtime: what all controllers share.
        manager: the name that the controller answers to.
        tracking: the finalizer of its pods.
    """

    def __init__(self, runtime: Runtime, manager: str, tracking: str) -> None:
        self.read_job = partial(api_json.read_job, manager=manager, tracking=tracking)
        self.pods = runtime.informer(PODS, partial(api_json.read_pod, tracking=tracking))
        self.jobs = runtime.informer(JOBS, self.read_job)
        self.owned: OwnedIndex[Pod] = OwnedIndex()
        self.by_uid: UidIndex[Job] = UidIndex()
        self.memories: dict[str, Memory] = {}
        self.pods.subscribe(self.owned.change, self._pods_listed)
        self.jobs.subscribe(self.by_uid.change)

    def _pods_listed(self, seen: int) -> None:
        for memory in self.memories.values():
            memory.expectations.caught_up(seen)

    def newest(self, uid: str) -> Job | None:
        """BAS-060, FIN-014: the newest version known: an own write may be ahead of the watch."""
        job = self.by_uid.get(uid)
        memory = self.memories.get(uid)
        if job is None or memory is None or memory.job is None or memory.job.version <= job.version:
            return job
        return memory.job
