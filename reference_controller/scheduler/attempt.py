"""Trying to place a gang: all that must start together, on a copy of the room, or nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from reference_controller.scheduler.objects import Pod, Shape
from reference_controller.scheduler.room import Domain, Room
from reference_controller.scheduler.snapshot import Gang

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Allowed = Callable[[Sequence[Pod]], bool]


class Placement(NamedTuple):
    """A pod and the node found for it."""

    pod: Pod
    node: str


class Attempt(NamedTuple):
    """What came of trying: the room that would be left, and the placements; `enough` for the minimum."""

    room: Room
    placements: list[Placement]
    enough: bool


def _any(_: Sequence[Pod]) -> bool:
    return True


def place_minimum(room: Room, gang: Gang, allowed: Allowed = _any) -> Attempt:
    """GNG-002: find nodes for as many of the gang's pods as it needs, all at once; the best of some attempts.

    GNG-005: `room` itself is left as it is, so an attempt that is dropped holds nothing.

    Args:
        room: what is free.
        gang: whose pods wait.
        allowed: whether its queue may have all of these pods (GNG-034).
    """
    best = Attempt(room, [], enough=gang.needed == 0)
    if best.enough:
        return best
    for pods, domain in _attempts(room, gang):
        attempt = _place(room.copy(), pods, gang, domain, allowed)
        if attempt.enough:
            return attempt
        best = max(best, attempt, key=lambda tried: len(tried.placements))
    return best


def _place(room: Room, pods: Sequence[Pod], gang: Gang, domain: Domain | None, allowed: Allowed) -> Attempt:
    """GNG-037: first those that its tasks lack, then whichever fit, until it has what it needs."""
    placements: dict[str, Placement] = {}
    lacking = Counter(dict(gang.lacking))
    for for_tasks in (True, False):
        for pod in pods:
            if pod.uid in placements or (for_tasks and lacking[pod.task or ""] <= 0):
                continue
            node = room.find(pod, domain)
            if node is None or not allowed([*(chosen.pod for chosen in placements.values()), pod]):
                continue
            room.put(pod, node)
            placements[pod.uid] = Placement(pod, node)
            lacking[pod.task or ""] -= 1
            if len(placements) >= gang.needed and max(lacking.values()) <= 0:
                return Attempt(room, [*placements.values()], enough=True)
    return Attempt(room, [*placements.values()], enough=False)


def _attempts(room: Room, gang: Gang) -> Iterator[tuple[list[Pod], Domain | None]]:
    """The hardest to place first; else, where not all are needed, the easiest first; else in one domain.

    That is no search: a gang of unlike pods may wait although a cleverer packing would fit it.
    """
    pods = by_demand(room, gang.waiting)
    shapes = {pod.shape for pod in pods}
    for domain in domains(room, gang, gang.nodes):
        yield pods, domain
        if len(shapes) > 1:
            yield sorted(pods, key=lambda pod: _size(room, pod.shape)), domain
    if not gang.domain_key:
        for key in sorted({rule.topology_key for shape in shapes for rule in shape.near}):
            for value in _values(room, key):
                yield pods, (key, value)


def domains(room: Room, gang: Gang, nodes: frozenset[str]) -> list[Domain | None]:
    """GNG-069: where all pods of the gang may be, one after the other; None is everywhere.

    Args:
        room: it knows all nodes.
        gang: whose group may name a label of which all its nodes must have one value.
        nodes: those that its pods have already.
    """
    key = gang.domain_key
    if not key:
        return [None]
    begun = {node.labels.get(key) for name, node in room.site.nodes.items() if name in nodes}
    return [(key, value) for value in _values(room, key) if begun <= {value}]


def _values(room: Room, key: str) -> list[str]:
    """The values that a node label has."""
    return sorted({node.labels[key] for node in room.site.nodes.values() if key in node.labels})


def by_demand(room: Room, pods: Iterable[Pod]) -> list[Pod]:
    """Pods of higher priority first, then those with less choice, then the bigger, then the older."""

    def rank(pod: Pod) -> tuple[object, ...]:
        choice = len(room.site.suitable(pod.shape))
        return -pod.priority, choice, -_size(room, pod.shape), pod.created, pod.name

    return sorted(pods, key=rank)


def _size(room: Room, shape: Shape) -> float:
    """The greatest part that the pod takes of all there is of some resource."""
    pairs = zip(room.site.amounts(shape), room.site.total, strict=True)
    return max((amount / total for amount, total in pairs if total), default=0.0)
