"""The group of the training operator: TFJobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import ApiObject, timestamp

if TYPE_CHECKING:
    from datetime import datetime

TFJOBS = Resource("kubeflow.org", "v1", "tfjobs")


class TFJob(ApiObject, of=TFJOBS, noun="TFJob"):
    """A kubeflow.org/v1 TFJob."""

    @property
    def replicas(self) -> dict[str, int]:
        """How many replicas it has of each type; types are in lower case."""
        specs: dict[str, Json] = self.spec.get("tfReplicaSpecs") or {}
        return {kind.lower(): int(spec.get("replicas", 1)) for kind, spec in specs.items()}

    def restart_policy(self, kind: str) -> str:
        """The restartPolicy of a type, in lower case; Never where none is set."""
        specs: dict[str, Json] = self.spec.get("tfReplicaSpecs") or {}
        told = (spec.get("restartPolicy") for name, spec in specs.items() if name.lower() == kind)
        return str(next(told, None) or "Never")

    @property
    def names(self) -> list[str]:
        """What its replicas are called."""
        return [f"{self.name}-{kind}-{i}" for kind, count in self.replicas.items() for i in range(count)]

    def has_replica(self, name: str) -> bool:
        """One of its replicas is called so."""
        kind, _, index = name.removeprefix(f"{self.name}-").rpartition("-")
        count = self.replicas.get(kind, 0)
        return index.isdigit() and int(index) < count and name == f"{self.name}-{kind}-{int(index)}"

    def template(self, kind: str) -> Json:
        """The pod template of a type, in lower case; empty if it has none of that type."""
        specs: dict[str, Json] = self.spec.get("tfReplicaSpecs") or {}
        return next((spec.get("template") or {} for name, spec in specs.items() if name.lower() == kind), {})

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

    @property
    def values(self) -> Json:
        """The same by name, the counts of 0 too."""
        true = [it["type"] for it in self.status.get("conditions") or [] if it["status"] == "True"]
        kinds = {**(self.spec.get("tfReplicaSpecs") or {}), **(self.status.get("replicaStatuses") or {})}
        return {
            "conditions": true,
            **{f"{it}.{key}": n for it in kinds for key, n in self.counts(it).items()},
        }
