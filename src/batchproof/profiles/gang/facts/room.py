"""Facts about room: what was free for a gang that waits, and whether a node was given too much."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from batchproof.ground.resources import NODES, PODS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, said
from batchproof.profiles.gang.amounts import taken
from batchproof.profiles.gang.cluster import NOTHING, Amounts, ObservedCluster
from batchproof.profiles.gang.facts.gangs import Asked, asked_minimums, minimum_at
from batchproof.profiles.gang.phrases import SOMEBODY
from batchproof.profiles.shared.facts.in_force import REACTION_S
from batchproof.profiles.shared.objects.pods import gang_of

Holders: TypeAlias = tuple[tuple[str, str, str], ...]


def holders(seen: Observed) -> Holders:
    """How pods are recognised that only hold room for a gang: see ``ObservedCluster.holders``."""
    noted = [about["holders"] for _, action in seen.actions if "holders" in (about := action.about)]
    return tuple((place, key, value) for place, key, value in noted[0]) if noted else ()


def own_gates(seen: Observed) -> frozenset[str]:
    """The scheduling gates that the implementation itself sets on pods and removes."""
    return frozenset(gate for _, action in seen.actions for gate in action.about.get("gates", ()))


@fact(
    "there was always room for at least {at_least:d}{at_most:at_most} of the pods of gang {gang:gang}",
    within="now",
    beside=("since",),
)
def room_was_free(seen: Observed, *, gang: str, at_least: int, at_most: int | None, since: int) -> Finding:
    """At every moment since a record there was room for some of the gang's unbound pods, and for no more.

    The witness of a gang that rightly waits: with less room no pod could be bound, with more all might be.
    A gang with fewer pods than its minimum is counted as if the missing ones were like its last one.
    """
    asked = asked_minimums(seen).get(gang, ())
    room = seen.arrived(NODES, PODS).fold(_Room, gang, (at_least, at_most), since, asked, holders(seen))
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
        self, gang: str, wanted: tuple[int, int | None], since: int, asked: Asked, holders: Holders
    ) -> None:
        self._gang = gang
        self._at_least, self._at_most = wanted
        self._since = since
        self._asked = asked
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
        minimum = next((it for record, it in reversed(self._asked) if record <= self._number), 1)
        wanted = max(minimum, len(members))
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
            have observed yet; ``room``: as many existed, but since then never as many could be bound
            together.
    """
    asked = asked_minimums(seen)
    minimums = tuple((gang, frozenset(it for _, it in asked[gang])) for gang in sorted(asked))
    reaction_s = REACTION_S * seen.time_scale
    begun = seen.in_order(NODES, PODS).fold(_Begun, minimums, holders(seen), own_gates(seen), reaction_s)
    early = next((one.pod for one in begun.first if _lacked(seen, one) == lacking), None)
    return found(
        early,
        expected=f"no pod of a gang bound before its minimum has {lacking}",
        observed=said("{pod} of gang {gang}", pod=early.name, gang=gang_of(early)) if early else "none",
        decisive=[early.record] if early else [],
    )


@dataclass(frozen=True)
class _First:
    """The first pod of a gang that was bound.

    Attributes:
        pod: as it was bound.
        exist: how many pods of the gang existed then.
        gone: the records by which pods of the gang were gone before, oldest first.
        without_room: the minimums of the gang, of any time, for which there had never been room.
        unknown: the same for a scheduler that knows of no deletion of its pods that began at a time or later;
            by that time, the earliest first.
    """

    pod: Pod
    exist: int
    gone: tuple[int, ...]
    without_room: frozenset[int]
    unknown: tuple[tuple[float, frozenset[int]], ...]


