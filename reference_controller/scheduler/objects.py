"""The API objects that the decisions look at, as values. Times are seconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.objects import pods
from reference_controller.objects.labels import Requirement

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEDULER_NAME = "batchproof"
DEFAULT_QUEUE = "default"

# What a PodGroup's condition may say.
SCHEDULED = "Scheduled"
NOT_ENOUGH_PODS = "NotEnoughPods"
NOT_ENOUGH_RESOURCES = "NotEnoughResources"
UNKNOWN_QUEUE = "UnknownQueue"
QUEUE_OVERUSED = "QueueOverused"
OTHER_PRIORITY = "OtherPriority"

# How far a gang is: GNG-045.
PENDING = "Pending"
RUNNING = "Running"
FINISHED = "Finished"
FAILED = "Failed"

Key = tuple[str, str]
"""Namespace and name."""


@dataclass(frozen=True, slots=True)
class Taint:
    """What keeps pods off a node."""

    key: str
    value: str
    effect: str


@dataclass(frozen=True, slots=True)
class Toleration:
    """What lets a pod onto a node all the same. Empty fields stand for any."""

    key: str
    operator: str
    value: str
    effect: str

    def covers(self, taint: Taint) -> bool:
        """Whether it tolerates the taint. Source: k8s.io/api core/v1 toleration.go, ToleratesTaint."""
        if self.effect not in {"", taint.effect} or self.key not in {"", taint.key}:
            return False
        return self.operator == "Exists" or (self.key == taint.key and self.value == taint.value)


@dataclass(frozen=True, slots=True)
class NodeTerm:
    """One of the alternatives of a required node affinity: about a node's labels, and about its name."""

    labels: tuple[Requirement, ...] = ()
    fields: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True)
