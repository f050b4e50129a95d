"""What a decision about a JobSet can ask for."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.jobset.objects import ChildJob, ReplicatedJob, Status


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """An event about the JobSet; `kind` is Normal or Warning."""

    kind: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """Write the status of the JobSet, and record the events once it is stored."""

    status: Status
    events: tuple[RecordEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class CreateService:
    """Create the headless Service."""


@dataclass(frozen=True, slots=True)
class CreateJobs:
    """Create these child Jobs, each by its replicated job and index."""

    jobs: tuple[tuple[ReplicatedJob, int], ...]


@dataclass(frozen=True, slots=True)
class DeleteJobs:
    """Delete these child Jobs, and let each stay until its pods are gone."""

    jobs: tuple[ChildJob, ...]


@dataclass(frozen=True, slots=True)
class SuspendJobs:
    """Suspend these child Jobs."""

    jobs: tuple[ChildJob, ...]


@dataclass(frozen=True, slots=True)
class ResumeJobs:
    """Resume these child Jobs, with what the templates say of their pods now."""

    jobs: tuple[ChildJob, ...]


@dataclass(frozen=True, slots=True)
class DeleteJobSet:
    """Delete the JobSet itself, whose time to live is over."""


Action = WriteStatus | CreateService | CreateJobs | DeleteJobs | SuspendJobs | ResumeJobs | DeleteJobSet
