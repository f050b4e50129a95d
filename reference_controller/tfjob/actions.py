"""What a decision about a TFJob can ask for."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.tfjob.objects import GroupSpec, PodGroup, Replica, ReplicaPod, Service, Status


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """Write the status of the TFJob."""

    status: Status


@dataclass(frozen=True, slots=True)
class CreatePods:
    """Create the pods of these replicas."""

    replicas: tuple[Replica, ...]


@dataclass(frozen=True, slots=True)
class CreateServices:
    """Create the services of these replicas."""

    replicas: tuple[Replica, ...]


@dataclass(frozen=True, slots=True)
class DeletePods:
    """Delete these pods."""

    pods: tuple[ReplicaPod, ...]


@dataclass(frozen=True, slots=True)
class DeleteServices:
    """Delete these services."""

    services: tuple[Service, ...]


@dataclass(frozen=True, slots=True)
class Adopt:
    """Become the controller of these, if the TFJob is still there when it is read again."""

    children: tuple[ReplicaPod | Service, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """Be the controller of these no more."""

    children: tuple[ReplicaPod | Service, ...]


@dataclass(frozen=True, slots=True)
class DeleteJob:
    """Delete the TFJob itself."""


@dataclass(frozen=True, slots=True)
class CreateGroup:
    """Create the PodGroup."""


@dataclass(frozen=True, slots=True)
class UpdateGroup:
    """Let the PodGroup request what the TFJob requests now."""

    group: PodGroup
    wanted: GroupSpec


@dataclass(frozen=True, slots=True)
class DeleteGroup:
    """Delete the PodGroup."""

    group: PodGroup


Action = (
    WriteStatus
    | CreatePods
    | CreateServices
    | DeletePods
    | DeleteServices
    | Adopt
    | Release
    | DeleteJob
    | CreateGroup
    | UpdateGroup
    | DeleteGroup
)
