"""What one decision looks at: the cluster at one moment, with the scheduler's own bindings in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference_controller.scheduler.objects import DEFAULT_QUEUE, Queue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reference_controller.scheduler.objects import Key, Node, Pod, PodGroup


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The cluster as the watches show it, and what this process knows beyond them.

    Attributes:
        pods: all pods, those of other schedulers too, for they take room.
        queues: by name.
        assumed: the node of each pod that we have bound, or are binding, while the watch does not show it
            yet: by UID. GNG-011: such a pod is never bound again.
    """

    nodes: Iterable[Node] = ()
    pods: Iterable[Pod] = ()
    groups: Mapping[Key, PodGroup] = field(default_factory=dict)
    queues: Mapping[str, Queue] = field(default_factory=dict)
    assumed: Mapping[str, str] = field(default_factory=dict)

    def node_of(self, pod: Pod) -> str:
        """The node that the pod has or is about to have, or ''. GNG-011: an own binding counts at once."""
        return pod.node or self.assumed.get(pod.uid, "")

    def weight(self, queue: str) -> int | None:
        """The weight of a queue; None if there is no such queue. GNG-023: the default one needs no object."""
        if queue in self.queues:
            return self.queues[queue].weight
        return 1 if queue == DEFAULT_QUEUE else None


GangKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Gang:
    """Pods that start together. A pod without a group is a gang of its own (GNG-014).

    Attributes:
        key: namespace, name, and whether they are those of a PodGroup or of a pod without one.
        group: its PodGroup; None where it needs none, or has none yet.
        missing: the pods name a PodGroup that does not exist.
        min_member: so many of its pods must run together.
        queue: the name of its queue, which need not exist.
        priority: the highest of its pods.
        created: when the group, or the pod without one, was.
        members: all its pods.
        assigned: how many of them have a node, or have ended.
        waiting: those that may be bound now.
    """

    key: GangKey
    group: PodGroup | None
    missing: bool
    min_member: int
    queue: str
    priority: int
    created: float
    members: tuple[Pod, ...]
    assigned: int
    waiting: tuple[Pod, ...]

    @property
    def needed(self) -> int:
        """How many more pods must get a node at once; 0 if the gang has its minimum."""
        return max(0, self.min_member - self.assigned)

    @property
    def complete(self) -> bool:
        """GNG-001: whether as many pods as must start together are there."""
        return len(self.waiting) >= self.needed


def gangs(snapshot: Snapshot) -> list[Gang]:
    """GNG-021: all pods that name one PodGroup are one gang, whoever made them."""
    grouped: defaultdict[Key, list[Pod]] = defaultdict(list)
    found: list[Gang] = []
    for pod in snapshot.pods:
        if not pod.ours:
            continue
        if pod.group is None:
            if waiting(snapshot, pod):
                found.append(_gang(snapshot, (pod.namespace, pod.name), None, [pod]))
        else:
            grouped[pod.namespace, pod.group].append(pod)
    for key, group in snapshot.groups.items():
        found.append(_gang(snapshot, key, group, grouped.pop(key, [])))
    for key, pods in grouped.items():
        found.append(_gang(snapshot, key, None, pods))
    return found


def _gang(snapshot: Snapshot, key: Key, group: PodGroup | None, pods: list[Pod]) -> Gang:
    alone = group is None and pods[0].group is None
    said = [pod.min_member for pod in pods if pod.min_member is not None]
    return Gang(
        key=(*key, "Pod" if alone else "PodGroup"),
        group=group,
        missing=group is None and not alone and not said,
        min_member=group.min_member if group else max(said, default=1),
        queue=group.queue if group else DEFAULT_QUEUE,
        priority=max((pod.priority for pod in pods if not pod.finished), default=0),
        created=group.created if group else pods[0].created,
        members=tuple(pods),
        assigned=sum(assigned(snapshot, pod) for pod in pods),
        waiting=tuple(pod for pod in pods if waiting(snapshot, pod)),
    )


def assigned(snapshot: Snapshot, pod: Pod) -> bool:
    """GNG-013: a member that is bound, by whichever process, or has ended counts towards the minimum.

    One that is being deleted does not: its replacement must find company.
    """
    return pod.finished or (snapshot.node_of(pod) != "" and not pod.deleting)


def waiting(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether the pod may be bound now."""
    return not (pod.finished or pod.deleting or pod.gated or snapshot.node_of(pod))
