"""The loop of every controller: look at a key, decide, act, until nothing is left to do.

A controller writes a `Sync`, and puts keys into the queue of its `Loop` when something changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reference_controller.decision import Decision
from reference_controller.runtime import clock
from reference_controller.runtime.client import ApiError
from reference_controller.runtime.worker import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

K = TypeVar("K", bound="Hashable")
O = TypeVar("O")  # noqa: E741 - what is observed
A = TypeVar("A")

SHORTEST_DELAY_S = 0.01


class Sync(ABC, Generic[O, A]):
    """One look at one key, in stages. What a stage leaves for the next ones ends with the sync.

    `errors` are those after which the sync went on; the first is raised at its end, so that the key comes
    back (ROB-018). With `again_s` the key is looked at again after that many seconds: an action found that it
    has to wait for something that no watch may show.
    """

    def __init__(self) -> None:
        self.errors: list[ApiError] = []
        self.again_s: float | None = None

    @abstractmethod
    async def observe(self) -> O | None:
        """What the next decision is made from; None if the key is none of ours, or nothing is left to do.

        Raises:
            ApiError: that is not known; the key comes back.
        """

    @abstractmethod
    def reconcile(self, observed: O, now: float) -> Decision[A]:
        """Decide, purely; `now` is in seconds since the epoch."""

    @abstractmethod
    async def carry_out(self, action: A, observed: O) -> None:
        """Do it. Its match ends with `assert_never`: so mypy finds an action without a case.

        Raises:
            ApiError: without this action nothing after it may be done; the key comes back.
        """


class Loop(Workers[K]):
    """The workers of one controller.

    Args:
        begin: starts the sync of a key.
        count: how many keys are worked on at once.
    """

    def __init__(self, begin: Callable[[K], Sync[Any, Any]], count: int) -> None:
        super().__init__(self.sync, count)
        self._begin = begin

    async def sync(self, key: K) -> None:
        """Decide and act until nothing is left to do.

        Raises:
            ApiError: something failed; the rest was done as far as it could be.
        """
        sync = self._begin(key)
        while (observed := await sync.observe()) is not None:
            decision = sync.reconcile(observed, clock.now())
            for action in decision.actions:
                await sync.carry_out(action, observed)
            for delay_s in (decision.requeue_after_s, sync.again_s):
                if delay_s is not None:
                    self.queue.add_after(key, max(delay_s, SHORTEST_DELAY_S))
            if decision.final or not decision.actions:
                break
        if sync.errors:
            raise sync.errors[0]
