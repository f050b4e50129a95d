"""The two API objects that the decisions look at, as values. Times are seconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from reference_controller.objects import pods
from reference_controller.objects.identity import Controller
from reference_controller.objects.labels import Selector

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


def is_job(controller: Controller) -> bool:
    """FIN-032: only batch/v1 Jobs are ours; a Job of another API group is not."""
    return controller.kind == JOB_KIND and controller.api_version == JOB_API_VERSION


@dataclass(frozen=True, slots=True)
class Pod(pods.Pod):
    """What the Job controller needs to know of a pod besides what all do.

    `finish_time` is None unless the pod is finished or being deleted; `completion_index` is None when neither
    the host name nor the annotation has one. `index_failures` are those of its index before it, and
    `index_ignored_failures` those that do not count. `tracked` says whether it has the finalizer of this
    controller, which is called `tracking`.
    """

    tracked: bool = True
    tracking: str = TRACKING_FINALIZER
    finish_time: float | None = None
    restarts: int = 0
    max_restarts: int = 0
    max_sidecar_restarts: int = 0
    completion_index: int | None = None
    index_failures: int = 0
    index_ignored_failures: int = 0


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
    failed_indexes: str | None = None

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
class FailureRule:
    """A rule of podFailurePolicy: about exit codes if it has an operator, else about conditions.

    Attributes:
        action: FailJob, FailIndex, Ignore or Count.
        operator: In or NotIn `exit_codes`, of this container; None: of any.
        conditions: the types and statuses of which one is enough.
    """

    action: str
    operator: str = ""
    exit_codes: frozenset[int] = frozenset()
    container: str | None = None
    conditions: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class SuccessRule:
    """A rule of successPolicy: `count` of `indexes` have succeeded; None: of any, and all of them."""

    indexes: frozenset[int] | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A Job: the fields that decisions need, and `raw`, the JSON as it was read, never modified (ROB-032).

    `manager` is the name that this controller answers to; `managed_by` the one that the Job asks for.
    `tracking` is the finalizer of this controller.
    """

    api_version: ClassVar[str] = JOB_API_VERSION
    kind: ClassVar[str] = JOB_KIND

    namespace: str
    name: str
    uid: str
    version: int
    generation: int = 1
    deleting: bool = False
    selector: Selector = field(default_factory=Selector)
    parallelism: int = 1
    completions: int | None = 1
    backoff_limit: int = 6
    backoff_limit_per_index: int | None = None
    max_failed_indexes: int | None = None
    active_deadline_s: int | None = None
    ttl_s: int | None = None
    suspend: bool = False
    completion_mode: str = NON_INDEXED
    replace_only_failed: bool = False
    failure_rules: tuple[FailureRule, ...] = ()
    success_rules: tuple[SuccessRule, ...] = ()
    managed_by: str | None = None
    manager: str = CONTROLLER_NAME
    tracking: str = TRACKING_FINALIZER
    restart_policy: str = "Never"
    status: JobStatus = JobStatus()
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def foreign(self) -> bool:
        """FAIL-057: another controller has been asked to manage this Job.

        KEP-4368: a Job that names none belongs to the controller of Kubernetes itself.
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
