"""Facts about gangs: which members were bound, which room there was, what was reported of those that wait.

A member is known by the label ``batchproof.dev/gang``, whatever the dialect. To be bound is for ever here: a
pod that has run and is gone counts, as in the requirement GNG-003.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from batchproof.documents import at
from batchproof.judgement.facts import ACTIONS, WRITES, Finding, fact, found
from batchproof.judgement.observed import Write
from batchproof.judgement.things.core import Node, Pod
from batchproof.resources import NODES, PODS, parse_resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from batchproof.judgement.history import Request
    from batchproof.judgement.observed import Observed
    from batchproof.judgement.things import Thing

_NOTHING = Fraction(0)
_SHOWN = 10  # records that a finding names at the most
_SHOWN_S = 1.0  # by then a scheduler has seen the node of a pod


def bound_since_ever(seen: Observed, gang: str) -> dict[str, int]:
    """UID of every member that was ever bound, with the record that shows it first."""
    return seen.versions(PODS).fold(_Members, gang).bound


class _Members:
    """The pods of a gang.

    Attributes:
        ever: the UID of each that there ever was.
        now: those that there are now, by UID.
        bound: UID of each that was ever bound, with the record that shows it first.
    """

    def __init__(self, gang: str) -> None:
        self.ever: set[str] = set()
        self.now: dict[str, Pod] = {}
        self.bound: dict[str, int] = {}
        self._gang = gang

    def take(self, kind: str, pod: Pod) -> None:
        if pod.gang != self._gang or kind == "DELETED":
            self.now.pop(pod.uid, None)
        else:
            self.now[pod.uid] = pod
        if pod.gang == self._gang:
            self.ever.add(pod.uid)
            if pod.node:
                self.bound.setdefault(pod.uid, pod.record)


def _nth(bound: dict[str, int], count: int) -> list[int]:
    """The record that shows the pod bound that came after so many others, if there is one."""
    return list(islice(bound.values(), count, count + 1)) if 0 <= count < len(bound) else []


def minimums(seen: Observed) -> dict[str, int]:
    """The minimum of every gang of the scenario, as it was asked for."""
    abouts = (action.about for _, action in seen.actions)
    return {about["gang"]: int(about["minimum"]) for about in abouts if "minimum" in about}


@fact("a group with minimum {minimum:d} is there", beside=("resource", "path"))
def group_made(seen: Observed, *, resource: str, path: str, minimum: int) -> Finding:
    """A group with that minimum is there, whoever made it."""
    stand = [at(path, thing.raw) for thing in seen.objects.get(parse_resource(resource), {}).values()]
    return found(
        minimum in stand,
        expected=f"one of {resource} whose {path} is {minimum}",
        observed=f"those with {stand}" if stand else "none",
    )


@fact("{count:d} [pod|pods] of gang {gang:gang} [is|are] bound", on=[PODS])
def gang_bound(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were bound, or more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) >= count,
        observed=f"{len(bound)} bound",
        decisive=_nth(bound, count - 1),
    )


@fact("exactly {count:d} [pod|pods] of gang {gang:gang} [is|are] bound", on=[PODS])
def gang_bound_exactly(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were bound, no more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) == count,
        observed=f"{len(bound)} bound",
        decisive=_nth(bound, count),
    )


@fact("{count:most} [pod|pods] of gang {gang:gang} [is|are] bound", on=[PODS], within="now")
def gang_bound_at_most(seen: Observed, *, gang: str, count: int) -> Finding:
    """No more members than that were ever bound."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) <= count,
        observed=f"{len(bound)} bound",
        decisive=_nth(bound, count),
    )


