"""The verbs about what users ask of Volcano's admission."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from batchproof.errors import HarnessError
from batchproof.judgement.facts.volcano import queue_of, volcano_job
from batchproof.judgement.template import JOB
from batchproof.judgement.things.volcano import QUEUES, VOLCANO_JOBS
from batchproof.world.requests import Requests
from batchproof.world.volcano_words import tasks_in, volcano_job_body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.history import Json
    from batchproof.world import World
    from batchproof.world.volcano import Volcano

_DEFAULT = QUEUES.path(name="default")
_OPENS_WITHIN_S = 20.0
_POLL_S = 0.05


class VolcanoRequests(Requests):
    """What users ask for, one request after the other, whether or not it is refused."""

    def __init__(self, world: World, volcano: Volcano) -> None:
        super().__init__(world)
        self._volcano = volcano

    # -- Jobs

    def ask_for_job(self, tasks: Sequence[Json], *, queue: str = "", **settings: Any) -> None:
        """Ask for a Job of these tasks, in the queue of the scenario unless another one is named."""
        self._ask_for(self._name(), tasks, queue=queue or self._volcano.queue, **settings)

    def _ask_for(self, name: str, tasks: Sequence[Json], **settings: Any) -> None:
        body = volcano_job_body(name, tasks, **settings)
        self.ask("a Volcano Job", lambda: self._world.create(VOLCANO_JOBS, body))

    def ask_for_bare_job(self, tasks: Sequence[Json]) -> None:
        """Ask for a Job that says of its tasks how many pods they have and what these are, and no more."""
        bare = [{key: value for key, value in task.items() if key != "name"} for task in tasks]
        body = {**volcano_job_body(self._name(), bare, queue=""), "spec": {"tasks": bare}}
        self.ask("a Volcano Job that says no more", lambda: self._world.create(VOLCANO_JOBS, body))

    def ask_for_another_job(self, queue: str = "") -> None:
        """Ask for another Job of one pod, in the queue of the scenario as it is now unless one is named."""
        name = f"other-{self._asked}"
        self._ask_for(name, tasks_in("1 pod"), queue=queue or self._queue_now(), minAvailable=1)

    def ask_to_change_job(self, tasks: Sequence[Json], **settings: Any) -> None:
        """Ask to change the Job to these tasks, what they leave open being as it is."""
        job = volcano_job(self._world.seen)
        if job is None:
            raise HarnessError("the scenario has no Volcano Job now")
        stored = job.spec["tasks"]
        wanted = [
            {**(stored[place] if place < len(stored) else {}), **task} for place, task in enumerate(tasks)
        ]
        said = {key: value for key, value in settings.items() if value not in ([], "")}
        change = {"spec": {**said, "tasks": wanted}}
        self.ask("a change of the Volcano Job", lambda: self._world.patch(VOLCANO_JOBS, JOB, change))

    def _name(self) -> str:
        return f"other-{self._asked}" if self._asked else JOB

    # -- queues

    def see_default_open(self) -> None:
        """Wait until the queue that is always there is Open: Jobs are refused before.

        Raises:
            HarnessError: it does not become so.
        """
        self._world.do(self._default_opens())

    async def _default_opens(self) -> None:
        try:
            async with asyncio.timeout(_OPENS_WITHIN_S):
                while (await self._world.api.get(_DEFAULT)).get("status", {}).get("state") != "Open":  # noqa: ASYNC110 - it is no event of ours
                    await asyncio.sleep(_POLL_S)
        except TimeoutError as error:
            raise HarnessError(f"the queue default is not Open after {_OPENS_WITHIN_S:g} s") from error

    def ask_for_queue(self, weight: int | None) -> None:
        """Ask for a queue of this weight; None: it says nothing at all."""
        body = {"apiVersion": QUEUES.api_version, "kind": "Queue"}
        spec: Json = {} if weight is None else {"weight": weight}
        name = f"asked-{self._asked}"
        self.ask("a queue", lambda: self._world.create_in_cluster(QUEUES, name, {**body, "spec": spec}))

    def ask_to_weigh_queue(self, weight: int) -> None:
        """Ask to change the weight of the scenario's queue."""
        place, change = QUEUES.path(name=self._volcano.queue), {"spec": {"weight": weight}}
        self.ask("another weight", lambda: self._world.do(self._world.api.patch(place, change)))

    def ask_to_delete_queue(self) -> None:
        """Ask to delete the scenario's queue, as it is now."""
        place = QUEUES.path(name=self._queue_now())
        self.ask("the deletion of the queue", lambda: self._world.do(self._world.api.delete(place)))

    def ask_to_delete_default(self) -> None:
        """Ask to delete the queue that is always there; if that is done, it is made again for others."""
        api, do = self._world.api, self._world.do
        before = do(api.get(_DEFAULT))
        self.ask("the deletion of the queue default", lambda: do(api.delete(_DEFAULT)))
        if not do(api.get(_DEFAULT, missing_ok=True)):
            body = {key: before[key] for key in ("apiVersion", "kind", "spec")}
            do(api.create(QUEUES.path(), {**body, "metadata": {"name": "default"}}))

    def _queue_now(self) -> str:
        queue = queue_of(self._world.seen)
        if queue is None:
            raise HarnessError("the scenario has no queue now")
        return queue.name
