"""Trying to place a gang: all that must start together, on a copy of the room, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference_controller.scheduler.objects import Pod, Shape
    from reference_controller.scheduler.room import Domain, Room
    from reference_controller.scheduler.snapshot import Gang


class Placement(NamedTuple):
    """A pod and the node found for it."""

    pod: Pod
    node: str


class Attempt(NamedTuple):
    """What came of trying: the room that would be left, and the placements; `enough` for the minimum."""

    room: Room
    placements: list[Placement]
    enough: bool


def place_minimum(room: Room, gang: Gang) -> Attempt:
    """GNG-002: find nodes for as many of the gang's pods as it needs, all at once; the best of some attempts.

    GNG-005: `room` itself is left as it is, so an attempt that is dropped holds nothing.
    """
    best = Attempt(room, [], enough=gang.needed == 0)
    if best.enough:
        return best
    for pods, domain in _attempts(room, gang):
        attempt = _place(room.copy(), pods, gang.needed, domain)
        if attempt.enough:
            return attempt
        best = max(best, attempt, key=lambda tried: len(tried.placements))
    return best


def _place(room: Room, pods: Iterable[Pod], needed: int, domain: Domain | None) -> Attempt:
    placements: list[Placement] = []
    for pod in pods:
        node = room.find(pod, domain)
        if node is None:
            continue
        room.put(pod, node)
        placements.append(Placement(pod, node))
        if len(placements) == needed:
            return Attempt(room, placements, enough=True)
    return Attempt(room, placements, enough=False)


def _attempts(room: Room, gang: Gang) -> Iterator[tuple[list[Pod], Domain | None]]:
    """The hardest to place first; else, where not all are needed, the easiest first; else in one domain.

    That is no search: a gang of unlike pods may wait although a cleverer packing would fit it.
    """
    pods = by_demand(room, gang.waiting)
    yield pods, None
    shapes = {pod.shape for pod in pods}
    if len(shapes) > 1:
        yield sorted(pods, key=lambda pod: _size(room, pod.shape)), None
    keys = {rule.topology_key for shape in shapes for rule in shape.near}
    for key in sorted(keys):
        values = {node.labels[key] for node in room.site.nodes.values() if key in node.labels}
        for value in sorted(values):
            yield pods, (key, value)


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
