"""Facts about gangs: which of their members were bound, and whether that is their minimum.

A member is known by the label ``batchproof.dev/gang``, whatever the dialect. To be bound is for ever here: a
pod that has run and is gone counts, as in the requirement GNG-003.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.observed import Write
from batchproof.judgement.values import counted
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.resources import NODES, PODS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batchproof.judgement.history import Request
    from batchproof.judgement.objects import ApiObject
    from batchproof.judgement.observed import Observed

REACTION_S = 2.0  # scaled: a scheduler may still bind by what it observed so short a time ago
_SHOWN = 10  # records that a finding names at the most


def bound_since_ever(seen: Observed, gang: str) -> dict[str, int]:
    """UID of every member that was ever bound, with the record that shows it first."""
    return seen.versions(PODS).fold(GangMembers, gang).bound


class GangMembers:
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
        """Take in a change."""
        if gang_of(pod) != self._gang or kind == "DELETED":
            self.now.pop(pod.uid, None)
        else:
            self.now[pod.uid] = pod
        if gang_of(pod) == self._gang:
            self.ever.add(pod.uid)
            if pod.node:
                self.bound.setdefault(pod.uid, pod.record)


def _nth(bound: dict[str, int], count: int) -> list[int]:
    """The record that shows the pod bound that came after so many others, if there is one."""
    return list(islice(bound.values(), count, count + 1)) if count >= 0 else []


def minimums(seen: Observed) -> dict[str, int]:
    """The minimum of every gang of the scenario, as it was asked for."""
    abouts = (action.about for _, action in seen.actions)
    return {about["gang"]: int(about["minimum"]) for about in abouts if "minimum" in about}


@dataclass(frozen=True, slots=True)
class Minimums:
    """The minimums that a gang has had, one after the other.

    Attributes:
        asked: from when on each was asked for, in seconds, and which it was.
        noticed_s: so long a scheduler may still go by the one before.
    """

    asked: tuple[tuple[float, int], ...]
    noticed_s: float

    def at(self, at_s: float) -> int:
        """The least that a scheduler may go by at a moment."""
        return self._least(at_s, at_s)

    def since(self, at_s: float) -> int:
        """The least that a scheduler may go by at that moment or at any later one."""
        return self._least(at_s, float("inf"))

    def _least(self, from_s: float, to_s: float) -> int:
        ends = [*(until_s for until_s, _ in self.asked[1:]), float("inf")]
        told = [
            minimum
            for (since_s, minimum), until_s in zip(self.asked, ends, strict=True)
            if since_s <= to_s and until_s > from_s - self.noticed_s
        ]
        return min(told, default=self.asked[0][1])


def minimums_in_time(seen: Observed) -> dict[str, Minimums]:
    """All minimums that each gang of the scenario has had."""
    asked = dict[str, list[tuple[float, int]]]()
    for number, action in seen.actions:
        if "minimum" in action.about:
            it = seen.at_s(number), int(action.about["minimum"])
            asked.setdefault(action.about["gang"], []).append(it)
    noticed_s = REACTION_S * seen.time_scale
    return {gang: Minimums(tuple(had), noticed_s) for gang, had in asked.items()}


def minimum_of(seen: Observed, gang: str) -> int:
    """The minimum of a gang; 1 where none was asked for."""
    return minimums(seen).get(gang, 1)


@fact("{count:d} [pod|pods] of gang {gang:gang} [is|are] bound", judged_by=("GNG-001",))
def gang_bound(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were bound, or more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) >= count,
        observed=f"{len(bound)} bound",
        decisive=_nth(bound, count - 1),
    )


@fact("{count:d} [pod|pods] of gang {gang:gang} [has|have] run to completion", judged_by=("GNG-002",))
def gang_completed(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were Running at some time, and Succeeded later (KAR-0053, the positive case)."""
    members = seen.versions(PODS).fold(_Completed, gang)
    return found(
        len(members.completed) >= count,
        observed=f"{len(members.ran)} have run, {len(members.completed)} to completion",
        decisive=_nth(members.completed, count - 1),
    )


class _Completed:
    """The members of a gang that have run, and those that then succeeded, by UID, with the record of that."""

    def __init__(self, gang: str) -> None:
        self.ran: dict[str, int] = {}
        self.completed: dict[str, int] = {}
        self._gang = gang

    def take(self, _: str, pod: Pod) -> None:
        if gang_of(pod) != self._gang:
            return
        if pod.phase == "Running":
            self.ran.setdefault(pod.uid, pod.record)
        elif pod.phase == "Succeeded" and pod.uid in self.ran:
            self.completed.setdefault(pod.uid, pod.record)


@fact("exactly {count:d} [pod|pods] of gang {gang:gang} [is|are] bound")
def gang_bound_exactly(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many members were bound, no more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) == count,
        observed=f"{len(bound)} bound",
        decisive=_nth(bound, count),
    )


