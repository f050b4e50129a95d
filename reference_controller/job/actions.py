"""What a decision can ask for. Each action is one kind of write; `runtime.job` carries it out."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.job.backoff import Backoff
from reference_controller.job.index_failures import Failures
from reference_controller.job.objects import JobStatus, Pod


@dataclass(frozen=True, slots=True)
class AdoptPods:
    """Become the controller of pods that have none, after reading the Job again."""

    pods: tuple[Pod, ...]


@dataclass(frozen=True, slots=True)
class ReleasePods:
    """Give up pods whose labels no longer match."""

    pods: tuple[Pod, ...]


@dataclass(frozen=True, slots=True)
class CreatePods:
    """Create `count` pods, or one for each of `indexes`, in a slow start.

    With backoffLimitPerIndex `failures` are those of each index until now.
    """

    count: int
    indexes: tuple[int, ...] = ()
    failures: tuple[Failures, ...] = ()


@dataclass(frozen=True, slots=True)
class ScaleDownPods:
    """Remove pods that are not to be counted: first the finalizer, then the pod."""

    pods: tuple[Pod, ...]


@dataclass(frozen=True, slots=True)
class TerminatePods:
    """Delete pods that are to be counted as failed: they keep their finalizer until that is recorded."""

    pods: tuple[Pod, ...]


@dataclass(frozen=True, slots=True)
class WriteStatus:
    """Replace the Job's status; once that is acknowledged, remember the backoff."""

    status: JobStatus
    backoff: Backoff


@dataclass(frozen=True, slots=True)
class RemoveFinalizers:
    """Remove the finalizer of pods that are recorded or need no record; keep the backoff, if one is given."""

    pods: tuple[Pod, ...]
    backoff: Backoff | None = None


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """Record events about the Job; done only after the actions before it have succeeded."""

    kind: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class DeleteJob:
    """Delete exactly the Job with this UID and, before it, what it owns."""

    uid: str


Action = (
    AdoptPods
    | ReleasePods
    | CreatePods
    | ScaleDownPods
    | TerminatePods
    | WriteStatus
    | RemoveFinalizers
    | RecordEvent
)
"""What a sync of a Job may do; `DeleteJob` is what the TTL does."""
