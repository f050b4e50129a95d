"""How the gangs of a scenario end: how many pods of each are bound once everything is at rest.

That is determined where the scheduler had no choice: whatever waited at the same time fitted at the same
time, and nothing was evicted. What waits at the end lacks pods for its minimum, or would not fit even on
empty nodes. Everything else is left out: which of two gangs is bound first is for the scheduler to
decide.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from batchproof.ground.resources import NODES, PODS
from batchproof.judgement.ends import End, Ends, register
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.gang.cluster import ObservedCluster
from batchproof.profiles.gang.facts.gangs import minimums
from batchproof.profiles.gang.facts.room import holders, own_gates
from batchproof.profiles.shared.objects.pods import gang_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_OTHERS = "pods outside of gangs"


def _units(pods: Iterable[Pod], asked: Mapping[str, int], gates: frozenset[str]) -> dict[str, list[Pod]]:
    """The pods that may be bound: of each gang that has its minimum, and each pod outside of gangs."""
    units: dict[str, list[Pod]] = {}
    for pod in pods:
        if not pod.deleting and not pod.gates - gates:
            units.setdefault(gang_of(pod) or f"pod {pod.name}", []).append(pod)
    return {name: its for name, its in units.items() if len(its) >= asked.get(name, 1)}


def _waiting(cluster: ObservedCluster) -> list[Pod]:
    return [pod for its in cluster.waiting.values() for pod in its.values()]


class _Chosen:
    """Why the scheduler had a choice; empty while it had none.

    Attributes:
        why: in words.
        cluster: the nodes and pods as they are.
    """

    def __init__(self, asked: tuple[tuple[str, int], ...], held: tuple[tuple[str, str, str], ...]) -> None:
        self.why = ""
        self.cluster = ObservedCluster(holders=held)
        self._asked = dict(asked)

    def take(self, kind: str, thing: ApiObject) -> None:
        before = self.cluster.pods.get(thing.uid)
        if before and before.node and not before.finished and (kind == "DELETED" or thing.deleting):
            self.why = self.why or f"pod {thing.name} was deleted while it ran"
        self.cluster.take(kind, thing)
        if not self.why:
            self.why = self._contended()

    def _contended(self) -> str:
        units = _units(_waiting(self.cluster), self._asked, frozenset())
        if len(units) < 2 or not self.cluster.nodes:  # noqa: PLR2004 - one alone competes with no other
            return ""
        pods = [pod for its in units.values() for pod in its]
        alike = len({repr((it.spec.get("nodeSelector"), it.spec.get("tolerations"))) for it in pods}) == 1
        if alike and self.cluster.room(pods)[0] == len(pods):
            return ""
        return f"{' and '.join(sorted(units)[:2])} compete"


def _chosen(seen: Observed) -> _Chosen:
    asked = tuple(sorted(minimums(seen).items()))
    return seen.in_order(NODES, PODS).fold(_Chosen, asked, holders(seen))


def unrest(seen: Observed) -> str:
    """What may still be bound, or is being deleted; empty if nothing is."""
    if not minimums(seen):
        return ""
    if leaving := next((pod.name for pod in seen.pods if pod.terminating), ""):
        return f"pod {leaving} is being deleted"
    cluster = _chosen(seen).cluster
    for name, pods in _units(_waiting(cluster), {}, own_gates(seen)).items():
        bound = sum(bool(pod.node) for pod in cluster.pods.values() if gang_of(pod) == name)
        least = max(1, minimums(seen).get(name, 1) - bound)
        if len(pods) >= least and cluster.may_hold(pods, least):
            return f"{name} waits, and may fit"
    return ""


def ending(seen: Observed) -> End:
    """How many pods of each gang are bound, and of those outside of gangs."""
    if not minimums(seen):
        return {}
    bound = Counter(gang_of(pod) for pod in seen.pods if pod.node and not pod.deleting)
    end = {f"gang/{gang}: bound": str(bound[gang]) for gang in minimums(seen)}
    return end | {f"{_OTHERS}: bound": str(bound[""])}


def undetermined(seen: Observed) -> str:
    """Why the scheduler decides how the gangs of this history end; empty if it does not."""
    if not minimums(seen):
        return ""
    chosen = _chosen(seen)
    if chosen.why:
        return f"the scheduler had a choice: {chosen.why}"
    empty = ObservedCluster(nodes={node.name: node for node in seen.all(Node)})
    for name, pods in _units(_waiting(chosen.cluster), minimums(seen), own_gates(seen)).items():
        least = minimums(seen).get(name, 1)
        if not chosen.cluster.may_hold(pods, 1) and empty.may_hold(pods, least):
            return f"the scheduler had a choice: {name} waits for resources of others"
    return ""


register(
    Ends(
        lambda seen: [pod for pod in seen.pods if gang_of(pod)],
        unrest,
        lambda _: False,
        ending,
        ending,
        undetermined,
        due=frozenset(),
    )
)
