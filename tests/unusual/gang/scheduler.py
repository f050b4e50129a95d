"""A small gang scheduler whose ways can be chosen. ``plan`` decides, purely; ``start`` does all else."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.unusual.cluster import (
    Client,
    Json,
    RefusedError,
    Source,
    View,
    deleting,
    ended,
    gone_or_there,
    key,
    labels,
    notes,
    now,
    run,
    seconds,
)
from tests.unusual.gang.room import Node, Pod, Preferred, Room, packed, placed

if TYPE_CHECKING:
    from collections.abc import Callable

Key = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Unit:
    """A gang, or a pod without one.

    Attributes:
        name: namespace and name of the gang, or of the pod.
        minimum: how many of its pods are bound at once; None: its group is not there.
        group: its group object, if there is one.
        pods: all its pods.
    """

    name: Key
    minimum: int | None
    group: Json | None
    pods: list[Pod]

    @property
    def waiting(self) -> list[Pod]:
        """Those that may be bound."""
        return sorted((pod for pod in self.pods if pod.waits), key=lambda it: key(it.raw))

    @property
    def begun(self) -> int:
        """How many have, or had, a node."""
        return sum(bool(pod.node) for pod in self.pods)

    @property
    def lacks(self) -> int:
        """How many of those that wait have to be bound at once."""
        return max(0, (self.minimum or 0) - self.begun)

    @property
    def priority(self) -> int:
        """The highest of its pods."""
        return max((pod.priority for pod in self.pods), default=0)

    @property
    def created(self) -> float:
        """When it was made."""
        made = [self.group] if self.group else [pod.raw for pod in self.pods]
        return min(seconds(it["metadata"]["creationTimestamp"]) for it in made)

    @property
    def newest(self) -> float:
        """When its last pod was made."""
        return max(seconds(pod.raw["metadata"]["creationTimestamp"]) for pod in self.pods)


# -- the two dialects


@dataclass(frozen=True)
class Grouped:
    """Gangs by the reference's own API: an object for each, which a label of its pods names."""

    scheduler: str = "batchproof"

    @property
    def paths(self) -> dict[str, str]:
        """What is looked at."""
        groups = "/apis/gang.batchproof.dev/v1/podgroups"
        return {"pods": "/api/v1/pods", "nodes": "/api/v1/nodes", "groups": groups}

    def units(self, view: View, pods: list[Pod]) -> list[Unit]:
        """The gangs and single pods."""
        groups = {key(it): it for it in view["groups"]}
        members = _by(pods, lambda pod: labels(pod.raw).get("gang.batchproof.dev/group", ""))
        gangs = [
            Unit(name, groups[name]["spec"]["minMember"] if name in groups else None, groups.get(name), those)
            for name, those in members.items()
            if name[1]
        ]
        return [*gangs, *_singles(those for name, those in members.items() if not name[1])]

    def report(self, client: Client, unit: Unit, why: str) -> None:
        """Tell on the group whether it is scheduled."""
        if unit.group is None:
            return
        old = (unit.group.get("status") or {}).get("conditions") or []
        status = "False" if why else "True"
        if any(it["type"] == "Scheduled" and it["status"] == status for it in old):
            return
        self.write(client, unit, {"conditions": [_condition("Scheduled", status, why)]})

    def write(self, client: Client, unit: Unit, status: Json) -> None:
        """By a merge patch."""
        namespace, name = unit.name
        path = f"/apis/gang.batchproof.dev/v1/namespaces/{namespace}/podgroups/{name}/status"
        with gone_or_there(404, 409):
            client.patch(path, {"status": status})


@dataclass(frozen=True)
class Applied(Grouped):
    """The same, with a status that is written by server-side apply."""

    def write(self, client: Client, unit: Unit, status: Json) -> None:
        """By server-side apply."""
        namespace, name = unit.name
        path = f"/apis/gang.batchproof.dev/v1/namespaces/{namespace}/podgroups/{name}/status"
        body = {"apiVersion": "gang.batchproof.dev/v1", "kind": "PodGroup", "metadata": {"name": name}}
        with gone_or_there(404, 409):
            client.patch(path, {**body, "status": status}, "apply")


