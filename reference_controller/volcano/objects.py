"""Volcano's objects as far as they are decided about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.objects.pods import Pod
from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from reference_controller.objects.identity import Controller

JOBS = Resource("batch.volcano.sh", "v1alpha1", "jobs")
COMMANDS = Resource("bus.volcano.sh", "v1alpha1", "commands")
GROUPS = Resource("scheduling.volcano.sh", "v1beta1", "podgroups")
QUEUES = Resource("scheduling.volcano.sh", "v1beta1", "queues")


@dataclass(frozen=True, slots=True)
class Task:
    """So many pods from one template."""

    name: str
    replicas: int
    template: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Policy:
    """What is done at an event; `*` is any."""

    events: frozenset[str]
    action: str


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a Job; "" is the phase of one that nobody has seen yet."""

    phase: str = ""
    version: int = 0
    retry_count: int = 0
    pending: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    terminating: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A Volcano Job, and `raw`, the JSON as it was read, never modified (ROB-032)."""

    api_version: ClassVar[str] = JOBS.group + "/" + JOBS.version
    kind: ClassVar[str] = "Job"

    namespace: str
    name: str
    uid: str
    version: int
    min_available: int
    queue: str
    scheduler: str
    max_retry: int
    tasks: tuple[Task, ...]
    policies: tuple[Policy, ...] = ()
    status: Status = Status()
    deleting: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class JobPod(Pod):
    """A pod of a Volcano Job: whose task it is, and in which version of the Job it was made."""

    task: str = ""
    job_version: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """A PodGroup: the scheduler lets it in before its pods are made."""

    namespace: str
    name: str
    uid: str
    version: int
    queue: str
    phase: str
    controller: Controller | None = None

    @property
    def let_in(self) -> bool:
        """Whether the scheduler has room for it."""
        return self.phase not in {"", "Pending"}


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """The state of a queue, and how many of its PodGroups are in each phase; zeros are left out."""

    state: str
    counts: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue, with the counts of its PodGroups by phase as its status gives them."""

    namespace: str
    name: str
    uid: str
    version: int
    state: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """What a user asks of the object whose UID is `target`."""

    namespace: str
    name: str
    uid: str
    version: int
    action: str
    target: str
