"""The nodes and the pods on them at some moment of a history, and what room they leave."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from batchproof.judgement.things.core import Node, Pod

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOTHING = Fraction(0)


@dataclass
class Cluster:
    """The nodes and pods at some moment, folded from changes.

    Attributes:
        nodes: by name.
        pods: by UID.
        waiting: the pods of each gang that are not bound, by UID.
        used: what the running pods on each node ask for.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    pods: dict[str, Pod] = field(default_factory=dict)
    waiting: dict[str, dict[str, Pod]] = field(default_factory=dict)
    used: dict[str, dict[str, Fraction]] = field(default_factory=dict)

    def take(self, kind: str, thing: object) -> None:
        """Take in a change."""
        match thing:
            case Node() if kind == "DELETED":
                self.nodes.pop(thing.name, None)
            case Node():
                self.nodes[thing.name] = thing
            case Pod():
                self._take_pod(kind, thing)
            case _:
                pass

    def _take_pod(self, kind: str, pod: Pod) -> None:
        if before := self.pods.pop(pod.uid, None) if kind == "DELETED" else self.pods.get(pod.uid):
            if before.node and not before.finished:
                _give(self.used[before.node], before.requests)
            if before.gang != pod.gang or pod.node or kind == "DELETED":
                self.waiting.get(before.gang, {}).pop(pod.uid, None)
        if kind == "DELETED":
            return
        self.pods[pod.uid] = pod
        if not pod.node:
            self.waiting.setdefault(pod.gang, {})[pod.uid] = pod
        elif not pod.finished:
            _add(self.used.setdefault(pod.node, {}), pod.requests)

    def left(self, node: str) -> dict[str, Fraction]:
        """What a node has left."""
        left = dict(self.nodes[node].allocatable)
        _take(left, self.used.get(node, {}))
        return left

    def room(self, members: Sequence[Pod]) -> tuple[int, int]:
        """How many of these pods, which ask for the same nodes, surely fit at once, and how many at the most.

        The first is what placing the smallest first comes to, the second what the sum of all nodes allows.
        """
        left = {name: self.left(name) for name, node in self.nodes.items() if node.suits(members[0])}
        total: dict[str, Fraction] = {}
        for rest in left.values():
            for resource, amount in rest.items():
                total[resource] = total.get(resource, NOTHING) + max(amount, NOTHING)
        sure = most = 0
        for member in sorted((pod.requests for pod in members), key=lambda one: one.get("cpu", NOTHING)):
            if node := next((rest for rest in left.values() if _fits(rest, member)), None):
                _take(node, member)
                sure += 1
            if _fits(total, member):
                _take(total, member)
                most += 1
        return sure, most


def _fits(left: Mapping[str, Fraction], asked: Mapping[str, Fraction]) -> bool:
    return all(left.get(resource, NOTHING) >= amount for resource, amount in asked.items())


def _take(left: dict[str, Fraction], asked: Mapping[str, Fraction]) -> None:
    for resource, amount in asked.items():
        left[resource] = left.get(resource, NOTHING) - amount


def _add(used: dict[str, Fraction], asked: Mapping[str, Fraction]) -> None:
    for resource, amount in asked.items():
        used[resource] = used.get(resource, NOTHING) + amount


_give = _take  # what is used no more