@dataclass(frozen=True)
class Annotated:
    """Gangs by annotations of pods alone: the gang, and how many of it belong together."""

    scheduler: str = "crews"

    @property
    def paths(self) -> dict[str, str]:
        """What is looked at."""
        return {"pods": "/api/v1/pods", "nodes": "/api/v1/nodes"}

    def units(self, _: View, pods: list[Pod]) -> list[Unit]:
        """The gangs and single pods."""
        members = _by(pods, lambda pod: notes(pod.raw).get("crews.example.com/crew", ""))
        gangs = [
            Unit(name, max(int(notes(pod.raw)["crews.example.com/least"]) for pod in those), None, those)
            for name, those in members.items()
            if name[1]
        ]
        return [*gangs, *_singles(those for name, those in members.items() if not name[1])]

    def report(self, client: Client, unit: Unit, why: str) -> None:
        """Tell on each pod that waits that it cannot be scheduled; the API server withdraws that itself."""
        for pod in unit.waiting if why else []:
            old = (pod.raw.get("status") or {}).get("conditions") or []
            if any(it["type"] == "PodScheduled" and it["status"] == "False" for it in old):
                continue
            namespace, name = key(pod.raw)
            told = {"conditions": [_condition("PodScheduled", "False", why)]}
            with gone_or_there(404, 409):
                client.patch(f"/api/v1/namespaces/{namespace}/pods/{name}/status", {"status": told})


Dialect = Grouped | Annotated


def _by(pods: list[Pod], gang: Callable[[Pod], str]) -> dict[Key, list[Pod]]:
    members: dict[Key, list[Pod]] = {}
    for pod in pods:
        members.setdefault((key(pod.raw)[0], gang(pod)), []).append(pod)
    return members


def _singles(those: Any) -> list[Unit]:
    return [Unit(key(pod.raw), 1, None, [pod]) for pods in those for pod in pods]


def _condition(kind: str, status: str, why: str) -> Json:
    reason = "DoesNotFit" if status == "False" else "Fits"
    return {"type": kind, "status": status, "reason": reason, "message": why, "lastTransitionTime": now()}


# -- the plan


@dataclass
class Plan:
    """What one look leads to.

    Attributes:
        bindings: what is to be bound, and where.
        waiting: why a unit waits, by its name.
        victims: pods that are to be evicted.
        tried: the units for which room was looked for in vain.
    """

    bindings: list[tuple[Pod, str]] = field(default_factory=list)
    waiting: dict[Key, str] = field(default_factory=dict)
    victims: list[Pod] = field(default_factory=list)
    tried: list[Unit] = field(default_factory=list)


def by_age(unit: Unit) -> Any:
    """The higher priority, then the older one."""
    return -unit.priority, unit.created, unit.name


def at_once(_: Unit, __: float) -> bool:
    """Whatever waits is tried."""
    return True


def all_of_them(bindings: list[tuple[Pod, str]]) -> list[tuple[Pod, str]]:
    """All that is planned is asked for."""
    return bindings


def bind(client: Client, pod: Pod, node: str) -> None:
    """By the subresource binding."""
    namespace, name = key(pod.raw)
    target = {"apiVersion": "v1", "kind": "Node", "name": node}
    metadata = {"name": name, "namespace": namespace, "uid": pod.uid}
    body = {"apiVersion": "v1", "kind": "Binding", "metadata": metadata, "target": target}
    client.create(f"/api/v1/namespaces/{namespace}/pods/{name}/binding", body)


