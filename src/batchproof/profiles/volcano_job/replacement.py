"""The verbs that replace an object by another of its name, also where the implementation sees that late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.api.client import ApiError
from batchproof.ground.resources import CLAIMS, PODS, Resource
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.normal_pods import NormalPods
from batchproof.profiles.volcano_job.objects import REPLICA_SETS, VOLCANO_JOBS
from batchproof.profiles.volcano_job.verbs import UNSEEN, Volcano
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

LATE_S = 1.0
"""So long a watch is held back where no more is said: longer than any controller takes to reconcile."""


class Replacement:
    """The Job and the queue of a scenario, deleted and created again under their names."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._volcano = world.verbs(Volcano)
        self._normal_pods = world.verbs(NormalPods)

    @verb("the user replaces the Volcano Job and its pods by a Volcano Job of its name")
    def replace_job(self) -> None:
        """Delete the Job with its pods, and create it as it was created before."""
        self._volcano.delete_job_with_pods()
        self._volcano.create_again()

    @verb(
        "the implementation sees late that the Volcano Job is replaced by one of its name",
        not_in_place=UNSEEN,
    )
    @verb(
        "the implementation misses that the Volcano Job is replaced by one of its name",
        not_in_place=UNSEEN,
        missed=True,
    )
    def replace_job_unseen(self, *, missed: bool = False) -> None:
        """Replace the Job while the watch of Jobs is held back; missed: a list shows the new one."""
        self._unseen(VOLCANO_JOBS, self.replace_job, missed=missed)

    @verb("the implementation misses that the Volcano Job is deleted", not_in_place=UNSEEN)
    def delete_job_unseen(self) -> None:
        """Delete the Job and its pods, of which no watch of Jobs shows anything: only a list does."""
        self._unseen(VOLCANO_JOBS, self._volcano.delete_job_with_pods, missed=True)

    @verb(
        "the implementation's view of pods is stale while the Volcano Job is replaced by one of its name",
        not_in_place=UNSEEN,
    )
    def replace_job_with_old_pods(self) -> None:
        """Replace the Job with its pods, of which the implementation still sees the old ones."""
        self._world.faults.freeze(PODS)
        self.replace_job()

    @verb("the queue is deleted although it has a PodGroup")
    def delete_queue(self) -> None:
        """Delete the queue as it is; where that is refused, the scenario judges nothing."""
        self._world.act("deletes the queue")
        try:
            self._world.do(self._world.api.delete(QUEUES.path(name=self._volcano.queue_name)))
        except ApiError as error:
            self._world.lack(f"a queue that can be deleted, but {error}")

    @verb("the user replaces the queue by a queue of its name")
    def replace_queue(self) -> None:
        """Delete the queue as it is, and create one of its name; where that is refused, nothing is judged."""
        self.delete_queue()
        self._volcano.add_queue()

    @verb("the implementation sees late that the queue is replaced by one of its name", not_in_place=UNSEEN)
    @verb(
        "the implementation misses that the queue is replaced by one of its name",
        not_in_place=UNSEEN,
        missed=True,
    )
    def replace_queue_unseen(self, *, missed: bool = False) -> None:
        """Replace the queue while the watch of queues is held back; missed: a list shows the new one."""
        self._unseen(QUEUES, self.replace_queue, missed=missed)

    @verb(
        "the implementation misses that PodGroup {name:name} is replaced by one of its name",
        not_in_place=UNSEEN,
    )
    def replace_group_unseen(self, name: str) -> None:
        """Replace a PodGroup of no Job while no watch shows that: only a list does."""

        def replace() -> None:
            self._world.act(f"deletes PodGroup {name}")
            self._world.remove(PODGROUPS, name)
            self._volcano.add_group(name)

        self._unseen(PODGROUPS, replace, missed=True)

    @verb("the user replaces the PersistentVolumeClaim {name:name} by one of its name")
    @verb(
        "the implementation sees late that the PersistentVolumeClaim {name:name}"
        " is replaced by one of its name",
        not_in_place=UNSEEN,
        missed=False,
    )
    @verb(
        "the implementation misses that the PersistentVolumeClaim {name:name} is replaced by one of its name",
        not_in_place=UNSEEN,
        missed=True,
    )
    def replace_claim(self, name: str, *, missed: bool | None = None) -> None:
        """Replace a claim of the user; it goes without the controller that would take its finalizer off."""

        def replace() -> None:
            self._volcano.delete_claim(name)
            self._volcano.end_claim(name)
            self._volcano.add_claim(name)

        if missed is None:
            replace()
        else:
            self._unseen(CLAIMS, replace, missed=missed)

    @verb("the user replaces the ReplicaSet by a ReplicaSet of {count:d} pods")
    @verb(
        "the implementation sees late that the ReplicaSet is replaced by one of {count:d} pods",
        not_in_place=UNSEEN,
        missed=False,
    )
    @verb(
        "the implementation misses that the ReplicaSet is replaced by one of {count:d} pods",
        not_in_place=UNSEEN,
        missed=True,
    )
    def replace_set(self, count: int, *, missed: bool | None = None) -> None:
        """Replace the ReplicaSet with its pods by one of its name."""

        def replace() -> None:
            self._normal_pods.delete_owned()
            self._normal_pods.create_owned(count, "volcano")

        if missed is None:
            replace()
        else:
            self._unseen(REPLICA_SETS, replace, missed=missed)

    def _unseen(self, resource: Resource, change: Callable[[], None], *, missed: bool) -> None:
        self._world.faults.freeze(resource)
        change()
        if missed:
            self._world.faults.close_watches(resource, gone=True)
        else:
            self._world.let_pass(LATE_S)
        self._world.faults.thaw(resource)
