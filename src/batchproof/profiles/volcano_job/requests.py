"""The verbs about what users ask of Volcano's admission."""

from __future__ import annotations

import asyncio

from batchproof.judgement.history import Json
from batchproof.profiles.shared.names import JOB
from batchproof.profiles.shared.objects.volcano import QUEUES
from batchproof.profiles.shared.requests import Requests
from batchproof.profiles.volcano_job.facts.jobs import queue_of, volcano_job
from batchproof.profiles.volcano_job.objects import VOLCANO_JOBS
from batchproof.profiles.volcano_job.specs import TaskSpec, VolcanoJobSpec
from batchproof.profiles.volcano_job.verbs import ONE_POD, Volcano
from batchproof.profiles.volcano_job.words import settings_in, tasks_of, volcano_job_body
from batchproof.specification.verbs import verb
from batchproof.world import World

_DEFAULT = QUEUES.path(name="default")
_OPENS_WITHIN_S = 20.0
_POLL_S = 0.05


class VolcanoRequests:
    """What users ask for, one request after the other, whether or not it is refused."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._requests = world.verbs(Requests)
        self._volcano = world.verbs(Volcano)

    # -- Jobs

    @verb("the user submits {job:a_volcano_job}")
    @verb("the user submits a Volcano Job in a queue that does not exist", job=ONE_POD, queue="nowhere")
    def ask_for_job(self, job: VolcanoJobSpec, *, queue: str = "") -> None:
        """Ask for a Job, in the queue of the scenario unless another one is named."""
        self._ask_for(self._name(), job, queue or self._volcano.queue)

    def _ask_for(self, name: str, job: VolcanoJobSpec, queue: str) -> None:
        body = volcano_job_body(name, tasks_of(job), job.settings, queue=queue)
        self._requests.ask("a Volcano Job", lambda: self._world.create(VOLCANO_JOBS, body))

    @verb("the user submits a Volcano Job that says no more than {tasks:job_tasks}")
    def ask_for_bare_job(self, tasks: tuple[TaskSpec, ...]) -> None:
        """Ask for a Job that says of its tasks how many pods they have and what these are, and no more."""
        full = tasks_of(VolcanoJobSpec(tasks=tasks))
        bare = [{key: value for key, value in task.items() if key != "name"} for task in full]
        body = {**volcano_job_body(self._name(), bare, queue=""), "spec": {"tasks": bare}}
        self._requests.ask("a Volcano Job that says no more", lambda: self._world.create(VOLCANO_JOBS, body))

    @verb("the user submits another Volcano Job in the queue")
    @verb("the user submits another Volcano Job in the queue that is always there", queue="default")
    def ask_for_another_job(self, queue: str = "") -> None:
        """Ask for another Job of one pod, in the queue of the scenario as it is now unless one is named."""
        self._ask_for(f"other-{self._requests.asked}", ONE_POD, queue or self._queue_now())

    @verb("the user asks to change the Volcano Job to {tasks:job_tasks}{settings:with_settings}")
    def ask_to_change_job(self, tasks: tuple[TaskSpec, ...], settings: tuple[str, ...]) -> None:
        """Ask to change the Job to these tasks, what they leave open being as it is."""
        job = self._world.found(volcano_job(self._world.seen), "the Volcano Job")
        stored, asked = job.spec["tasks"], tasks_of(VolcanoJobSpec(tasks=tasks))
        wanted = [
            {**(stored[place] if place < len(stored) else {}), **task} for place, task in enumerate(asked)
        ]
        change = {"spec": {**settings_in(settings), "tasks": wanted}}
        self._requests.ask(
            "a change of the Volcano Job", lambda: self._world.patch(VOLCANO_JOBS, JOB, change)
        )

    def _name(self) -> str:
        return f"other-{self._requests.asked}" if self._requests.asked else JOB

    # -- queues

    @verb("the queue that is always there is Open")
    def see_default_open(self) -> None:
        """Wait until the queue that is always there is Open: Jobs are refused before.

        Raises:
            Inconclusive: it does not become so.
        """
        if not self._world.do(self._default_opens()):
            self._world.lack(f"the queue that is always there Open, within {_OPENS_WITHIN_S:g} s")

    async def _default_opens(self) -> bool:
        try:
            async with asyncio.timeout(_OPENS_WITHIN_S):
                while (await self._world.api.get(_DEFAULT)).get("status", {}).get("state") != "Open":  # noqa: ASYNC110 - it is no event of ours
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            return False
        return True

    @verb("the user submits a queue of weight {weight:integer}")
    @verb("the user submits a queue that says nothing", weight=None)
    def ask_for_queue(self, weight: int | None) -> None:
        """Ask for a queue of this weight; None: it says nothing at all."""
        body = {"apiVersion": QUEUES.api_version, "kind": "Queue"}
        spec: Json = {} if weight is None else {"weight": weight}
        name = f"asked-{self._requests.asked}"
        self._requests.ask(
            "a queue", lambda: self._world.create_in_cluster(QUEUES, name, {**body, "spec": spec})
        )

    @verb("the user asks to change the weight of the queue to {weight:integer}")
    def ask_to_weigh_queue(self, weight: int) -> None:
        """Ask to change the weight of the scenario's queue, which is made if there is none yet."""
        name = self._volcano.queue_name or self._volcano.queue
        place, change = QUEUES.path(name=name), {"spec": {"weight": weight}}
        self._requests.ask("another weight", lambda: self._world.do(self._world.api.patch(place, change)))

    @verb("the user asks to delete the queue")
    def ask_to_delete_queue(self) -> None:
        """Ask to delete the scenario's queue, as it is now."""
        place = QUEUES.path(name=self._queue_now())
        self._requests.ask("the deletion of the queue", lambda: self._world.do(self._world.api.delete(place)))

    @verb("the user asks to delete the queue that is always there")
    def ask_to_delete_default(self) -> None:
        """Ask to delete the queue that is always there; if that is done, it is made again for others."""
        api, do = self._world.api, self._world.do
        before = do(api.get(_DEFAULT))
        self._requests.ask("the deletion of the queue default", lambda: do(api.delete(_DEFAULT)))
        if not do(api.get(_DEFAULT, missing_ok=True)):
            body = {key: before[key] for key in ("apiVersion", "kind", "spec")}
            do(api.create(QUEUES.path(), {**body, "metadata": {"name": "default"}}))

    def _queue_now(self) -> str:
        return self._world.found(queue_of(self._world.seen), "the queue").name
