"""The ways to spell a gang: our own, that of Kubernetes, those of other schedulers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

import orjson

from reference_controller.objects.api_json import Json
from reference_controller.objects.resources import Resource
from reference_controller.objects.times import seconds, timestamp
from reference_controller.scheduler import api_json
from reference_controller.scheduler.objects import (
    DEFAULT_QUEUE,
    SCHEDULED,
    SCHEDULER_NAME,
    Condition,
    GroupStatus,
    Pod,
    PodGroup,
    Queue,
)

GROUP_LABEL = "gang.batchproof.dev/group"
TASK_LABEL = "gang.batchproof.dev/task"
PROTECTION = "scheduling.k8s.io/podgroup-protection"
"""The finalizer with which admission makes each PodGroup of Kubernetes."""
GROUP_ANNOTATION = "scheduling.k8s.io/group-name"
TASK_ANNOTATION = "volcano.sh/task-spec"


@dataclass(frozen=True, slots=True)
class Dialect(ABC):
    """Where gangs are served and how they are read and reported.

    Attributes:
        api_version: of the PodGroups, and of the queues if there are any.
        condition: the type of the condition that reports whether a gang could be scheduled.
        queues: whether there are queues; without them all gangs share a single one.
        tells_of_queues: whether the status of a queue says what it is due and what it has.
        reclaims: whether queues that do not say anything about it may be reclaimed from.
        status_apart: whether the status of a PodGroup is a subresource.
        scheduler: the `spec.schedulerName` of the pods that are ours.
        counted: what the status counts of a group's pods.
    """

    api_version: str
    condition: str
    queues: bool = True
    tells_of_queues: bool = False
    reclaims: bool = True
    status_apart: bool = True
    scheduler: str = SCHEDULER_NAME

    counted: ClassVar[tuple[str, ...]] = ("scheduled", "running", "succeeded", "failed")

    phased: ClassVar[bool] = False
    """Whether the status of a PodGroup has a phase."""

    groups: ClassVar[bool] = True
    """Whether there are PodGroups; without them the pods say all."""

    @property
    def group_resource(self) -> Resource:
        """The PodGroups."""
        return self._resource("podgroups")

    @property
    def queue_resource(self) -> Resource:
        """The queues."""
        return self._resource("queues")

    def _resource(self, plural: str) -> Resource:
        group, _, version = self.api_version.partition("/")
        return Resource(group, version, plural)

    def status_path(self, group: PodGroup) -> str:
        """Where the status of a PodGroup is written."""
        return self.group_resource.path(group, "status" if self.status_apart else "")

    @abstractmethod
    def group_of(self, pod: Json) -> str | None:
        """The name of the PodGroup that a pod names."""

    @abstractmethod
    def min_member(self, spec: Json) -> int:
        """How many pods of a group start together."""

    def read_pod(self, raw: Json) -> Pod:
        """Parse a pod once.

        Raises:
            KeyError, ValueError: the object is not a pod that an API server would serve.
        """
        pod = api_json.read_pod(raw, self.group_of(raw), self.scheduler)
        least = None if pod.group is None else self.said_by(raw)
        return replace(pod, min_member=least, task=self.task_of(raw))

    def said_by(self, _: Json, /) -> int | None:
        """How many pods of its gang a pod says that start together; None if it does not say it."""
        return None

    def task_of(self, _: Json, /) -> str | None:
        """The task of its gang that a pod does; None if it names none."""
        return None

    def read_queue(self, raw: Json) -> Queue:
        """Parse a queue once.

        Raises:
            KeyError, ValueError: the object is not a queue that an API server would serve.
        """
        queue = api_json.read_queue(raw)
        return queue if self.reclaims else replace(queue, reclaimable=False)

    def read_group(self, raw: Json) -> PodGroup:
        """Parse a PodGroup once. GNG-023: without a queue it is in the default one.

        Raises:
            KeyError, ValueError: the object is not a PodGroup that an API server would serve.
        """
        metadata, spec = raw["metadata"], raw.get("spec") or {}
        return PodGroup(
            namespace=metadata["namespace"],
            name=metadata["name"],
            uid=metadata["uid"],
            version=int(metadata["resourceVersion"]),
            generation=metadata.get("generation", 0),
            created=seconds(metadata["creationTimestamp"]),
            min_member=self.min_member(spec),
            tasks=tuple((spec.get("minTaskMember") or {}).items()),
            least=api_json.read_amounts(spec.get("minResources")),
            queue=(spec.get("queue") if self.queues else "") or DEFAULT_QUEUE,
            status=self._read_status(raw.get("status") or {}),
            raw=raw,
        )

    def _read_status(self, raw: Json) -> GroupStatus:
        told = next((c for c in raw.get("conditions") or () if c["type"] == self.condition), None)
        condition = None if told is None else self._read_condition(told)
        phase = raw.get("phase", "") if self.phased else ""
        return GroupStatus(condition, phase=phase, **{name: raw.get(name, 0) for name in self.counted})

    def group_with_status(self, group: PodGroup, status: GroupStatus) -> bytes:
        """The body of a PUT to `status_path`: the group as read, its resourceVersion included, changed.

        What others have written into the status is sent back as it was.
        """
        raw: Json = dict(group.raw.get("status") or {})
        others = [c for c in raw.get("conditions") or () if c["type"] != self.condition]
        if status.condition is not None:
            raw["conditions"] = [*others, self._write_condition(status.condition)]
        raw |= {name: getattr(status, name) for name in self.counted}
        if status.phase:
            raw["phase"] = status.phase
        return orjson.dumps({**group.raw, "apiVersion": self.api_version, "kind": "PodGroup", "status": raw})

    def _read_condition(self, raw: Json) -> Condition:
        return Condition(
            raw["status"],
            raw.get("reason", ""),
            raw.get("message", ""),
            seconds(raw["lastTransitionTime"]),
            raw.get("observedGeneration", 0),
        )

    def _write_condition(self, condition: Condition) -> Json:
        return {
            "type": self.condition,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "lastTransitionTime": timestamp(condition.changed),
            "observedGeneration": condition.generation,
        }

    def spelled(self, _: PodGroup, status: GroupStatus, /) -> GroupStatus:
        """What of a status the dialect can report, in its words."""
        return status

    def unprotected(self, group: PodGroup) -> bytes:
        """GNG-052: a merge patch of this very group, as it was read, without the finalizer that keeps it."""
        metadata = group.raw["metadata"]
        kept = [one for one in metadata.get("finalizers") or () if one != PROTECTION]
        return orjson.dumps(
            {"metadata": {key: metadata[key] for key in ("uid", "resourceVersion")} | {"finalizers": kept}}
        )


class Own(Dialect):
    """Groups with queues: fixtures/crds/reference.yaml."""

    __slots__ = ()
    phased = True

    def group_of(self, pod: Json) -> str | None:
        """By a label."""
        return (pod["metadata"].get("labels") or {}).get(GROUP_LABEL)

    def task_of(self, pod: Json, /) -> str | None:
        """By a label."""
        return (pod["metadata"].get("labels") or {}).get(TASK_LABEL)

    def min_member(self, spec: Json) -> int:
        """As the spec says."""
        return int(spec.get("minMember", 1))


class Native(Dialect):
    """Kubernetes' groups (KEP-4671): no queues, and a pod names its group in its spec."""

    __slots__ = ()
    counted = ()

    def group_of(self, pod: Json) -> str | None:
        """By `spec.schedulingGroup`."""
        return (pod["spec"].get("schedulingGroup") or {}).get("podGroupName")

    def min_member(self, spec: Json) -> int:
        """A basic group has none: each of its pods is bound when it fits (GNG-056 for kube-scheduler)."""
        gang = (spec.get("schedulingPolicy") or {}).get("gang")
        return int(gang["minCount"]) if gang else 1

    def read_group(self, raw: Json) -> PodGroup:
        """As all, and what only these groups say.

        Raises:
            KeyError, ValueError: the object is not a PodGroup that an API server would serve.
        """
        metadata, spec = raw["metadata"], raw["spec"]
        topology = (spec.get("schedulingConstraints") or {}).get("topology") or ()
        return replace(
            super().read_group(raw),
            priority=spec.get("priority", 0),
            domain_key=next((constraint["key"] for constraint in topology), ""),
            protected=PROTECTION in (metadata.get("finalizers") or ()),
            deleting=metadata.get("deletionTimestamp") is not None,
        )

    def spelled(self, group: PodGroup, status: GroupStatus, /) -> GroupStatus:
        """One reason for all that may keep a gang waiting, reported only the first time.

        Source: KEP-4671, PodGroupInitiallyScheduled.
        """
        old, new = group.status.condition, status.condition
        if old is not None and old.status == "True":
            return group.status
        if new is not None and new.status != "True":
            new = replace(new, reason=api_json.UNSCHEDULABLE)
        return GroupStatus(new)


