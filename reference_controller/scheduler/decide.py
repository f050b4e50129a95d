"""The order of the rules: which pods get which nodes.

1. Gangs whose group or queue does not exist, or that lack pods, are left out (GNG-001, GNG-022, GNG-023).
2. The others take turns by priority, then age (GNG-017, GNG-018). In its turn the minimum of a gang is tried
   on a copy of the room, and taken over only as a whole (GNG-002). The other pods of gangs that have their
   minimum follow one by one (GNG-004), that of the gang with the smallest dominant share first (GNG-039).
3. First queues have turns as long as they stay within their share, then while they are below it, then all,
   unless a queue below its share waits for room (GNG-024, GNG-025, GNG-026).
4. If a gang finds no room in its turn, other pods may be evicted (GNG-027, GNG-029); see `eviction`. What it
   will get is taken by no other gang.
5. At last pods that ask for nothing are put wherever they may be (GNG-019).

All of it is decided at once, from one snapshot, before any pod is bound.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import groupby
from operator import add
from typing import TYPE_CHECKING

from reference_controller.scheduler import reports
from reference_controller.scheduler.attempt import Placement, domains, place_minimum
from reference_controller.scheduler.eviction import Evictions
from reference_controller.scheduler.holdings import Holdings
from reference_controller.scheduler.ledger import Ledger
from reference_controller.scheduler.objects import (
    DEFAULT_QUEUE,
    GroupStatus,
    Pod,
    PodGroup,
    Queue,
    QueueStatus,
    Shape,
)
from reference_controller.scheduler.reports import Wait
from reference_controller.scheduler.room import Amounts, Room, Site
from reference_controller.scheduler.snapshot import DEFAULT, Gang, GangKey, Snapshot, gangs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Permission = Callable[[str, Iterable[Pod]], bool]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Bind these pods, evict those, and report this of gangs, pods and queues, unless it is reported already.

    Attributes:
        released: groups that no pod needs any more and that may go.
    """

    bindings: tuple[Placement, ...] = ()
    evictions: tuple[Pod, ...] = ()
    groups: tuple[tuple[PodGroup, GroupStatus], ...] = ()
    pods: tuple[tuple[Pod, str], ...] = ()
    queues: tuple[tuple[Queue, QueueStatus], ...] = ()
    released: tuple[PodGroup, ...] = ()


def decide(snapshot: Snapshot, now: float) -> Schedule:
    """Decide for all gangs at once what to do next."""
    known = gangs(snapshot)
    shapes = (pod.shape for gang in known for pod in gang.waiting)
    site = Site(snapshot.nodes, shapes, snapshot.storage)
    barred = {gang.key: wait for gang in known if (wait := bar(snapshot, gang)) is not None}
    contenders = sorted((gang for gang in known if gang.waiting and gang.key not in barred), key=rank)
    contenders.sort(key=lambda gang: (-gang.priority, doubtful(snapshot, gang)))
    ledger = open_ledger(snapshot, site, contenders)
    evictions = Evictions(snapshot, site, known, ledger)
    cycle = Cycle(Room(site, snapshot.on_nodes()), ledger, evictions)
    cycle.run(contenders)
    groups, pods = reports.reports(known, barred | cycle.gang_waits, cycle.pod_waits, now)
    queues = ((queue, reports.queue_status(site, ledger, queue)) for queue in snapshot.queues.values())
    return Schedule(
        tuple(cycle.placements),
        tuple(evictions.victims),
        tuple(groups),
        tuple(pods),
        tuple((queue, status) for queue, status in queues if status != queue.status),
        tuple(released(snapshot)),
    )


def released(snapshot: Snapshot) -> Iterable[PodGroup]:
    """GNG-052: the groups that are to go and that no pod needs any more, whichever scheduler schedules it."""
    needed = {(pod.namespace, pod.group) for pod in snapshot.pods if not pod.finished}
    for key, group in snapshot.groups.items():
        if group.deleting and group.protected and key not in needed:
            yield group


def bar(snapshot: Snapshot, gang: Gang) -> Wait | None:
    """GNG-001, GNG-022, GNG-023, GNG-035, GNG-059: why a gang may have no pod bound, with any room."""
    if gang.missing:
        return reports.no_group(gang)
    if snapshot.queue(gang.queue) is None:
        return reports.no_queue(gang)
    if gang.group is not None and not has_least(snapshot, gang.group):
        return reports.too_small(gang)
    if gang.mixed:
        return reports.mixed(gang)
    return None if gang.complete else reports.incomplete(gang)


