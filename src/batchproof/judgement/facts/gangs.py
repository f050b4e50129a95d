"""Facts about gangs: which members were bound, which room there was, what was told of those that wait.

A member is known by the label ``batchproof.dev/gang``, whatever the dialect. To be bound is for ever here: a
pod that has run and is gone counts, as in the requirement GNG-003.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from batchproof.documents import at
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Action
from batchproof.judgement.things.core import Node, Pod
from batchproof.resources import NODES, PODS, parse_resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from batchproof.judgement.observed import Observed

_NOTHING = Fraction(0)
_SHOWN_S = 1.0  # by then a scheduler has seen the node of a pod


def bound_since_ever(seen: Observed, gang: str) -> dict[str, int]:
    """UID of every member that was ever bound, with the record that shows it first."""
    bound: dict[str, int] = {}
    for number, change in seen.changes:
        if change.resource == PODS and (pod := Pod(change.object)).gang == gang and pod.node:
            bound.setdefault(pod.uid, number)
    return bound


def minimums(seen: Observed) -> dict[str, int]:
    """The minimum of every gang of the scenario, as it was asked for."""
    told = (record.entry.about for record in seen.records if isinstance(record.entry, Action))
    return {about["gang"]: int(about["minimum"]) for about in told if "minimum" in about}


@fact("a group with minimum {minimum:d} is there", beside=("resource", "path"))
def group_made(seen: Observed, *, resource: str, path: str, minimum: int) -> Finding:
    """A group with that minimum is there, whoever made it."""
    stand = [at(path, thing.raw) for thing in seen.objects.get(parse_resource(resource), {}).values()]
    return found(
        minimum in stand,
        expected=f"one of {resource} whose {path} is {minimum}",
        observed=f"those with {stand}" if stand else "none",
    )


@fact("{count:d} [pod|pods] of gang {gang:gang} [is|are] bound")
def gang_bound(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were bound, or more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) >= count,
        expected=f"{count} pods of gang {gang} bound",
        observed=f"{len(bound)} bound",
        decisive=list(bound.values())[count - 1 : count],
    )


@fact("exactly {count:d} [pod|pods] of gang {gang:gang} [is|are] bound")
def gang_bound_exactly(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were bound, no more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) == count,
        expected=f"exactly {count} pods of gang {gang} bound",
        observed=f"{len(bound)} bound",
        decisive=list(bound.values())[count : count + 1],
    )


@fact("{count:most} [pod|pods] of gang {gang:gang} [is|are] bound", within="now")
def gang_bound_at_most(seen: Observed, *, gang: str, count: int) -> Finding:
    """No more members than that were ever bound."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) <= count,
        expected=f"no more than {count} pods of gang {gang} bound",
        observed=f"{len(bound)} bound",
        decisive=list(bound.values())[count : count + 1],
    )


@fact("pod {pod:name} is <|not >bound", witness=True)
def pod_bound(seen: Observed, *, pod: str) -> Finding:
    """The pod of that name has, or had, a node."""
    shows = [
        number
        for number, change in seen.changes
        if change.resource == PODS and (it := Pod(change.object)).name == pod and it.node
    ]
    return found(
        shows, expected=f"pod {pod} bound", observed="bound" if shows else "not bound", decisive=shows[:1]
    )


@fact("of gangs {gangs:gangs} only {which:gang_or_one} is bound")
def one_gang_bound(seen: Observed, *, gangs: Sequence[str], which: str = "") -> Finding:
    """One gang has its minimum, the others nothing; ``which`` if that is told."""
    asked = minimums(seen)
    counts = {gang: len(bound_since_ever(seen, gang)) for gang in gangs}
    whole = [gang for gang, count in counts.items() if count >= asked.get(gang, 1)]
    told = ", ".join(f"{count} of {gang}" for gang, count in counts.items())
    return found(
        len(whole) == 1 and sum(map(bool, counts.values())) == 1 and which in {"", *whole},
        expected=f"{f'gang {which}' if which else 'one gang'} bound with its minimum, the others not at all",
        observed=told,
    )