class Annotated(Dialect):
    """Groups of Volcano and of kube-batch, where it came from: an annotation of the pod names them.

    They report the contrary: the condition is True while a gang cannot be scheduled.
    Source: volcano.sh/apis/pkg/apis/scheduling/types.go; kube-batch, pkg/apis/scheduling/v1alpha1/types.go.
    """

    __slots__ = ()
    counted = ("running", "succeeded", "failed")

    def group_of(self, pod: Json) -> str | None:
        """By an annotation."""
        return (pod["metadata"].get("annotations") or {}).get(GROUP_ANNOTATION)

    def task_of(self, pod: Json, /) -> str | None:
        """By an annotation."""
        return (pod["metadata"].get("annotations") or {}).get(TASK_ANNOTATION)

    def min_member(self, spec: Json) -> int:
        """As the spec says."""
        return int(spec.get("minMember", 1))

    def _read_condition(self, raw: Json) -> Condition:
        told = super()._read_condition(raw)
        return replace(told, status=_contrary(told.status), generation=0)

    def _write_condition(self, condition: Condition) -> Json:
        raw = super()._write_condition(replace(condition, status=_contrary(condition.status)))
        del raw["observedGeneration"]
        return raw

    def spelled(self, _: PodGroup, status: GroupStatus, /) -> GroupStatus:
        """Nothing says which generation has been seen, or how many pods have a node."""
        told = status.condition
        return replace(status, condition=told and replace(told, generation=0), phase="", scheduled=0)


