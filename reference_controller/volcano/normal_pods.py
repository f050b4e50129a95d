"""The PodGroups of pods that are of no Volcano Job, and that Volcano's scheduler shall bind all the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from reference_controller.decision import NOTHING, Decision
from reference_controller.objects.pods import Pod
from reference_controller.objects.resources import Resource
from reference_controller.volcano.objects import Group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPLICA_SETS = Resource("apps", "v1", "replicasets")
STATEFUL_SETS = Resource("apps", "v1", "statefulsets")
SCHEDULER = "volcano"


@dataclass(frozen=True, slots=True)
class NormalPod(Pod):
    """A pod, with what its PodGroup asks for.

    Attributes:
        scheduler: the name of the scheduler that is to bind it.
        group: the name of the PodGroup that it is in; "" for none.
        queue: that of its PodGroup; "" for the usual one.
        owners: its owner references, as they were read.
        requests: what it asks for, in whole units of each resource.
    """

    scheduler: str = ""
    group: str = ""
    queue: str = ""
    priority_class: str = ""
    owners: tuple[dict[str, Any], ...] = field(default=(), compare=False)
    requests: Mapping[str, int] = field(default_factory=dict)

    @property
    def group_name(self) -> str:
        """VOL-061: the pods of one controller share a PodGroup; one without a controller has its own."""
        return f"podgroup-{self.controller.uid if self.controller else self.uid}"


@dataclass(frozen=True, slots=True)
class ReplicaSet:
    """A ReplicaSet or a StatefulSet of Kubernetes, and how many pods it is to have."""

    api_version: ClassVar[str] = "apps/v1"
    kind: ClassVar[str] = "ReplicaSet"

    namespace: str
    name: str
    uid: str
    version: int
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class CreateGroupOfPod:
    """Create the PodGroup of the pod."""


@dataclass(frozen=True, slots=True)
class UpdateGroupOfPod:
    """Have the PodGroup of the pod need what the pod requests."""

    group: Group


@dataclass(frozen=True, slots=True)
class NameGroup:
    """Name in the pod the PodGroup that it is in."""


@dataclass(frozen=True, slots=True)
class DeleteGroupOfPods:
    """Delete the PodGroup of the pods that are gone."""

    group: Group


def reconcile_pod(
    pod: NormalPod, group: Group | None
) -> Decision[CreateGroupOfPod | UpdateGroupOfPod | NameGroup]:
    """VOL-059: a PodGroup, then its name in the pod. VOL-060: pods of other schedulers are left alone.

    VOL-091: the PodGroup of pods of one controller needs what the newest of them requests.
    """
    if pod.scheduler != SCHEDULER or pod.group or pod.deleting:
        return NOTHING
    if group is not None and group.spec.min_resources != pod.requests:
        return Decision((UpdateGroupOfPod(group), NameGroup()))
    return Decision((CreateGroupOfPod(), NameGroup()) if group is None else (NameGroup(),))


def reconcile_replica_set(
    owner: ReplicaSet, group: Group | None, pods: Sequence[NormalPod]
) -> Decision[DeleteGroupOfPods]:
    """VOL-062, VOL-090: a ReplicaSet or StatefulSet that is to have no pod, and has none, needs no PodGroup.

    VOL-061: while the ReplicaSet is observed late, its pods show that it is to have some again.
    """
    if owner.replicas or group is None or any(not pod.deleting for pod in pods):
        return NOTHING
    return Decision((DeleteGroupOfPods(group),))
