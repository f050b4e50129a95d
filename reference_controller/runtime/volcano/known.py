"""What the controllers of Volcano know: the caches, and what was written that they do not show yet."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from reference_controller.objects.resources import CLAIMS, PODS, SERVICES
from reference_controller.runtime.children import FAILURES, Children
from reference_controller.runtime.expectations import Expectations
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.runtime.runtime import Runtime
from reference_controller.volcano import api_json
from reference_controller.volcano.events import Event
from reference_controller.volcano.objects import (
    COMMANDS,
    GROUPS,
    JOBS,
    PRIORITY_CLASSES,
    QUEUES,
    Child,
    Command,
    Group,
    Job,
    JobPod,
    PriorityClass,
    Queue,
)
from reference_controller.volcano.plugins.ssh import SECRETS
from reference_controller.volcano.plugins.svc import CONFIG_MAPS, NETWORK_POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

EXTRAS = (CONFIG_MAPS, SERVICES, SECRETS, NETWORK_POLICIES)


class Known:
    """Jobs, pods, PodGroups, queues and Commands, and the memories of Jobs and queues by UID.

    Attributes:
        most_failures: how often a request of a Job may fail before the Job is terminated; -1: for ever.
        asked: actions of Commands that were taken away and are not carried out yet, by the UID of the target.
        written: the last own status write of each Job, by its UID: the watch may not have shown it yet.
        evicted: pods that another client has deleted, until that is dealt with.
        failures: how often a Job could not be worked on since that last went well.
        happened: when each event of a Job was first known.
        on_ask: called with the UID of each target that is asked for something.
    """

    def __init__(self, runtime: Runtime, most_failures: int = -1) -> None:
        self.client = runtime.client
        self.most_failures = most_failures
        self.pods = runtime.informer(PODS, api_json.read_pod)
        self.jobs = runtime.informer(JOBS, api_json.read_job)
        self.queues = runtime.informer(QUEUES, api_json.read_queue)
        self.groups = runtime.informer(GROUPS, api_json.read_group)
        self.commands = runtime.informer(COMMANDS, api_json.read_command)
        self.claims = runtime.informer(CLAIMS, api_json.read_child(CLAIMS))
        self.extras = [runtime.informer(resource, api_json.read_child(resource)) for resource in EXTRAS]
        self.owned_pods: OwnedIndex[JobPod] = OwnedIndex()
        self.owned_extras: OwnedIndex[Child] = OwnedIndex()
        self.job_index: UidIndex[Job] = UidIndex()
        self.queue_index: UidIndex[Queue] = UidIndex()
        self.group_index: UidIndex[Group] = UidIndex()
        self.owned_groups: OwnedIndex[Group] = OwnedIndex()
        self.command_index: UidIndex[Command] = UidIndex()
        self.claim_index: UidIndex[Child] = UidIndex()
        self.priority_index: UidIndex[PriorityClass] = UidIndex()
        self.expectations: defaultdict[str, Expectations] = defaultdict(Expectations)
        self.asked: defaultdict[str, list[str]] = defaultdict(list)
        self.written: dict[str, Job] = {}
        self.evicted: defaultdict[str, list[JobPod]] = defaultdict(list)
        self.failures: defaultdict[str, int] = defaultdict(int)
        self.happened: dict[str, dict[Event, float]] = {}
        self.on_ask: list[Callable[[str], None]] = []
        self.recorder = runtime.recorder("volcano-controller")
        # Volcano records no event of each pod: that would be half of all requests.
        self.children = Children(runtime, self.recorder, PODS, self.pods, reasons=FAILURES)
        self.pods.subscribe(self._evicted)
        self.pods.subscribe(self.owned_pods.change, self._pods_listed)
        self.jobs.subscribe(self.job_index.change)
        self.queues.subscribe(self.queue_index.change)
        self.groups.subscribe(self.group_index.change)
        self.groups.subscribe(self.owned_groups.change)
        self.commands.subscribe(self.command_index.change)
        self.claims.subscribe(self.claim_index.change)
        runtime.informer(PRIORITY_CLASSES, api_json.read_priority_class).subscribe(self.priority_index.change)
        for informer in self.extras:
            informer.subscribe(self.owned_extras.change)

    def _pods_listed(self, seen: int) -> None:
        for expectations in self.expectations.values():
            expectations.caught_up(seen)

    def _evicted(self, old: JobPod | None, new: JobPod | None) -> None:
        """VOL-028: a pod is deleted, and not by this process. VOL-080: one that has ended is not evicted."""
        leaving = old is not None and not old.deleting and (new is None or new.deleting)
        if not leaving or old is None or old.controller is None or old.finished:
            return
        owner = old.controller.uid
        if owner in self.expectations and old.uid not in self.expectations[owner].deletions:
            self.evicted[owner].append(old)

    def ask(self, uid: str, action: str) -> None:
        """Have an action carried out on the Job or queue of this UID, after those of before."""
        self.asked[uid].append(action)
        self.look_at(uid)

    def look_at(self, uid: str) -> None:
        """Have the Job or queue of this UID looked at."""
        for listener in self.on_ask:
            listener(uid)

    def answered(self, uid: str) -> None:
        """The first action that is asked for is carried out, or does nothing."""
        if self.asked[uid]:
            self.asked[uid].pop(0)

    def next_asked(self, uid: str) -> str | None:
        """The action that is asked for first."""
        return self.asked[uid][0] if self.asked.get(uid) else None

    def forget(self, uid: str) -> None:
        """A Job or queue is gone."""
        memories = (self.expectations, self.asked, self.written, self.evicted, self.failures, self.happened)
        for memory in memories:
            memory.pop(uid, None)

    def newest(self, uid: str) -> Job | None:
        """The newest version known: an own write may be ahead of the watch, and hold more than is stored."""
        job, written = self.job_index.get(uid), self.written.get(uid)
        return written if job and written and written.version >= job.version else job

    def exhausted(self, uid: str) -> bool:
        """VOL-013: whether the Job could not be worked on as often as it may be tried."""
        return 0 <= self.most_failures < self.failures[uid]

    def group_of(self, job: Job) -> Group | None:
        """The PodGroup that the Job controls, or that it did until another client took the owner away."""
        return next(iter(self.owned_groups.owned_by(job.uid)), None) or self._disowned(job)

    def _disowned(self, job: Job) -> Group | None:
        """A PodGroup that nothing controls, of the name that only this Job gives: the UID is in it."""
        name = api_json.group_name(job)
        named = (group for group in self.group_index.of(job.namespace) if group.name == name)
        return next((group for group in named if group.controller is None), None)

    def groups_in(self, queue: Queue) -> list[Group]:
        """The PodGroups of a queue."""
        return [group for group in self.group_index.all() if group.queue == queue.name]

    def queue_named(self, name: str) -> Queue | None:
        """The queue of this name."""
        return next((queue for queue in self.queue_index.all() if queue.name == name), None)