def has_least(snapshot: Snapshot, group: PodGroup) -> bool:
    """GNG-035: whether the nodes have what the group says that there must be in all, used or not."""
    usable = [node for node in snapshot.nodes if node.schedulable]
    return all(sum(node.allocatable.get(name, 0) for node in usable) >= units for name, units in group.least)


def rank(gang: Gang) -> tuple[int, bool, float, GangKey]:
    """GNG-017: higher priority first; GNG-018: then older gangs, then by name.

    GNG-013: but of equal priority a gang that is bound in part goes first, for what it has is of no use yet.
    """
    begun = gang.assigned > 0 and gang.needed > 0
    return -gang.priority, not begun, gang.created, gang.key


def doubtful(snapshot: Snapshot, gang: Gang) -> bool:
    """GNG-007: what is refused again and again comes after all others of its priority."""
    return all(pod.uid in snapshot.doubtful for pod in gang.waiting)


class Cycle:
    """The turns of one decision."""

    def __init__(self, room: Room, ledger: Ledger, evictions: Evictions) -> None:
        self._room = room
        self._ledger = ledger
        self._evictions = evictions
        self._promised: list[Placement] = []
        self._placed: set[str] = set()
        self._ready: set[GangKey] = set()
        self._hopeless: set[GangKey] = set()
        self._given: dict[GangKey, frozenset[str]] = {}
        self._holdings = Holdings(room.site)
        self.placements: list[Placement] = []
        self.gang_waits: dict[GangKey, Wait] = {}
        self.pod_waits: dict[str, Wait] = {}

    def run(self, contenders: Sequence[Gang]) -> None:
        """Give each gang its turns; they come in the order of their rank."""
        self._ready = {gang.key for gang in contenders if not gang.needed}
        asking = [gang for gang in contenders if any(not pod.best_effort for pod in gang.waiting)]
        for permitted in (self._ledger.within, self._ledger.entitled, self._ledger.lent):
            for gangs_of_one_priority in by_priority(asking):
                for gang in gangs_of_one_priority:
                    self.place_minimum(gang, permitted)
                self.place_surplus(gangs_of_one_priority, permitted)
        for gang in contenders:
            self.backfill(gang)

    def place_minimum(self, gang: Gang, permitted: Permission) -> None:
        """GNG-002: all pods that the gang needs get a node, or none does.

        GNG-005: what was tried in vain leaves no trace in the room.
        """
        if gang.key in self._ready or gang.key in self._hopeless:
            return
        if not permitted(gang.queue, gang.waiting[: gang.needed]):
            self.gang_waits[gang.key] = reports.over_share(gang)
            return
        attempt = place_minimum(self._room, gang, lambda pods: self._ledger.may_have(gang.queue, pods))
        if not attempt.enough:
            self._hopeless.add(gang.key)
            self.gang_waits[gang.key] = reports.no_room(gang, len(attempt.placements))
            self._ledger.wait(gang.queue, gang.waiting)
            self._make_room(gang)
            return
        self._room = attempt.room
        self._ready.add(gang.key)
        self.gang_waits.pop(gang.key, None)
        for placement in attempt.placements:
            self._take_over(gang, placement)

    def place_surplus(self, gangs: Sequence[Gang], permitted: Permission) -> None:
        """GNG-004: of a gang that has its minimum, each further pod is placed by itself.

        GNG-039: the next one is of the gang that has the smallest dominant share.
        """
        rest = {
            place: iter(in_order(pod for pod in gang.waiting if not pod.best_effort))
            for place, gang in enumerate(gangs)
            if gang.key in self._ready
        }
        turns = [(self._holdings.share(gangs[place]), place) for place in rest]
        heapify(turns)
        while turns:
            _, place = heappop(turns)
            if (pod := next(rest[place], None)) is not None:
                self._place_one(gangs[place], pod, permitted)
                heappush(turns, (self._holdings.share(gangs[place]), place))

    def _make_room(self, gang: Gang) -> None:
        """GNG-027, GNG-029: evict other pods. The room that these leave is for no other gang."""
        promised = self._evictions.make_room(gang, [*self.placements, *self._promised])
        for pod, node in promised:
            self._room.put(pod, node)
            self._ledger.charge(gang.queue, pod)
            self._placed.add(pod.uid)
        self._promised += promised

    def backfill(self, gang: Gang) -> None:
        """GNG-019: pods that ask for nothing take the nodes as they are left.

        GNG-020: but no pod of a gang that lacks its minimum, unless all that it needs can be placed so.
        """
        if all(pod.best_effort for pod in gang.waiting):
            self.place_minimum(gang, self._ledger.entitled)
        if gang.key in self._ready:
            rest = [pod for pod in gang.waiting if pod.best_effort]
            self._place_each(gang, rest, self._ledger.entitled)

    def _place_each(self, gang: Gang, pods: Iterable[Pod], permitted: Permission) -> None:
        for pod in in_order(pods):
            self._place_one(gang, pod, permitted)

    def _place_one(self, gang: Gang, pod: Pod, permitted: Permission) -> None:
        if pod.uid in self._placed:
            return
        if not permitted(gang.queue, [pod]) or not self._ledger.may_have(gang.queue, [pod]):
            self.pod_waits[pod.uid] = reports.over_share(gang)
        elif (node := self._find(gang, pod)) is not None:
            self._room.put(pod, node)
            self._take_over(gang, Placement(pod, node))
        else:
            self.pod_waits[pod.uid] = reports.no_node(pod, self._room.site)
            self._ledger.wait(gang.queue, [pod])
            alone = replace(gang, waiting=(pod,), min_member=1, assigned=0, nodes=self._nodes(gang))
            self._make_room(alone)

    def _find(self, gang: Gang, pod: Pod) -> str | None:
        """A node for one more pod of a gang. GNG-069: in the domain where the others are."""
        tried = (self._room.find(pod, one) for one in domains(self._room, gang, self._nodes(gang)))
        return next((node for node in tried if node is not None), None)

    def _nodes(self, gang: Gang) -> frozenset[str]:
        """The nodes that pods of the gang have, or were given by this decision."""
        return gang.nodes | self._given.get(gang.key, frozenset())

    def _take_over(self, gang: Gang, placement: Placement) -> None:
        self._placed.add(placement.pod.uid)
        self._given[gang.key] = self._nodes(gang) | {placement.node}
        self._holdings.charge(gang, placement.pod)
        self.pod_waits.pop(placement.pod.uid, None)
        self.placements.append(placement)
        self._ledger.charge(gang.queue, placement.pod)


