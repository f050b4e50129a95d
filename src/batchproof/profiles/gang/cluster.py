"""The nodes and the pods on them at some moment of a history, and what room they leave."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from batchproof.judgement.objects.core import Node, Pod
from batchproof.profiles.gang.amounts import host_ports, requested, taken
from batchproof.profiles.shared.objects.pods import gang_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOTHING = Fraction(0)
Amounts: TypeAlias = "dict[str, Fraction]"


def cpus_in_words(amount: Fraction) -> str:
    """``1 CPU``, ``2.5 CPUs``."""
    return f"{float(amount):g} {'CPU' if amount == 1 else 'CPUs'}"


@dataclass
class ObservedCluster:
    """The nodes and pods at some moment, folded from changes.

    Attributes:
        nodes: by name.
        pods: by UID.
        waiting: the pods of each gang that are not bound, by UID.
        used: what the running pods on each node ask for.
        ports: the host ports that pods use: each node has each of them once.
        holders: labels and annotations, as place, key and value, of pods that only hold room for a gang: what
            they have is free for it.
        by_request: whether a bound pod that is being resized counts by what it requests alone, as it does
            for a scheduler that cannot do more (GNG-104).
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    pods: dict[str, Pod] = field(default_factory=dict)
    waiting: dict[str, dict[str, Pod]] = field(default_factory=dict)
    used: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    ports: set[str] = field(default_factory=set)
    holders: tuple[tuple[str, str, str], ...] = ()
    by_request: bool = False

    def take(self, kind: str, thing: object) -> None:
        """Take in a change."""
        match thing:
            case Node() if kind == "DELETED":
                self.nodes.pop(thing.name, None)
            case Node():
                self.nodes[thing.name] = thing
            case Pod() if not self._holds_room(thing):
                self._take_pod(kind, thing)
            case _:
                pass

    def _holds_room(self, pod: Pod) -> bool:
        return bool(self.holders) and all(
            (pod.metadata.get(place) or {}).get(key) == value for place, key, value in self.holders
        )

    def _take_pod(self, kind: str, pod: Pod) -> None:
        if before := self.pods.pop(pod.uid, None) if kind == "DELETED" else self.pods.get(pod.uid):
            if before.node and not before.finished:
                _give(self.used[before.node], self._taken(before))
            if gang_of(before) != gang_of(pod) or pod.node or kind == "DELETED":
                self.waiting.get(gang_of(before), {}).pop(pod.uid, None)
        if kind == "DELETED":
            return
        self.pods[pod.uid] = pod
        self.ports |= host_ports(pod)
        if not pod.node:
            self.waiting.setdefault(gang_of(pod), {})[pod.uid] = pod
        elif not pod.finished:
            _add(self.used.setdefault(pod.node, {}), self._taken(pod))

    def _taken(self, pod: Pod) -> dict[str, Fraction]:
        return requested(pod) if self.by_request else taken(pod)

    def left(self, node: str) -> dict[str, Fraction]:
        """What a node has left."""
        return self.left_of(self.nodes[node])

    def left_of(self, node: Node) -> dict[str, Fraction]:
        """What a node has left by one of its states."""
        left = {**node.allocatable, **dict.fromkeys(self.ports, Fraction(1))}
        _take(left, self.used.get(node.name, {}))
        return left

    def room(self, members: Sequence[Pod]) -> tuple[int, int]:
        """How many of these pods, which ask for the same nodes, surely fit at once, and how many at the most.

        Counted by node: of pods that ask for the same both numbers are exact. Of others the first is the best
        of some ways to place them, the second what the nodes hold if each were given the smallest.
        """
        left, asked, most = self._at_most(members)
        sure = next(count for count in reversed(range(most + 1)) if _all_placed(left, asked[:count]))
        return sure, most

    def may_hold(self, members: Sequence[Pod], count: int) -> bool:
        """Whether the given number of these pods, which ask for the same nodes, may fit at once."""
        return self._at_most(members)[2] >= count

    def _at_most(self, members: Sequence[Pod]) -> tuple[list[Amounts], list[Amounts], int]:
        """What each suitable node has left, what each pod that fits at all asks for, and how many fit."""
        left = [self.left(name) for name, node in self.nodes.items() if node.suits(members[0])]
        wanted = sorted((taken(pod) for pod in members), key=lambda one: one.get("cpu", NOTHING))
        asked = [one for one in wanted if any(_fits(node, one) for node in left)]
        return left, asked, min(len(asked), sum(_held(node, asked) for node in left))


def _held(node: Mapping[str, Fraction], asked: Sequence[Mapping[str, Fraction]]) -> int:
    """How many of these pods a node holds at the most: the scarcest resource says it."""
    held = len(asked)
    for resource in {resource for one in asked for resource in one}:
        left, count = node.get(resource, NOTHING), 0
        for amount in sorted(one.get(resource, NOTHING) for one in asked):
            left -= amount
            if amount and left < 0:
                break
            count += 1
        held = min(held, count)
    return held


def _all_placed(left: Sequence[Mapping[str, Fraction]], asked: Sequence[Mapping[str, Fraction]]) -> bool:
    """Whether all of these pods find a node, the biggest first, each on the first node that has room."""
    nodes = [dict(node) for node in left]
    for one in reversed(asked):
        node = next((node for node in nodes if _fits(node, one)), None)
        if node is None:
            return False
        _take(node, one)
    return True


def _fits(left: Mapping[str, Fraction], asked: Mapping[str, Fraction]) -> bool:
    return all(left.get(resource, NOTHING) >= amount for resource, amount in asked.items())


def _take(left: dict[str, Fraction], asked: Mapping[str, Fraction]) -> None:
    for resource, amount in asked.items():
        left[resource] = left.get(resource, NOTHING) - amount


def _add(used: dict[str, Fraction], asked: Mapping[str, Fraction]) -> None:
    for resource, amount in asked.items():
        used[resource] = used.get(resource, NOTHING) + amount


_give = _take  # what is used no more
