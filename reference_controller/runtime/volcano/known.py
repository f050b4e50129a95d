"""What the controllers of Volcano know: the caches, and what was written that they do not show yet."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from reference_controller.objects.resources import PODS
from reference_controller.runtime.children import Children
from reference_controller.runtime.expectations import Expectations
from reference_controller.runtime.index import OwnedIndex, UidIndex
from reference_controller.volcano import api_json
from reference_controller.volcano.objects import COMMANDS, GROUPS, JOBS, QUEUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_controller.runtime.runtime import Runtime
    from reference_controller.volcano.objects import Command, Group, Job, JobPod, Queue


class Known:
    """Jobs, pods, PodGroups, queues and Commands, and the memories of Jobs and queues by UID.

    Attributes:
        asked: actions of Commands that were taken away and are not carried out yet, by the UID of the target.
        written: own status writes that the watch may not have shown yet, by the UID of the Job.
        on_ask: called with the UID of each target that is asked for something.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.client = runtime.client
        self.pods = runtime.informer(PODS, api_json.read_pod)
        self.jobs = runtime.informer(JOBS, api_json.read_job)
        self.queues = runtime.informer(QUEUES, api_json.read_queue)
        self.groups = runtime.informer(GROUPS, api_json.read_group)
        self.commands = runtime.informer(COMMANDS, api_json.read_command)
        self.owned_pods: OwnedIndex[JobPod] = OwnedIndex()
        self.job_index: UidIndex[Job] = UidIndex()
        self.queue_index: UidIndex[Queue] = UidIndex()
        self.group_index: UidIndex[Group] = UidIndex()
        self.command_index: UidIndex[Command] = UidIndex()
        self.expectations: defaultdict[str, Expectations] = defaultdict(Expectations)
        self.asked: dict[str, str] = {}
        self.written: dict[str, Job] = {}
        self.on_ask: list[Callable[[str], None]] = []
        self.children = Children(runtime, runtime.recorder("volcano-controller"), PODS, self.pods)
        self.pods.subscribe(self.owned_pods.change, self._pods_listed)
        self.jobs.subscribe(self.job_index.change)
        self.queues.subscribe(self.queue_index.change)
        self.groups.subscribe(self.group_index.change)
        self.commands.subscribe(self.command_index.change)

    def _pods_listed(self, seen: int) -> None:
        for expectations in self.expectations.values():
            expectations.caught_up(seen)

    def ask(self, uid: str, action: str) -> None:
        """Have an action carried out on the Job or queue of this UID."""
        self.asked[uid] = action
        for listener in self.on_ask:
            listener(uid)

    def forget(self, uid: str) -> None:
        """A Job or queue is gone."""
        self.expectations.pop(uid, None)
        self.asked.pop(uid, None)
        self.written.pop(uid, None)

    def newest(self, uid: str) -> Job | None:
        """The newest version known: an own write may be ahead of the watch."""
        job, written = self.job_index.get(uid), self.written.get(uid)
        return written if job and written and written.version > job.version else job

    def group_of(self, job: Job) -> Group | None:
        """The PodGroup that the Job controls."""
        groups = self.group_index.of(job.namespace)
        return next((it for it in groups if it.controller and it.controller.uid == job.uid), None)

    def groups_in(self, queue: Queue) -> list[Group]:
        """The PodGroups of a queue."""
        return [group for group in self.group_index.all() if group.queue == queue.name]
