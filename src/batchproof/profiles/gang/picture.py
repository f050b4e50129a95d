"""For gangs: what is on each node, for how many pods of a waiting gang there is room; what queues use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar

from batchproof.ground.resources import NODES, PODS, QUEUE_LABEL
from batchproof.judgement.history import Action, Change, Record
from batchproof.judgement.objects import ApiObject, thing_of
from batchproof.judgement.objects.core import Node, Pod
from batchproof.profiles.gang.amounts import taken
from batchproof.profiles.gang.cluster import NOTHING, ObservedCluster, cpus_in_words
from batchproof.profiles.gang.facts.shares import deserved
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.report.timeline_picture.model import Lane, Level, Span, Track
from batchproof.report.timeline_picture.more import lanes_of
from batchproof.report.wording import count, short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

T = TypeVar("T", bound=ApiObject)
_MOST_NODES = 10
_MOST_GANGS = 4
_FEW_GANGS = 2  # where a finding names one
_MOST_MEASURED = 8  # for each change of each of them all pods are placed
_MOST_QUEUES = 4
_MOST_MEMBERS = 32  # to place more in every way takes too long
_MOST_NAMED = 6


@lanes_of
class Room:
    """The nodes of a scenario, and the gangs that wait for them."""

    def __init__(self) -> None:
        self._cluster = ObservedCluster()
        self._minimums: dict[str, int] = {}
        self._nodes: dict[str, Track] = {}
        self._free: dict[str, list[Level]] = {}
        self._placed: dict[str, list[Level]] = {}
        self._gangs: dict[str, str] = {}

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case Action(about={"gang": str(gang), "minimum": minimum}):
                self._minimums[gang] = int(minimum)
            case Change(resource=resource) as change if resource in {NODES, PODS}:
                thing = thing_of(resource, change.object, record.number)
                before = self._cluster.pods.get(thing.uid)
                self._cluster.take(change.type, thing)
                if isinstance(thing, Pod):
                    self._gangs[thing.name] = gang_of(thing)
                touched = {thing.name} if isinstance(thing, Node) else {_node(before), _node(thing)}
                for name in sorted(touched - {""}):
                    self._turn(name, record)
                self._measure(record.at_s)
            case _:
                pass
        match record.entry:
            case Action(about={"holders": [*holders]}):
                self._cluster.holders = tuple((place, key, value) for place, key, value in holders)

    def _turn(self, name: str, record: Record) -> None:
        """Note what is on a node now."""
        node = self._cluster.nodes.get(name)
        if node is None:
            if name in self._nodes:
                self._nodes[name].end(record.at_s)
            return
        on_it = [pod.name for pod in self._cluster.pods.values() if pod.node == name and not pod.finished]
        left, has = self._cluster.left(name).get("cpu", NOTHING), node.allocatable.get("cpu", NOTHING)
        pods = ", ".join(on_it[:_MOST_NAMED]) + (
            f" and {len(on_it) - _MOST_NAMED} more" * (len(on_it) > _MOST_NAMED)
        )
        label = pods or "empty"
        used = f"{float(has - left):g} of {float(has):g} cpu used"
        title = f"node/{name}: {label}; {used} · +{record.at_s:.3f} s · record {record.number}"
        self._nodes.setdefault(name, Track()).turn(
            Span(record.at_s, record.at_s, "node" if on_it else "unknown", label, title, record.number)
        )

    def _measure(self, at_s: float) -> None:
        """Note for how many of the waiting pods of each gang there is room now."""
        bound = Counter(gang_of(pod) for pod in self._cluster.pods.values() if pod.node)
        for gang, minimum in [*self._minimums.items()][:_MOST_MEASURED]:
            _turn(self._placed.setdefault(gang, []), at_s, bound[gang])
            levels = self._free.setdefault(gang, [])
            members = [*self._cluster.waiting.get(gang, {}).values()]
            if not members or len(members) > _MOST_MEMBERS or not self._cluster.nodes:
                _turn(levels, at_s, -1)
                continue
            missing = max(minimum, len(members)) - len(members)
            sure, _ = self._cluster.room([*members, *(members[-1:] * missing)])
            _turn(levels, at_s, sure)

    def lanes(self, end_s: float, names: AbstractSet[str] = frozenset()) -> tuple[list[Lane], list[str]]:
        """A lane for the room of each gang and one for each node, and what is left out in words.

        Args:
            end_s: the end of the history.
            names: those of nodes that are shown whatever else there is.
        """
        if not self._nodes:
            return [], []
        accused = ({gang for pod, gang in self._gangs.items() if pod in names} | names) & self._free.keys()
        most = max(_FEW_GANGS, len(accused)) if accused else _MOST_GANGS
        gangs = sorted(self._free, key=lambda gang: gang not in accused)[:most]
        lanes = [lane for gang in self._free if gang in gangs for lane in self._of(gang, end_s)]
        for track in self._nodes.values():
            track.end(end_s)
        needed = names & self._nodes.keys()
        used = [name for name, track in self._nodes.items() if not _idle_probes(name, track)]
        shown = sorted(used, key=lambda name: (name not in needed, name))
        shown = shown[: max(_MOST_NODES, len(needed))]
        lanes += [
            Lane(
                "node",
                name,
                f"node/{name}: the pods on it",
                tuple(self._nodes[name].spans),
                subjects=frozenset({f"node/{name}"}),
            )
            for name in sorted(shown)
        ]
        more = {"more node": len(used) - len(shown), "more gang": len(self._minimums) - len(gangs)}
        return lanes, [
            f"{count(many, what)} left out of the picture" for what, many in more.items() if many > 0
        ]

    def _of(self, gang: str, end_s: float) -> Iterator[Lane]:
        """The lanes of a gang: the room for those of its pods that wait, and how many are bound."""
        minimum = self._minimums[gang]
        room = (
            f"gang {gang}: for how many of its waiting pods there was room at the same time; the dashed line "
            f"is its minimum, {minimum}"
        )
        bound = f"gang {gang}: how many of its pods are bound; the dashed line is its minimum, {minimum}"
        if levels := _lasting(self._free[gang], end_s):
            yield Lane("room", f"room for {gang}", room, levels=levels, least=minimum)
        levels = _lasting(self._placed[gang], end_s)
        if any(one.value for one in levels):
            of_it = frozenset(f"pod/{pod}" for pod, its in self._gangs.items() if its == gang)
            yield Lane("bound", f"bound of {gang}", bound, levels=levels, least=minimum, subjects=of_it)


def _turn(levels: list[Level], at_s: float, value: float) -> None:
    """Let the last level end, and another begin; one below 0 is not known."""
    if levels:
        levels[-1] = replace(levels[-1], end_s=at_s)
    levels.append(Level(at_s, at_s, value))


def _lasting(levels: list[Level], end_s: float) -> tuple[Level, ...]:
    """The levels that are known and last for a time."""
    ended = [*levels[:-1], *(replace(one, end_s=end_s) for one in levels[-1:])]
    return tuple(one for one in ended if one.value >= 0 and one.end_s > one.begin_s)


def _idle_probes(name: str, track: Track) -> bool:
    """Whether a node is the one for probes, and nothing was ever on it."""
    return short(name) == "probes" and all(span.kind == "unknown" for span in track.spans)


def _node(thing: object) -> str:
    return thing.node if isinstance(thing, Pod) else ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked for a queue.

    Attributes:
        weight: how much it is due against the others.
        capability: how many CPUs it may have at the most; None: as many as there are.
        guarantee: how many CPUs are kept for it.
    """

    weight: int
    capability: Fraction | None
    guarantee: Fraction


