"""The two ways in which a gang can be spelled: our own PodGroups, with queues, and those of Kubernetes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from reference_controller.scheduler import api_json
from reference_controller.scheduler.objects import (
    DEFAULT_QUEUE,
    SCHEDULED,
    Condition,
    GroupStatus,
    PodGroup,
)
from reference_controller.times import seconds, timestamp

if TYPE_CHECKING:
    from reference_controller.scheduler.objects import Pod

Json = dict[str, Any]

GROUP_LABEL = "gang.batchproof.dev/group"


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where gangs are served and how they are read and told of.

    Attributes:
        api_version: of the PodGroups, and of the queues if there are any.
        queues: whether there are queues; without them all gangs share the one that everybody has.
        condition: the type of the condition that tells whether a gang could be scheduled.
    """

    api_version: str
    queues: bool
    condition: str

    @property
    def groups_path(self) -> str:
        """Where the PodGroups of all namespaces are served."""
        return f"/apis/{self.api_version}/podgroups"

    @property
    def queues_path(self) -> str:
        """Where the queues are served."""
        return f"/apis/{self.api_version}/queues"

    def group_path(self, group: PodGroup) -> str:
        """Where a PodGroup is served."""
        return f"/apis/{self.api_version}/namespaces/{group.namespace}/podgroups/{group.name}"

    def read_pod(self, raw: Json) -> Pod:
        """Parse a pod once.

        Raises:
            KeyError, ValueError: the object is not a pod that an API server would serve.
        """
        if self is NATIVE:
            return api_json.read_pod(raw, (raw["spec"].get("schedulingGroup") or {}).get("podGroupName"))
        return api_json.read_pod(raw, (raw["metadata"].get("labels") or {}).get(GROUP_LABEL))

    def read_group(self, raw: Json) -> PodGroup:
        """Parse a PodGroup once. GNG-023: without a queue it is in the default one.

        Raises:
            KeyError, ValueError: the object is not a PodGroup that an API server would serve.
        """
        metadata, spec = raw["metadata"], raw["spec"] if self is NATIVE else raw.get("spec") or {}
        return PodGroup(
            namespace=metadata["namespace"],
            name=metadata["name"],
            uid=metadata["uid"],
            version=int(metadata["resourceVersion"]),
            generation=metadata.get("generation", 0),
            created=seconds(metadata["creationTimestamp"]),
            min_member=_min_count(spec) if self is NATIVE else spec.get("minMember", 1),
            queue=(spec.get("queue") if self.queues else "") or DEFAULT_QUEUE,
            status=self._read_status(raw.get("status") or {}),
            raw=raw,
        )

    def _read_status(self, raw: Json) -> GroupStatus:
        told = next((c for c in raw.get("conditions") or () if c["type"] == self.condition), None)
        condition = None
        if told is not None:
            condition = Condition(
                told["status"],
                told.get("reason", ""),
                told.get("message", ""),
                seconds(told["lastTransitionTime"]),
                told.get("observedGeneration", 0),
            )
        counts = [raw.get(name, 0) for name in ("scheduled", "running", "succeeded", "failed")]
        return GroupStatus(condition, *counts)

    def group_with_status(self, group: PodGroup, status: GroupStatus) -> bytes:
        """The body of PUT podgroups/status: the group as read, its resourceVersion included, changed.

        What others have written into the status is sent back as it was.
        """
        raw: Json = dict(group.raw.get("status") or {})
        others = [c for c in raw.get("conditions") or () if c["type"] != self.condition]
        if status.condition is not None:
            raw["conditions"] = [*others, self._write_condition(status.condition)]
        if self is not NATIVE:
            raw |= {
                "scheduled": status.scheduled,
                "running": status.running,
                "succeeded": status.succeeded,
                "failed": status.failed,
            }
        return orjson.dumps({**group.raw, "apiVersion": self.api_version, "kind": "PodGroup", "status": raw})

    def _write_condition(self, condition: Condition) -> Json:
        return {
            "type": self.condition,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "lastTransitionTime": timestamp(condition.changed),
            "observedGeneration": condition.generation,
        }

    def spelled(self, group: PodGroup, status: GroupStatus) -> GroupStatus:
        """What of a status the dialect can tell, in its words.

        Kubernetes' groups have no numbers, one reason for all that may keep a gang waiting, and tell only of
        the first time (KEP-4671, PodGroupInitiallyScheduled).
        """
        if self is not NATIVE:
            return status
        old, new = group.status.condition, status.condition
        if old is not None and old.status == "True":
            return group.status
        if new is not None and new.status != "True":
            new = replace(new, reason=api_json.UNSCHEDULABLE)
        return GroupStatus(new)


def _min_count(spec: Json) -> int:
    """A basic group has no minimum: each of its pods is bound when it fits (GNG-056 for kube-scheduler)."""
    gang = (spec.get("schedulingPolicy") or {}).get("gang")
    return int(gang["minCount"]) if gang else 1


OWN = Dialect("gang.batchproof.dev/v1", queues=True, condition=SCHEDULED)
NATIVE = Dialect("scheduling.k8s.io/v1beta1", queues=False, condition="PodGroupInitiallyScheduled")
