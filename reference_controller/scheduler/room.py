"""What is free on the nodes while a decision is made: taken up pod by pod, or all returned together."""

from __future__ import annotations

from operator import add, ge, sub
from typing import TYPE_CHECKING, Self

from reference_controller.objects.quantity import CPU
from reference_controller.scheduler.fit import suits
from reference_controller.scheduler.objects import Key, Neighbours, Node, Pod, Shape, Spread
from reference_controller.scheduler.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PODS, MEMORY = "pods", "memory"

Amounts = tuple[int, ...]
Domain = tuple[str, str]
"""The key and the value of a node label: all nodes that have it."""


class Site:
    """What stays the same during one decision.

    Args:
        nodes: all nodes.
        shapes: those of all pods for which room is sought.
        storage: what is known of the claims of pods.
    """

    def __init__(self, nodes: Iterable[Node], shapes: Iterable[Shape], storage: Storage) -> None:
        self.storage = storage
        sought = set(shapes)
        asked = {name for shape in sought for name, _ in shape.requests}
        self.resources = (PODS, CPU, MEMORY, *sorted(asked - {PODS, CPU, MEMORY}))
        self.nodes = {node.name: node for node in sorted(nodes, key=lambda node: node.name)}
        self.neighbours = {rule for shape in sought for rule in (*shape.near, *shape.apart)}
        self.spreads = {rule for shape in sought for rule in shape.spread}
        self.total = tuple(
            sum(node.allocatable.get(name, 0) for node in self.nodes.values()) for name in self.resources
        )
        self._suitable: dict[Shape, list[str]] = {}
        self._amounts: dict[Shape, Amounts] = {}

    def suitable(self, shape: Shape) -> list[str]:
        """The nodes on which pods of this shape may be, room aside."""
        found = self._suitable.get(shape)
        if found is None:
            found = [
                node.name
                for node in self.nodes.values()
                if suits(node, shape) and self.storage.reached(node, shape)
            ]
            self._suitable[shape] = found
        return found

    def amounts(self, shape: Shape) -> Amounts:
        """What a pod of this shape takes of each of `resources`."""
        found = self._amounts.get(shape)
        if found is None:
            requests = dict(shape.requests)
            found = tuple(1 if name == PODS else requests.get(name, 0) for name in self.resources)
            self._amounts[shape] = found
        return found

    def sum(self, pods: Iterable[Pod]) -> Amounts:
        """What these pods take of each of `resources`."""
        total = (0,) * len(self.resources)
        for pod in pods:
            total = tuple(map(add, total, self.amounts(pod.shape)))
        return total


