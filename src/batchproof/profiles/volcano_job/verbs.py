"""The verbs about Volcano Jobs: what their users do, and what the scheduler does: that is not judged here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.api.client import ApiError
from batchproof.cell.kubelet import PodEnding
from batchproof.ground.resources import CLAIMS, Resource
from batchproof.judgement.claims import eventually
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.values import counted
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.shared.verbs import Pods
from batchproof.profiles.volcano_job import sentences
from batchproof.profiles.volcano_job.facts.jobs import (
    active_pods_of,
    group_of,
    pods_of,
    queue_of,
    queue_state,
    volcano_active_pods,
    volcano_group_exists,
    volcano_job,
)
from batchproof.profiles.volcano_job.facts.life import volcano_active_task_pods, volcano_terminating_at_least
from batchproof.profiles.volcano_job.objects import COMMANDS, VOLCANO_JOBS
from batchproof.profiles.volcano_job.specs import TASK, TaskSpec, VolcanoJobSpec
from batchproof.profiles.volcano_job.words import CLASSES, settings_in, tasks_of, volcano_job_body
from batchproof.specification.verbs import verb
from batchproof.world import World

if TYPE_CHECKING:
    from collections.abc import Sequence


STRIPPED: dict[str, Json] = {
    "all labels": {"labels": None},
    "the version of its Job": {"annotations": {"volcano.sh/job-version": None}},
    "the name of its PodGroup": {"annotations": {"scheduling.k8s.io/group-name": None}},
    "the owner": {"ownerReferences": None},
}
"""What another client may take from a pod, as a change of its metadata."""
ONE_POD = VolcanoJobSpec(tasks=(TaskSpec(count=1),), settings=("minAvailable 1",))
UNSEEN = "the implementation sees late, or not, what there is"
"""Why scenarios in which a watch of the implementation misses something cannot be judged in place."""
PRIORITY_CLASSES = Resource("scheduling.k8s.io", "v1", "priorityclasses")


class Volcano:
    """One Volcano Job in a queue of its own."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._queue = ""
        self._wanted: tuple[Sequence[Json], Sequence[str]] = ((), ())
        self._lets_in = False
        self._ranks: dict[str, str] = {}
        world.attend(PODGROUPS, lambda: {"status": {"phase": "Inqueue"}} if self._lets_in else None)

    # -- what users do

    @property
    def queue(self) -> str:
        """The queue of the scenario, made if there is none yet, once it is Open."""
        if not self._queue:
            self.add_queue()
        self._world.claim(eventually(queue_state(state="Open")))
        return self._queue

    @property
    def queue_name(self) -> str:
        """The name of the queue of the scenario, whatever its state."""
        return self._queue

    @verb("a queue")
    def add_queue(self) -> None:
        """Create the queue of the scenario."""
        self._world.act("creates a queue of weight 1")
        body = {"apiVersion": QUEUES.api_version, "kind": "Queue", "spec": {"weight": 1}}
        self._queue = self._world.create_in_cluster(QUEUES, "queue", body)

    @verb(sentences.JOB_IS)
    def create_job(self, job: VolcanoJobSpec) -> None:
        """Create the Job in a queue that is open."""
        self._wanted = ([self._ranked(task) for task in tasks_of(job)], job.settings)
        self.create_again()

    @verb("the user creates the Volcano Job again")
    def create_again(self) -> None:
        """Create the Job as it was created last; one of its name that was deleted is gone."""
        tasks, settings = self._wanted
        self._add(JOB, tasks, settings, queue=self.queue)

    def create_plain(self, replicas: int) -> None:
        """Create the Job with one task of the given number of pods, all of which are needed."""
        settings = (f"minAvailable {replicas}",)
        self.create_job(VolcanoJobSpec(tasks=(TaskSpec(count=replicas),), settings=settings))

    @verb("{count:d} other Volcano Jobs of 1 pod are created")
    def create_others(self, count: int) -> None:
        """Create the given number of other Jobs of one pod each, beside the Job."""
        for number in range(1, count + 1):
            self._add(f"other-{number}", tasks_of(ONE_POD), ONE_POD.settings, queue=self._queue)

    def _add(self, name: str, tasks: Sequence[Json], settings: Sequence[str], *, queue: str) -> None:
        counts = ", ".join(f"{task['name']}={task['replicas']}" for task in tasks)
        said = settings_in(settings)
        self._world.act(f"creates Volcano Job {name} {counts} {said or ''}".rstrip())
        self._world.create(VOLCANO_JOBS, volcano_job_body(name, tasks, settings, queue=queue))

    def _ranked(self, task: Json) -> Json:
        """The task with a priority of the scenario's own, which is made first."""
        spec = task["template"]["spec"]
        if (rank := spec.get("priorityClassName")) is None:
            return task
        if rank not in self._ranks:
            body = {
                "apiVersion": PRIORITY_CLASSES.api_version,
                "kind": "PriorityClass",
                "value": CLASSES[rank],
            }
            self._ranks[rank] = self._world.create_in_cluster(PRIORITY_CLASSES, rank, body)
        return {
            **task,
            "template": {**task["template"], "spec": {**spec, "priorityClassName": self._ranks[rank]}},
        }

    @verb(sentences.TASK_CHANGED)
    def scale(self, task: str, count: int, minimum: int | None = None) -> None:
        """Change how many pods a task has, of which all have to succeed, and the minimum of the Job."""
        job = self._world.found(volcano_job(self._world.seen), "the Volcano Job")
        changed = {"replicas": count, "minAvailable": count}
        tasks = [{**it, **changed} if it["name"] == task else it for it in job.spec["tasks"]]
        spec: Json = {"tasks": tasks, **({} if minimum is None else {"minAvailable": minimum})}
        said = "" if minimum is None else f" minAvailable={minimum}"
        self._world.act(f"changes Volcano Job {JOB} to {task}={count}{said}")
        self._world.patch(VOLCANO_JOBS, JOB, {"spec": spec})

    @verb("the user changes minAvailable to {minimum:d}")
    def set_minimum(self, minimum: int) -> None:
        """Change minAvailable of the Job."""
        self._world.act(f"changes Volcano Job {JOB} to minAvailable={minimum}")
        self._world.patch(VOLCANO_JOBS, JOB, {"spec": {"minAvailable": minimum}})

    @verb("the user changes minAvailable of task {task:task_name} to {minimum:d}")
    def set_task_minimum(self, task: str, minimum: int) -> None:
        """Change how many pods of a task have to succeed."""
        job = self._world.found(volcano_job(self._world.seen), "the Volcano Job")
        self._world.found(task in {it["name"] for it in job.spec["tasks"]} or None, f"its task {task}")
        tasks = [{**it, "minAvailable": minimum} if it["name"] == task else it for it in job.spec["tasks"]]
        self._world.act(f"changes Volcano Job {JOB} to minAvailable={minimum} of task {task}")
        self._world.patch(VOLCANO_JOBS, JOB, {"spec": {"tasks": tasks}})

    @verb("the user changes the priorityClassName to {priority:word}")
    def set_priority(self, priority: str) -> None:
        """Change the priority of the Job; there need not be such a PriorityClass."""
        self._world.act(f"changes Volcano Job {JOB} to priorityClassName={priority}")
        self._world.patch(VOLCANO_JOBS, JOB, {"spec": {"priorityClassName": priority}})

    @verb(sentences.JOB_DELETED)
    @verb("the user deletes the Volcano Job and waits for its pods", propagation="Foreground")
    def delete_job(self, propagation: str = "") -> None:
        """Delete the Job; Foreground: it stays until its pods are gone."""
        self._world.act(f"deletes Volcano Job {JOB} {propagation}".rstrip())
        self._world.remove(VOLCANO_JOBS, JOB, propagation=propagation)

    @verb("the user deletes the Volcano Job and its pods")
    def delete_job_with_pods(self) -> None:
        """Delete the Job and then its pods, which the garbage collector may come to late."""
        pods = pods_of(self._world.seen)
        self.delete_job()
        self._world.verbs(Pods).delete_all(f"Volcano Job {JOB}", pods)

    @verb("the user creates the PersistentVolumeClaim {name:name}")
    def add_claim(self, name: str) -> None:
        """Create a PersistentVolumeClaim."""
        self._world.act(f"creates PersistentVolumeClaim {name}")
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        body = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}
        self._world.create(CLAIMS, body)

    @verb("the PersistentVolumeClaim {name:name} is being deleted")
    def add_terminating_claim(self, name: str) -> None:
        """Create a claim and delete it; it stays terminating."""
        self.add_claim(name)
        self.delete_claim(name)

    @verb("the user deletes the PersistentVolumeClaim {name:name}")
    def delete_claim(self, name: str) -> None:
        """Delete a claim, which stays terminating: its finalizer is left on it."""
        self._world.act(f"deletes PersistentVolumeClaim {name}")
        self._world.remove(CLAIMS, name)

    @verb("the PersistentVolumeClaim {name:name} that is being deleted is gone")
    def end_claim(self, name: str) -> None:
        """Take the finalizer off, as the controller does that knows that no pod uses the claim."""
        self._world.act(f"the finalizer of PersistentVolumeClaim {name} is taken off")
        self._world.patch(CLAIMS, name, {"metadata": {"finalizers": None}})

    @verb("the volume controller loses the volume of the PersistentVolumeClaim {name:name}")
    def lose_claim(self, name: str) -> None:
        """The volume of a claim is gone: its phase is Lost."""
        self._world.act(f"PersistentVolumeClaim {name} becomes Lost")
        path = f"{self._world.path(CLAIMS, name)}/status"
        self._world.do(self._world.api.patch(path, {"status": {"phase": "Lost"}}))

    @verb("the user creates PodGroup {name:name} in the queue")
    @verb("the user creates a PodGroup with the name of the Volcano Job", name=JOB)
    def add_group(self, name: str) -> None:
        """Create a PodGroup of one pod that no Job controls."""
        self._world.act(f"creates PodGroup {name}")
        spec = {"minMember": 1, "queue": self.queue}
        metadata = {"name": name}
        body = {"apiVersion": PODGROUPS.api_version, "kind": "PodGroup", "metadata": metadata, "spec": spec}
        self._world.create(PODGROUPS, body)

    @verb("the user creates PodGroup {name:name} in the closed queue")
    def add_group_to_closed(self, name: str) -> None:
        """Create a PodGroup in the queue as it is; where that is refused, the scenario judges nothing."""
        self._world.act(f"creates PodGroup {name}")
        body = {"apiVersion": PODGROUPS.api_version, "kind": "PodGroup", "metadata": {"name": name}}
        try:
            self._world.create(PODGROUPS, {**body, "spec": {"minMember": 1, "queue": self._queue}})
        except ApiError as error:
            self._world.lack(f"a PodGroup in a closed queue, but {error}")

    @verb("the user deletes PodGroup {name:name}")
    def delete_lone_group(self, name: str) -> None:
        """Delete a PodGroup that no Job controls."""
        self._world.act(f"deletes PodGroup {name}")
        self._world.remove(PODGROUPS, name)

    @verb("another client moves PodGroup {name:name} to another queue", away=True)
    @verb("another client moves PodGroup {name:name} back to the queue")
    def move_group(self, name: str, *, away: bool = False) -> None:
        """Change the queue of a PodGroup: to that of the scenario, or to one that does not exist."""
        queue = "nowhere" if away else self._queue
        self._world.act(f"moves PodGroup {name} to queue {queue}")
        self._world.patch(PODGROUPS, name, {"spec": {"queue": queue}})

    @verb("the implementation misses that PodGroup {name:name} is deleted", not_in_place=UNSEEN)
    def delete_group_unseen(self, name: str) -> None:
        """Delete a PodGroup, and no watch of the implementation shows that: only a list does."""
        self._world.faults.freeze(PODGROUPS)
        self.delete_lone_group(name)
        self._world.faults.close_watches(PODGROUPS, gone=True)
        self._world.faults.thaw(PODGROUPS)

    @verb(sentences.COMMANDED)
    @verb("the user commands {action:word} by Command {name:name}")
    def command(self, action: str, name: str = "") -> None:
        """Create a Command for the Job, or the queue if it ends with Queue, of this name if one is given."""
        of_queue = action.endswith("Queue")
        kind, resource = ("Queue", QUEUES) if of_queue else ("Job", VOLCANO_JOBS)
        seen = self._world.seen
        target = self._world.found(queue_of(seen) if of_queue else volcano_job(seen), f"the {kind}")
        reference: Json = {"apiVersion": resource.api_version, "kind": kind, "name": target.name}
        reference |= {"uid": target.uid, "controller": True}
        named = {"name": name} if name else {"generateName": "command-"}
        metadata: Json = {**named, "ownerReferences": [reference]}
        self._world.act(f"commands {action}")
        body = {"apiVersion": COMMANDS.api_version, "kind": "Command", "metadata": metadata}
        self._world.create(COMMANDS, {**body, "action": action, "target": reference})

    @verb(sentences.PODS_DELETED)
    def delete_pods(self, count: int, task: str = "") -> None:
        """Delete the given number of the Job's pods, or of a task's, that have not ended."""
        self._world.verbs(Pods).delete_pods(self._oldest(count, task))

    @verb("the user deletes the PodGroup of the Volcano Job")
    def delete_group(self) -> None:
        """Delete the PodGroup of the Job."""
        group = self._world.found(group_of(self._world.seen), "the PodGroup of the Volcano Job")
        self._world.act(f"deletes PodGroup {group.name}")
        self._world.remove(PODGROUPS, group.name)

    @verb(sentences.ENDED_VANISHES)
    def wipe_ended(self, outcome: str) -> None:
        """Make a pod of the Job vanish that has ended so."""
        ended = [pod for pod in pods_of(self._world.seen) if pod.phase == outcome.capitalize()]
        pod = self._world.found(next(iter(ended), None), f"a pod that has {outcome}")
        self._world.verbs(Pods).wipe_pods([pod])

    @verb("another pod has the name of the first pod of the Volcano Job")
    def take_name(self) -> None:
        """Create a pod with the name of the first one that the Job will want; no controller owns it."""
        self._world.verbs(Pods).create_pod(f"{JOB}-{TASK}-0")

    # -- what the scheduler and the kubelet do

    @verb(sentences.ALL_LET_IN)
    def let_all_in(self) -> None:
        """From now on the scheduler admits every PodGroup, as soon as it is made."""
        self._world.act("the scheduler lets every PodGroup in")
        self._lets_in = True
        for group in [*self._world.seen.objects(PODGROUPS).values()]:
            self._world.patch(PODGROUPS, group.name, {"status": {"phase": "Inqueue"}})

    @verb("the scheduler admits its PodGroup", phase="Inqueue")
    @verb("the scheduler lets its PodGroup wait", phase="Pending")
    @verb("the scheduler sees its PodGroup running", phase="Running")
    @verb("the scheduler sees its PodGroup completed", phase="Completed")
    @verb("the scheduler cannot place all pods of its PodGroup any more", phase="Unknown")
    def schedule(self, phase: str) -> None:
        """Give the PodGroup of the Job a phase, as the scheduler does: Pending, or Inqueue to let it in."""
        self._world.claim(eventually(volcano_group_exists()))
        group = self._world.found(group_of(self._world.seen), "the PodGroup of the Volcano Job")
        self._world.act(f"the scheduler makes PodGroup {group.name} {phase}")
        self._world.patch(PODGROUPS, group.name, {"status": {"phase": phase}})

    @verb(sentences.PODS_RUN)
    @verb(
        "{count:d} [pod|pods] of {task:its_task} [count?runs|run] and [count?is|are] not ready", ready=False
    )
    def run(self, count: int, task: str = "", *, ready: bool = True) -> None:
        """The kubelet runs that many of the Job's pods, or of a task's; waits until they are there."""
        self._world.verbs(Pods).start_pods(self._oldest(count, task), ready=ready)

    @verb("all unfinished pods of {task:its_task} run")
    def run_all(self, task: str) -> None:
        """The kubelet runs all pods of a task that there are now and that have not ended."""
        self.run(max(1, len(active_pods_of(self._world.seen, task))), task)

    @verb(
        "{count:d} [pod|pods] of {task:its_task} [count?runs|run]"
        " while the containers wait to be started again"
    )
    def wait(self, count: int, task: str = "") -> None:
        """That many of the Job's pods, or of a task's, are Running with containers that are not started."""
        self._world.verbs(Pods).wait_pods(self._oldest(count, task))

    @verb("{count:d} [pod|pods] of {task:its_task} [count?becomes|become] Unknown")
    def lose(self, count: int, task: str = "") -> None:
        """The node of the given number of the Job's pods, or of a task's, is lost: their phase is Unknown."""
        kubelet = self._world.cell.kubelet
        self._world.verbs(Pods).play("become Unknown", self._oldest(count, task), kubelet.unknown)

    @verb(sentences.PODS_SUCCEED, exit_code=0)
    @verb(sentences.PODS_FAIL)
    def end(self, count: int, *, exit_code: int | None, task: str = "") -> None:
        """The given number of the Job's pods, or of a task's, end; with exit code 1 where none is named."""
        code = 1 if exit_code is None else exit_code
        self._world.verbs(Pods).end_pods(self._oldest(count, task), exit_code=code)

    @verb("{count:d} terminating [pod|pods] of the Volcano Job [count?ends|end]")
    def end_terminating(self, count: int) -> None:
        """The given number of the Job's pods that are being deleted end, and are gone."""
        self._world.verbs(Pods).wipe_pods(self._terminating(count))

    @verb(
        "{count:d} terminating [pod|pods] of the Volcano Job [count?fails|fail],"
        " and [count?stays|stay] for now"
    )
    def fail_terminating(self, count: int) -> None:
        """The given number of the Job's pods that are being deleted fail, and are still there."""
        self._world.verbs(Pods).end_pods(self._terminating(count), exit_code=1)

    def _terminating(self, count: int) -> list[Pod]:
        def terminating() -> list[Pod]:
            return [pod for pod in pods_of(self._world.seen) if pod.terminating]

        if len(terminating()) < count:
            self._world.claim(eventually(volcano_terminating_at_least(at_least=count), precondition=True))
        return terminating()[:count]

    @verb("PodGC marks {count:d} [pod|pods] of {task:its_task} as failed")
    def mark_failed(self, count: int, task: str = "") -> None:
        """The pod garbage collector sets the phase Failed; the states of the containers stay."""
        self._world.verbs(Pods).set_phase(self._oldest(count, task), "Failed")

    @verb("the kubelet evicts {count:d} [pod|pods] of {task:its_task}")
    def evict(self, count: int, task: str = "") -> None:
        """The kubelet ends pods because their node lacks something: Failed, with the reason Evicted."""
        self._world.verbs(Pods).set_phase(self._oldest(count, task), "Failed", "Evicted")

    @verb(
        "the first container of 1 pod of the Volcano Job fails with exit code {exit_code:d}"
        " and the second one with {other:d}"
    )
    def end_containers(self, exit_code: int, other: int) -> None:
        """A pod of several containers fails, each with an exit code."""
        ending = PodEnding(others=other)
        self._world.verbs(Pods).end_pods(self._oldest(1), exit_code=exit_code, ending=ending)

    @verb("another client sets DisruptionTarget of 1 pod of the Volcano Job")
    def disrupt(self) -> None:
        """Set the condition that says that a pod is about to be deleted."""
        self._world.verbs(Pods).set_condition(self._oldest(1), "DisruptionTarget")

    @verb("another client takes {part:pod_part} from 1 pod of the Volcano Job")
    def strip(self, part: str) -> None:
        """Another client takes a part of the metadata away from a pod of the Job that has not ended.

        It is the first by name: facts ask for that pod, and pods may be created in any order.
        """
        pods = self._oldest(max(1, len(active_pods_of(self._world.seen))))
        self._world.verbs(Pods).patch_pod(min(pods, key=lambda pod: pod.name), STRIPPED[part])

    @verb("the containers of 1 pod of the Volcano Job have been restarted {times:d} times")
    def restart_containers(self, times: int) -> None:
        """The kubelet has started a container of one pod of the Job again so often, in place."""
        self._world.verbs(Pods).restart_pods(self._oldest(1), times)

    def _oldest(self, count: int, task: str = "") -> list[Pod]:
        pods = active_pods_of(self._world.seen, task)
        if len(pods) < count:
            # The controller may create more pods than the step needs before the claim is opened.
            wanted = (
                volcano_active_task_pods(task=task, at_least=count)
                if task
                else volcano_active_pods(at_least=count)
            )
            self._world.claim(eventually(wanted, precondition=True))
            pods = active_pods_of(self._world.seen, task)
        if len(pods) < count:
            self._world.lack(f"{counted(count, 'pod')} of the Volcano Job still to end, but {len(pods)}")
        return pods[:count]
