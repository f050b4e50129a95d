"""Which pods are evicted for a gang that finds no room: of lower priority, or of a queue above its share.

1. A gang may have pods of lower priority in its own queue evicted (GNG-029, GNG-031), if none of its pods
   says that it never does so (GNG-068); and for what its queue's share still covers, pods of queues that keep
   their shares without them (GNG-027).
2. A gang that runs is evicted pod by pod only as long as it keeps its minimum; else all of it does (GNG-030).
   Its youngest are those that it can do without, unless only others are of use (GNG-029).
3. Pods that no PodDisruptionBudget protects are evicted before the others (GNG-109).
4. No pod is evicted where the gang would not fit even without all of these (GNG-032).
5. Else all that the gang fits beside stay, those that count most first.
6. Where the gang fits once those are gone that leave already, it waits for them alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from reference_controller.scheduler.attempt import Attempt, Placement, place_minimum
from reference_controller.scheduler.ledger import Ledger
from reference_controller.scheduler.objects import DEFAULT_QUEUE, Budget, Pod
from reference_controller.scheduler.room import Room, Site
from reference_controller.scheduler.snapshot import Gang, GangKey, Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Unit(NamedTuple):
    """Pods that are evicted together: one that its gang can do without, or a gang without such pods, whole.

    Attributes:
        pods: they.
        gang: whose they are.
        queue: whose share they use.
        priority: that of their gang.
        whole: with them the gang ends; so its other pods must be evicted before.
        protected: a PodDisruptionBudget does not allow that they are evicted, or others of their gang before.
    """

    pods: tuple[Pod, ...]
    gang: GangKey
    queue: str
    priority: int
    whole: bool
    protected: bool = False

    @property
    def rank(self) -> tuple[bool, bool, int, float]:
        """GNG-109, GNG-030, GNG-065: unprotected, breaking no gang, of low priority, young."""
        return self.protected, self.whole, self.priority, -max(pod.created for pod in self.pods)


def units(snapshot: Snapshot, known: Iterable[Gang]) -> list[Unit]:
    """GNG-030: all that runs and may be evicted, by what can do so alone; first those that do so first."""
    found: list[Unit] = []
    for gang in known:
        found += _units_of(snapshot, gang)
    for pod in snapshot.pods:
        if pod.ours and pod.group is None and pod.node and not pod.finished and not snapshot.leaving(pod):
            key = (pod.namespace, pod.name, "Pod")
            found.append(Unit((pod,), key, DEFAULT_QUEUE, pod.priority, whole=False))
    found.sort(key=lambda unit: unit.rank)
    budgets = tuple(snapshot.budgets)
    return _behind_budgets(budgets, found) if budgets else found


def _behind_budgets(budgets: Sequence[Budget], ranked: Sequence[Unit]) -> list[Unit]:
    """GNG-109: the same, those last that a budget protects once those before them are evicted."""
    left = Counter({budget.uid: budget.allowed for budget in budgets})
    guarded: set[GangKey] = set()
    found: list[Unit] = []
    for unit in ranked:
        asked = Counter(it.uid for pod in unit.pods for it in budgets if it.selector.matches(pod))
        protected = (unit.whole and unit.gang in guarded) or not asked <= left
        if protected:
            guarded.add(unit.gang)
        else:
            left.subtract(asked)
        found.append(unit._replace(protected=protected))
    return sorted(found, key=lambda unit: unit.rank)


def _units_of(snapshot: Snapshot, gang: Gang) -> list[Unit]:
    if gang.group is None and not any(pod.group for pod in gang.members):
        return []
    running = [
        pod
        for pod in gang.members
        if snapshot.node_of(pod) and not pod.finished and not snapshot.leaving(pod)
    ]
    if not running:
        return []
    kept = max(0, len(running) - max(0, gang.assigned - gang.min_member))
    running.sort(key=lambda pod: (-pod.priority, pod.created, pod.name))
    core, spare = tuple(running[:kept]), running[kept:]
    found = [Unit((pod,), gang.key, gang.queue, gang.priority, whole=False) for pod in spare]
    return [*found, Unit(core, gang.key, gang.queue, gang.priority, whole=True)] if core else found


def _alone(core: Unit, pod: Pod) -> Unit:
    """A pod of a gang's core that is evicted without the rest."""
    return core._replace(pods=(pod,), whole=False)


class Claim(NamedTuple):
    """From whom a gang may take what it needs.

    Attributes:
        queue: its own.
        priority: its own.
        preempting: from pods of lower priority in its queue.
        reclaiming: from other queues that may be reclaimed from.
    """

    queue: str
    priority: int
    preempting: bool
    reclaiming: bool

    def of(self, snapshot: Snapshot, queue: str, priority: int) -> bool:
        """Whether from a gang of this queue and priority. GNG-031: its own goes by priority alone."""
        if queue == self.queue:
            return self.preempting and priority < self.priority
        known = snapshot.queue(queue)
        return self.reclaiming and known is not None and known.reclaimable

    def on(self, snapshot: Snapshot, pod: Pod) -> bool:
        """Whether from this pod."""
        queue = snapshot.queue_of(pod)
        return queue is not None and self.of(snapshot, queue, pod.priority)


