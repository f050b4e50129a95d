"""The groups of Volcano: Jobs, PodGroups, Queues, Commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.things.thing import Thing
from batchproof.resources import Resource

if TYPE_CHECKING:
    from batchproof.judgement.history import Json

VOLCANO_JOBS = Resource("batch.volcano.sh", "v1alpha1", "jobs")
COMMANDS = Resource("bus.volcano.sh", "v1alpha1", "commands")
PODGROUPS = Resource("scheduling.volcano.sh", "v1beta1", "podgroups")
QUEUES = Resource("scheduling.volcano.sh", "v1beta1", "queues")
CONFIG_MAPS = Resource("", "v1", "configmaps")
SECRETS = Resource("", "v1", "secrets")
NETWORK_POLICIES = Resource("networking.k8s.io", "v1", "networkpolicies")
REPLICA_SETS = Resource("apps", "v1", "replicasets")
"""What a Volcano Job may need beside its pods."""


class VolcanoJob(Thing, of=VOLCANO_JOBS):
    """A batch.volcano.sh/v1alpha1 Job."""

    @property
    def state(self) -> Json:
        """The phase with its time and reason."""
        found: Json = self.status.get("state") or {}
        return found

    @property
    def phase(self) -> str:
        """The phase of its life, such as Pending or Aborted; empty before the first status."""
        return str(self.state.get("phase", ""))

    @property
    def queue(self) -> str:
        """The queue that it is in."""
        return str(self.spec.get("queue") or "default")

    @property
    def min_available(self) -> int:
        """So many of its pods must run for the Job to run."""
        return int(self.spec.get("minAvailable") or 0)

    def number(self, name: str) -> int:
        """A number of its status; 0 where it tells none."""
        return int(self.status.get(name) or 0)

    @property
    def words(self) -> list[str]:
        """Its phase and the counts of its pods."""
        counts = ("pending", "running", "succeeded", "failed", "terminating", "version", "retryCount")
        return [self.phase, *(f"{name}={self.status[name]}" for name in counts if self.status.get(name))]


class PodGroup(Thing, of=PODGROUPS):
    """A scheduling.volcano.sh/v1beta1 PodGroup."""

    @property
    def phase(self) -> str:
        """Pending until the scheduler lets it in; then Inqueue, Running and so on."""
        return str(self.status.get("phase") or "Pending")

    @property
    def controller_uid(self) -> str:
        """The UID of the object that controls it; empty if none does."""
        owners = self.metadata.get("ownerReferences") or []
        return next((str(owner["uid"]) for owner in owners if owner.get("controller")), "")

    @property
    def words(self) -> list[str]:
        """Its phase and its minimum."""
        return [self.phase, f"minMember={self.spec.get('minMember')}"]


class Queue(Thing, of=QUEUES):
    """A scheduling.volcano.sh/v1beta1 Queue."""

    @property
    def state(self) -> str:
        """Open, Closing, Closed or Unknown; empty before the first status."""
        return str(self.status.get("state", ""))

    @property
    def groups(self) -> dict[str, int]:
        """How many of its PodGroups are in each phase, by its status; zeros are left out."""
        phases = ("pending", "inqueue", "running", "unknown")
        return {phase: int(self.status[phase]) for phase in phases if self.status.get(phase)}

    @property
    def words(self) -> list[str]:
        """Its state and the phases of its PodGroups."""
        return [self.state, *(f"{phase}={count}" for phase, count in self.groups.items())]


class Command(Thing, of=COMMANDS):
    """A bus.volcano.sh/v1alpha1 Command."""

    @property
    def target(self) -> str:
        """The name of the Job that it is about."""
        return str((self.raw.get("target") or {}).get("name", ""))

    @property
    def words(self) -> list[str]:
        """What is asked of whom."""
        target = self.raw.get("target") or {}
        return [str(self.raw.get("action", "")), f"{target.get('kind')} {target.get('name')}"]
