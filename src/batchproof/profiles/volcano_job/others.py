"""The verbs about what other clients do to the objects of a Volcano Job, and what they have of its names."""

from __future__ import annotations

import asyncio

from batchproof.ground.errors import HarnessError
from batchproof.ground.resources import CELL_LABEL, CLAIMS, PODS, Resource
from batchproof.judgement.history import Json
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.values import counted
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES
from batchproof.profiles.volcano_job.facts.jobs import group_of, queue_of, volcano_job
from batchproof.profiles.volcano_job.facts.made import EXTRAS_OF
from batchproof.profiles.volcano_job.objects import COMMANDS, CONFIG_MAPS, REPLICA_SETS, VOLCANO_JOBS
from batchproof.profiles.volcano_job.verbs import ONE_POD, Volcano
from batchproof.profiles.volcano_job.words import tasks_of, volcano_job_body
from batchproof.specification.verbs import verb
from batchproof.world import World

_OTHERS: dict[str, Json] = {
    "ConfigMap": {"data": {"kept": "yes"}},
    "Secret": {"stringData": {"kept": "yes"}},
    "NetworkPolicy": {"spec": {"podSelector": {"matchLabels": {"app": "other"}}}},
    "service": {"spec": {"clusterIP": "None", "selector": {"app": "other"}}},
}
"""What an object of another client has in it, by its kind."""
REPORTS = "the scheduler that is installed reports that too"
"""Why a scenario cannot be judged in place in which the steps report something as the scheduler does."""
_TWIN_WITHIN_S = 20.0
_POLL_S = 0.05
_MARK = "batchproof.dev/colour"
_HOLD = "batchproof.dev/keep"


