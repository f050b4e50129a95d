"""What each queue has and is due, and so whose turn it is."""

from __future__ import annotations

from operator import add, sub
from typing import TYPE_CHECKING

from reference_controller.scheduler.objects import Pod, Queue
from reference_controller.scheduler.room import PODS, Amounts, Site
from reference_controller.scheduler.shares import deserved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction


class Ledger:
    """The accounts of the queues during one decision.

    Args:
        site: says which resources count, and what pods take of them.
        queues: all of them.
        total: how much the queues have together.
        running: the pods that a queue has on nodes.
        possible: the pods of a queue that wait and could run, were the cluster free of other pods. What can
            never run is no reason to keep anything from others (GNG-005, GNG-026).
        leaving: those of the running pods that will soon be gone.
    """

    def __init__(
        self,
        site: Site,
        queues: Mapping[str, Queue],
        total: Amounts,
        running: Mapping[str, list[Pod]],
        possible: Mapping[str, list[Pod]],
        *,
        leaving: Mapping[str, list[Pod]],
    ) -> None:
        self._site = site
        self.allocated = {queue: site.sum(running.get(queue, ())) for queue in queues}
        self._leaving = {queue: site.sum(leaving.get(queue, ())) for queue in queues}
        floors = {name: self._amounts(queue.guarantee, 0) for name, queue in queues.items()}
        self._total, self._floors = total, floors
        self._limits = {name: self._limit(queue, total, floors) for name, queue in queues.items()}
        self.deserved = self._shares(queues, total, floors, possible)
        self._possible = {pod.uid for pods in possible.values() for pod in pods}
        self._full: set[str] = set()
        self._waiting: set[str] = set()

    def _amounts(self, said: Iterable[tuple[str, int]], unsaid: int) -> Amounts:
        named = dict(said)
        return tuple(named.get(resource, unsaid) for resource in self._site.resources)

    def _limit(self, queue: Queue, total: Amounts, floors: Mapping[str, Amounts]) -> Amounts:
        """GNG-034: its capability; GNG-089: and not what is kept for others, whether they use it or not."""
        limit = self._amounts(queue.capability, 2**63)
        for other, floor in floors.items():
            if other != queue.name and any(floor):
                total = tuple(map(sub, total, floor))
                limit = tuple(map(min, limit, total))
        return limit

    def _shares(
        self,
        queues: Mapping[str, Queue],
        total: Amounts,
        floors: Mapping[str, Amounts],
        possible: Mapping[str, list[Pod]],
    ) -> dict[str, tuple[Fraction, ...]]:
        """GNG-024, GNG-034: how much of each resource each queue is due."""
        weights = {name: queue.weight for name, queue in queues.items()}
        usable = {name: self._usable(name, possible.get(name, ())) for name in queues}
        due = [
            deserved(
                amount,
                weights,
                {name: amounts[column] for name, amounts in usable.items()},
                {name: floor[column] for name, floor in floors.items()},
            )
            for column, amount in enumerate(total)
        ]
        return {name: tuple(shares[name] for shares in due) for name in queues}

    def _usable(self, queue: str, waiting: Iterable[Pod]) -> Amounts:
        """What a queue could use: what it has, and what its pending pods request, up to its limit."""
        needed = map(add, self.allocated[queue], self._site.sum(waiting))
        return tuple(map(min, needed, self._limits[queue]))

    def within(self, queue: str, pods: Iterable[Pod]) -> bool:
        """GNG-024: whether the queue has no more than its share with these pods too.

        GNG-017: once it would have, the gangs behind do not overtake the one that was too big.
        """
        if queue in self._full or not self.covers(queue, pods):
            self._full.add(queue)
            return False
        return True

    def covers(self, queue: str, pods: Iterable[Pod]) -> bool:
        """GNG-027: whether the queue's share is enough for these pods beside what it has."""
        return all(has + asked <= due for has, asked, due in self._accounts(queue, pods))

    def entitled(self, queue: str, pods: Iterable[Pod]) -> bool:
        """GNG-025: whether the queue is below its share of every resource that the pods ask for.

        One gang may take it above, for else a gang that is bigger than the share would never run.
        """
        return all(has < due for has, _, due in self._accounts(queue, pods))

    def lent(self, queue: str, _pods: Iterable[Pod]) -> bool:
        """GNG-026: a queue that has its share may use more. GNG-025: unless another waits for its own."""
        return not self._waiting - {queue}

    def may_have(self, queue: str, pods: Iterable[Pod], gone: Mapping[str, list[Pod]] | None = None) -> bool:
        """GNG-034: whether the queue's capability covers these pods, and GNG-089: what is kept for no other.

        Args:
            queue: the queue.
            pods: what it would get.
            gone: pods that will have left by then, by their queue.
        """
        has = dict(self.allocated)
        for name, leaving in (gone or {}).items():
            has[name] = tuple(map(sub, has[name], self._site.sum(leaving)))
        asked = self._site.sum(pods)
        for column, (name, amount) in enumerate(zip(self._site.resources, asked, strict=True)):
            if not amount or name == PODS:
                continue
            others = [other for other in has if other != queue]
            unused = sum(max(0, self._floors[other][column] - has[other][column]) for other in others)
            held = sum(of[column] for of in has.values())
            if has[queue][column] + amount > self._limits[queue][column]:
                return False
            if unused and held + amount + unused > self._total[column]:
                return False
        return True

    def _accounts(self, queue: str, pods: Iterable[Pod]) -> list[tuple[int, int, Fraction]]:
        """Of each resource that the pods ask for: what the queue has, they ask, and it is due."""
        columns = zip(
            self._site.resources,
            self.allocated[queue],
            self._site.sum(pods),
            self.deserved[queue],
            strict=True,
        )
        return [(has, asked, due) for name, has, asked, due in columns if asked and name != PODS]

    def wait(self, queue: str, pods: Iterable[Pod]) -> None:
        """GNG-025: pods found no room: if their queue is below its share, others get none before them."""
        pods = list(pods)
        due = self.entitled(queue, pods) and self.may_have(queue, pods)
        if due and any(pod.uid in self._possible for pod in pods):
            self._waiting.add(queue)

    def charge(self, queue: str, pod: Pod) -> None:
        """The queue gets what the pod takes."""
        self.allocated[queue] = tuple(map(add, self.allocated[queue], self._site.amounts(pod.shape)))

    def spares(self, queue: str, pods: Iterable[Pod]) -> bool:
        """GNG-027: whether the queue keeps its share without these pods, and those that leave it already."""
        columns = zip(
            self._site.resources,
            self.allocated[queue],
            self._leaving[queue],
            self._site.sum(pods),
            self.deserved[queue],
            strict=True,
        )
        return all(
            has - leaving - less >= due for name, has, leaving, less, due in columns if less and name != PODS
        )

    def discharge(self, queue: str, pods: Iterable[Pod]) -> None:
        """These pods will leave the queue."""
        self._leaving[queue] = tuple(map(add, self._leaving[queue], self._site.sum(pods)))
