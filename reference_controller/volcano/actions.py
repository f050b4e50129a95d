"""What a decision about a Volcano Job or a queue can ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference_controller.volcano.objects import JobPod, QueueStatus, Status, Task


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """Write the status of the Job."""

    status: Status


@dataclass(frozen=True, slots=True)
class CreateGroup:
    """Create the PodGroup of the Job."""


@dataclass(frozen=True, slots=True)
class DeleteGroup:
    """Delete the PodGroup of the Job."""


@dataclass(frozen=True, slots=True)
class CreatePods:
    """Create these pods: the index of each in its task."""

    pods: tuple[tuple[Task, int], ...]


@dataclass(frozen=True, slots=True)
class DeletePods:
    """Delete these pods."""

    pods: tuple[JobPod, ...]


@dataclass(frozen=True, slots=True)
class WriteQueueStatus:
    """Write the status of the queue."""

    status: QueueStatus


Action = WriteStatus | CreateGroup | DeleteGroup | CreatePods | DeletePods