class Unreported(Dialect):
    """Gangs reported by their pods alone: Koordinator's, those of coscheduling and of KAI.

    Source: scheduler-plugins, apis/scheduling/v1alpha1; KAI Scheduler, pkg/apis/scheduling/v2alpha2.
    """

    __slots__ = ()
    counted: ClassVar[tuple[str, ...]] = ()
    label: ClassVar[str] = "pod-group.scheduling.sigs.k8s.io"

    def group_of(self, pod: Json) -> str | None:
        """By a label."""
        return (pod["metadata"].get("labels") or {}).get(self.label)

    def min_member(self, spec: Json) -> int:
        """As the spec says."""
        return int(spec.get("minMember", 1))

    def spelled(self, group: PodGroup, _: GroupStatus, /) -> GroupStatus:
        """Nothing is reported: the group stays as it is."""
        return group.status


class Coscheduling(Unreported):
    """The PodGroups of coscheduling, which has changed their API group since Koordinator took them over.

    Their status has a phase and counts; what keeps a gang waiting is in the status of its pods.
    """

    __slots__ = ()
    counted = ("running", "succeeded", "failed")
    phased = True
    label = "scheduling.x-k8s.io/pod-group"

    def spelled(self, _: PodGroup, status: GroupStatus, /) -> GroupStatus:
        """There is no condition, and nothing says how many pods have a node."""
        return replace(status, condition=None, scheduled=0)


class Kai(Unreported):
    """KAI's groups: an annotation of the pod names them."""

    __slots__ = ()

    def group_of(self, pod: Json) -> str | None:
        """By an annotation."""
        return (pod["metadata"].get("annotations") or {}).get("pod-group-name")


class Koordinator(Unreported):
    """Koordinator's gangs without PodGroups: each pod says its gang and how many start together.

    Source: Koordinator, apis/extension/coscheduling.go.
    """

    __slots__ = ()
    groups = False
    domain: ClassVar[str] = "gang.scheduling.koordinator.sh"

    def group_of(self, pod: Json) -> str | None:
        """By an annotation."""
        return (pod["metadata"].get("annotations") or {}).get(f"{self.domain}/name")

    def said_by(self, pod: Json, /) -> int | None:
        """By an annotation."""
        least = (pod["metadata"].get("annotations") or {}).get(f"{self.domain}/min-available")
        return None if least is None else int(least)


class YuniKorn(Unreported):
    """YuniKorn's gangs: task groups of an application, listed in an annotation. Here an application has one.

    Source: YuniKorn documentation, Gang Scheduling.
    """

    __slots__ = ()
    groups = False
    domain: ClassVar[str] = "yunikorn.apache.org"

    def group_of(self, pod: Json) -> str | None:
        """By the application, if the pod is of a task group."""
        if self._task_group(pod) is None:
            return None
        return (pod["metadata"].get("labels") or {}).get("applicationId")

    def said_by(self, pod: Json, /) -> int | None:
        """As the task group says that the pod is of."""
        annotations = pod["metadata"].get("annotations") or {}
        listed = orjson.loads(annotations.get(f"{self.domain}/task-groups", "[]"))
        mine = (int(one["minMember"]) for one in listed if one["name"] == self._task_group(pod))
        return next(mine, None)

    def _task_group(self, pod: Json) -> str | None:
        return (pod["metadata"].get("annotations") or {}).get(f"{self.domain}/task-group-name")


def _contrary(status: str) -> str:
    return {"True": "False", "False": "True"}[status]


OWN = Own("gang.batchproof.dev/v1", SCHEDULED, tells_of_queues=True)
NATIVE = Native("scheduling.k8s.io/v1beta1", "PodGroupInitiallyScheduled", queues=False)
VOLCANO = Annotated("scheduling.volcano.sh/v1beta1", "Unschedulable", status_apart=False)
KUBE_BATCH = Annotated("scheduling.incubator.k8s.io/v1alpha1", "Unschedulable", reclaims=False)
COSCHEDULING = Coscheduling("scheduling.x-k8s.io/v1alpha1", SCHEDULED, queues=False)
KOORDINATOR = Unreported("scheduling.sigs.k8s.io/v1alpha1", SCHEDULED, queues=False)
KOORDINATOR_PODS = Koordinator("", SCHEDULED, queues=False)
KAI = Kai("scheduling.run.ai/v2alpha2", SCHEDULED, queues=False)
YUNIKORN = YuniKorn("", SCHEDULED, queues=False)
