"""What one decision looks at: the cluster at one moment, with the scheduler's own bindings in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference_controller.scheduler.objects import DEFAULT_QUEUE, Budget, Key, Node, Pod, PodGroup, Queue
from reference_controller.scheduler.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


DISRUPTED = "DisruptionTarget"
"""The condition of a pod that is evicted."""
DEFAULT = Queue(DEFAULT_QUEUE, uid="", version=0)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The cluster as the watches show it, and what this process knows beyond them.

    Attributes:
        pods: all pods, those of other schedulers too, for they take room.
        queues: by name.
        assumed: the node of each pod that we have bound, or are binding, while the watch does not show it
            yet: by UID. GNG-011: such a pod is never bound again.
        evicted: the UID of each pod that we have evicted, or are evicting.
        doubtful: the UID of each pod whose binding is refused again and again.
        storage: what pods may claim.
        budgets: which pods are protected from being evicted.
    """

    nodes: Iterable[Node] = ()
    pods: Iterable[Pod] = ()
    groups: Mapping[Key, PodGroup] = field(default_factory=dict)
    queues: Mapping[str, Queue] = field(default_factory=dict)
    assumed: Mapping[str, str] = field(default_factory=dict)
    evicted: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()
    storage: Storage = field(default_factory=Storage)
    budgets: Iterable[Budget] = ()

    def node_of(self, pod: Pod) -> str:
        """The node that the pod has or is about to have, or ''. GNG-011: an own binding counts at once."""
        return pod.node or self.assumed.get(pod.uid, "")

    def queue(self, name: str) -> Queue | None:
        """A queue; None if there is no such one. GNG-023: the default one needs no object."""
        return self.queues.get(name, DEFAULT if name == DEFAULT_QUEUE else None)

    def leaving(self, pod: Pod) -> bool:
        """Whether a pod will soon leave its node, because it is deleted or we have it evicted."""
        return pod.deleting or pod.uid in self.evicted

    def queue_of(self, pod: Pod) -> str | None:
        """The queue whose share the pod uses; None if that does not exist."""
        if pod.group is None:
            return DEFAULT_QUEUE
        group = self.groups.get((pod.namespace, pod.group))
        name = group.queue if group is not None else DEFAULT_QUEUE
        return name if self.queue(name) is not None else None

    def on_nodes(self) -> Iterator[tuple[Pod, str]]:
        """The pods that take room, and where. GNG-008: those that have ended take none."""
        for pod in self.pods:
            if not pod.finished and (node := self.node_of(pod)):
                yield pod, node


GangKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Gang:
    """Pods that start together. A pod without a group is a gang of its own (GNG-014).

    Attributes:
        key: namespace, name, and whether they are those of a PodGroup or of a pod without one.
        group: its PodGroup; None where it needs none, or has none yet.
        missing: the pods name a PodGroup that does not exist.
        min_member: how many of its pods must run together.
        queue: the name of its queue, which need not exist.
        priority: the highest of its pods.
        created: when the group, or the pod without one, was.
        members: all its pods.
        assigned: how many of them have a node, or have ended.
        waiting: those that may be bound now.
        lacking: how many more pods of each task must get a node at once (GNG-037).
        bound: those that take room on a node.
        nodes: those that its pods have.
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
    lacking: tuple[tuple[str, int], ...] = ()
    bound: tuple[Pod, ...] = ()
    nodes: frozenset[str] = frozenset()

    @property
    def mixed(self) -> bool:
        """GNG-059: whether a pod has another priority than its group says that all have."""
        wanted = self.group.priority if self.group is not None else None
        return wanted is not None and any(pod.priority != wanted for pod in self.members if not pod.finished)

    @property
    def domain_key(self) -> str:
        """GNG-069: the node label of which all its nodes must have one value; "" if there is none."""
        return self.group.domain_key if self.group is not None else ""

    @property
    def needed(self) -> int:
        """How many more pods must get a node at once; 0 if the gang has its minimum."""
        return max(0, self.min_member - self.assigned, sum(count for _, count in self.lacking))

    @property
    def complete(self) -> bool:
        """GNG-001, GNG-037: whether as many pods as must start together are there, of each task too."""
        there = Counter(pod.task for pod in self.waiting)
        return len(self.waiting) >= self.needed and all(there[task] >= count for task, count in self.lacking)


def gangs(snapshot: Snapshot) -> list[Gang]:
    """GNG-021: all pods that name one PodGroup are one gang, whatever created them."""
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
    bound = tuple(pod for pod in pods if not pod.finished and snapshot.node_of(pod))
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
        lacking=_lacking(snapshot, group, pods) if group else (),
        bound=bound,
        nodes=frozenset(snapshot.node_of(pod) for pod in bound),
    )


def _lacking(snapshot: Snapshot, group: PodGroup, pods: list[Pod]) -> tuple[tuple[str, int], ...]:
    there = Counter(pod.task for pod in pods if assigned(snapshot, pod))
    return tuple((task, least - there[task]) for task, least in group.tasks if least > there[task])


def assigned(snapshot: Snapshot, pod: Pod) -> bool:
    """GNG-013: a member that is bound, by whichever process, or has ended counts towards the minimum.

    One that is being deleted does not: its replacement needs the others of its gang.
    GNG-030: nor does one that has ended because it was evicted. GNG-084: nor one that never had a node.
    """
    evicted = pod.deleting and (DISRUPTED, "True") in pod.conditions
    stays = not evicted if pod.finished else not snapshot.leaving(pod)
    return snapshot.node_of(pod) != "" and stays


def waiting(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether the pod may be bound now."""
    return not (pod.finished or pod.deleting or pod.gated or snapshot.node_of(pod))