class Room:
    """What is free on the nodes of a site.

    Within a decision room only shrinks, so a node once found too full for a shape is not looked at again for
    that shape. A trial works on a copy, and drops it if it leads nowhere.
    """

    def __init__(self, site: Site, taken: Iterable[tuple[Pod, str]]) -> None:
        self.site = site
        used: dict[str, Amounts] = {}
        self._ports: dict[str, frozenset[tuple[str, int]]] = {}
        self._near: set[tuple[Neighbours, str]] = set()
        self._apart: set[tuple[Neighbours, str]] = set()
        self._repelled: set[Neighbours] = set()
        self._counts: dict[tuple[Spread, str], int] = {}
        self._claimed: frozenset[Key] = frozenset()
        for pod, node in taken:
            if node in site.nodes:
                amounts = site.amounts(pod.shape)
                used[node] = tuple(map(add, used[node], amounts)) if node in used else amounts
                self._settle(pod, node)
        self.free = {name: self._left(node, used.get(name)) for name, node in site.nodes.items()}
        self._first: dict[Shape, int] = {}

    def _left(self, node: Node, used: Amounts | None) -> Amounts:
        """A node that has more than it can bear has nothing left: pods that ask for nothing still fit."""
        total = [node.allocatable.get(name, 0) for name in self.site.resources]
        return tuple(max(0, have - use) for have, use in zip(total, used or [0] * len(total), strict=True))

    def copy(self) -> Self:
        """A room to try something in."""
        twin = object.__new__(type(self))
        twin.site = self.site
        twin.free = self.free.copy()
        twin._ports = self._ports.copy()
        twin._near = self._near.copy()
        twin._apart = self._apart.copy()
        twin._repelled = self._repelled.copy()
        twin._counts = self._counts.copy()
        twin._claimed = self._claimed
        twin._first = self._first.copy()
        return twin

    def find(self, pod: Pod, domain: Domain | None = None) -> str | None:
        """The first node that has room for the pod, and its neighbours right; None if there is none."""
        shape = pod.shape
        if self.site.storage.exclusive(shape) & self._claimed:
            return None
        nodes, amounts = self.site.suitable(shape), self.site.amounts(shape)
        first = len(nodes)
        found = None
        for index in range(self._first.get(shape, 0), len(nodes)):
            node = nodes[index]
            if self.has(node, amounts) and self._ports_free(node, shape):
                first = min(first, index)
                if (
                    self._within(node, domain)
                    and self._neighbours_right(pod, node)
                    and self._spread_right(pod, node)
                ):
                    found = node
                    break
        self._first[shape] = first
        return found

    def put(self, pod: Pod, node: str) -> None:
        """Let the pod take its room on the node."""
        self.free[node] = tuple(map(sub, self.free[node], self.site.amounts(pod.shape)))
        self._settle(pod, node)

    def has(self, node: str, amounts: Amounts) -> bool:
        """GNG-009: whether these amounts are free, what this decision gave away counted."""
        return all(map(ge, self.free[node], amounts))

    def _settle(self, pod: Pod, node: str) -> None:
        """GNG-010: from now on the pod is a neighbour of those that come after it."""
        self._claimed |= pod.shape.claims
        if pod.shape.ports:
            self._ports[node] = self._ports.get(node, frozenset()) | pod.shape.ports
        labels = self.site.nodes[node].labels
        for rule in self.site.neighbours:
            if rule.topology_key in labels and rule.include(pod):
                self._near.add((rule, labels[rule.topology_key]))
        for spread in self.site.spreads:
            if spread.topology_key in labels and spread.selector.matches(pod):
                there = spread, labels[spread.topology_key]
                self._counts[there] = self._counts.get(there, 0) + 1
        for rule in pod.shape.apart:
            if rule.topology_key in labels:
                self._apart.add((rule, labels[rule.topology_key]))
                self._repelled.add(rule)

    def _ports_free(self, node: str, shape: Shape) -> bool:
        return not shape.ports or not shape.ports & self._ports.get(node, frozenset())

    def _within(self, node: str, domain: Domain | None) -> bool:
        return domain is None or self.site.nodes[node].labels.get(domain[0]) == domain[1]

    def _neighbours_right(self, pod: Pod, node: str) -> bool:
        """GNG-010: what the pod asks of its neighbours, and what they ask of it."""
        if not (pod.shape.near or pod.shape.apart or self._repelled):
            return True
        labels = self.site.nodes[node].labels
        if any((rule, labels.get(rule.topology_key)) in self._near for rule in pod.shape.apart):
            return False
        repelled_here = (r for r in self._repelled if (r, labels.get(r.topology_key)) in self._apart)
        return not any(rule.include(pod) for rule in repelled_here) and self._joins(pod, labels)

    def _spread_right(self, pod: Pod, node: str) -> bool:
        """GNG-087: with the pod no domain is too far ahead of the one that has fewest.

        Source: k8s.io/api core/v1, TopologySpreadConstraint; domains are those of nodes that suit the pod.
        """
        for rule in pod.shape.spread:
            domain = self.site.nodes[node].labels.get(rule.topology_key)
            if domain is None:
                return False
            others = {
                self.site.nodes[name].labels.get(rule.topology_key) for name in self.site.suitable(pod.shape)
            }
            fewest = min(self._counts.get((rule, other), 0) for other in others if other is not None)
            with_it = self._counts.get((rule, domain), 0) + rule.selector.matches(pod)
            if with_it - fewest > rule.most:
                return False
        return True

    def _joins(self, pod: Pod, labels: Mapping[str, str]) -> bool:
        """The first of pods that want to be near each other needs none of them there yet."""
        near = pod.shape.near
        if any(rule.topology_key not in labels for rule in near):
            return False
        if all((rule, labels[rule.topology_key]) in self._near for rule in near):
            return True
        return all(rule.include(pod) for rule in near) and not any(rule in near for rule, _ in self._near)
