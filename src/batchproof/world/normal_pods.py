"""The verbs about pods of no Volcano Job that a user gives to Volcano's scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts.volcano import queue_of
from batchproof.judgement.things.volcano import REPLICA_SETS
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.world import World

OWNER = "owner"
"""The name of the scenario's ReplicaSet."""

_LABELS = {"app": OWNER}


class NormalPods:
    """Pods of users, and a ReplicaSet that controls some of them."""

    def __init__(self, world: World) -> None:
        self._world = world

    def create(
        self, name: str, scheduler: str, *, cpus: int = 1, queued: bool = False, owner: Json | None = None
    ) -> None:
        """Create a pod that this scheduler is to bind; queued: it names the queue of the scenario."""
        queue = queue_of(self._world.seen) if queued else None
        container = {
            "name": "main",
            "image": "batchproof.dev/simulated",
            "resources": {"requests": {"cpu": str(cpus)}},
        }
        metadata: Json = {"name": name, "labels": _LABELS}
        if queue:
            metadata["annotations"] = {"scheduling.volcano.sh/queue-name": queue.name}
        if owner:
            metadata["ownerReferences"] = [owner]
        spec = {"restartPolicy": "Never", "schedulerName": scheduler, "containers": [container]}
        self._world.act(f"creates pod {name} for the scheduler {scheduler}")
        self._world.create(PODS, {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})

    def create_owned(self, count: int) -> None:
        """Create a ReplicaSet, and so many pods as its controller would make them."""
        self._world.act(f"creates a ReplicaSet of {count} pods")
        containers = [{"name": "main", "image": "batchproof.dev/simulated"}]
        template = {"metadata": {"labels": _LABELS}, "spec": {"containers": containers}}
        spec = {"replicas": count, "selector": {"matchLabels": _LABELS}, "template": template}
        body = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": OWNER}, "spec": spec}
        made = self._world.create(REPLICA_SETS, body)
        reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": OWNER, "controller": True}
        reference["uid"] = made["metadata"]["uid"]
        for number in range(1, count + 1):
            self.create(f"{OWNER}-{number}", "volcano", owner=reference)

    def empty(self) -> None:
        """Change the ReplicaSet to 0 pods, and delete those that it has, as its controller would."""
        self._world.act("changes the ReplicaSet to 0 pods")
        self._world.patch(REPLICA_SETS, OWNER, {"spec": {"replicas": 0}})
        self._world.delete_pods([pod for pod in self._world.seen.pods if pod.controller], grace_s=0)
