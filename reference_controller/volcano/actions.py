"""What a decision about a Volcano Job, a queue or a normal pod can ask for."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.volcano.objects import Child, Group, JobPod, QueueStatus, Status, Task
from reference_controller.volcano.plugins.extra import Extra
from reference_controller.volcano.volumes import Claim


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """Write the status of the Job; `action` is the one that is carried out by it, if one is."""

    status: Status
    action: str = ""


@dataclass(frozen=True, slots=True)
class CreateGroup:
    """Create the PodGroup of the Job."""


@dataclass(frozen=True, slots=True)
class UpdateGroup:
    """Let the PodGroup ask for what the Job asks for now."""

    group: Group


@dataclass(frozen=True, slots=True)
class DeleteGroup:
    """Delete the PodGroup of the Job."""

    group: Group


@dataclass(frozen=True, slots=True)
class CreateExtra:
    """Create, or change, what a plugin needs beside the pods."""

    extra: Extra


@dataclass(frozen=True, slots=True)
class DeleteExtra:
    """Delete what a plugin needed."""

    child: Child


@dataclass(frozen=True, slots=True)
class CreateClaim:
    """Create this PersistentVolumeClaim."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class TellClaimMissing:
    """Report that a claim that the Job names is not there."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class CreatePods:
    """Create these pods: the index of each in its task."""

    pods: tuple[tuple[Task, int], ...]


@dataclass(frozen=True, slots=True)
class DeletePods:
    """Delete these pods."""

    pods: tuple[JobPod, ...]


@dataclass(frozen=True, slots=True)
class RestartTask:
    """Delete these pods of one task, then write the status, so that the task restarts."""

    pods: tuple[JobPod, ...]
    status: Status


@dataclass(frozen=True, slots=True)
class DeleteJob:
    """Delete the Job, if it is still as old as it seems."""


@dataclass(frozen=True, slots=True)
class WriteQueueStatus:
    """Write the status of the queue."""

    status: QueueStatus


Action = (
    WriteStatus
    | CreateGroup
    | UpdateGroup
    | DeleteGroup
    | CreateExtra
    | DeleteExtra
    | CreateClaim
    | TellClaimMissing
    | CreatePods
    | DeletePods
    | RestartTask
    | DeleteJob
)
