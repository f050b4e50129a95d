"""Facts about room: what was free for a gang that waits, and whether a node was given too much."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from batchproof.judgement.cluster import NOTHING, Cluster
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.gangs import minimums
from batchproof.judgement.things.core import Node, Pod
from batchproof.resources import NODES, PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed, Write
    from batchproof.judgement.things import Thing


Holders: TypeAlias = tuple[tuple[str, str, str], ...]


def holders(seen: Observed) -> Holders:
    """How pods are recognised that only hold room for a gang: see ``Cluster.holders``."""
    noted = [about["holders"] for _, action in seen.actions if "holders" in (about := action.about)]
    return tuple((place, key, value) for place, key, value in noted[0]) if noted else ()


def own_gates(seen: Observed) -> frozenset[str]:
    """The scheduling gates by which the implementation itself holds pods back, and lets them go."""
    return frozenset(gate for _, action in seen.actions for gate in action.about.get("gates", ()))


@fact(
    "there was always room for at least {at_least:d}{at_most:at_most} of the pods of gang {gang:gang}",
    within="now",
    beside=("since",),
)
def room_was_free(seen: Observed, *, gang: str, at_least: int, at_most: int | None, since: int) -> Finding:
    """At every moment since a record there was room for some of the gang's unbound pods, and for no more.

    The witness of a gang that rightly waits: with less room nobody could bind a pod, with more all might be.
    A gang with fewer pods than its minimum is counted as if the missing ones were like its last one.
    """
    minimum = minimums(seen).get(gang, 1)
    room = seen.arrived(NODES, PODS).fold(_Room, gang, (at_least, at_most), since, minimum, holders(seen))
    wrong, number = room.wrong()
    more = " or more" if at_most is None else " and no more"
    return found(
        not wrong,
        expected=f"room for {at_least} pods of gang {gang}{more}",
        observed=wrong or "so it was",
        decisive=[number] if number >= 0 else [],
    )


class _Room:
    """The first moment since a record with too little or too much room for the waiting pods of a gang."""

    def __init__(
        self, gang: str, wanted: tuple[int, int | None], since: int, minimum: int, holders: Holders
    ) -> None:
        self._gang = gang
        self._at_least, self._at_most = wanted
        self._since = since
        self._minimum = minimum
        self._cluster = Cluster(holders=holders)
        self._begun = False
        self._wrong: tuple[str, int] | None = None

    def take(self, kind: str, item: Thing | Write) -> None:
        if self._wrong or not isinstance(item, Node | Pod):
            return
        later = item.record > self._since
        if later and not self._begun:
            self._begun = True
            self._wrong = self._look(self._since)
        self._cluster.take(kind, item)
        if later:
            self._wrong = self._wrong or self._look(item.record)

    def wrong(self) -> tuple[str, int]:
        """What was wrong, and the record that shows it (-1: none in particular); empty if nothing was."""
        now = None if self._begun or self._wrong else self._look(self._since)
        return self._wrong or now or ("", -1)

    def _look(self, number: int) -> tuple[str, int] | None:
        members = list(self._cluster.waiting.get(self._gang, {}).values())
        if not members:
            return "no pod of it that waits", -1
        wanted = max(self._minimum, len(members))
        sure, most = self._cluster.room([*members, *(members[-1:] * (wanted - len(members)))])
        if sure < self._at_least or (self._at_most is not None and most > self._at_most):
            return f"room for {sure} to {most}", number
        return None


@fact("<a|no> gang is begun while it lacks {lacking:word}")
def bound_too_soon(seen: Observed, *, lacking: str) -> Finding:
    """The first pod of a gang was bound although its minimum never was there, or never had room.

    Args:
        seen: what was observed.
        lacking: ``pods``: fewer than the minimum had been created; ``room``: so many had, but never since was
            there room for so many that could be bound.
    """
    asked = tuple(sorted(minimums(seen).items()))
    begun = seen.in_order(NODES, PODS).fold(_Begun, asked, holders(seen), own_gates(seen))
    early = begun.lacked_pods if lacking == "pods" else begun.lacked_room
    return found(
        early,
        expected=f"no pod of a gang bound before its minimum has {lacking}",
        observed=f"{early.name} of gang {early.gang}" if early else "none",
        decisive=[early.record] if early else [],
    )


class _Begun:
    """The first pods of gangs that were bound too soon.

    It looks for room only while a gang of which nothing is bound has all its pods and never had room: later
    somebody else may have taken it between the decision and the binding.
    """

    def __init__(
        self, minimums: tuple[tuple[str, int], ...], holders: Holders, own_gates: frozenset[str]
    ) -> None:
        self._own_gates = own_gates
        self.lacked_pods: Pod | None = None
        self.lacked_room: Pod | None = None
        self._minimums = dict(minimums)
        self._cluster = Cluster(holders=holders)
        self._created: dict[str, set[str]] = {}
        self._open = set(self._minimums)

    def take(self, kind: str, thing: Thing) -> None:
        if isinstance(thing, Pod) and thing.gang in self._open:
            created = self._created.setdefault(thing.gang, set())
            created.add(thing.uid)
            if thing.node:
                self._open.discard(thing.gang)
                if len(created) < self._minimums[thing.gang]:
                    self.lacked_pods = self.lacked_pods or thing
                else:
                    self.lacked_room = self.lacked_room or thing
        self._cluster.take(kind, thing)
        self._open = {gang for gang in self._open if not self._has_room(gang)}

    def _has_room(self, gang: str) -> bool:
        minimum = self._minimums[gang]
        waiting = self._cluster.waiting.get(gang, {}).values()
        ready = [pod for pod in waiting if pod.gates <= self._own_gates and not pod.deleting]
        return len(ready) >= minimum and self._cluster.may_hold(ready, minimum)


@fact("<a|no> node is given more than it has, or a pod that does not suit it")
def overcommitted(seen: Observed) -> Finding:
    """At some revision a pod was bound to a node that was not usable for it, or had too little left.

    A node that never was in the scenario is none for its pods; one that has just gone accuses nobody. Where a
    scenario has no nodes of its own, the kubelet binds its pods.
    """
    wrong = seen.in_order(NODES, PODS).fold(_Overcommitted, holders(seen))
    return found(
        wrong.pod,
        expected="no pod bound to a node without room for it, not ready, cordoned or tainted",
        observed=f"{wrong.pod.name} on {wrong.pod.node}: {wrong.why}" if wrong.pod else "none",
        decisive=[wrong.pod.record] if wrong.pod else [],
    )


class _Overcommitted:
    """The first pod that was bound where it must not be, and why it must not."""

    def __init__(self, holders: Holders) -> None:
        self.pod: Pod | None = None
        self.why = ""
        self._cluster = Cluster(holders=holders)
        self._known: set[str] = set()

    def take(self, kind: str, thing: Thing) -> None:
        if self.pod:
            return
        before = self._cluster.pods.get(thing.uid)
        self._cluster.take(kind, thing)
        if isinstance(thing, Node) and kind != "DELETED":
            self._known.add(thing.name)
        if not isinstance(thing, Pod) or not thing.node or (before and before.node):
            return
        if self._known and kind != "DELETED":
            self.why = _unsuitable(self._cluster, self._known, thing)
            self.pod = thing if self.why else None


def _unsuitable(cluster: Cluster, known: set[str], pod: Pod) -> str:
    """Why a pod that was just bound must not be where it is; empty if it may be there."""
    if pod.node not in cluster.nodes:
        return "" if pod.node in known else "no node of the scenario"
    left = cluster.left(pod.node)
    short = [resource for resource in pod.requests if left.get(resource, NOTHING) < 0]
    if short:
        return f"{' and '.join(short)} exceeded"
    return "" if cluster.nodes[pod.node].suits(pod) else "the node does not suit it"