@lanes_of
class Shares:
    """The CPUs that the pods of each queue request, against its capability or its share."""

    def __init__(self) -> None:
        self._queues: dict[str, _Asked] = {}
        self._nodes: dict[str, Node] = {}
        self._pods: dict[str, Pod] = {}
        self._in: dict[str, str] = {}
        self._levels: dict[str, list[Level]] = {}

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case Action(about={"queue": str(queue), "weight": int(weight)}):
                about = record.entry.about
                capability, guarantee = about.get("capability"), about.get("guarantee") or 0
                most = None if capability is None else Fraction(capability)
                self._queues[queue] = _Asked(weight, most, Fraction(guarantee))
            case Change(resource=resource) as change if resource in {NODES, PODS}:
                match thing_of(resource, change.object, record.number):
                    case Node() as node:
                        _keep(self._nodes, node, gone=change.type == "DELETED")
                    case Pod() as pod:
                        self._in[pod.name] = pod.labels.get(QUEUE_LABEL, "")
                        _keep(self._pods, pod, gone=change.type == "DELETED" or pod.finished)
            case _:
                return
        self._measure(record.at_s)

    def _measure(self, at_s: float) -> None:
        """Note what each queue uses now, and what it should not be above."""
        shares = self._shares()
        for queue, asked in self._queues.items():
            used = sum((_cpus(pod) for pod in self._of(queue) if pod.node), NOTHING)
            most = shares.get(queue) if asked.capability is None else asked.capability
            levels = self._levels.setdefault(queue, [])
            now = Level(at_s, at_s, float(used), None if most is None else float(most))
            if not levels or (levels[-1].value, levels[-1].most) != (now.value, now.most):
                levels.append(now)

    def _of(self, queue: str) -> list[Pod]:
        """The unfinished pods of a queue."""
        return [pod for pod in self._pods.values() if pod.labels.get(QUEUE_LABEL) == queue]

    def _shares(self) -> dict[str, Fraction]:
        """What each queue is due by its weight; nothing where there is one alone, or one without a weight."""
        weights = {name: asked.weight for name, asked in self._queues.items()}
        if len(weights) == 1 or min(weights.values(), default=0) <= 0:
            return {}
        total = sum((node.allocatable.get("cpu", NOTHING) for node in self._nodes.values()), NOTHING)
        return deserved(total, weights, {name: self._wanted(name, total) for name in weights})

    def _wanted(self, queue: str, total: Fraction) -> Fraction:
        """How many CPUs all pods of a queue request, but no more than it may have."""
        most = self._queues[queue].capability
        return min(sum(map(_cpus, self._of(queue)), NOTHING), total if most is None else most)

    def lanes(self, end_s: float, names: AbstractSet[str] = frozenset()) -> tuple[list[Lane], list[str]]:
        """A lane for each queue that has a capability or a share, and how many are left out in words.

        Args:
            end_s: the end of the history.
            names: those of queues that are shown whatever else there is.
        """
        known = [name for name, levels in self._levels.items() if any(one.most is not None for one in levels)]
        first = sorted(known, key=lambda name: name not in names)
        shown = first[: max(_MOST_QUEUES, len(names & {*known}))]
        left_out = len(known) - len(shown)
        return [self._lane(name, end_s) for name in known if name in shown], [
            f"{count(many, 'more queue')} left out of the picture" for many in (left_out,) if many
        ]

    def _lane(self, queue: str, end_s: float) -> Lane:
        asked, levels = self._queues[queue], self._levels[queue]
        ends = [*(one.begin_s for one in levels[1:]), end_s]
        lasting = [
            Level(one.begin_s, until_s, one.value, one.most)
            for one, until_s in zip(levels, ends, strict=True)
            if until_s > one.begin_s
        ]
        limit: Literal["capability", "share"] = "share" if asked.capability is None else "capability"
        kept = f"; kept for it: {cpus_in_words(asked.guarantee)}" if asked.guarantee else ""
        line = f"{limit}{' by weight of what all pods request' * (limit == 'share')}{kept}"
        title = (
            f"queue {queue}: how many CPUs its bound, unfinished pods request; the dashed line is its {line}"
        )
        of_it = frozenset(f"pod/{name}" for name, its in self._in.items() if its == queue)
        return Lane("use", f"queue {queue}", title, levels=tuple(lasting), limit=limit, subjects=of_it)


def _keep(things: dict[str, T], thing: T, *, gone: bool) -> None:
    """Keep an object by its UID, or drop it."""
    if gone:
        things.pop(thing.uid, None)
    else:
        things[thing.uid] = thing


def _cpus(pod: Pod) -> Fraction:
    return taken(pod).get("cpu", NOTHING)
