"""The group of the training operator: TFJobs, and the services of their replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.things.thing import Thing, timestamp
from batchproof.resources import Resource

if TYPE_CHECKING:
    from datetime import datetime

    from batchproof.judgement.history import Json

TFJOBS = Resource("kubeflow.org", "v1", "tfjobs")
SERVICES = Resource("", "v1", "services")


class TFJob(Thing, of=TFJOBS):
    """A kubeflow.org/v1 TFJob."""

    @property
    def replicas(self) -> dict[str, int]:
        """How many replicas it has of each type; types are in lower case."""
        specs: dict[str, Json] = self.spec.get("tfReplicaSpecs") or {}
        return {kind.lower(): int(spec.get("replicas", 1)) for kind, spec in specs.items()}

    @property
    def names(self) -> list[str]:
        """What its replicas are called."""
        return [f"{self.name}-{kind}-{i}" for kind, count in self.replicas.items() for i in range(count)]

    def template(self, kind: str) -> Json:
        """The pod template of a type, in lower case; empty if it has none of that type."""
        specs: dict[str, Json] = self.spec.get("tfReplicaSpecs") or {}
        return next((spec["template"] for name, spec in specs.items() if name.lower() == kind), {})

    def counts(self, kind: str) -> dict[str, int]:
        """How many replicas of a type are active, have succeeded and have failed, by its status."""
        counts = (self.status.get("replicaStatuses") or {}).get(kind) or {}
        return {name: int(counts.get(name) or 0) for name in ("active", "succeeded", "failed")}

    @property
    def suspended(self) -> bool:
        """Its user has suspended it."""
        return bool((self.spec.get("runPolicy") or {}).get("suspend"))

    @property
    def start_time(self) -> datetime | None:
        """When it began, by its status."""
        text = self.status.get("startTime")
        return timestamp(text) if text else None

    def condition(self, kind: str) -> Json | None:
        """The condition of this type that is True; None if there is none."""
        conditions: list[Json] = self.status.get("conditions") or []
        return next((it for it in conditions if it["type"] == kind and it["status"] == "True"), None)

    @property
    def words(self) -> list[str]:
        """Its conditions that are True, and the counts of its pods by type."""
        true = [it["type"] for it in self.status.get("conditions") or [] if it["status"] == "True"]
        counts: dict[str, Json] = self.status.get("replicaStatuses") or {}
        shown = [f"{kind}.{name}={n}" for kind, it in counts.items() for name, n in it.items() if n]
        return [",".join(true), *(it for it in shown if "selector" not in it)]


class Service(Thing, of=SERVICES):
    """A core service."""

    @property
    def controller_uid(self) -> str:
        """The UID of the object that controls it; empty if none does."""
        owners = self.metadata.get("ownerReferences") or []
        return next((str(owner["uid"]) for owner in owners if owner.get("controller")), "")

    @property
    def headless(self) -> bool:
        """It has no address of its own: its name leads to the pods."""
        return bool(self.spec.get("clusterIP") == "None")

    @property
    def selector(self) -> dict[str, str]:
        """The labels of the pods that it leads to."""
        return self.spec.get("selector") or {}

    @property
    def ports(self) -> set[int]:
        """The numbers of its ports."""
        return {int(port["port"]) for port in self.spec.get("ports") or []}

    @property
    def words(self) -> list[str]:
        """Whether it is headless, and its ports."""
        return ["headless" if self.headless else "", *map(str, sorted(self.ports))]
