"""JobSets as far as they are decided about, with their child Jobs and their Service.

Source: sigs.k8s.io/jobset, api/jobset/v1alpha2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.objects.identity import Controller
from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

JOBSETS = Resource("jobset.x-k8s.io", "v1alpha2", "jobsets")

CONTROLLER_NAME = "jobset.sigs.k8s.io/jobset-controller"
"""The value of managedBy that stands for this controller."""

COMPLETED = "Completed"
FAILED = "Failed"
SUSPENDED = "Suspended"
STARTUP_IN_PROGRESS = "StartupPolicyInProgress"
STARTUP_COMPLETED = "StartupPolicyCompleted"


@dataclass(frozen=True, slots=True)
class Dependency:
    """A replicated job that must be `Ready` or `Complete` before another one is created."""

    name: str
    status: str


@dataclass(frozen=True, slots=True)
class ReplicatedJob:
    """Child Jobs from one template.

    Attributes:
        template: a JobTemplateSpec, as the API has it.
    """

    name: str
    replicas: int = 1
    depends_on: tuple[Dependency, ...] = ()
    template: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class SuccessPolicy:
    """Which child Jobs must complete: `All` or `Any` of those of `targets`; no targets: of all."""

    operator: str = "All"
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureRule:
    """What to do about a failed child Job.

    Attributes:
        action: FailJobSet, RestartJobSet, or RestartJobSetAndIgnoreMaxRestarts.
        reasons: those of the Failed condition of the Job that the rule is about; none: all.
        targets: the replicated jobs that the rule is about; none: all.
    """

    action: str
    reasons: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """What to do about failed child Jobs.

    Attributes:
        max_restarts: of the restarts that count.
        blocking: no child Job is created while one of an earlier attempt is left (BlockingRecreate).
    """

    max_restarts: int = 0
    blocking: bool = False
    rules: tuple[FailureRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Network:
    """How pods reach each other; subdomain is "" where it is the name of the JobSet."""

    hostnames: bool = True
    subdomain: str = ""
    publish_not_ready: bool = True


@dataclass(frozen=True, slots=True)
class Coordinator:
    """The pod that leads: of this replicated job, of the Job with this index, with this completion index."""

    replicated_job: str
    job_index: int = 0
    pod_index: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many child Jobs of a replicated job are in which state."""

    name: str
    ready: int = 0
    succeeded: int = 0
    failed: int = 0
    active: int = 0
    suspended: int = 0

    @property
    def started(self) -> int:
        """The child Jobs that are ready, or have been: finished ones count as well."""
        return self.ready + self.succeeded + self.failed


@dataclass(frozen=True, slots=True)
class Condition:
    """One entry of status.conditions; `since` is in seconds since the epoch."""

    type: str
    true: bool
    reason: str = ""
    message: str = ""
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a JobSet.

    Attributes:
        restarts: how often all child Jobs were replaced; the number of the current attempt.
        counted_restarts: those of them that count towards maxRestarts.
        terminal_state: Completed or Failed; "" before.
        counts: of each replicated job.
    """

    conditions: tuple[Condition, ...] = ()
    restarts: int = 0
    counted_restarts: int = 0
    terminal_state: str = ""
    counts: tuple[Counts, ...] = ()

    def condition(self, kind: str) -> Condition | None:
        """The condition of this type, true or not."""
        return next((it for it in self.conditions if it.type == kind), None)

    def is_true(self, kind: str) -> bool:
        """Whether the condition of this type is true."""
        return any(it.type == kind and it.true for it in self.conditions)

    @property
    def end(self) -> Condition | None:
        """The condition that says that the JobSet is finished."""
        return next((it for it in self.conditions if it.type in {COMPLETED, FAILED} and it.true), None)

    def counts_of(self, name: str) -> Counts:
        """The counts of a replicated job."""
        return next((it for it in self.counts if it.name == name), Counts(name))


@dataclass(frozen=True, slots=True)
class JobSet:
    """A JobSet, and `raw`, the JSON as it was read, never modified (ROB-032)."""

    api_version: ClassVar[str] = f"{JOBSETS.group}/{JOBSETS.version}"
    kind: ClassVar[str] = "JobSet"

    namespace: str
    name: str
    uid: str
    version: int
    replicated_jobs: tuple[ReplicatedJob, ...] = ()
    success_policy: SuccessPolicy = SuccessPolicy()
    failure_policy: FailurePolicy | None = None
    network: Network = Network()
    coordinator: Coordinator | None = None
    in_order: bool = False
    suspended: bool = False
    ttl_s: int | None = None
    managed_by: str = CONTROLLER_NAME
    annotations: Mapping[str, str] = field(default_factory=dict)
    status: Status = Status()
    deleting: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def foreign(self) -> bool:
        """Whether another controller has been asked to manage it."""
        return self.managed_by != CONTROLLER_NAME

    @property
    def subdomain(self) -> str:
        """The name of the Service, and of the domain of the pods."""
        return self.network.subdomain or self.name

    def replicated_job(self, name: str) -> ReplicatedJob | None:
        """The replicated job of this name."""
        return next((it for it in self.replicated_jobs if it.name == name), None)


@dataclass(frozen=True, slots=True)
class Failure:
    """The Failed condition of a child Job; `at` is in seconds since the epoch."""

    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class ChildJob:
    """A Job, as far as a JobSet has to know it.

    Attributes:
        replicated_job: the one that its labels name; "" if they name none.
        attempt: the restart during which it was created, as its labels say.
        pods: how many pods run at once when all do.
        started: its status has a startTime.
        raw: the JSON as it was read, never modified.
    """

    namespace: str
    name: str
    uid: str
    version: int
    controller: Controller | None = None
    replicated_job: str = ""
    attempt: int = 0
    suspended: bool = False
    pods: int = 1
    active: int = 0
    ready: int = 0
    succeeded: int = 0
    started: bool = False
    complete: bool = False
    failure: Failure | None = None
    deleting: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def finished(self) -> bool:
        """Whether it has completed or failed."""
        return self.complete or self.failure is not None


@dataclass(frozen=True, slots=True)
class Service:
    """A Service, as far as a JobSet has to know it: whether there is one."""

    namespace: str
    name: str
    uid: str
    version: int
    controller: Controller | None = None
    deleting: bool = False
