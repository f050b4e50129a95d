"""One sync of a Job: what is observed, and how each action is carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from reference_controller.decision import Decision
from reference_controller.job.actions import (
    Action,
    AdoptPods,
    CreatePods,
    RecordEvent,
    ReleasePods,
    RemoveFinalizers,
    ScaleDownPods,
    TerminatePods,
    WriteStatus,
)
from reference_controller.job.objects import Job
from reference_controller.job.observed import Observed
from reference_controller.job.reconcile import BATCH_PERIOD_S, ours, reconcile
from reference_controller.objects.identity import ObjectKey
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.job.effects import Effects
from reference_controller.runtime.job.known import Known, Memory
from reference_controller.runtime.loop import Sync

if TYPE_CHECKING:
    from collections.abc import Callable


class JobSync(Sync[Observed, Action]):
    """One sync: stage after stage, with what went wrong so far.

    Args:
        known: what this process knows of Jobs.
        effects: what makes the writes.
        key: of the Job.
        look_again: has the Job looked at again after that many seconds.
    """

    def __init__(
        self, known: Known, effects: Effects, key: ObjectKey, look_again: Callable[[float], None]
    ) -> None:
        super().__init__()
        self._known = known
        self._effects = effects
        self._key = key
        self._look_again = look_again
        self._memory: Memory
        self._status_writes = 0
        self._moves_failed = False
        self._stuck: frozenset[str] = frozenset()

    async def observe(self) -> Observed | None:
        """The Job and its pods, unless the Job is gone, finished or another controller's."""
        job = self._known.newest(self._key.uid)
        if job is None or not ours(job):
            return None
        self._memory = self._known.memories.setdefault(job.uid, Memory())
        return self._observed(job, self._memory)

    def _observed(self, job: Job, memory: Memory) -> Observed:
        now = clock.now()
        memory.settle(job)
        owned = self._known.owned.owned_by(job.uid)
        matching = [memory.as_seen(pod, now) for pod in owned if job.selector.matches(pod.labels)]
        strayed = [pod for pod in owned if not job.selector.matches(pod.labels)]
        loose = self._known.owned.without_controller(job.namespace)
        expectations = memory.expectations
        expectations.expire(self._known.pods.seen)
        if not (met := expectations.met()):
            self._look_again(max(expectations.expires_in_s(), BATCH_PERIOD_S))
        return Observed(
            job=job,
            pods=tuple(matching),
            strayed=tuple(strayed),
            adoptable=tuple(pod for pod in loose if job.selector.matches(pod.labels)),
            backoff=memory.backoff,
            expectations_met=met,
            unseen_creations=frozenset(expectations.creations),
            unseen_deletions=frozenset(expectations.deletions),
            released=frozenset(expectations.releases),
            moves_failed=self._moves_failed,
            stuck=self._stuck,
            status_writes=self._status_writes,
        )

    def reconcile(self, observed: Observed, now: float) -> Decision[Action]:
        """See `job.reconcile`."""
        return reconcile(observed, now)

    async def carry_out(self, action: Action, observed: Observed) -> None:
        """ROB-024: a failed move or finalizer does not keep the sync from doing the rest.

        Raises:
            ApiError: without this action nothing after it may be done.
        """
        job, memory = observed.job, self._memory
        match action:
            case CreatePods():
                self._note(await self._effects.create_pods(job, action, memory))
            case ScaleDownPods():
                self._note(await self._effects.scale_down(job, action, memory))
            case TerminatePods():
                self._note(await self._effects.terminate(job, action, memory))
            case RemoveFinalizers():
                failures = await self._effects.remove_finalizers(action, memory)
                self._stuck |= failures.keys()
                self.errors += failures.values()
            case WriteStatus():
                self._status_writes += 1
                await self._effects.write_status(job, action, memory)
            case RecordEvent():
                self._effects.record(job, action)
            case AdoptPods():
                await self._effects.adopt(job, action, memory)
            case ReleasePods():
                await self._effects.release(job, action, memory)
            case _:
                assert_never(action)

    def _note(self, errors: list[ApiError]) -> None:
        """EXP-026: also pods that were gone already: the next move waits until the watch shows it."""
        self._moves_failed = self._moves_failed or bool(errors)
        self.errors += errors
