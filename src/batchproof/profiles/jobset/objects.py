"""The group of JobSet: JobSets."""

from __future__ import annotations

from batchproof.ground.resources import Resource
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import ApiObject

JOBSETS = Resource("jobset.x-k8s.io", "v1alpha2", "jobsets")

COUNTERS = ("ready", "succeeded", "failed", "active", "suspended")
"""What the status counts of the child Jobs of each ReplicatedJob."""


class JobSet(ApiObject, of=JOBSETS, noun="JobSet"):
    """A jobset.x-k8s.io/v1alpha2 JobSet."""

    @property
    def replicas(self) -> dict[str, int]:
        """How many child Jobs it has of each ReplicatedJob, in the order in which they are listed."""
        listed: list[Json] = self.spec.get("replicatedJobs") or []
        return {it["name"]: int(it.get("replicas", 1)) for it in listed}

    def template(self, name: str) -> Json:
        """The Job template of a ReplicatedJob; empty if there is none of that name."""
        listed: list[Json] = self.spec.get("replicatedJobs") or []
        found: Json = next((it["template"] for it in listed if it["name"] == name), {})
        return found

    def waits_for(self, name: str) -> dict[str, str]:
        """The ReplicatedJobs that one has to wait for, each with what all its Jobs have to be first.

        ``Ready``, in the order of the list where the startup policy is InOrder, or what ``dependsOn`` says.
        """
        listed: list[Json] = self.spec.get("replicatedJobs") or []
        before = [*self.replicas][: [*self.replicas].index(name)] if name in self.replicas else []
        policy = (self.spec.get("startupPolicy") or {}).get("startupPolicyOrder")
        asked: list[Json] = next((it.get("dependsOn") or [] for it in listed if it["name"] == name), [])
        in_order = dict.fromkeys(before, "Ready") if policy == "InOrder" else {}
        return {**in_order, **{it["name"]: it["status"] for it in asked}}

    @property
    def indexes(self) -> dict[str, int]:
        """The names that its child Jobs must have, with the index of each in the whole JobSet."""
        names = [f"{self.name}-{name}-{i}" for name, count in self.replicas.items() for i in range(count)]
        return {name: index for index, name in enumerate(names)}

    @property
    def hostnames(self) -> bool:
        """Its pods can be reached by their host names."""
        return bool((self.spec.get("network") or {}).get("enableDNSHostnames"))

    @property
    def subdomain(self) -> str:
        """The domain of its pods."""
        return str((self.spec.get("network") or {}).get("subdomain") or self.name)

    def condition(self, kind: str) -> Json | None:
        """The condition of this type that is True; None if there is none."""
        conditions: list[Json] = self.status.get("conditions") or []
        return next((it for it in conditions if it["type"] == kind and it["status"] == "True"), None)

    @property
    def end(self) -> Json | None:
        """The condition that reports that it is finished."""
        return self.condition("Completed") or self.condition("Failed")

    @property
    def restarts(self) -> int:
        """How often it was restarted, by its status."""
        return int(self.status.get("restarts") or 0)

    @property
    def counted_restarts(self) -> int:
        """How many of these restarts count towards its limit, by its status."""
        return int(self.status.get("restartsCountTowardsMax") or 0)

    @property
    def terminal_state(self) -> str:
        """Completed or Failed; empty before."""
        return str(self.status.get("terminalState") or "")

    def counts(self, name: str) -> dict[str, int]:
        """How many child Jobs of a ReplicatedJob are in which state, by its status."""
        listed: list[Json] = self.status.get("replicatedJobsStatus") or []
        found: Json = next((it for it in listed if it["name"] == name), {})
        return {counter: int(found.get(counter) or 0) for counter in COUNTERS}

    @property
    def words(self) -> list[str]:
        """Its conditions that are True, its restarts, and the counts of its child Jobs."""
        true = [it["type"] for it in self.status.get("conditions") or [] if it["status"] == "True"]
        restarts = f"restarts={self.restarts}" if self.restarts else ""
        counts = (
            f"{name}.{counter}={number}"
            for name in self.replicas
            for counter, number in self.counts(name).items()
            if number
        )
        return [",".join(true), restarts, *counts]

    @property
    def values(self) -> Json:
        """The same by name, the counts of 0 too."""
        counts = {f"{name}.{key}": n for name in self.replicas for key, n in self.counts(name).items()}
        true = [it["type"] for it in self.status.get("conditions") or [] if it["status"] == "True"]
        return {"conditions": true, "restarts": self.restarts, **counts}
