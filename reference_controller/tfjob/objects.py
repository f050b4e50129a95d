"""TFJobs as far as they are decided about, with their pods and services."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.objects.identity import Controller
from reference_controller.objects.pods import Pod
from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping

TFJOBS = Resource("kubeflow.org", "v1", "tfjobs")

CONTAINER = "tensorflow"
"""The container of a pod that counts."""

MASTERS = frozenset({"chief", "master"})
"""The types of replicas that decide alone, where a TFJob has one of them."""

FINISHED = frozenset({"Succeeded", "Failed"})


@dataclass(frozen=True, slots=True)
class ReplicaSpec:
    """The replicas of one type, such as Worker, from one template.

    Attributes:
        type: as the TFJob spells it.
        port: on which its replicas are reached.
    """

    type: str
    replicas: int
    restart_policy: str = "Never"
    port: int = 2222
    template: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """The type as names and labels spell it."""
        return self.type.lower()

    @property
    def restarts(self) -> bool:
        """Whether some failures of its replicas are no failure of the TFJob."""
        return self.restart_policy != "Never"


@dataclass(frozen=True, slots=True)
class Replica:
    """One replica: its pod and its service are named alike."""

    spec: ReplicaSpec
    index: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many pods of a type are active, have succeeded, have failed.

    Attributes:
        done: the indexes that have succeeded, whether their pods are still there or not (TFJ-019).
    """

    type: str
    active: int = 0
    succeeded: int = 0
    failed: int = 0
    done: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """What is reported of a TFJob. Times are seconds since the epoch.

    Attributes:
        condition: that it is in; "" before the first.
        counts: of each type.
        suspended: whether it is, by its conditions; None: it never was.
        restarts: how many pods have failed and were replaced.
        replaced: the UIDs of the failed pods among them that may still be there.
    """

    condition: str = ""
    counts: tuple[Counts, ...] = ()
    suspended: bool | None = None
    started: float | None = None
    completed: float | None = None
    restarts: int = 0
    replaced: tuple[str, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether it has succeeded or failed."""
        return self.condition in FINISHED

    def done(self, kind: str) -> frozenset[int]:
        """TFJ-019: the indexes of a type that have succeeded."""
        return frozenset(index for it in self.counts if it.type.lower() == kind for index in it.done)


@dataclass(frozen=True, slots=True)
class TFJob:
    """A TFJob, and `raw`, the JSON as it was read, never modified (ROB-032)."""

    api_version: ClassVar[str] = TFJOBS.group + "/" + TFJOBS.version
    kind: ClassVar[str] = "TFJob"

    namespace: str
    name: str
    uid: str
    version: int
    specs: tuple[ReplicaSpec, ...]
    clean_pod_policy: str = "None"
    success_policy: str = ""
    dynamic_workers: bool = False
    suspended: bool = False
    backoff_limit: int | None = None
    active_deadline_s: int | None = None
    ttl_s: int | None = None
    min_available: int | None = None
    queue: str = "default"
    priority_class: str = ""
    least: tuple[tuple[str, int], ...] | None = None
    status: Status = Status()
    deleting: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def replicas(self) -> tuple[Replica, ...]:
        """TFJ-001: one for each index of each type."""
        return tuple(Replica(spec, index) for spec in self.specs for index in range(spec.replicas))

    def spec(self, kind: str) -> ReplicaSpec | None:
        """The replicas of a type, as names and labels spell it."""
        return next((spec for spec in self.specs if spec.kind == kind), None)


@dataclass(frozen=True, slots=True)
class ReplicaPod(Pod):
    """A pod of a TFJob: the type and the index of its replica, as its labels say.

    TFJ-011: the index is -1 where they name none.
    """

    type: str = ""
    index: int = -1


@dataclass(frozen=True, slots=True)
class GangScheduler:
    """How a gang scheduler is asked.

    Attributes:
        name: what pods name as their scheduler.
        groups: its PodGroups.
        admits: it says when the pods of a PodGroup may be created (TFJ-045).
    """

    name: str
    groups: Resource
    admits: bool


VOLCANO = GangScheduler("volcano", Resource("scheduling.volcano.sh", "v1beta1", "podgroups"), admits=True)
COSCHEDULING = GangScheduler(
    "scheduler-plugins", Resource("scheduling.x-k8s.io", "v1alpha1", "podgroups"), admits=False
)
GANG_SCHEDULERS = {it.name: it for it in (VOLCANO, COSCHEDULING)}


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """What a PodGroup asks its scheduler for, as far as it follows the TFJob.

    Attributes:
        minimum: how many pods begin together.
        least: what these need to begin, by the name of the resource.
        priority_class: empty where the scheduler knows none.
    """

    minimum: int = 0
    least: Mapping[str, int] = field(default_factory=dict)
    priority_class: str = ""


@dataclass(frozen=True, slots=True)
class PodGroup:
    """A PodGroup; the phase is "" before its scheduler has looked at it."""

    namespace: str
    name: str
    uid: str
    version: int
    spec: GroupSpec = field(default_factory=GroupSpec)
    phase: str = ""
    controller: Controller | None = None
    deleting: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """A service, and the type and the index of the replica that its labels name."""

    namespace: str
    name: str
    uid: str
    version: int
    labels: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    index: int = -1
    controller: Controller | None = None
    deleting: bool = False