class PodSelector:
    """Which pods an affinity term speaks of; `namespaces` is None for all of them."""

    namespaces: frozenset[str] | None
    labels: tuple[tuple[str, str], ...] = ()
    requirements: tuple[Requirement, ...] = ()

    def matches(self, pod: Pod) -> bool:
        """Whether it speaks of this pod."""
        if self.namespaces is not None and pod.namespace not in self.namespaces:
            return False
        if any(pod.labels.get(key) != value for key, value in self.labels):
            return False
        return all(requirement.matches(pod.labels) for requirement in self.requirements)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Pods that all the selectors speak of, in one domain of a node label."""

    topology_key: str
    selectors: tuple[PodSelector, ...]

    def include(self, pod: Pod) -> bool:
        """Whether the pod is one of them."""
        return all(selector.matches(pod) for selector in self.selectors)


@dataclass(frozen=True, slots=True)
class Spread:
    """Pods that are to be spread evenly over the domains of a node label.

    Attributes:
        topology_key: the label.
        most: by how many pods one domain may be ahead of another.
        selector: which pods count.
    """

    topology_key: str
    most: int
    selector: PodSelector


@dataclass(frozen=True, slots=True)
class Shape:
    """What a pod asks of a node. Pods made alike have equal shapes.

    Attributes:
        requests: resources and whole units (`quantity.amount`); only what is asked for.
        selector: labels that the node must have.
        node_terms: of these one must hold; None where there is no required node affinity.
        ports: host ports, as protocol and number.
        near: neighbours that must be there (required pod affinity).
        apart: neighbours that must not be there (required pod anti-affinity).
        spread: over what pods must be spread evenly.
        claims: the PersistentVolumeClaims that it uses.
        unsupported: what the pod asks for that this scheduler does not know; such a pod is never bound.
    """

    requests: tuple[tuple[str, int], ...] = ()
    selector: tuple[tuple[str, str], ...] = ()
    node_terms: tuple[NodeTerm, ...] | None = None
    tolerations: tuple[Toleration, ...] = ()
    ports: frozenset[tuple[str, int]] = frozenset()
    near: tuple[Neighbours, ...] = ()
    apart: tuple[Neighbours, ...] = ()
    spread: tuple[Spread, ...] = ()
    claims: frozenset[Key] = frozenset()
    unsupported: str = ""


@dataclass(frozen=True, slots=True)
class Pod(pods.Pod):
    """What the scheduler needs to know of a pod besides what all do.

    Attributes:
        gated: it has scheduling gates.
        ours: its `spec.schedulerName` is ours.
        group: the name of its PodGroup.
        min_member: how many pods of its gang start together, where each pod says that and no PodGroup does.
        task: the task of the gang that it does, where it names one.
        unschedulable: why, as its status says, it waits.
        preempts: it may have others evicted; GNG-068: not with `preemptionPolicy: Never`.
    """

    shape: Shape = Shape()
    gated: bool = False
    ours: bool = True
    group: str | None = None
    min_member: int | None = None
    priority: int = 0
    task: str | None = None
    unschedulable: str | None = None
    preempts: bool = True

    @property
    def best_effort(self) -> bool:
        """Whether it asks for no resource."""
        return not self.shape.requests


@dataclass(frozen=True, slots=True)
class Node:
    """A node, and what pods may use of it in all; `schedulable` says that it is ready and stays."""

    name: str
    uid: str
    version: int
    allocatable: Mapping[str, int]
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Taint, ...] = ()
    schedulable: bool = True
    namespace: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A PersistentVolumeClaim.

    Attributes:
        volume: the name of its volume; "" while it has none, or is only about to be bound to it.
        exclusive: only one pod at a time may use it.
    """

    namespace: str
    name: str
    uid: str
    version: int
    volume: str = ""
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Volume:
    """A PersistentVolume: of `node_terms` one must hold for a node to reach it; None where all do."""

    name: str
    uid: str
    version: int
    node_terms: tuple[NodeTerm, ...] | None = None
    namespace: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """A PodDisruptionBudget.

    Attributes:
        selector: the pods that it protects.
        allowed: how many of them may be evicted now.
    """

    namespace: str
    name: str
    uid: str
    version: int
    selector: PodSelector
    allowed: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """A PodGroup's condition that reports whether the gang could be scheduled."""

    status: str
    reason: str
    message: str
    changed: float
    generation: int


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """What a PodGroup reports of its pods.

    Attributes:
        scheduled: how many have a node or have ended.
        phase: how far the gang is; "" where that is not reported.
    """

    condition: Condition | None = None
    scheduled: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    phase: str = ""


@dataclass(frozen=True, slots=True)
class PodGroup:
    """A PodGroup, of whichever API; `raw` is the JSON as it was read, never modified.

    Attributes:
        tasks: how many pods of each task must run together, where that is said.
        least: how much of each resource the cluster must have in all.
        priority: that of each of its pods; None if they may have any.
        domain_key: the node label of which all nodes of its pods have one value; "" if it names none.
        protected: a finalizer of ours keeps it as long as its pods need it.
        deleting: it is to go.
    """

    namespace: str
    name: str
    uid: str
    version: int
    generation: int = 1
    created: float = 0.0
    min_member: int = 1
    tasks: tuple[tuple[str, int], ...] = ()
    least: tuple[tuple[str, int], ...] = ()
    queue: str = DEFAULT_QUEUE
    priority: int | None = None
    domain_key: str = ""
    protected: bool = False
    deleting: bool = False
    status: GroupStatus = GroupStatus()
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """What a queue is due and what it has: resources and whole units."""

    deserved: tuple[tuple[str, int], ...] = ()
    allocated: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue: cluster resources are divided among queues by weight.

    Attributes:
        capability: more than that it never has: resources and whole units; what is not named has no limit.
        guarantee: what is kept for it, whether it requests it or not.
        reclaimable: what it has above its share other queues may reclaim.
    """

    name: str
    uid: str
    version: int
    weight: int = 1
    capability: tuple[tuple[str, int], ...] = ()
    guarantee: tuple[tuple[str, int], ...] = ()
    reclaimable: bool = True
    status: QueueStatus = QueueStatus()
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    namespace: ClassVar[str] = ""