class Others:
    """Other clients, which change what is there, or have made it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._volcano = world.verbs(Volcano)
        self._held: tuple[Resource, str] | None = None

    @verb("another client has a {kind:extra_kind} of the name that a plugin would give its own")
    def take_extra(self, kind: str) -> None:
        """Create an object that no Job controls, with the name of one that a plugin needs."""
        resource, suffix = EXTRAS_OF[kind]
        body: Json = {"apiVersion": resource.api_version, "kind": kind[0].upper() + kind[1:]}
        self._world.act(f"another client creates {kind} {JOB}{suffix}")
        self._world.create(resource, {**body, "metadata": {"name": f"{JOB}{suffix}"}, **_OTHERS[kind]})

    # -- changes of metadata

    @verb("another client {change:meta_change} {thing:changed_thing}")
    def change(self, change: str, thing: str) -> None:
        """Change labels, annotations or owners of an object."""
        resource, name = self._named(thing)
        match change:
            case "labels":
                metadata: Json = {"labels": {_MARK: "red"}}
            case "annotates":
                metadata = {"annotations": {_MARK: "red"}}
            case "disowns":
                metadata = {"ownerReferences": None}
            case _:
                metadata = {"ownerReferences": [*self._owners(resource, name), self._parent()]}
        self._patch(resource, name, {"metadata": metadata}, f"{change} {resource.plural} {name}")

    def _named(self, thing: str) -> tuple[Resource, str]:
        """The object that a sentence means.

        Raises:
            HarnessError: there is none now.
        """
        seen = self._world.seen
        found: ApiObject | None
        match thing.removesuffix(" of the Volcano Job"):
            case "the Volcano Job":
                return VOLCANO_JOBS, JOB
            case "the ConfigMap":
                resource, suffix = EXTRAS_OF["ConfigMap"]
                return resource, f"{JOB}{suffix}"
            case "the PodGroup":
                resource, found = PODGROUPS, group_of(seen)
            case "the Command":
                resource, found = COMMANDS, next(iter(seen.objects(COMMANDS).values()), None)
            case "the ReplicaSet":
                resource, found = REPLICA_SETS, next(iter(seen.objects(REPLICA_SETS).values()), None)
            case _:
                job = volcano_job(seen)
                claims = (it for it in seen.objects(CLAIMS).values() if it.controlled_by(job))
                resource, found = CLAIMS, next(claims, None)
        if found is None:
            raise HarnessError(f"there is no such object now: {thing}")
        return resource, found.name

    def _owners(self, resource: Resource, name: str) -> list[Json]:
        found = next(iter(self._world.seen.named(resource, name)), None)
        return [*(found.metadata.get("ownerReferences") or [])] if found else []

    def _parent(self) -> Json:
        """An object that may own others: a ConfigMap of the user."""
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "parent"}}
        made = self._world.create(CONFIG_MAPS, body)
        return {"apiVersion": "v1", "kind": "ConfigMap", "name": "parent", "uid": made["metadata"]["uid"]}

    def _patch(self, resource: Resource, name: str, change: Json, text: str, *, status: bool = False) -> None:
        self._world.act(f"another client {text}")
        path = self._world.path(resource, name) + ("/status" if status else "")
        self._world.do(self._world.api.patch(path, change))

    # -- other changes

    @verb("another client sets {part:group_part} of the PodGroup of the Volcano Job to {count:d}")
    def set_minimum(self, part: str, count: int) -> None:
        """Change how many pods the PodGroup of the Job needs, in all or of each task."""
        job = self._world.found(volcano_job(self._world.seen), "the Volcano Job")
        each = {task["name"]: count for task in job.spec["tasks"]}
        self._change_group(part, count if part == "minMember" else each, str(count))

    @verb("another client sets priorityClassName of the PodGroup of the Volcano Job to {priority:name}")
    def set_priority(self, priority: str) -> None:
        """Change the priority of the PodGroup of the Job; there need not be such a PriorityClass."""
        self._change_group("priorityClassName", priority, priority)

    @verb("another client sets minResources of the PodGroup of the Volcano Job to {amount:d} [CPU|CPUs]")
    def set_resources(self, amount: int) -> None:
        """Change what the pods of the PodGroup need to begin."""
        self._change_group("minResources", {"cpu": str(amount)}, f"{amount} CPUs")

    def _change_group(self, part: str, value: object, said: str) -> None:
        resource, name = self._named("the PodGroup of the Volcano Job")
        self._patch(resource, name, {"spec": {part: value}}, f"sets {part} of {name} to {said}")

    @verb("the scheduler reports that the PodGroup of the Volcano Job is Unschedulable")
    def report_unschedulable(self) -> None:
        """Set a condition of the PodGroup of the Job, which has no status subresource."""
        resource, name = self._named("the PodGroup of the Volcano Job")
        condition = {"type": "Unschedulable", "status": "True", "reason": "NotEnoughResources"}
        condition |= {"message": "simulated by batchproof", "transitionID": "1"}
        change = {"status": {"conditions": [condition]}}
        self._patch(resource, name, change, f"sets the condition Unschedulable of {name}")

    @verb("another client sets the phase of the Volcano Job to {phase:word}")
    def set_phase(self, phase: str) -> None:
        """Write another phase into the status of the Job."""
        change = {"status": {"state": {"phase": phase}}}
        self._patch(VOLCANO_JOBS, JOB, change, f"sets the phase of {JOB} to {phase}", status=True)

    @verb("another client takes the conditions from the Volcano Job")
    def take_conditions(self) -> None:
        """Write a status without conditions."""
        change = {"status": {"conditions": None}}
        self._patch(VOLCANO_JOBS, JOB, change, f"takes the conditions of {JOB}", status=True)

    @verb("a user empties the ConfigMap of the Volcano Job")
    def empty_hosts(self) -> None:
        """Take the lists of hosts out of the ConfigMap."""
        resource, name = self._named("the ConfigMap of the Volcano Job")
        self._patch(resource, name, {"data": None}, f"empties {name}")

    @verb("the volume controller binds the PersistentVolumeClaim of the Volcano Job")
    def bind_claim(self) -> None:
        """Give the claim of the Job a volume: its name in the spec, then the phase Bound."""
        resource, name = self._named("the PersistentVolumeClaim of the Volcano Job")
        self._patch(resource, name, {"spec": {"volumeName": "disk"}}, f"gives {name} the volume disk")
        self._patch(resource, name, {"status": {"phase": "Bound"}}, f"makes {name} Bound", status=True)

    @verb("another client sets the state of the queue to {state:word}")
    def set_state(self, state: str) -> None:
        """Write another state into the status of the queue."""
        text = f"another client sets the state of the queue to {state}"
        self._change_status({"state": state}, text, state=state)

    @verb("another client changes the weight of the queue to {weight:d}")
    def weigh(self, weight: int) -> None:
        """Change the weight of the queue, whatever its state is."""
        text = f"another client changes the weight of the queue to {weight}"
        self._change_queue({"spec": {"weight": weight}}, text)

    @verb(
        "the scheduler reports that {cpus:d} [CPU|CPUs] [is|are] allocated in the queue", not_in_place=REPORTS
    )
    def allocate(self, cpus: int) -> None:
        """Write what the pods of the queue have, as the scheduler does when its session ends."""
        text = f"the scheduler reports {counted(cpus, 'CPU')} as allocated in the queue"
        self._change_status({"allocated": {"cpu": str(cpus)}}, text, allocated=str(cpus))

    def _change_status(self, status: Json, text: str, **told: str) -> None:
        """Change the status of the queue; invariants have to know that another client wrote it."""
        self._change_queue({"status": status}, text, "/status", **told)

    def _change_queue(self, change: Json, text: str, part: str = "", **told: str) -> None:
        if (queue := queue_of(self._world.seen)) is None:
            raise HarnessError("the scenario has no queue now")
        self._world.act(text, queue=queue.name, **told)
        self._world.do(self._world.api.patch(QUEUES.path(name=queue.name) + part, change))

    # -- what is held

    @verb("a finalizer of another client holds {thing:changed_thing}", deleted=False)
    @verb("a finalizer of another client holds {thing:changed_thing}, which is being deleted", deleted=True)
    def hold(self, thing: str, *, deleted: bool) -> None:
        """Put a finalizer on an object, so that it terminates until the finalizer is taken off.

        What would terminate with its owner is deleted here, which the garbage collector may come to late.
        """
        self._held = resource, name = self._named(thing)
        change = {"metadata": {"finalizers": [_HOLD]}}
        self._patch(resource, name, change, f"puts a finalizer on {resource.plural} {name}")
        if deleted:
            self._world.act(f"deletes {resource.plural} {name}")
            self._world.remove(resource, name)

    @verb("the finalizer is taken off")
    def release(self) -> None:
        """Take the finalizer off that another client has put on.

        Raises:
            HarnessError: there was none.
        """
        if self._held is None:
            raise HarnessError("the scenario has put no finalizer on anything")
        resource, name = self._held
        change = {"metadata": {"finalizers": None}}
        self._patch(resource, name, change, f"takes the finalizer off {resource.plural} {name}")

    # -- another namespace

    @verb("a pod of a Volcano Job of the same name fails in another namespace", fails=True)
    @verb("the user commands AbortJob of a Volcano Job of the same name in another namespace", fails=False)
    def use_twin(self, *, fails: bool) -> None:
        """Create a Job of the name in another namespace; a pod of it fails there, or a Command aborts it."""
        world = self._world
        place = f"{world.scene.namespace}-twin"
        world.act(f"creates Volcano Job {JOB} in another namespace")
        world.do(world.cell.make_namespace(place))
        queue = (
            f"{world.scene.namespace}-twin"  # one of its own, which the history of the scenario does not have
        )
        world.do(self._open_queue(queue))
        body = volcano_job_body(JOB, tasks_of(ONE_POD), ONE_POD.settings, queue=queue)
        made = world.do(world.api.create(VOLCANO_JOBS.path(place), body))
        if fails:
            world.do(self._fail_in(place))
            return
        target: Json = {"apiVersion": VOLCANO_JOBS.api_version, "kind": "Job", "name": JOB}
        target |= {"uid": made["metadata"]["uid"], "controller": True}
        body = {"apiVersion": COMMANDS.api_version, "kind": "Command", "action": "AbortJob", "target": target}
        body["metadata"] = {"name": "abort", "ownerReferences": [target]}
        world.do(world.api.create(COMMANDS.path(place), body))
        world.do(self._until_gone(COMMANDS.path(place, "abort")))

    @verb("another namespace has the PersistentVolumeClaim {name:name}")
    def add_claim_elsewhere(self, name: str) -> None:
        """Create a claim in another namespace."""
        place = f"{self._world.scene.namespace}-twin"
        self._world.act(f"creates PersistentVolumeClaim {name} in another namespace")
        self._world.do(self._world.cell.make_namespace(place))
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        body = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}
        self._world.do(self._world.api.create(CLAIMS.path(place), body))

    async def _open_queue(self, name: str) -> None:
        """Create a queue, and wait until the implementation has opened it: Jobs are refused before."""
        cell, api = self._world.cell, self._world.api
        metadata = {"name": name, "labels": {CELL_LABEL: cell.name}}
        body = {
            "apiVersion": QUEUES.api_version,
            "kind": "Queue",
            "metadata": metadata,
            "spec": {"weight": 1},
        }
        await cell.belongings.make(QUEUES.path(), body)
        try:
            async with asyncio.timeout(_TWIN_WITHIN_S):
                while (await api.get(QUEUES.path(name=name))).get("status", {}).get("state") != "Open":  # noqa: ASYNC110
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise HarnessError(f"queue {name} is not Open after {_TWIN_WITHIN_S:g} s") from error

    async def _fail_in(self, place: str) -> None:
        """Have the pod of the twin fail once it is there; its PodGroup is admitted before."""
        pod, api = PODS.path(place, f"{JOB}-{ONE_POD.tasks[0].name}-0"), self._world.api
        try:
            async with asyncio.timeout(_TWIN_WITHIN_S):
                while not await api.get(pod, missing_ok=True):
                    for group in (await api.get(PODGROUPS.path(place)))["items"]:
                        path = PODGROUPS.path(place, group["metadata"]["name"])
                        await api.patch(path, {"status": {"phase": "Inqueue"}}, missing_ok=True)
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise HarnessError(f"there is no pod {pod} after {_TWIN_WITHIN_S:g} s") from error
        await api.patch(f"{pod}/status", {"status": {"phase": "Failed"}})

    async def _until_gone(self, path: str) -> None:
        try:
            async with asyncio.timeout(_TWIN_WITHIN_S):
                while await self._world.api.get(path, missing_ok=True):  # noqa: ASYNC110 - it is no event of ours
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise HarnessError(f"{path} is there after {_TWIN_WITHIN_S:g} s") from error
