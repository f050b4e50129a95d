"""One look at a queue of Volcano."""

from __future__ import annotations

from reference_controller.decision import Decision
from reference_controller.objects.identity import ObjectKey
from reference_controller.runtime.loop import Sync
from reference_controller.runtime.volcano.known import Known
from reference_controller.volcano import api_json
from reference_controller.volcano.actions import WriteQueueStatus
from reference_controller.volcano.objects import QUEUES
from reference_controller.volcano.queues import ObservedQueue, reconcile_queue


class QueueSync(Sync[ObservedQueue, "WriteQueueStatus"]):
    """One sync of one queue."""

    def __init__(self, known: Known, key: ObjectKey) -> None:
        super().__init__()
        self._of = known
        self._key = key

    async def observe(self) -> ObservedQueue | None:
        """The queue with its PodGroups; None once it is gone."""
        queue = self._of.queue_index.get(self._key.uid)
        if queue is None:
            return None
        groups = tuple(self._of.groups_in(queue))
        return ObservedQueue(queue, groups, self._of.next_asked(queue.uid))

    def reconcile(self, observed: ObservedQueue, now: float) -> Decision[WriteQueueStatus]:  # noqa: ARG002 - no rule depends on time
        """See `volcano.queues`."""
        decision = reconcile_queue(observed)
        if observed.command and not decision.actions:
            self._of.answered(observed.queue.uid)  # it is so already
        return Decision(decision.actions, final=True)

    async def carry_out(self, action: WriteQueueStatus, observed: ObservedQueue) -> None:
        """Write the status."""
        queue = observed.queue
        body = api_json.with_queue_status(queue, action.status)
        await self._of.client.put(QUEUES.path(queue, "status"), body)
        if observed.command:
            self._of.answered(queue.uid)
