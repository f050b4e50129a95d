"""The verbs about Volcano Jobs: what their users do, and what the scheduler does: that is not judged here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.errors import HarnessError
from batchproof.judgement.claims import eventually
from batchproof.judgement.facts.volcano import (
    group_of,
    pods_of,
    queue_of,
    queue_state,
    volcano_group_exists,
    volcano_job,
    volcano_pods,
)
from batchproof.judgement.template import JOB
from batchproof.judgement.things.volcano import COMMANDS, PODGROUPS, QUEUES, VOLCANO_JOBS
from batchproof.labels import SIMULATED_SCHEDULER, SIMULATED_TAINT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.history import Json
    from batchproof.judgement.things.core import Pod
    from batchproof.judgement.things.thing import Thing
    from batchproof.world import World


TASK = "work"


def volcano_job_body(
    name: str, *, queue: str, replicas: int, minimum: int, policies: Sequence[Json] = ()
) -> Json:
    """A Volcano Job with one task of so many pods."""
    pod = {
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": "batchproof.dev/simulated"}],
        "tolerations": [{"key": SIMULATED_TAINT, "operator": "Exists"}],
    }
    spec = {
        "minAvailable": minimum,
        "queue": queue,
        "schedulerName": SIMULATED_SCHEDULER,  # what a scheduler would do, steps do
        "maxRetry": 3,
        "policies": [*policies],
        "tasks": [{"name": TASK, "replicas": replicas, "template": {"spec": pod}}],
    }
    return {
        "apiVersion": VOLCANO_JOBS.api_version,
        "kind": "Job",
        "metadata": {"name": name},
        "spec": spec,
    }


class Volcano:
    """One Volcano Job in a queue of its own."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._queue = ""

    # -- what users do

    def add_queue(self) -> None:
        """Create the queue of the scenario."""
        self._world.act("creates a queue of weight 1")
        body = {"apiVersion": QUEUES.api_version, "kind": "Queue", "spec": {"weight": 1}}
        self._queue = self._world.create_in_cluster(QUEUES, "queue", body)

    def create_job(self, replicas: int, minimum: int, policies: list[Json] | None = None) -> None:
        """Create the Job with one task of so many pods, in a queue that is open."""
        if not self._queue:
            self.add_queue()
        self._world.claim(eventually(queue_state(state="Open")))
        self._world.act(f"creates Volcano Job {JOB} replicas={replicas} minAvailable={minimum}")
        body = volcano_job_body(
            JOB, queue=self._queue, replicas=replicas, minimum=minimum, policies=policies or ()
        )
        self._world.create(VOLCANO_JOBS, body)

    def delete_group(self) -> None:
        """Delete the PodGroup of the Job."""
        group = self._there(group_of(self._world.seen), "PodGroup of the Volcano Job")
        self._world.act(f"deletes PodGroup {group.name}")
        self._world.remove(PODGROUPS, group.name)

    def command(self, action: str) -> None:
        """Create a Command for the Job, or for the queue if it ends with Queue."""
        of_queue = action.endswith("Queue")
        kind, resource = ("Queue", QUEUES) if of_queue else ("Job", VOLCANO_JOBS)
        seen = self._world.seen
        target = self._there(queue_of(seen) if of_queue else volcano_job(seen), kind)
        reference: Json = {"apiVersion": resource.api_version, "kind": kind, "name": target.name}
        reference |= {"uid": target.uid, "controller": True}
        metadata: Json = {"generateName": "command-", "ownerReferences": [reference]}
        self._world.act(f"commands {action}")
        body = {"apiVersion": COMMANDS.api_version, "kind": "Command", "metadata": metadata}
        self._world.create(COMMANDS, {**body, "action": action, "target": reference})

    # -- what the scheduler and the kubelet do

    def schedule(self, phase: str) -> None:
        """Give the PodGroup of the Job a phase, as the scheduler does: Pending, or Inqueue to let it in."""
        self._world.claim(eventually(volcano_group_exists()))
        group = self._there(group_of(self._world.seen), "PodGroup of the Volcano Job")
        self._world.act(f"the scheduler makes PodGroup {group.name} {phase}")
        self._world.patch(PODGROUPS, group.name, {"status": {"phase": phase}})

    def run(self, count: int) -> None:
        """The kubelet runs so many of the Job's pods; waits until there are so many."""
        self._world.start_pods(self._oldest(count))

    def end(self, count: int, *, exit_code: int) -> None:
        """So many of the Job's pods end."""
        self._world.end_pods(self._oldest(count), exit_code=exit_code)

    def _oldest(self, count: int) -> list[Pod]:
        pods = [pod for pod in pods_of(self._world.seen) if not pod.finished and not pod.deleting]
        if len(pods) < count:
            self._world.claim(eventually(volcano_pods(count=count)))
            pods = [pod for pod in pods_of(self._world.seen) if not pod.finished and not pod.deleting]
        if len(pods) < count:
            raise HarnessError(f"the scenario has {len(pods)} pods that have not ended, not {count}")
        return pods[:count]

    @staticmethod
    def _there(thing: Thing | None, what: str) -> Thing:
        if thing is None:
            raise HarnessError(f"the scenario has no {what} now")
        return thing
