"""Volcano's objects as far as they are decided about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.objects.identity import Controller
from reference_controller.objects.pods import Pod
from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

JOBS = Resource("batch.volcano.sh", "v1alpha1", "jobs")
COMMANDS = Resource("bus.volcano.sh", "v1alpha1", "commands")
GROUPS = Resource("scheduling.volcano.sh", "v1beta1", "podgroups")
QUEUES = Resource("scheduling.volcano.sh", "v1beta1", "queues")
PRIORITY_CLASSES = Resource("scheduling.k8s.io", "v1", "priorityclasses")

PodIndex = tuple[str, int]
"""A pod of a Job: the name of its task and its index in it."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What is done, and how late: at one of these events (`*` is any), or when a pod ends with this code."""

    events: frozenset[str]
    action: str
    exit_code: int | None = None
    timeout_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """The pods of one template.

    Attributes:
        minimum: how many of them have to succeed.
        depends_on: the tasks that have to run before its pods are made; `any_of_them`: one of them is enough.
        max_retry: how often its containers may be started again in place; -1: without limit.
        priority_class: of its pods, "" for none.
        requests: what one of its pods asks for, in whole units of each resource.
    """

    name: str
    replicas: int
    template: dict[str, Any] = field(repr=False, compare=False)
    minimum: int = 0
    policies: tuple[Policy, ...] = ()
    depends_on: tuple[str, ...] = ()
    any_of_them: bool = False
    max_retry: int = 3
    priority_class: str = ""
    requests: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a Job; "" is the phase of one that no controller has seen yet.

    Attributes:
        version: it rises when the Job is left, so that what becomes of its old pods is no event any more.
        tasks: how many pods of each task are in each phase; what is zero is left out.
        done: the pods that have succeeded in this version, whether they are still there or not.
        controlled: what was made for the Job beside pods, as the API names it.
        since: when the phase began, in seconds since the epoch; None before the first.
    """

    phase: str = ""
    version: int = 0
    retry_count: int = 0
    pending: int = 0
    running: int = 0
    succeeded: int = 0
    failed: int = 0
    terminating: int = 0
    unknown: int = 0
    tasks: tuple[tuple[str, str, int], ...] = ()
    done: frozenset[PodIndex] = frozenset()
    controlled: tuple[tuple[str, str], ...] = ()
    since: float | None = None


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
    min_success: int | None = None
    priority_class: str = ""
    ttl_s: int | None = None
    status: Status = Status()
    deleting: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def replicas(self) -> int:
        """How many pods it has when all are there."""
        return sum(task.replicas for task in self.tasks)

    @property
    def indexes(self) -> tuple[tuple[Task, int], ...]:
        """Its pods when all are there."""
        return tuple((task, index) for task in self.tasks for index in range(task.replicas))


@dataclass(frozen=True, slots=True)
class JobPod(Pod):
    """A pod of a Volcano Job: whose task it is, and in which version of the Job it was made."""

    task: str = ""
    index: int = 0
    job_version: int = 0


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """What a PodGroup requests: pods of each task, and resources in whole units."""

    min_member: int = 0
    min_task_member: Mapping[str, int] = field(default_factory=dict)
    queue: str = "default"
    priority_class: str = ""
    min_resources: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """A PodGroup: the scheduler lets it in before its pods are made."""

    namespace: str
    name: str
    uid: str
    version: int
    phase: str
    controller: Controller | None = None
    spec: GroupSpec = GroupSpec()

    @property
    def queue(self) -> str:
        """The queue that it is in."""
        return self.spec.queue

    @property
    def let_in(self) -> bool:
        """Whether the scheduler has room for it."""
        return self.phase not in {"", "Pending"}


@dataclass(frozen=True, slots=True)
class Child:
    """What a plugin needs beside the pods, or a claim: `resource` says what it is.

    Attributes:
        data: what a ConfigMap holds; empty of all else.
    """

    namespace: str
    name: str
    uid: str
    version: int
    resource: Resource
    controller: Controller | None = None
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PriorityClass:
    """What the name of a priority is worth."""

    namespace: str
    name: str
    uid: str
    version: int
    value: int


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
