"""What each queue has and is due, and so whose turn it is."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from reference_controller.scheduler.room import PODS
from reference_controller.scheduler.shares import deserved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from reference_controller.scheduler.objects import Pod
    from reference_controller.scheduler.room import Amounts, Site


class Ledger:
    """The accounts of the queues during one decision.

    Args:
        site: tells which resources count, and what pods take of them.
        weights: of each queue.
        total: how much the queues have together.
        running: the pods that a queue has on nodes.
        possible: the pods of a queue that wait and could run, were the cluster free of other pods. What can
            never run is no reason to keep anything from others (GNG-005, GNG-026).
    """

    def __init__(
        self,
        site: Site,
        weights: Mapping[str, int],
        total: Amounts,
        running: Mapping[str, list[Pod]],
        possible: Mapping[str, list[Pod]],
    ) -> None:
        self._site = site
        self.allocated = {queue: self._sum(running.get(queue, ())) for queue in weights}
        asked = {
            queue: tuple(map(add, self.allocated[queue], self._sum(possible.get(queue, ()))))
            for queue in weights
        }
        due = [
            deserved(amount, weights, {queue: request[column] for queue, request in asked.items()})
            for column, amount in enumerate(total)
        ]
        self.deserved: dict[str, tuple[Fraction, ...]] = {
            queue: tuple(amounts[queue] for amounts in due) for queue in weights
        }
        self._possible = {pod.uid for pods in possible.values() for pod in pods}
        self._full: set[str] = set()
        self._waiting: set[str] = set()

    def _sum(self, pods: Iterable[Pod]) -> Amounts:
        total = (0,) * len(self._site.resources)
        for pod in pods:
            total = tuple(map(add, total, self._site.amounts(pod.shape)))
        return total

    def within(self, queue: str, pods: Iterable[Pod]) -> bool:
        """GNG-024: whether the queue has no more than its share with these pods too.

        GNG-017: once it would have, the gangs behind do not overtake the one that was too big.
        """
        accounts = self._accounts(queue, pods)
        if queue in self._full or any(has + asked > due for has, asked, due in accounts):
            self._full.add(queue)
            return False
        return True

    def entitled(self, queue: str, pods: Iterable[Pod]) -> bool:
        """GNG-025: whether the queue is below its share of every resource that the pods ask for.

        One gang may take it above, for else a gang that is bigger than the share would never run.
        """
        return all(has < due for has, _, due in self._accounts(queue, pods))

    def _accounts(self, queue: str, pods: Iterable[Pod]) -> list[tuple[int, int, Fraction]]:
        """What the queue has and is due of each resource that the pods ask for, and how much they ask."""
        columns = zip(
            self._site.resources, self.allocated[queue], self._sum(pods), self.deserved[queue], strict=True
        )
        return [(has, asked, due) for name, has, asked, due in columns if asked and name != PODS]

    def lent(self, queue: str, _: Iterable[Pod]) -> bool:
        """GNG-026: a queue that has its share may use more. GNG-025: unless another waits for its own."""
        return not self._waiting - {queue}

    def wait(self, queue: str, pods: Iterable[Pod]) -> None:
        """GNG-025: pods found no room: if their queue is below its share, others get none before them."""
        pods = list(pods)
        if self.entitled(queue, pods) and any(pod.uid in self._possible for pod in pods):
            self._waiting.add(queue)

    def charge(self, queue: str, pod: Pod) -> None:
        """The queue gets what the pod takes."""
        self.allocated[queue] = tuple(map(add, self.allocated[queue], self._site.amounts(pod.shape)))
