"""Facts about room: what was free for a gang that waits, and whether a node was given too much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.values import counted
from batchproof.profiles.gang.cluster import NOTHING, ObservedCluster
from batchproof.profiles.gang.facts.gangs import REACTION_S, Minimums, minimum_of, minimums_in_time
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.resources import NODES, PODS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.objects import ApiObject
    from batchproof.judgement.observed import Observed


Holders: TypeAlias = tuple[tuple[str, str, str], ...]


def holders(seen: Observed) -> Holders:
    """How pods are recognised that only hold room for a gang: see ``ObservedCluster.holders``."""
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
    minimum = minimum_of(seen, gang)
    room = seen.arrived(NODES, PODS).fold(_Room, gang, (at_least, at_most), since, minimum, holders(seen))
    wrong, decisive = room.wrong()
    more = " or more" if at_most is None else " and no more"
    return found(
        not wrong,
        expected=f"room for {counted(at_least, 'pod')} of gang {gang}{more}",
        observed=wrong or "so it was",
        decisive=decisive,
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
        self._cluster = ObservedCluster(holders=holders)
        self._number = since
        self._wrong: tuple[str, list[int]] | None = None

    def take(self, kind: str, thing: ApiObject) -> None:
        if thing.record > self._since:
            self._wrong = self._wrong or self._look()
            self._number = thing.record
        self._cluster.take(kind, thing)

    def wrong(self) -> tuple[str, list[int]]:
        """What was wrong, and the record that shows it, if one does; empty if nothing was."""
        return self._wrong or self._look() or ("", [])

    def _look(self) -> tuple[str, list[int]] | None:
        """What is wrong with the room as the newest record left it."""
        members = list(self._cluster.waiting.get(self._gang, {}).values())
        if not members:
            return "no pod of it that waits", []
        wanted = max(self._minimum, len(members))
        sure, most = self._cluster.room([*members, *(members[-1:] * (wanted - len(members)))])
        if sure < self._at_least or (self._at_most is not None and most > self._at_most):
            return f"room for {sure} to {most}", [self._number]
        return None


@fact("<a|no> gang is begun while it lacks {lacking:word}")
def bound_too_soon(seen: Observed, *, lacking: str) -> Finding:
    """The first pod of a gang was bound although its minimum was not there, or never had room.

    Args:
        seen: what was observed.
        lacking: ``pods``: fewer than the minimum existed, with those whose deletion the scheduler may not
            have observed yet; ``room``: so many existed, but never since was there room for so many that
            could be bound.
    """
    asked = tuple(sorted(minimums_in_time(seen).items()))
    begun = seen.in_order(NODES, PODS).fold(_Begun, asked, holders(seen), own_gates(seen))
    early = _begun_incomplete(seen, begun.short) if lacking == "pods" else begun.lacked_room
    return found(
        early,
        expected=f"no pod of a gang bound before its minimum has {lacking}",
        observed=f"{early.name} of gang {gang_of(early)}" if early else "none",
        decisive=[early.record] if early else [],
    )


@dataclass(frozen=True)
class _Short:
    """The first pod of a gang that was bound while fewer pods of the gang existed than its minimum.

    Attributes:
        pod: as it was bound.
        lacked: how many pods lacked.
        gone: the records by which pods of the gang were gone before, oldest first.
    """

    pod: Pod
    lacked: int
    gone: tuple[int, ...]


def _begun_incomplete(seen: Observed, short: Sequence[_Short]) -> Pod | None:
    """The first pod bound too soon, by the deletions that the scheduler had the time to observe."""
    for one in short:
        bound_s = seen.at_s(one.pod.record)
        known_s = seen.known_since_s(PODS, bound_s, REACTION_S * seen.time_scale)
        if sum(seen.at_s(record) > known_s for record in one.gone) < one.lacked:
            return one.pod
    return None


class _Begun:
    """The first pods of gangs that were bound too soon.

    It looks for room only while a gang of which nothing is bound has all its pods and never had room: later
    somebody else may have taken it between the decision and the binding.
    """

    def __init__(
        self, minimums: tuple[tuple[str, Minimums], ...], holders: Holders, own_gates: frozenset[str]
    ) -> None:
        self._own_gates = own_gates
        self.short: list[_Short] = []
        self.lacked_room: Pod | None = None
        self._minimums = dict(minimums)
        self._cluster = ObservedCluster(holders=holders)
        self._exist: dict[str, set[str]] = {gang: set() for gang in self._minimums}
        self._gone: dict[str, list[int]] = {gang: [] for gang in self._minimums}
        self._unbegun = set(self._minimums)
        self._without_room = set(self._minimums)
        self._now_s = 0.0

    def take(self, kind: str, thing: ApiObject) -> None:
        self._now_s = thing.at_s
        if isinstance(thing, Pod) and gang_of(thing) in self._unbegun:
            self._take_member(kind, thing)
        self._cluster.take(kind, thing)
        self._without_room = {gang for gang in self._without_room if not self._has_room(gang)}

    def _take_member(self, kind: str, pod: Pod) -> None:
        gang = gang_of(pod)
        exist = self._exist[gang]
        if kind == "DELETED":
            exist.discard(pod.uid)
            self._gone[gang].append(pod.record)
            return
        exist.add(pod.uid)
        if not pod.node:
            return
        self._unbegun.discard(gang)
        lacked = self._minimums[gang].at(self._now_s) - len(exist)
        if lacked > 0:
            self.short.append(_Short(pod, lacked, tuple(self._gone[gang])))
        elif gang in self._without_room and not self._has_room(gang):
            self.lacked_room = self.lacked_room or pod
        self._without_room.discard(gang)

    def _has_room(self, gang: str) -> bool:
        minimum = self._minimums[gang].at(self._now_s)
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
        self._cluster = ObservedCluster(holders=holders)
        self._known: set[str] = set()

    def take(self, kind: str, thing: ApiObject) -> None:
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


def _unsuitable(cluster: ObservedCluster, known: set[str], pod: Pod) -> str:
    """Why a pod that was just bound must not be where it is; empty if it may be there."""
    if pod.node not in cluster.nodes:
        return "" if pod.node in known else "no node of the scenario"
    left = cluster.left(pod.node)
    short = [resource for resource in pod.requests if left.get(resource, NOTHING) < 0]
    if short:
        return f"{' and '.join(short)} exceeded"
    return "" if cluster.nodes[pod.node].suits(pod) else "the node does not suit it"
