"""The two API objects that the decisions look at, as values. Times are seconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from reference_controller.labels import Requirement

TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking"
CONTROLLER_NAME = "kubernetes.io/job-controller"
JOB_API_VERSION = "batch/v1"
JOB_KIND = "Job"

NON_INDEXED = "NonIndexed"
INDEXED = "Indexed"

SUCCESS_CRITERIA_MET = "SuccessCriteriaMet"
FAILURE_TARGET = "FailureTarget"
COMPLETE = "Complete"
FAILED = "Failed"
SUSPENDED = "Suspended"


@dataclass(frozen=True, slots=True)
class Controller:
    """The owner reference of a pod that has controller=true."""

    api_version: str
    kind: str
    name: str
    uid: str

    @property
    def is_job(self) -> bool:
        """FIN-032: only batch/v1 Jobs are ours; a Job of another API group is not."""
        return self.kind == JOB_KIND and self.api_version == JOB_API_VERSION


@dataclass(frozen=True, slots=True)
class Pod:
    """What the Job controller needs to know of a pod.

    `finish_time` is None unless the pod is finished or being deleted; `completion_index` is None when the
    annotation is absent, negative or not a number.
    """

    namespace: str
    name: str
    uid: str
    version: int
    labels: dict[str, str] = field(default_factory=dict)
    controller: Controller | None = None
    tracked: bool = True
    phase: str = "Pending"
    deleting: bool = False
    assigned: bool = False
    ready: bool = False
    ready_since: float = 0.0
    created: float = 0.0
    finish_time: float | None = None
    restarts: int = 0
    max_restarts: int = 0
    max_sidecar_restarts: int = 0
    completion_index: int | None = None

    @property
    def finished(self) -> bool:
        """Whether the kubelet has reported a terminal phase. BAS-023: Unknown is not one."""
        return self.phase in {"Succeeded", "Failed"}

    @property
    def active(self) -> bool:
        """BAS-050: neither terminal nor being deleted."""
        return not self.deleting and self.phase not in {"Succeeded", "Failed"}

    @property
    def terminating(self) -> bool:
        """BAS-052: being deleted and not yet terminal."""
        return self.deleting and self.phase not in {"Succeeded", "Failed"}


@dataclass(frozen=True, slots=True)
class Condition:
    """One entry of status.conditions."""

    type: str
    status: str
    reason: str = ""
    message: str = ""
    last_probe_time: float | None = None
    last_transition_time: float | None = None


@dataclass(frozen=True, slots=True)
class JobStatus:
    """The status of a Job; None where the API distinguishes absent from zero."""

    conditions: tuple[Condition, ...] = ()
    start_time: float | None = None
    completion_time: float | None = None
    active: int = 0
    ready: int | None = None
    terminating: int | None = None
    succeeded: int = 0
    failed: int = 0
    uncounted_succeeded: tuple[str, ...] = ()
    uncounted_failed: tuple[str, ...] = ()
    completed_indexes: str = ""

    def condition(self, kind: str) -> Condition | None:
        """The condition of this type, whatever its status."""
        return next((c for c in self.conditions if c.type == kind), None)

    def has(self, kind: str) -> bool:
        """Whether the condition of this type is True. FAIL-032: one with status False is ignored."""
        return any(c.type == kind and c.status == "True" for c in self.conditions)

    @property
    def finished(self) -> bool:
        """Whether a terminal condition is set; it is never taken back (BAS-059)."""
        return self.has(COMPLETE) or self.has(FAILED)


@dataclass(frozen=True, slots=True)
class Selector:
    """A label selector; an empty one selects nothing, for a Job without a selector owns nothing."""

    labels: tuple[tuple[str, str], ...] = ()
    requirements: tuple[Requirement, ...] = ()

    def matches(self, labels: dict[str, str]) -> bool:
        """Whether labels meet every part of the selector."""
        for key, value in self.labels:
            if labels.get(key) != value:
                return False
        if not self.requirements:
            return bool(self.labels)
        return all(requirement.matches(labels) for requirement in self.requirements)


@dataclass(frozen=True, slots=True)
class Job:
    """A Job: the fields that decisions need, and `raw`, the JSON as it was read, never modified (ROB-032).

    `manager` is the name that this controller answers to; `managed_by` the one that the Job asks for.
    """

    api_version: ClassVar[str] = JOB_API_VERSION
    kind: ClassVar[str] = JOB_KIND

    namespace: str
    name: str
    uid: str
    version: int
    generation: int = 1
    deleting: bool = False
    selector: Selector = Selector()
    parallelism: int = 1
    completions: int | None = 1
    backoff_limit: int = 6
    active_deadline_s: int | None = None
    ttl_s: int | None = None
    suspend: bool = False
    completion_mode: str = NON_INDEXED
    replace_only_failed: bool = False
    managed_by: str | None = None
    manager: str = CONTROLLER_NAME
    restart_policy: str = "Never"
    status: JobStatus = JobStatus()
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def foreign(self) -> bool:
        """FAIL-057: another controller has been asked to manage this Job.

        KEP-4368: a Job that names nobody belongs to the controller of Kubernetes itself.
        """
        return (self.managed_by or CONTROLLER_NAME) != self.manager

    @property
    def indexed(self) -> bool:
        """Whether each pod stands for one completion index."""
        return self.completion_mode == INDEXED

    @property
    def finished(self) -> bool:
        """Whether a terminal condition is set."""
        return self.status.finished
