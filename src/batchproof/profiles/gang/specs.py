"""What the phrases of gang scenarios mean: pods, gangs, nodes and queues as their users ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Amounts: TypeAlias = tuple[tuple[str, str], ...]
"""Resources, each with an amount as a quantity of the API."""
ZONES_NAME = "zone's"
"""The host of a node whose label with the name of its host says that of its zone."""
Flaw: TypeAlias = Literal["", "not ready", "unreachable", "cordoned", "tainted", "elsewhere", "avoided"]
"""Why a node is none for the scenario's pods; ``elsewhere``: it lacks the label that they select.

One that is ``avoided`` suits them: it has a taint with the effect PreferNoSchedule.
"""
Kept: TypeAlias = Literal["", "gated", "deleted"]
"""Why pods cannot be bound: a scheduling gate, or they are being deleted."""
Placed: TypeAlias = Literal["", "no two on one node", "all in one zone", "spread evenly over the zones"]
"""How the pods of a gang must lie to each other."""
Tolerated: TypeAlias = Literal[
    "", "the taint once they run", "the taint", "every taint", "another value of the taint", "another taint"
]
"""Which taints pods tolerate beside those of every simulated node."""
Priority: TypeAlias = Literal["", "urgent", "high", "low", "negative"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PodSpec:
    """Pods that are alike, of a gang or of none.

    Attributes:
        count: how many.
        name: the name of a pod of no gang; those of a gang are named after it.
        cpus: what each asks for; empty: nothing.
        asking: what each asks for beside CPUs.
        init_cpus: the CPUs that its init container asks for; empty: it has none.
        sidecar_cpus: the CPUs that its sidecar asks for; empty: it has none.
        runtime_cpus: the CPUs that its runtime takes beside its containers; empty: none.
        whole_cpus: the CPUs that it requests for all its containers together; empty: it does not say that.
        host_port: the port of its node that it uses; 0: none.
        node_zone: the zone of nodes that its node affinity names, or two: ``west or south``; empty: none.
        outside_zone: the zone that its node affinity excludes; empty: none.
        tolerated: what it tolerates of the taint that nodes of the scenario may have.
        owner: the object that is their controller.
        placed: how they must lie to each other.
        kept: why they cannot be bound.
        task: the task of the gang that they do.
        priority: their priority; empty: that of the gang, or none.
        claim: the PersistentVolumeClaim that they use.
        scheduler: whose they are; empty: the implementation's.
        selector: the labels of the nodes that they may be on; empty: those of the scenario.
        apart_from: the pod of no gang whose node none of them may be on; empty: there is none.
        apart_from_gang: the gang on whose nodes none of them may be; empty: there is none.
    """

    count: int = 1
    name: str = ""
    cpus: str = "1"
    asking: Amounts = ()
    init_cpus: str = ""
    sidecar_cpus: str = ""
    runtime_cpus: str = ""
    whole_cpus: str = ""
    host_port: int = 0
    node_zone: str = ""
    outside_zone: str = ""
    tolerated: Tolerated = ""
    owner: str = ""
    placed: Placed = ""
    kept: Kept = ""
    task: str = ""
    priority: Priority = ""
    claim: str = ""
    scheduler: str = ""
    selector: Amounts = ()
    apart_from: str = ""
    apart_from_gang: str = ""

    @property
    def taken_cpus(self) -> str:
        """How many CPUs of a node each takes, as a quantity of the API."""
        if not (self.init_cpus or self.sidecar_cpus or self.runtime_cpus or self.whole_cpus):
            return self.cpus or "0"
        own = max(int(self.init_cpus or 0), int(self.cpus or 0) + int(self.sidecar_cpus or 0))
        return str(int(self.whole_cpus or own) + int(self.runtime_cpus or 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class GangSpec:
    """A gang with its first pods.

    Attributes:
        name: its name, and that of its object.
        minimum: how many of its pods must be bound at once.
        loose: it has no minimum; ``minimum`` is 1.
        pods: its first pods; None: it has none yet.
        queue: its queue; empty: what the implementation takes by default.
        tree: the tree that its group is a part of.
        priority: its priority; empty: none.
        least_cpus: how many CPUs there must be in all for it; None: its group does not say that.
        tasks: how many pods of each task must be bound at once; empty: its group does not say that.
        whole: its pods are evicted only together.
        one_zone: its group says that its pods belong into one zone.
        later: it is created a second after what was created before: creationTimestamp knows whole seconds.
        made: its object exists.
    """

    name: str
    minimum: int
    loose: bool = False
    pods: PodSpec | None = None
    queue: str = ""
    tree: str = ""
    priority: Priority = ""
    least_cpus: int | None = None
    tasks: tuple[tuple[str, int], ...] = ()
    whole: bool = False
    one_zone: bool = False
    later: bool = False
    made: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSpec:
    """Nodes that are alike.

    Attributes:
        count: how many.
        cpus: how many CPUs each has.
        having: what each has of other resources, beside or instead of the usual.
        zone: the zone that they are in.
        flaw: why none of the scenario's pods may be bound to them.
        host: what their label with the name of their host says; "": the name of the node.
    """

    count: int = 1
    cpus: int
    having: Amounts = ()
    zone: str = ""
    flaw: Flaw = ""
    host: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueSpec:
    """Queues that are alike but for their names.

    Attributes:
        names: their names in the scenario.
        weight: how much each is due against the others.
        capability: how many CPUs each may have at the most; None: as many as there are.
        guarantee: how many CPUs are kept for each; None: none.
        reclaimable: what it has above its share other queues may reclaim.
    """

    names: tuple[str, ...]
    weight: int
    capability: int | None = None
    guarantee: int | None = None
    reclaimable: bool = False