@fact(
    "{count:most} [pod|pods] of gang {gang:gang} [is|are] bound",
    within="now",
    judged_by=("GNG-001", "GNG-002"),
)
def gang_bound_at_most(seen: Observed, *, gang: str, count: int) -> Finding:
    """No more members than that were ever bound."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) <= count,
        observed=f"{len(bound)} bound",
        decisive=_nth(bound, count),
    )


@fact("<a|no> pod of gang {gang:gang} that was bound is deleted")
def bound_member_deleted(seen: Observed, *, gang: str) -> Finding:
    """A member that was bound and had not ended has a deletionTimestamp or is gone."""
    lost = seen.versions(PODS).fold(_Lost, gang).first
    return found(
        lost,
        observed=f"{lost.name} on {lost.node}" if lost else "none",
        decisive=[lost.record] if lost else [],
    )


@fact("{count:most} [pod|pods] of gang {gang:gang} [has|have] been evicted", within="now")
def gave_way(seen: Observed, *, gang: str, count: int) -> Finding:
    """No more members than that were deleted while they ran."""
    lost = seen.versions(PODS).fold(_Lost, gang).all
    return found(
        len(lost) <= count,
        observed=f"{len(lost)} deleted",
        decisive=[pod.record for pod in islice(lost.values(), count, count + 1)],
    )


@fact("every pod of gang {gang:gang} that was evicted had the condition {condition:word}", within="now")
def gave_way_told(seen: Observed, *, gang: str, condition: str) -> Finding:
    """Every member that was deleted while it ran had a condition of that type, with status True."""
    lost = seen.versions(PODS).fold(_Lost, gang).all.values()
    mute = [pod for pod in lost if condition not in _true(pod)]
    return found(
        lost and not mute,
        observed=f"{mute[0].name} has {', '.join(_true(mute[0]))}" if mute else f"{len(lost)} gave way",
        decisive=[pod.record for pod in mute[:1]],
    )


def _true(pod: Pod) -> list[str]:
    """The types of a pod's conditions that are true."""
    return [one["type"] for one in pod.status.get("conditions") or () if one["status"] == "True"]


def _left(seen: Observed, gang: str) -> list[Pod]:
    """The bound members that are not being deleted, those that have ended included."""
    members = seen.versions(PODS).fold(GangMembers, gang)
    return [pod for pod in members.now.values() if pod.node and not pod.deleting]


@fact("gang {gang:gang} runs with its minimum or not at all")
def running_whole(seen: Observed, *, gang: str) -> Finding:
    """Of the bound members none runs, or as many as the minimum are left, those that have ended included."""
    left = _left(seen, gang)
    running = [pod for pod in left if not pod.finished]
    minimum = minimum_of(seen, gang)
    return found(
        not running or len(left) >= minimum,
        expected=f"at least {counted(minimum, 'pod')} of gang {gang}, or none",
        observed=f"{len(left)} left",
    )


@fact("gang {other:gang} is bound and gang {gang:gang} keeps its minimum")
def bound_beside_whole(seen: Observed, *, gang: str, other: str) -> Finding:
    """One gang was bound with its minimum, and of the other as many as its minimum are left.

    Members that have ended are left. That none of the other gang runs is no excuse: others could be evicted.
    """
    bound, least = len(bound_since_ever(seen, other)), minimum_of(seen, other)
    left, kept = len(_left(seen, gang)), minimum_of(seen, gang)
    return found(
        bound >= least and left >= kept,
        expected=f"{counted(least, 'pod')} of gang {other} bound, and at least {kept} of gang {gang} left",
        observed=f"{bound} bound, and of gang {gang} {left} left",
    )


class _Lost:
    """The members of a gang that were deleted while they ran, by UID, as they were then."""

    def __init__(self, gang: str) -> None:
        self.all: dict[str, Pod] = {}
        self._gang = gang

    @property
    def first(self) -> Pod | None:
        return next(iter(self.all.values()), None)

    def take(self, kind: str, pod: Pod) -> None:
        if (
            gang_of(pod) == self._gang
            and pod.node
            and not pod.finished
            and (pod.deleting or kind == "DELETED")
        ):
            self.all.setdefault(pod.uid, pod)


@fact("the pods of gang {gang:gang} are on {count:d} [node|nodes]", within="now")
def gang_on_nodes(seen: Observed, *, gang: str, count: int) -> Finding:
    """So many different nodes have the members that were bound."""
    nodes = {pod.node for pod in seen.versions(PODS).fold(GangMembers, gang).now.values() if pod.node}
    return found(len(nodes) == count, observed=f"on {', '.join(sorted(nodes)) or 'none'}")