@dataclass
class Refused:
    """The pods whose bindings the API server has refused.

    They are tried after all others of their priority, and later and later: so the place of such a pod is held
    from others only while its binding is under way. A gang that has been begun is tried at once.

    Attributes:
        longest_s: no pod waits longer than that.
    """

    longest_s: float = 4.0
    _times: dict[str, int] = field(default_factory=dict)
    _until: dict[str, float] = field(default_factory=dict)

    def begin(self) -> None:
        """The program looks."""

    def note(self, pod: Pod, at: float) -> bool:
        """The binding of this pod has just been refused. Returns whether to plan again at the same look."""
        times = self._times[pod.uid] = self._times.get(pod.uid, 0) + 1
        self._until[pod.uid] = at + min(self.longest_s, 0.25 * 2**times)
        return False

    def last(self, unit: Unit) -> bool:
        """Others are tried before it."""
        return any(pod.uid in self._times for pod in unit.waiting)

    def pauses(self, unit: Unit, at: float) -> bool:
        """It is not tried yet."""
        return not unit.begun and any(at < self._until.get(pod.uid, 0.0) for pod in unit.waiting)


@dataclass
class TriedFirst(Refused):
    """They are tried in their turn at each look; once refused, the others are planned without them."""

    _now: set[str] = field(default_factory=set)

    def begin(self) -> None:
        """At each look all of them are tried again."""
        self._now.clear()

    def note(self, pod: Pod, at: float) -> bool:  # noqa: ARG002  (it does not matter when)
        """See ``Refused``."""
        self._now.add(pod.uid)
        return True

    def pauses(self, unit: Unit, at: float) -> bool:  # noqa: ARG002
        """It was refused at this look."""
        return any(pod.uid in self._now for pod in unit.waiting)


@dataclass(frozen=True)
class Ways:
    """What a program does in its own way.

    Attributes:
        source: how it knows what is there.
        dialect: how gangs are spelled.
        order: which gang is tried first; what has been begun is always before all else.
        ripe: whether a unit that waits may be tried now.
        prefer: which of the nodes that fit.
        chosen: which of the planned bindings are asked for at this look.
        failed: what is told of the units that did not fit.
        refused: what a refused binding leads to.
        evict: how a pod is evicted for one of higher priority; None: none ever is.
    """

    source: Source
    dialect: Dialect = field(default_factory=Grouped)
    order: Callable[[Unit], Any] = by_age
    ripe: Callable[[Unit, float], bool] = at_once
    prefer: Preferred = packed
    chosen: Callable[[list[tuple[Pod, str]]], list[tuple[Pod, str]]] = all_of_them
    failed: Callable[[list[Unit], float], None] = lambda _, __: None
    refused: Refused = field(default_factory=Refused)
    evict: Callable[[Client, Pod], None] | None = None


def plan(units: list[Unit], nodes: list[Node], pods: list[Pod], ways: Ways, at: float) -> Plan:
    """Each unit in turn: all that it lacks at once, then what more of it fits."""
    made, room = Plan(), Room.of(nodes, pods)
    for unit in sorted(units, key=lambda it: _turn(it, ways)):
        waiting = unit.waiting
        if unit.minimum is None or len(waiting) < unit.lacks:
            made.waiting[unit.name] = "it lacks pods, or its group"
            continue
        if not waiting or not ways.ripe(unit, at) or ways.refused.pauses(unit, at):
            continue
        made.bindings += (found := placed(room, waiting, unit.lacks, ways.prefer))
        if found or not unit.lacks:
            continue
        made.waiting[unit.name] = "not enough room for all that it lacks"
        made.tried.append(unit)
        if ways.evict and _preempts(unit):
            emptier = _without(room, [it for it in pods if deleting(it.raw)])
            if kept := placed(emptier, waiting, unit.lacks, ways.prefer):
                for pod, node in kept:
                    room.put(pod, node)  # kept for it until the terminating pods are gone
                continue
            if victims := _victims(room, pods, unit, ways):
                made.victims += victims
                break
    return made


def _turn(unit: Unit, ways: Ways) -> Any:
    """What has been begun comes first, and of one priority what was refused comes last."""
    begun = 0 < unit.begun < (unit.minimum or 0)
    return not begun, -unit.priority, not begun and ways.refused.last(unit), ways.order(unit)