def in_order(pods: Iterable[Pod]) -> list[Pod]:
    """The pods of one gang in the order in which they are placed one by one."""
    return sorted(pods, key=lambda pod: (-pod.priority, pod.created, pod.name))


def by_priority(ranked: Sequence[Gang]) -> list[list[Gang]]:
    """GNG-017: of equal priority no gang's surplus goes before another's minimum."""
    return [list(group) for _, group in groupby(ranked, key=lambda gang: gang.priority)]


def open_ledger(snapshot: Snapshot, site: Site, contenders: Iterable[Gang]) -> Ledger:
    """The accounts of all queues. Without queues no gang has a share, and there is nothing to work out."""
    queues = {DEFAULT_QUEUE: DEFAULT, **snapshot.queues}
    running: defaultdict[str, list[Pod]] = defaultdict(list)
    possible: defaultdict[str, list[Pod]] = defaultdict(list)
    leaving: defaultdict[str, list[Pod]] = defaultdict(list)
    if not snapshot.queues:
        return Ledger(site, queues, site.total, running, possible, leaving=leaving)
    shapes, foreign = set(), []
    for pod, node in snapshot.on_nodes():
        queue = snapshot.queue_of(pod)
        if pod.ours and queue is not None:
            shapes.add(pod.shape)
            running[queue].append(pod)
            if snapshot.leaving(pod):
                leaving[queue].append(pod)
        else:
            foreign.append((pod, node))
    empty = Room(site, foreign)
    for gang in contenders:
        shapes |= {pod.shape for pod in gang.waiting}
        possible[gang.queue] += could_run(empty, gang)
    return Ledger(site, queues, shared(empty, shapes), running, possible, leaving=leaving)


def could_run(empty: Room, gang: Gang) -> list[Pod]:
    """GNG-024: what a gang really asks for: those of its pods for which an empty cluster has room."""
    room, placements, enough = place_minimum(empty, gang)
    if not enough:
        return []
    room, fitting = room.copy(), [placement.pod for placement in placements]
    chosen = {pod.uid for pod in fitting}
    for pod in gang.waiting:
        if pod.uid not in chosen and (node := room.find(pod)) is not None:
            room.put(pod, node)
            fitting.append(pod)
    return fitting


def shared(empty: Room, shapes: Iterable[Shape]) -> Amounts:
    """What the queues divide: all that pods of other schedulers leave on nodes that may be used at all."""
    usable = {node for shape in shapes for node in empty.site.suitable(shape)}
    total = (0,) * len(empty.site.resources)
    for node in usable:
        total = tuple(map(add, total, empty.free[node]))
    return total
