"""The verbs about Volcano Jobs: what their users do, and what the scheduler does: that is not judged here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

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
from batchproof.judgement.facts.volcano_life import volcano_pods_terminating, volcano_task_pods
from batchproof.judgement.template import JOB
from batchproof.judgement.things.volcano import COMMANDS, PODGROUPS, QUEUES, VOLCANO_JOBS
from batchproof.resources import CLAIMS, Resource
from batchproof.world.volcano_words import CLASSES, TASK, tasks_in, volcano_job_body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.history import Json
    from batchproof.judgement.things.core import Pod
    from batchproof.world import World

T = TypeVar("T")

PRIORITY_CLASSES = Resource("scheduling.k8s.io", "v1", "priorityclasses")


class Volcano:
    """One Volcano Job in a queue of its own."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._queue = ""
        self._lets_in = False
        world.attend(PODGROUPS, lambda: {"status": {"phase": "Inqueue"}} if self._lets_in else None)

    # -- what users do

    @property
    def queue(self) -> str:
        """The queue of the scenario, made if there is none yet, once it is Open."""
        if not self._queue:
            self.add_queue()
        self._world.claim(eventually(queue_state(state="Open")))
        return self._queue

    def add_queue(self) -> None:
        """Create the queue of the scenario."""
        self._world.act("creates a queue of weight 1")
        body = {"apiVersion": QUEUES.api_version, "kind": "Queue", "spec": {"weight": 1}}
        self._queue = self._world.create_in_cluster(QUEUES, "queue", body)

    def create_job(self, tasks: Sequence[Json], **settings: Any) -> None:
        """Create the Job with these tasks, in a queue that is open; the rest as its spec says it."""
        self._add(JOB, [self._ranked(task) for task in tasks], queue=self.queue, **settings)

    def create_plain(self, replicas: int) -> None:
        """Create the Job with one task of so many pods, all of which are needed."""
        self.create_job(tasks_in(f"{replicas} pods"), minAvailable=replicas)

    def create_others(self, count: int) -> None:
        """Create so many other Jobs of one pod each, beside the Job."""
        for number in range(1, count + 1):
            self._add(f"other-{number}", tasks_in("1 pod"), queue=self._queue, minAvailable=1)

    def _add(self, name: str, tasks: Sequence[Json], *, queue: str, **settings: Any) -> None:
        counts = ", ".join(f"{task['name']}={task['replicas']}" for task in tasks)
        said = {key: value for key, value in settings.items() if value not in ([], "")}
        self._world.act(f"creates Volcano Job {name} {counts} {said or ''}".rstrip())
        self._world.create(VOLCANO_JOBS, volcano_job_body(name, tasks, queue=queue, **settings))

    def _ranked(self, task: Json) -> Json:
        """The task with a priority of the scenario's own, which is made first."""
        spec = task["template"]["spec"]
        if (rank := spec.get("priorityClassName")) is None:
            return task
        body = {"apiVersion": PRIORITY_CLASSES.api_version, "kind": "PriorityClass", "value": CLASSES[rank]}
        name = self._world.create_in_cluster(PRIORITY_CLASSES, rank, body)
        return {**task, "template": {"spec": {**spec, "priorityClassName": name}}}

    def scale(self, task: str, count: int, minimum: int | None = None) -> None:
        """Change how many pods a task has, of which all have to succeed, and the minimum of the Job."""
        job = self._there(volcano_job(self._world.seen), "Volcano Job")
        changed = {"replicas": count, "minAvailable": count}
        tasks = [{**it, **changed} if it["name"] == task else it for it in job.spec["tasks"]]
        spec: Json = {"tasks": tasks, **({} if minimum is None else {"minAvailable": minimum})}
        said = "" if minimum is None else f" minAvailable={minimum}"
        self._world.act(f"changes Volcano Job {JOB} to {task}={count}{said}")
        self._world.patch(VOLCANO_JOBS, JOB, {"spec": spec})

    def set_minimum(self, minimum: int) -> None:
        """Change minAvailable of the Job."""
        self._world.act(f"changes Volcano Job {JOB} to minAvailable={minimum}")
        self._world.patch(VOLCANO_JOBS, JOB, {"spec": {"minAvailable": minimum}})

    def delete_job(self, propagation: str = "") -> None:
        """Delete the Job; Foreground: it stays until its pods are gone."""
        self._world.act(f"deletes Volcano Job {JOB} {propagation}".rstrip())
        self._world.remove(VOLCANO_JOBS, JOB, propagation=propagation)

    def add_claim(self, name: str) -> None:
        """Create a PersistentVolumeClaim."""
        self._world.act(f"creates PersistentVolumeClaim {name}")
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        body = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}
        self._world.create(CLAIMS, body)

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

    def delete_pods(self, count: int, task: str = "") -> None:
        """Delete so many of the Job's pods, or of a task's, that have not ended."""
        self._world.delete_pods(self._oldest(count, task))

    def wipe_ended(self, outcome: str) -> None:
        """Make a pod of the Job vanish that has ended so."""
        ended = [pod for pod in pods_of(self._world.seen) if pod.phase == outcome.capitalize()]
        self._world.wipe_pods([self._there(next(iter(ended), None), f"pod that has {outcome}")])

    def take_name(self) -> None:
        """Create a pod with the name of the first one that the Job will want; nobody controls it."""
        self._world.create_pod(f"{JOB}-{TASK}-0")

    # -- what the scheduler and the kubelet do

    def let_all_in(self) -> None:
        """From now on the scheduler lets every PodGroup in, as soon as it is made."""
        self._world.act("the scheduler lets every PodGroup in")
        self._lets_in = True
        for group in [*self._world.seen.objects(PODGROUPS).values()]:
            self._world.patch(PODGROUPS, group.name, {"status": {"phase": "Inqueue"}})

    def schedule(self, phase: str) -> None:
        """Give the PodGroup of the Job a phase, as the scheduler does: Pending, or Inqueue to let it in."""
        self._world.claim(eventually(volcano_group_exists()))
        group = self._there(group_of(self._world.seen), "PodGroup of the Volcano Job")
        self._world.act(f"the scheduler makes PodGroup {group.name} {phase}")
        self._world.patch(PODGROUPS, group.name, {"status": {"phase": phase}})

    def run(self, count: int, task: str = "", *, ready: bool = True) -> None:
        """The kubelet runs so many of the Job's pods, or of a task's; waits until there are so many."""
        self._world.start_pods(self._oldest(count, task), ready=ready)

    def end(self, count: int, *, exit_code: int, task: str = "") -> None:
        """So many of the Job's pods, or of a task's, end."""
        self._world.end_pods(self._oldest(count, task), exit_code=exit_code)

    def end_terminating(self, count: int) -> None:
        """So many of the Job's pods that are being deleted end, and are gone."""
        self._world.wipe_pods(self._terminating(count))

    def fail_terminating(self, count: int) -> None:
        """So many of the Job's pods that are being deleted fail, and are still there."""
        self._world.end_pods(self._terminating(count), exit_code=1)

    def _terminating(self, count: int) -> list[Pod]:
        def terminating() -> list[Pod]:
            return [pod for pod in pods_of(self._world.seen) if pod.terminating]

        if len(terminating()) < count:
            self._world.claim(eventually(volcano_pods_terminating(count=count), precondition=True))
        return terminating()[:count]

    def restart_containers(self, times: int) -> None:
        """The kubelet has started a container of one pod of the Job again so often, in place."""
        self._world.restart_pods(self._oldest(1), times)

    def _oldest(self, count: int, task: str = "") -> list[Pod]:
        pods = self._live(task)
        if len(pods) < count:
            wanted = volcano_task_pods(task=task, count=count) if task else volcano_pods(count=count)
            self._world.claim(eventually(wanted, precondition=True))
            pods = self._live(task)
        if len(pods) < count:
            raise HarnessError(f"the scenario has {len(pods)} pods that have not ended, not {count}")
        return pods[:count]

    def _live(self, task: str) -> list[Pod]:
        pods = [pod for pod in pods_of(self._world.seen) if not pod.finished and not pod.deleting]
        return [pod for pod in pods if not task or f"-{task}-" in pod.name]

    @staticmethod
    def _there(thing: T | None, what: str) -> T:
        if thing is None:
            raise HarnessError(f"the scenario has no {what} now")
        return thing