@fact("all pods of one of gangs {gangs:gangs} are bound", within="settle")
def one_more_bound(seen: Observed, *, gangs: Sequence[str]) -> Finding:
    """All pods of one of these gangs were bound."""
    pods: dict[str, set[str]] = {gang: set() for gang in gangs}
    for _, change in seen.changes:
        if change.resource == PODS and (pod := Pod(change.object)).gang in pods:
            pods[pod.gang].add(pod.uid)
    counts = {gang: len(bound_since_ever(seen, gang)) for gang in gangs}
    return found(
        any(counts[gang] >= len(pods[gang]) > 0 for gang in gangs),
        expected=f"one of the gangs {', '.join(gangs)} bound",
        observed=", ".join(f"{count} of {len(pods[gang])} pods of {gang}" for gang, count in counts.items()),
    )


@fact("each pod is bound once")
def bound_once(seen: Observed) -> Finding:
    """Each pod has kept its node, and no other was asked for after that node had been seen for a second."""
    nodes: dict[str, tuple[str, float]] = {}
    for number, change in seen.changes:
        if change.resource == PODS and (pod := Pod(change.object)).node:
            nodes.setdefault(pod.name, (pod.node, seen.records[number].at_s))
    for write in seen.writes_to(PODS, "create", "binding"):
        node, since_s = nodes.get(write.request.name, ("", float("inf")))
        target = ((write.request.body or {}).get("target") or {}).get("name", node)
        if target != node and write.at_s > since_s + _SHOWN_S:
            return found(
                holds=False,
                expected=f"{write.request.name} bound to {node} alone",
                observed=f"asked to be bound to {target}",
                decisive=[write.number],
            )
    accepted: set[str] = set()
    for write in seen.writes_to(PODS, "create", "binding"):
        if write.applied and write.request.name in accepted:
            return found(
                holds=False,
                expected="each pod bound once",
                observed=f"{write.request.name} bound again",
                decisive=[write.number],
            )
        if write.applied:
            accepted.add(write.request.name)
    return found(holds=True, expected="each pod bound once", observed="so it was")


@fact("each gang is bound with its minimum or not at all")
def nothing_in_part(seen: Observed) -> Finding:
    """No gang of the scenario has had a pod bound, and yet fewer than its minimum in all.

    A gang whose pods somebody has deleted is left out, as in the requirement.
    """
    gone = {
        pod.gang
        for _, change in seen.changes
        if change.resource == PODS
        and not (pod := Pod(change.object)).finished
        and (pod.deleting or change.type == "DELETED")
    }
    for gang, minimum in minimums(seen).items():
        bound = bound_since_ever(seen, gang)
        if gang not in gone and 0 < len(bound) < minimum:
            return found(
                holds=False,
                expected=f"0 or at least {minimum} pods of gang {gang} bound",
                observed=f"{len(bound)} bound",
                decisive=list(bound.values()),
            )
    return found(holds=True, expected="every gang bound with its minimum or not at all", observed="so it is")


# -- room


@dataclass
class _Cluster:
    """The nodes and pods at some moment, folded from changes in the order of revisions."""

    nodes: dict[str, Node] = field(default_factory=dict)
    pods: dict[str, Pod] = field(default_factory=dict)

    def take(self, kind: str, thing: object) -> None:
        """Take in a change."""
        match thing:
            case Node() if kind == "DELETED":
                self.nodes.pop(thing.name, None)
            case Node():
                self.nodes[thing.name] = thing
            case Pod() if kind == "DELETED":
                self.pods.pop(thing.uid, None)
            case Pod():
                self.pods[thing.uid] = thing
            case _:
                pass

    def free(self) -> dict[str, dict[str, Fraction]]:
        """What each node has left."""
        left = {name: dict(node.allocatable) for name, node in self.nodes.items()}
        for pod in self.pods.values():
            if pod.node in left and not pod.finished:
                _take(left[pod.node], pod.requests)
        return left

    def room(self, members: Sequence[Pod]) -> tuple[int, int]:
        """How many of these pods, which ask for the same nodes, surely fit at once, and how many at the most.

        The first is what placing the smallest first comes to, the second what the sum of all nodes allows.
        """
        left = {name: rest for name, rest in self.free().items() if self.nodes[name].suits(members[0])}
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
    expected = f"room for {at_least} pods of gang {gang}{' or more' if at_most is None else ' and no more'}"
    for number, cluster in _moments(seen, since):
        members = [pod for pod in cluster.pods.values() if pod.gang == gang and not pod.node]
        if not members:
            return found(holds=False, expected=expected, observed="no pod of it that waits")
        wanted = max(minimums(seen).get(gang, 1), len(members))
        sure, most = cluster.room([*members, *(members[-1:] * (wanted - len(members)))])
        if sure < at_least or (at_most is not None and most > at_most):
            return found(
                holds=False, expected=expected, observed=f"room for {sure} to {most}", decisive=[number]
            )
    return found(holds=True, expected=expected, observed="so it was")