def _lacked(seen: Observed, first: _First) -> str:
    """What a gang lacked when its first pod was bound: ``pods``, ``room``, or nothing.

    Judged by the minimum and the deletions that the scheduler had the time to observe.
    """
    minimum = minimum_at(seen, gang_of(first.pod), first.pod.record)
    lacked = minimum - first.exist
    bound_s = seen.at_s(first.pod.record)
    known_s = seen.known_since_s(PODS, bound_s, REACTION_S * seen.time_scale)
    if lacked <= 0:
        excused = (without for since_s, without in first.unknown if since_s > known_s)
        return "room" if minimum in next(excused, first.without_room) else ""
    return "pods" if sum(seen.at_s(record) > known_s for record in first.gone) < lacked else ""


class _Begun:
    """The first pod of each gang that was bound, and what there was for the gang until then.

    It looks for room only while a gang of which nothing is bound has all its pods and never had room: later
    another pod may have taken it between the decision and the binding.
    """

    def __init__(
        self,
        minimums: tuple[tuple[str, frozenset[int]], ...],
        holders: Holders,
        own_gates: frozenset[str],
        reaction_s: float,
    ) -> None:
        self._own_gates = own_gates
        self._reaction_s = reaction_s
        self._replaced: list[tuple[float, Node]] = []
        self._marked_s: dict[str, float] = {}
        self._last: dict[str, Pod] = {}
        self.first: list[_First] = []
        self._cluster = ObservedCluster(holders=holders, by_request=True)
        self._exist: dict[str, set[str]] = {gang: set() for gang, _ in minimums}
        self._gone: dict[str, list[int]] = {gang: [] for gang, _ in minimums}
        self._without_room = dict(minimums)

    def take(self, kind: str, thing: ApiObject) -> None:
        if isinstance(thing, Pod) and gang_of(thing) in self._without_room:
            self._take_member(kind, thing)
        if isinstance(thing, Node) and (node := self._cluster.nodes.get(thing.name)):
            self._replaced.append((thing.at_s, node))
        self._cluster.take(kind, thing)
        for gang, minimums in self._without_room.items():
            if minimums:
                ready = self._ready(gang, self._marked_s)
                self._without_room[gang] = minimums - _having_room(self._cluster, ready, minimums)

    def _take_member(self, kind: str, pod: Pod) -> None:
        gang = gang_of(pod)
        exist = self._exist[gang]
        if pod.deleting or kind == "DELETED":
            self._marked_s.setdefault(pod.uid, pod.at_s)
        if kind == "DELETED":
            exist.discard(pod.uid)
            self._gone[gang].append(pod.record)
            return
        exist.add(pod.uid)
        self._last[pod.uid] = pod
        if pod.node:
            without_room = self._without_room.pop(gang)
            without_room -= self._having_room_now(pod, self._marked_s, without_room)
            unknown: list[tuple[float, frozenset[int]]] = []
            for since_s in sorted(set(self._marked_s.values())):
                known = {it: at_s for it, at_s in self._marked_s.items() if at_s < since_s}
                unknown.append((since_s, without_room - self._having_room_now(pod, known, without_room)))
            self.first.append(_First(pod, len(exist), tuple(self._gone[gang]), without_room, tuple(unknown)))

    def _having_room_now(
        self, pod: Pod, deleting: dict[str, float], minimums: frozenset[int]
    ) -> frozenset[int]:
        """Those of the minimums of a gang for which there is room as a pod of it is bound, or just before."""
        ready = self._ready(gang_of(pod), deleting)
        clusters = (self._cluster, self._a_moment_ago(pod.at_s))
        return frozenset(it for cluster in clusters for it in _having_room(cluster, ready, minimums))

    def _a_moment_ago(self, at_s: float) -> ObservedCluster:
        """The cluster with its nodes as the scheduler may still know them at a time."""
        recent = [node for replaced_s, node in self._replaced if at_s - replaced_s < self._reaction_s]
        nodes = {**self._cluster.nodes, **{node.name: node for node in reversed(recent)}}
        return replace(self._cluster, nodes=nodes)

    def _ready(self, gang: str, deleting: dict[str, float]) -> list[Pod]:
        """The pods of a gang that may be bound, without some that are being deleted or gone, by UID."""
        waiting = self._cluster.waiting.get(gang, {})
        gone = {uid: self._last[uid] for uid in self._marked_s if uid in self._last and uid not in waiting}
        known = [pod for uid, pod in {**waiting, **gone}.items() if uid not in deleting]
        return [pod for pod in known if gang_of(pod) == gang and pod.gates <= self._own_gates]