class Evictions:
    """What is evicted by one decision.

    Args:
        snapshot: what the decision looks at.
        site: the nodes.
        known: all gangs.
        ledger: the accounts of the queues.
    """

    def __init__(self, snapshot: Snapshot, site: Site, known: Iterable[Gang], ledger: Ledger) -> None:
        self._snapshot = snapshot
        self._site = site
        self._ledger = ledger
        self._units = units(snapshot, known)
        self._leaving = [pod for pod, _ in snapshot.on_nodes() if pod.ours and snapshot.leaving(pod)]
        self.victims: list[Pod] = []

    def make_room(self, gang: Gang, placements: Sequence[Placement]) -> list[Placement]:
        """Evict the pods that hold what a gang needs. Returns where its pods will be; or nothing.

        GNG-097: also for one more pod of a gang that has its minimum.

        Args:
            gang: it found no room.
            placements: where pods will be that this decision has bound, or has made room for.
        """
        claim = self._claim(gang)
        if any(claim.on(self._snapshot, pod) for pod in self._leaving):
            waited = self._without(gang, placements, ())
            if waited.enough:
                return waited.placements
        givers = self._givers(claim)
        if not givers or not self._without(gang, placements, givers).enough:
            return []
        victims = self._fewest(gang, placements, givers)
        found = self._without(gang, placements, victims)
        for unit in victims:
            self._ledger.discharge(unit.queue, unit.pods)
            self._leaving += unit.pods
            self.victims += unit.pods
        self._units = [unit for unit in self._units if unit not in victims]
        return found.placements

    def _claim(self, gang: Gang) -> Claim:
        """GNG-068, GNG-027: from whom the gang may take anything at all."""
        return Claim(
            gang.queue,
            gang.priority,
            preempting=all(pod.preempts for pod in gang.waiting),
            reclaiming=self._ledger.covers(gang.queue, gang.waiting[: gang.needed]),
        )

    def _givers(self, claim: Claim) -> list[Unit]:
        """What may be evicted, in this order. GNG-027: every queue keeps its share."""
        found: list[Unit] = []
        taken: dict[str, list[Pod]] = {}
        kept: set[GangKey] = set()
        for unit in self._units:
            gives = claim.of(self._snapshot, unit.queue, unit.priority)
            if gives and unit.queue != claim.queue:
                less = [*taken.get(unit.queue, ()), *unit.pods]
                gives = self._ledger.spares(unit.queue, less)
                taken[unit.queue] = less if gives else less[: -len(unit.pods)]
            if not gives:
                kept.add(unit.gang)
            elif not unit.whole or unit.gang not in kept:
                found.append(unit)
        return found

    def _fewest(self, gang: Gang, placements: Sequence[Placement], givers: list[Unit]) -> list[Unit]:
        """GNG-027, GNG-029: the others stay; a pod that is left of a gang that ends does not."""
        victims = list(givers)
        ending: set[GangKey] = set()
        for unit in reversed(givers):
            rest = [each for each in victims if each is not unit]
            if unit.gang not in ending and self._without(gang, placements, rest).enough:
                victims = rest
            elif unit.whole:
                ending.add(unit.gang)
        for core in [unit for unit in victims if unit.whole]:
            victims = self._spared(gang, placements, victims, core)
        return victims

    def _spared(
        self, gang: Gang, placements: Sequence[Placement], victims: list[Unit], core: Unit
    ) -> list[Unit]:
        """GNG-029: before a gang ends, other pods than its youngest may be those that it can do without."""
        spare = [unit for unit in self._units if unit.gang == core.gang and not unit.whole]
        others = [unit for unit in victims if unit.gang != core.gang]
        pods = [pod for unit in (core, *reversed(spare)) for pod in unit.pods]
        gone = self._needed(gang, placements, others, [_alone(core, pod) for pod in pods])
        if len(gone) > len(spare):
            return victims
        self._regroup(core, pods, gone)
        return [*others, *gone]

    def _needed(
        self, gang: Gang, placements: Sequence[Placement], others: Sequence[Unit], units: Sequence[Unit]
    ) -> list[Unit]:
        """Those of some units that are evicted besides the others; the first ones stay if they can."""
        gone = list(units)
        for one in units:
            rest = [each for each in gone if each is not one]
            if self._without(gang, placements, [*others, *rest]).enough:
                gone = rest
        return gone

    def _regroup(self, core: Unit, pods: Sequence[Pod], gone: Sequence[Unit]) -> None:
        """A gang's core is now what stays of it, as many pods as before; it can do without the rest.

        Args:
            core: what the gang could not do without, so far.
            pods: all of the gang that run, those that stay longest first.
            gone: those of them that are evicted, each alone.
        """
        leaving = {pod.uid for unit in gone for pod in unit.pods}
        stay = [pod for pod in pods if pod.uid not in leaving]
        size = len(core.pods)
        own = [*gone, *(_alone(core, pod) for pod in stay[size:]), core._replace(pods=tuple(stay[:size]))]
        others = [unit for unit in self._units if unit.gang != core.gang]
        self._units = sorted([*others, *own], key=lambda unit: unit.rank)

    def _without(self, gang: Gang, placements: Sequence[Placement], victims: Iterable[Unit]) -> Attempt:
        """What comes of trying to place the gang once these and those that leave already are gone."""
        gone: defaultdict[str, list[Pod]] = defaultdict(list)
        for pod in (*(pod for unit in victims for pod in unit.pods), *self._leaving):
            if (queue := self._snapshot.queue_of(pod)) is not None:
                gone[queue].append(pod)
        uids = {pod.uid for pods in gone.values() for pod in pods}
        staying = [(pod, node) for pod, node in self._snapshot.on_nodes() if pod.uid not in uids]
        room = Room(self._site, [*staying, *placements])
        return place_minimum(room, gang, lambda pods: self._ledger.may_have(gang.queue, pods, gone))