def _moments(seen: Observed, since: int) -> Iterator[tuple[int, _Cluster]]:
    """The cluster at a record, and after each later change of it."""
    cluster = _Cluster()
    told = False
    for number, change in seen.changes:
        if change.resource not in {NODES, PODS}:
            continue
        if number > since and not told:
            told = True
            yield since, cluster
        thing = Node(change.object) if change.resource == NODES else Pod(change.object)
        cluster.take(change.type, thing)
        if number > since:
            yield number, cluster
    if not told:
        yield since, cluster


@fact("<a|no> node is given more than it has, or a pod that does not suit it")
def overcommitted(seen: Observed) -> Finding:
    """At some revision a pod was bound to a node that was not usable for it, or had too little left.

    A node that never was in the scenario is none for its pods; one that has just gone accuses nobody. Where a
    scenario has no nodes of its own, the kubelet binds its pods.
    """
    cluster = _Cluster()
    known: set[str] = set()
    expected = "no pod bound to a node without room for it, not ready, cordoned or tainted"
    for change, thing in seen.in_order(NODES, PODS):
        before = cluster.pods.get(thing.uid)
        cluster.take(change.type, thing)
        known |= cluster.nodes.keys()
        if not isinstance(thing, Pod) or not thing.node or (before and before.node):
            continue
        if known and change.type != "DELETED" and (why := _unsuitable(cluster, known, thing)):
            return found(
                holds=True,
                expected=expected,
                observed=f"{thing.name} on {thing.node}: {why}",
                decisive=[thing.record],
            )
    return found(holds=False, expected=expected, observed="none")


def _unsuitable(cluster: _Cluster, known: set[str], pod: Pod) -> str:
    """Why a pod that was just bound must not be where it is; empty if it may be there."""
    if pod.node not in cluster.nodes:
        return "" if pod.node in known else "no node of the scenario"
    left = cluster.free()[pod.node]
    short = [resource for resource in pod.requests if left.get(resource, _NOTHING) < 0]
    if short:
        return f"{' and '.join(short)} exceeded"
    return "" if cluster.nodes[pod.node].suits(pod) else "the node does not suit it"


# -- what is told of a gang


@fact("gang {gang:gang} is reported as not schedulable", beside=("resource", "signs"))
def reported(seen: Observed, *, gang: str, resource: str, signs: Sequence[Mapping[str, Any]]) -> Finding:
    """The group, or a member, tells by one of the dialect's signs that the gang cannot be scheduled."""
    groups = [
        thing for thing in seen.objects.get(parse_resource(resource), {}).values() if thing.name == gang
    ]
    pods = [pod for pod in seen.pods if pod.gang == gang]
    for sign in signs:
        for thing in groups if sign["of"] == "group" else pods:
            if _tells(thing.raw, sign):
                return found(
                    holds=True, expected=f"a report of gang {gang}", observed=sign, decisive=[thing.record]
                )
    told = [thing.status.get("conditions") or thing.status for thing in (*groups, *pods)]
    return found(holds=False, expected=f"a report of gang {gang} by {list(signs)}", observed=told[:2])


def _tells(raw: Mapping[str, Any], sign: Mapping[str, Any]) -> bool:
    if sign["path"]:
        value = at(sign["path"], raw)
        return value is not None and _text(value) in sign["values"]
    conditions: Iterable[Mapping[str, Any]] = (raw.get("status") or {}).get("conditions") or []
    return any(c["type"] == sign["condition"] and c["status"] in sign["values"] for c in conditions)


def _text(value: Any) -> str:
    """A value as YAML and JSON write it: ``true``, not ``True``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