@fact("pod {pod:name} is <|not >bound", on=[PODS], witness=True)
def pod_bound(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name has, or had, a node."""
    shown = seen.versions(PODS).fold(_Bound, pod).first
    return found(
        shown is not None,
        observed="not bound" if shown is None else "bound",
        decisive=[] if shown is None else [shown],
    )


class _Bound:
    """The record that first shows a pod of some name bound."""

    def __init__(self, name: str) -> None:
        self.first: int | None = None
        self._name = name

    def take(self, _: str, pod: Pod) -> None:
        if self.first is None and pod.name == self._name and pod.node:
            self.first = pod.record


@fact("of gangs {gangs:gangs} only {which:gang_or_one} is bound", on=[PODS, ACTIONS])
def one_gang_bound(seen: Observed, *, gangs: Sequence[str], which: str = "") -> Finding:
    """One gang has its minimum, the others nothing; ``which`` if that is named."""
    asked = minimums(seen)
    counts = {gang: len(bound_since_ever(seen, gang)) for gang in gangs}
    whole = [gang for gang, count in counts.items() if count >= asked.get(gang, 1)]
    counted = ", ".join(f"{count} of {gang}" for gang, count in counts.items())
    return found(
        len(whole) == 1 and sum(map(bool, counts.values())) == 1 and which in {"", *whole},
        expected=f"{f'gang {which}' if which else 'one gang'} bound with its minimum, the others not at all",
        observed=counted,
    )


@fact("all pods of one of gangs {gangs:gangs} are bound", on=[PODS], within="settle")
def one_more_bound(seen: Observed, *, gangs: Sequence[str]) -> Finding:
    """All pods of one of these gangs were bound."""
    members = {gang: seen.versions(PODS).fold(_Members, gang) for gang in gangs}
    pods = {gang: those.ever for gang, those in members.items()}
    counts = {gang: len(those.bound) for gang, those in members.items()}
    return found(
        any(counts[gang] >= len(pods[gang]) > 0 for gang in gangs),
        observed=", ".join(f"{count} of {len(pods[gang])} pods of {gang}" for gang, count in counts.items()),
    )


@fact("each pod is bound once", on=[PODS, WRITES])
def bound_once(seen: Observed) -> Finding:
    """Each pod has kept its node, and no other was asked for after that node had been seen for a second."""
    bindings = seen.arrivals.fold(_Bindings)
    shown_s = _SHOWN_S * seen.time_scale
    for write, node, target, since_s in bindings.moves:
        if since_s >= seen.known_since_s(PODS, write.at_s, shown_s):
            continue  # its node was not to be seen yet
        return found(
            holds=False,
            expected=f"{write.request.name} bound to {node} alone",
            observed=f"asked to be bound to {target}",
            decisive=[write.number],
        )
    again = min(bindings.again.values(), default=None, key=_number)
    return found(
        again is None,
        expected="each pod bound once",
        observed=f"{again.request.name} bound again" if again else "so it was",
        decisive=[again.number] if again else [],
    )


def _number(write: Write) -> int:
    return write.number


class _Bindings:
    """The bindings that were asked for.

    Attributes:
        moves: those to another node than the one that a pod is shown on, with both and since when it was.
        again: of each pod that was bound twice the second binding.
    """

    def __init__(self) -> None:
        self.moves: list[tuple[Write, str, str, float]] = []
        self.again: dict[str, Write] = {}
        self._nodes: dict[str, tuple[str, float]] = {}
        self._accepted: dict[str, list[Write]] = {}

    def take(self, kind: str, item: Thing | Write) -> None:
        match item:
            case Pod() if item.node:
                self._nodes.setdefault(item.name, (item.node, item.at_s))
            case Write(request=request) if _is_binding(request):
                if kind == "asked":
                    self._asked(item)
                elif item.applied:
                    accepted = self._accepted.setdefault(request.name, [])
                    insort(accepted, item, key=_number)
                    if len(accepted) > 1:
                        self.again[request.name] = accepted[1]

    def _asked(self, write: Write) -> None:
        node, since_s = self._nodes.get(write.request.name, ("", float("inf")))
        target = ((write.request.body or {}).get("target") or {}).get("name", node)
        if target != node and write.at_s > since_s:
            self.moves.append((write, node, target, since_s))


def _is_binding(request: Request) -> bool:
    return (request.resource, request.verb, request.subresource) == (PODS, "create", "binding")


@fact("each gang is bound with its minimum or not at all", on=[PODS, ACTIONS])
def nothing_in_part(seen: Observed) -> Finding:
    """No gang of the scenario has had a pod bound, and yet fewer than its minimum in all.

    A gang whose pods somebody has deleted is left out, as in the requirement.
    """
    gone = seen.versions(PODS).fold(_Gone).gangs
    for gang, minimum in minimums(seen).items():
        bound = bound_since_ever(seen, gang)
        if gang not in gone and 0 < len(bound) < minimum:
            return found(
                holds=False,
                expected=f"0 or at least {minimum} pods of gang {gang} bound",
                observed=f"{len(bound)} bound",
                decisive=list(islice(bound.values(), _SHOWN)),
            )
    return found(holds=True, expected="every gang bound with its minimum or not at all", observed="so it is")


class _Gone:
    """The gangs of which a pod that had not finished was deleted."""

    def __init__(self) -> None:
        self.gangs: set[str] = set()

    def take(self, kind: str, pod: Pod) -> None:
        if not pod.finished and (pod.deleting or kind == "DELETED"):
            self.gangs.add(pod.gang)


# -- room


@dataclass
class _Cluster:
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
                total[resource] = total.get(resource, _NOTHING) + max(amount, _NOTHING)
        sure = most = 0
        for member in sorted((pod.requests for pod in members), key=lambda one: one.get("cpu", _NOTHING)):
            if node := next((rest for rest in left.values() if _fits(rest, member)), None):
                _take(node, member)
                sure += 1
            if _fits(total, member):
                _take(total, member)
                most += 1
        return sure, most


def _fits(left: Mapping[str, Fraction], asked: Mapping[str, Fraction]) -> bool:
    return all(left.get(resource, _NOTHING) >= amount for resource, amount in asked.items())


def _take(left: dict[str, Fraction], asked: Mapping[str, Fraction]) -> None:
    for resource, amount in asked.items():
        left[resource] = left.get(resource, _NOTHING) - amount


def _add(used: dict[str, Fraction], asked: Mapping[str, Fraction]) -> None:
    for resource, amount in asked.items():
        used[resource] = used.get(resource, _NOTHING) + amount


_give = _take  # what is used no more


@fact(
    "there was always room for at least {at_least:d}{at_most:at_most} of the pods of gang {gang:gang}",
    on=[PODS, NODES, ACTIONS],
    within="now",
    beside=("since",),
)
def room_was_free(seen: Observed, *, gang: str, at_least: int, at_most: int | None, since: int) -> Finding:
    """At every moment since a record there was room for some of the gang's unbound pods, and for no more.

    The witness of a gang that rightly waits: with less room nobody could bind a pod, with more all might be.
    A gang with fewer pods than its minimum is counted as if the missing ones were like its last one.
    """
    minimum = minimums(seen).get(gang, 1)
    room = seen.arrivals.fold(_Room, gang, at_least, at_most, since, minimum)
    wrong, number = room.wrong()
    more = " or more" if at_most is None else " and no more"
    return found(
        not wrong,
        expected=f"room for {at_least} pods of gang {gang}{more}",
        observed=wrong or "so it was",
        decisive=[number] if 0 <= number <= seen.last else [],
    )


class _Room:
    """The first moment since a record with too little or too much room for the waiting pods of a gang."""

    def __init__(self, gang: str, at_least: int, at_most: int | None, since: int, minimum: int) -> None:
        self._gang = gang
        self._at_least = at_least
        self._at_most = at_most
        self._since = since
        self._minimum = minimum
        self._cluster = _Cluster()
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


@fact("<a|no> node is given more than it has, or a pod that does not suit it", on=[NODES, PODS])
def overcommitted(seen: Observed) -> Finding:
    """At some revision a pod was bound to a node that was not usable for it, or had too little left.

    A node that never was in the scenario is none for its pods; one that has just gone accuses nobody. Where a
    scenario has no nodes of its own, the kubelet binds its pods.
    """
    wrong = seen.in_order(NODES, PODS).fold(_Overcommitted)
    return found(
        wrong.pod,
        expected="no pod bound to a node without room for it, not ready, cordoned or tainted",
        observed=f"{wrong.pod.name} on {wrong.pod.node}: {wrong.why}" if wrong.pod else "none",
        decisive=[wrong.pod.record] if wrong.pod else [],
    )


class _Overcommitted:
    """The first pod that was bound where it must not be, and why it must not."""

    def __init__(self) -> None:
        self.pod: Pod | None = None
        self.why = ""
        self._cluster = _Cluster()
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


def _unsuitable(cluster: _Cluster, known: set[str], pod: Pod) -> str:
    """Why a pod that was just bound must not be where it is; empty if it may be there."""
    if pod.node not in cluster.nodes:
        return "" if pod.node in known else "no node of the scenario"
    left = cluster.left(pod.node)
    short = [resource for resource in pod.requests if left.get(resource, _NOTHING) < 0]
    if short:
        return f"{' and '.join(short)} exceeded"
    return "" if cluster.nodes[pod.node].suits(pod) else "the node does not suit it"


# -- what is reported of a gang


@fact("gang {gang:gang} is reported as not schedulable", beside=("resource", "signs"))
def reported(seen: Observed, *, gang: str, resource: str, signs: Sequence[Mapping[str, Any]]) -> Finding:
    """The group, or a member, tells by one of the dialect's signs that the gang cannot be scheduled."""
    groups = [
        thing for thing in seen.objects.get(parse_resource(resource), {}).values() if thing.name == gang
    ]
    pods = seen.versions(PODS).fold(_Members, gang).now.values()
    for sign in signs:
        for thing in groups if sign["of"] == "group" else pods:
            if _tells(thing.raw, sign):
                return found(
                    holds=True, expected=f"a report of gang {gang}", observed=sign, decisive=[thing.record]
                )
    statuses = [thing.status.get("conditions") or thing.status for thing in (*groups, *pods)]
    return found(holds=False, expected=f"a report of gang {gang} by {list(signs)}", observed=statuses[:2])


def _tells(raw: Mapping[str, Any], sign: Mapping[str, Any]) -> bool:
    if sign["path"]:
        value = at(sign["path"], raw)
        return value is not None and _text(value) in sign["values"]
    conditions: Iterable[Mapping[str, Any]] = (raw.get("status") or {}).get("conditions") or []
    return any(c["type"] == sign["condition"] and c["status"] in sign["values"] for c in conditions)


def _text(value: Any) -> str:
    """A value as YAML and JSON write it: ``true``, not ``True``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