@fact("the pods of gang {gang:gang} are in {count:d} [zone|zones]", within="now")
def gang_in_zones(seen: Observed, *, gang: str, count: int) -> Finding:
    """The nodes of the members that were bound are in so many zones."""
    nodes = {node.name: node for node in seen.objects(NODES).values() if isinstance(node, Node)}
    bound = {pod.node for pod in seen.versions(PODS).fold(GangMembers, gang).now.values()}
    zones = {nodes[name].zone for name in bound & nodes.keys()}
    return found(len(zones) == count, observed=f"in {', '.join(sorted(zones)) or 'none'}")


@fact("no zone has more than {count:d} [pod|pods] of gang {gang:gang}", within="now")
def gang_spread(seen: Observed, *, gang: str, count: int) -> Finding:
    """Of the members that were bound no more than so many are on nodes of one zone."""
    nodes = {node.name: node for node in seen.objects(NODES).values() if isinstance(node, Node)}
    pods = [pod for pod in seen.versions(PODS).fold(GangMembers, gang).now.values() if pod.node in nodes]
    zones = Counter(nodes[pod.node].zone for pod in pods)
    return found(
        all(number <= count for number in zones.values()),
        observed=", ".join(f"{number} in {zone}" for zone, number in sorted(zones.items())) or "none bound",
        decisive=[pod.record for pod in pods][-_SHOWN:],
    )


@fact("of gangs {gangs:gangs} only {which:gang_or_one} is bound")
def one_gang_bound(seen: Observed, *, gangs: Sequence[str], which: str = "") -> Finding:
    """One gang has its minimum, the others nothing; ``which`` if that is named."""
    counts = {gang: len(bound_since_ever(seen, gang)) for gang in gangs}
    whole = [gang for gang, count in counts.items() if count >= minimum_of(seen, gang)]
    counted = ", ".join(f"{count} of {gang}" for gang, count in counts.items())
    return found(
        len(whole) == 1 and sum(map(bool, counts.values())) == 1 and which in {"", *whole},
        expected=f"{f'gang {which}' if which else 'one gang'} bound with its minimum, the others not at all",
        observed=counted,
    )


@fact("either gang {gang:gang} or pod {pod:name} is bound")
def gang_or_pod_bound(seen: Observed, *, gang: str, pod: str) -> Finding:
    """The gang has its minimum, or the pod a node; not both, and no gang in part."""
    count, least = len(bound_since_ever(seen, gang)), minimum_of(seen, gang)
    alone = any(one.name == pod and one.node for one in seen.pods)
    return found(
        (count >= least) if not alone else count == 0,
        expected=f"gang {gang} bound with its minimum, or pod {pod}, but not both",
        observed=f"{count} of {gang}, and pod {pod}{'' if alone else ' not'}",
    )


@fact("all pods of one of gangs {gangs:gangs} are bound", within="settle")
def one_more_bound(seen: Observed, *, gangs: Sequence[str]) -> Finding:
    """All pods of one of these gangs were bound."""
    members = {gang: seen.versions(PODS).fold(GangMembers, gang) for gang in gangs}
    pods = {gang: those.ever for gang, those in members.items()}
    counts = {gang: len(those.bound) for gang, those in members.items()}
    return found(
        any(counts[gang] >= len(pods[gang]) > 0 for gang in gangs),
        observed=", ".join(
            f"{count} of {counted(len(pods[gang]), 'pod')} of {gang}" for gang, count in counts.items()
        ),
    )


@fact("each gang is bound with its minimum or not at all")
def nothing_in_part(seen: Observed) -> Finding:
    """No gang of the scenario has had a pod bound, and yet fewer than its minimum in all.

    A gang whose pods somebody else has deleted is left out, as in the requirement. A minimum that was raised
    later says nothing of pods that were bound before.
    """
    gone = seen.arrivals.fold(_Gone).gangs
    for gang, had in minimums_in_time(seen).items():
        bound = bound_since_ever(seen, gang)
        if gang in gone or not bound:
            continue
        minimum = had.since(seen.at_s(min(bound.values())))
        if len(bound) < minimum:
            return found(
                holds=False,
                expected=f"0 or at least {counted(minimum, 'pod')} of gang {gang} bound",
                observed=f"{len(bound)} bound",
                decisive=list(islice(bound.values(), _SHOWN)),
            )
    return found(holds=True, expected="every gang bound with its minimum or not at all", observed="so it is")


class _Gone:
    """The gangs of which a pod that had not finished was deleted, and not by the implementation."""

    def __init__(self) -> None:
        self.gangs: set[str] = set()
        self._evicted: set[str] = set()

    def take(self, kind: str, item: ApiObject | Write) -> None:
        match item:
            case Write(request=request) if request.resource == PODS and _evicts(request):
                self._evicted.add(request.name)
            case Pod() if not item.finished and (item.deleting or kind == "DELETED"):
                if item.name not in self._evicted:
                    self.gangs.add(gang_of(item))


def _evicts(request: Request) -> bool:
    return request.verb == "delete" or (request.verb, request.subresource) == ("create", "eviction")
