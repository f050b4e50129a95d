"""For gangs: what is on each node, and for how many pods of a gang there is room while it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.history import Action, Change
from batchproof.judgement.objects import thing_of
from batchproof.judgement.objects.core import Node, Pod
from batchproof.profiles.gang.cluster import NOTHING, ObservedCluster
from batchproof.report.timeline_picture.model import Lane, Level, Span, Track
from batchproof.report.timeline_picture.more import lanes_of
from batchproof.report.wording import count
from batchproof.resources import NODES, PODS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from batchproof.judgement.history import Record

_MOST_NODES = 10
_MOST_GANGS = 4
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

    def take(self, record: Record) -> None:
        """Take in a record."""
        match record.entry:
            case Action(about={"gang": str(gang), "minimum": minimum}):
                self._minimums[gang] = int(minimum)
            case Change(resource=resource) as change if resource in {NODES, PODS}:
                thing = thing_of(resource, change.object, record.number)
                before = self._cluster.pods.get(thing.uid)
                self._cluster.take(change.type, thing)
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
        for gang, minimum in [*self._minimums.items()][:_MOST_GANGS]:
            levels = self._free.setdefault(gang, [])
            if levels:
                last = levels.pop()
                levels.append(Level(last.begin_s, at_s, last.value))
            members = [*self._cluster.waiting.get(gang, {}).values()]
            if not members or len(members) > _MOST_MEMBERS or not self._cluster.nodes:
                levels.append(Level(at_s, at_s, -1))
                continue
            missing = max(minimum, len(members)) - len(members)
            sure, _ = self._cluster.room([*members, *(members[-1:] * missing)])
            levels.append(Level(at_s, at_s, sure))

    def lanes(self, end_s: float, names: AbstractSet[str] = frozenset()) -> tuple[list[Lane], list[str]]:
        """A lane for the room of each gang and one for each node, and what is left out in words.

        Args:
            end_s: the end of the history.
            names: those of nodes that are shown whatever else there is.
        """
        if not self._nodes:
            return [], []
        lanes = [*self._rooms(end_s)]
        for track in self._nodes.values():
            track.end(end_s)
        needed = names & self._nodes.keys()
        shown = sorted(self._nodes, key=lambda name: (name not in needed, name))
        shown = shown[: max(_MOST_NODES, len(needed))]
        lanes += [
            Lane("node", name, f"node/{name}: the pods on it", tuple(self._nodes[name].spans))
            for name in sorted(shown)
        ]
        more = {"more node": len(self._nodes) - len(shown), "more gang": len(self._minimums) - _MOST_GANGS}
        return lanes, [
            f"{count(many, what)} left out of the picture" for what, many in more.items() if many > 0
        ]

    def _rooms(self, end_s: float) -> Iterator[Lane]:
        for gang, levels in self._free.items():
            minimum = self._minimums[gang]
            lasting = [Level(one.begin_s, one.end_s, one.value) for one in levels[:-1]]
            lasting += [Level(one.begin_s, end_s, one.value) for one in levels[-1:]]
            title = (
                f"gang {gang}: for how many of its waiting pods there was room at the same time; the dashed "
                f"line is its minimum, {minimum}"
            )
            known = tuple(one for one in lasting if one.value >= 0 and one.end_s > one.begin_s)
            if known:
                yield Lane("room", f"room for {gang}", title, levels=known, least=minimum)


def _node(thing: object) -> str:
    return thing.node if isinstance(thing, Pod) else ""
