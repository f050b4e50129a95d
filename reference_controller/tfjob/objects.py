"""TFJobs as far as they are decided about, with their pods and services."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.objects.pods import Pod
from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from reference_controller.objects.identity import Controller

TFJOBS = Resource("kubeflow.org", "v1", "tfjobs")

CONTAINER = "tensorflow"
"""The container of a pod that counts."""

MASTERS = frozenset({"chief", "master"})
"""The types of replicas that decide alone, where a TFJob has one of them."""

FINISHED = frozenset({"Succeeded", "Failed"})


@dataclass(frozen=True, slots=True)
class ReplicaSpec:
    """So many replicas of one type, such as Worker, from one template.

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


@dataclass(frozen=True, slots=True)
class Replica:
    """One replica: its pod and its service are named alike."""

    spec: ReplicaSpec
    index: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How many pods of a type are active, have succeeded, have failed."""

    type: str
    active: int = 0
    succeeded: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """The condition that a TFJob is in, "" before the first, and the counts of each type."""

    condition: str = ""
    counts: tuple[Counts, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether it has succeeded or failed."""
        return self.condition in FINISHED


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
    status: Status = Status()
    deleting: bool = False
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def replicas(self) -> tuple[Replica, ...]:
        """TFJ-001: one for each index of each type."""
        return tuple(Replica(spec, index) for spec in self.specs for index in range(spec.replicas))


@dataclass(frozen=True, slots=True)
class ReplicaPod(Pod):
    """A pod of a TFJob: the type and the index of its replica, as its labels say."""

    type: str = ""
    index: int = -1


@dataclass(frozen=True, slots=True)
class Service:
    """A service, and the type of replica that its labels name."""

    namespace: str
    name: str
    uid: str
    version: int
    type: str = ""
    controller: Controller | None = None
    deleting: bool = False