def _preempts(unit: Unit) -> bool:
    return all(pod.raw["spec"].get("preemptionPolicy") != "Never" for pod in unit.waiting)


def _without(room: Room, pods: list[Pod]) -> Room:
    emptier = room.copy()
    for pod in pods:
        if pod in emptier.on[pod.node]:
            emptier.take(pod)
    return emptier


def _victims(room: Room, pods: list[Pod], unit: Unit, ways: Ways) -> list[Pod]:
    """As few of lower priority as are needed; those that are spared first are the most important."""
    lower = [it for it in pods if it.node and not ended(it.raw) and it.priority < unit.priority]
    doomed = sorted(lower, key=lambda it: -it.priority)

    def enough(without: list[Pod]) -> bool:
        return bool(placed(_without(room, without), unit.waiting, unit.lacks, ways.prefer))

    if not enough(doomed):
        return []
    for pod in list(doomed):
        if enough([it for it in doomed if it is not pod]):
            doomed.remove(pod)
    return [it for it in doomed if not deleting(it.raw)]


# -- doing it


def start(ways: Ways) -> None:
    """Schedule, for ever."""
    assumed: dict[str, str] = {}
    evicted: set[str] = set()

    def work(client: Client, view: View) -> None:
        _forget_what_is_shown(assumed, view["pods"])
        ways.refused.begin()
        while once(client, view):
            pass

    def once(client: Client, view: View) -> bool:
        everyone = [Pod(_as_evicted(raw, evicted), _node(raw, assumed)) for raw in view["pods"]]
        mine = [
            it for it in everyone if it.node or it.raw["spec"].get("schedulerName") == ways.dialect.scheduler
        ]
        at = time.time()
        units = ways.dialect.units(view, mine)
        made = plan(units, [Node(raw) for raw in view["nodes"]], everyone, ways, at)
        ways.failed(made.tried, at)
        for pod in made.victims:
            assert ways.evict is not None
            with gone_or_there(404, 409, 429):
                ways.evict(client, pod)
                evicted.add(pod.uid)
        again = False
        for pod, node in ways.chosen(made.bindings):
            if _bound(client, pod, node):
                assumed[pod.uid] = node
            else:
                again |= ways.refused.note(pod, at)
        for unit in () if again else units:
            if why := made.waiting.get(unit.name, ""):
                ways.dialect.report(client, unit, why)
            elif unit.minimum and unit.begun >= unit.minimum:
                ways.dialect.report(client, unit, "")
        return again

    run(ways.source, ways.dialect.paths, work)


def _node(raw: Json, assumed: dict[str, str]) -> str:
    return str(raw["spec"].get("nodeName") or assumed.get(raw["metadata"]["uid"], ""))


def _as_evicted(raw: Json, evicted: set[str]) -> Json:
    """A pod that was evicted is being deleted, whatever the watch shows."""
    metadata = raw["metadata"]
    if metadata["uid"] not in evicted or deleting(raw):
        return raw
    return {**raw, "metadata": {**metadata, "deletionTimestamp": now()}}


def _forget_what_is_shown(assumed: dict[str, str], pods: list[Json]) -> None:
    unbound = {raw["metadata"]["uid"] for raw in pods if not raw["spec"].get("nodeName")}
    for uid in [*assumed]:
        if uid not in unbound:
            del assumed[uid]


def _bound(client: Client, pod: Pod, node: str) -> bool:
    """Ask for the binding; where the reply does not say, the pod does."""
    namespace, name = key(pod.raw)
    try:
        bind(client, pod, node)
    except RefusedError as error:
        if error.status in {403, 404, 422, 500}:
            return False
        try:
            there = client.get(f"/api/v1/namespaces/{namespace}/pods/{name}")
        except RefusedError:
            return False
        return bool(there["metadata"]["uid"] == pod.uid and there["spec"].get("nodeName"))
    return True