def _having_room(cluster: ObservedCluster, ready: list[Pod], minimums: frozenset[int]) -> frozenset[int]:
    """Those of the minimums of a gang for which enough pods are ready, and may have room in a cluster."""
    enough = (it for it in minimums if it <= len(ready))
    return frozenset(it for it in enough if cluster.may_hold(ready, it))


@fact("<a|no> node is given more than it has, or a pod that does not suit it")
def overcommitted(seen: Observed) -> Finding:
    """At some revision a pod was bound to a node that was not usable for it, or had too little left.

    A node that never was in the scenario is none for its pods; one that has just gone, or has just changed,
    is no failure of the scheduler, nor is what another one has bound. Where a scenario has no nodes of its
    own, the kubelet binds its pods. A pod that is being resized counts by what it requests alone: GNG-104
    says when more counts.
    """
    reaction_s = REACTION_S * seen.time_scale
    wrong = seen.in_order(NODES, PODS).fold(_Overcommitted, holders(seen), reaction_s)
    return found(
        wrong.pod,
        expected="no pod bound to a node without room for it, not ready, cordoned or tainted",
        observed=said("{pod} on {node}: {why}", pod=wrong.pod.name, node=wrong.pod.node, why=wrong.why)
        if wrong.pod
        else "none",
        decisive=[wrong.pod.record] if wrong.pod else [],
    )


class _Overcommitted:
    """The first pod that was bound where it must not be, and why it must not."""

    def __init__(self, holders: Holders, reaction_s: float) -> None:
        self.pod: Pod | None = None
        self.why = ""
        self._reaction_s = reaction_s
        self._cluster = ObservedCluster(holders=holders, by_request=True)
        self._known: set[str] = set()
        self._replaced: dict[str, list[tuple[float, Node]]] = {}

    def take(self, kind: str, thing: ApiObject) -> None:
        if self.pod:
            return
        before = self._cluster.pods.get(thing.uid)
        if isinstance(thing, Node) and (node := self._cluster.nodes.get(thing.name)):
            self._replaced.setdefault(thing.name, []).append((thing.at_s, node))
        self._cluster.take(kind, thing)
        if isinstance(thing, Node) and kind != "DELETED":
            self._known.add(thing.name)
        if not isinstance(thing, Pod) or not thing.node or (before and before.node):
            return
        if thing.spec.get("schedulerName") == SOMEBODY:
            return
        if self._known and kind != "DELETED":
            self.why = self._unsuitable(thing)
            self.pod = thing if self.why else None

    def _unsuitable(self, pod: Pod) -> str:
        """Why a pod that was just bound must not be where it is; empty if it may be there."""
        if (node := self._cluster.nodes.get(pod.node)) is None:
            return "" if pod.node in self._known else "no node of the scenario"
        replaced = self._replaced.get(pod.node, ())
        states = [node, *(it for at_s, it in replaced if pod.at_s - at_s < self._reaction_s)]
        whys = [_unsuited(it, self._cluster.left_of(it), pod) for it in states]
        return whys[0] if all(whys) else ""


def _unsuited(node: Node, left: Amounts, pod: Pod) -> str:
    """Why a pod must not be on a node that has this left with it; empty if it may be there."""
    short = [resource for resource in taken(pod) if left.get(resource, NOTHING) < 0]
    if short:
        return f"{' and '.join(short)} exceeded"
    return "" if node.suits(pod) else "the node does not suit it"
