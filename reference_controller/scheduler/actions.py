"""What a decision can ask for. Each action is carried out by `runtime.scheduler`."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.scheduler.attempt import Placement
from reference_controller.scheduler.objects import GroupStatus, Pod, PodGroup, Queue, QueueStatus


@dataclass(frozen=True, slots=True)
class BindPods:
    """Bind pods to the nodes found for them; they count as bound from now on."""

    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class EvictPods:
    """Evict these pods; they count as leaving from now on."""

    pods: tuple[Pod, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Write this into the status of groups, pods and queues, and nothing that was wanted before."""

    groups: tuple[tuple[PodGroup, GroupStatus], ...] = ()
    pods: tuple[tuple[Pod, str], ...] = ()
    queues: tuple[tuple[Queue, QueueStatus], ...] = ()


@dataclass(frozen=True, slots=True)
class ReleaseGroups:
    """Let these groups go: take off the finalizer that keeps them."""

    groups: tuple[PodGroup, ...]


Action = BindPods | EvictPods | ReleaseGroups | Report
