"""Facts about gangs: which of their members were bound, and whether that is their minimum.

A member is known by the label ``batchproof.dev/gang``, whatever the dialect. To be bound is for ever here: a
pod that has run and is gone counts, as in the requirement GNG-003.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from batchproof.ground.resources import NODES, PODS
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.history import Request
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import counted, said, stated
from batchproof.profiles.shared.facts.in_force import REACTION_S
from batchproof.profiles.shared.objects.pods import gang_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 10  # records that a finding names at the most

Asked: TypeAlias = "tuple[tuple[int, int], ...]"
"""The minimums of a gang, each with the record by which it was asked for, oldest first."""


def bound_since_ever(seen: Observed, gang: str) -> dict[str, int]:
    """UID of every member that was ever bound, with the record that shows it first."""
    return seen.versions(PODS).fold(GangMembers, gang).bound


class GangMembers:
    """The pods of a gang.

    Attributes:
        ever: the UID of each that there ever was.
        now: those that there are now, by UID.
        bound: UID of each that was ever bound, with the record that shows it first.
        left: those that are bound and not being deleted, by UID, those that have ended included.
        changed: the record that changed ``left`` last; -1 before the first.
    """

    def __init__(self, gang: str) -> None:
        self.ever: set[str] = set()
        self.now: dict[str, Pod] = {}
        self.bound: dict[str, int] = {}
        self.left: dict[str, Pod] = {}
        self.changed = -1
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
        had = self.left.pop(pod.uid, None)
        if pod.uid in self.now and pod.node and not pod.deleting:
            self.left[pod.uid] = pod
        if (had is None) == (pod.uid in self.left):
            self.changed = pod.record


def _nth(bound: dict[str, int], count: int) -> list[int]:
    """The record that shows the pod that was bound after the given number of others, if there is one."""
    return list(islice(bound.values(), count, count + 1)) if count >= 0 else []


def asked_minimums(seen: Observed) -> dict[str, Asked]:
    """The minimums that were asked for of every gang of the scenario, each with its record, oldest first."""
    asked: dict[str, Asked] = {}
    for record, action in seen.actions:
        if "minimum" in action.about:
            gang = action.about["gang"]
            asked[gang] = (*asked.get(gang, ()), (record, int(action.about["minimum"])))
    return asked


def minimum_at(seen: Observed, gang: str, record: int) -> int:
    """The lowest minimum of a gang that the implementation may still have acted on at a record.

    A minimum that was set later says nothing of what was right then. 1 where none was ever asked for, the
    first one before it was.
    """
    asked = asked_minimums(seen).get(gang, ())
    before = [one for one in asked if one[0] < record] or asked[:1]
    if len(before) <= 1:
        return before[0][1] if before else 1
    at_s, reaction_s = seen.at_s(record), REACTION_S * seen.time_scale
    resources = {NODES, *(view.resource for view in seen.withheld.values())}
    known_s = min(seen.known_since_s(resource, at_s, reaction_s) for resource in resources)
    ends_s = [*(seen.at_s(number) for number, _ in before[1:]), at_s]
    return min(minimum for (_, minimum), end_s in zip(before, ends_s, strict=True) if end_s > known_s)


def was_whole(seen: Observed, gang: str) -> bool:
    """As many pods of a gang were bound at some time as its minimum was then."""
    bound = bound_since_ever(seen, gang).values()
    asked = asked_minimums(seen).get(gang, ((-1, 1),))
    reaction_s = REACTION_S * seen.time_scale
    ends_s = [*(seen.at_s(record) + reaction_s for record, _ in asked[1:]), inf]
    return any(
        sum(seen.at_s(record) <= end_s for record in bound) >= minimum
        for (_, minimum), end_s in zip(asked, ends_s, strict=True)
    )


def minimums(seen: Observed) -> dict[str, int]:
    """The minimum of every gang of the scenario that was asked for last."""
    return {gang: asked[-1][1] for gang, asked in asked_minimums(seen).items()}


@fact("{count:d} [pod|pods] of gang {gang:gang} [is|are] bound", judged_by=("GNG-001",))
def gang_bound(seen: Observed, *, gang: str, count: int) -> Finding:
    """The given number of members were bound, or more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) >= count,
        observed=said("{bound} bound", bound=len(bound)),
        decisive=_nth(bound, count - 1),
    )


@fact("{count:d} [pod|pods] of gang {gang:gang} [has|have] run to completion", judged_by=("GNG-002",))
def gang_completed(seen: Observed, *, gang: str, count: int) -> Finding:
    """The given number of members were Running, and Succeeded later (KAR-0053, the positive case)."""
    members = seen.versions(PODS).fold(_Completed, gang)
    return found(
        len(members.completed) >= count,
        observed=said(
            "{ran} have run, {completed} to completion",
            ran=len(members.ran),
            completed=len(members.completed),
        ),
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
    """The given number of members were bound, no more."""
    bound = bound_since_ever(seen, gang)
    return found(
        len(bound) == count,
        observed=said("{bound} bound", bound=len(bound)),
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
        observed=said("{bound} bound", bound=len(bound)),
        decisive=_nth(bound, count),
    )


@fact("<a|no> pod of gang {gang:gang} that was bound is deleted")
def bound_member_deleted(seen: Observed, *, gang: str) -> Finding:
    """A member that was bound and had not ended has a deletionTimestamp or is gone."""
    lost = seen.versions(PODS).fold(_Lost, gang).first
    return found(
        lost,
        observed=said("{pod} on {node}", pod=lost.name, node=lost.node) if lost else "none",
        decisive=[lost.record] if lost else [],
    )


@fact("no pod of gang {gang:gang} is left")
def gang_gone(seen: Observed, *, gang: str) -> Finding:
    """Every pod of the gang is gone, whether or not it was ever bound."""
    there = seen.versions(PODS).fold(GangMembers, gang).now.values()
    return found(
        not there,
        observed=", ".join(sorted(pod.name for pod in there)) if there else "none",
        decisive=[pod.record for pod in there],
    )


@fact("{count:most} [pod|pods] of gang {gang:gang} [has|have] been evicted", within="now")
def gave_way(seen: Observed, *, gang: str, count: int) -> Finding:
    """No more members than that were deleted while they ran."""
    lost = seen.versions(PODS).fold(_Lost, gang).all
    return found(
        len(lost) <= count,
        observed=said("{deleted} deleted", deleted=len(lost)),
        decisive=[pod.record for pod in islice(lost.values(), count, count + 1)],
    )


@fact("every pod of gang {gang:gang} that was evicted had the condition {condition:word}", within="now")
def gave_way_told(seen: Observed, *, gang: str, condition: str) -> Finding:
    """Every member that was deleted while it ran had a condition of that type, with status True."""
    lost = seen.versions(PODS).fold(_Lost, gang).all.values()
    mute = [pod for pod in lost if condition not in _true(pod)]
    return found(
        lost and not mute,
        observed=stated(
            f"{mute[0].name} has {', '.join(_true(mute[0]))}",
            {"pod": mute[0].name, "conditions": [*_true(mute[0])]},
        )
        if mute
        else said("{evicted} evicted", evicted=len(lost)),
        decisive=[pod.record for pod in mute[:1]],
    )


def _true(pod: Pod) -> list[str]:
    """The types of a pod's conditions that are true."""
    return [one["type"] for one in pod.status.get("conditions") or () if one["status"] == "True"]


@fact("gang {gang:gang} runs with its minimum or not at all")
def running_whole(seen: Observed, *, gang: str) -> Finding:
    """Of the bound members none runs, or as many as the minimum are left, those that have ended included.

    The minimum is the one that the gang had when a member was bound or evicted last.
    """
    members = seen.versions(PODS).fold(GangMembers, gang)
    running = [pod for pod in members.left.values() if not pod.finished]
    minimum = minimum_at(seen, gang, members.changed)
    return found(
        not running or len(members.left) >= minimum,
        expected=f"at least {counted(minimum, 'pod')} of gang {gang}, or none",
        observed=said("{left} left", left=len(members.left)),
    )


@fact("gang {other:gang} is bound and gang {gang:gang} keeps its minimum")
def bound_beside_whole(seen: Observed, *, gang: str, other: str) -> Finding:
    """One gang was bound with its minimum, and of the other as many as its minimum are left.

    Members that have ended are left. That none of the other gang runs is no excuse: others could be evicted.
    """
    bound = len(bound_since_ever(seen, other))
    members = seen.versions(PODS).fold(GangMembers, gang)
    left, kept = len(members.left), minimum_at(seen, gang, members.changed)
    least = counted(minimums(seen).get(other, 1), "pod")
    return found(
        was_whole(seen, other) and left >= kept,
        expected=f"{least} of gang {other} bound, and at least {kept} of gang {gang} left",
        observed=said("{bound} bound, and of gang {gang} {left} left", bound=bound, gang=gang, left=left),
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
    """The members that were bound are on the given number of different nodes."""
    nodes = {pod.node for pod in seen.versions(PODS).fold(GangMembers, gang).now.values() if pod.node}
    return found(len(nodes) == count, observed=said("on {nodes}", nodes=sorted(nodes)))


@fact("the pods of gang {gang:gang} are in {count:d} [zone|zones]", within="now")
def gang_in_zones(seen: Observed, *, gang: str, count: int) -> Finding:
    """The members that were bound were bound to nodes in this number of zones."""
    zones = set(seen.in_order(NODES, PODS).fold(_Zones, gang).zones.values())
    return found(len(zones) == count, observed=said("in {zones}", zones=sorted(zones)))


@fact("no zone has more than {count:d} [pod|pods] of gang {gang:gang}", within="now")
def gang_spread(seen: Observed, *, gang: str, count: int) -> Finding:
    """No more than the given number of the members that were bound are on nodes of one zone."""
    bound = seen.in_order(NODES, PODS).fold(_Zones, gang)
    zones = Counter(bound.zones.values())
    return found(
        all(number <= count for number in zones.values()),
        observed=", ".join(f"{number} in {zone}" for zone, number in sorted(zones.items())) or "none bound",
        decisive=[bound.records[uid] for uid in bound.zones][-_SHOWN:],
    )


class _Zones:
    """The zone of each existing member of a gang, by UID: that of its node when the member was bound.

    Attributes:
        zones: of the members that are bound to a node that there was.
        records: the newest record of each of them.
    """

    def __init__(self, gang: str) -> None:
        self.zones: dict[str, str] = {}
        self.records: dict[str, int] = {}
        self._nodes: dict[str, str] = {}
        self._gang = gang

    def take(self, kind: str, it: ApiObject) -> None:
        match it:
            case Node() if kind == "DELETED":
                self._nodes.pop(it.name, None)
            case Node():
                self._nodes[it.name] = it.zone
            case Pod() if kind == "DELETED" or gang_of(it) != self._gang:
                self.zones.pop(it.uid, None)
            case Pod() if it.uid in self.zones or it.node in self._nodes:
                self.zones.setdefault(it.uid, self._nodes.get(it.node, ""))
                self.records[it.uid] = it.record
            case _:
                pass


@fact("of gangs {gangs:gangs} only {which:gang_or_one} is bound")
def one_gang_bound(seen: Observed, *, gangs: Sequence[str], which: str = "") -> Finding:
    """One gang has its minimum, the others nothing; ``which`` if that is named."""
    counts = {gang: len(bound_since_ever(seen, gang)) for gang in gangs}
    whole = [gang for gang in gangs if was_whole(seen, gang)]
    counted = ", ".join(f"{count} of {gang}" for gang, count in counts.items())
    return found(
        len(whole) == 1 and sum(map(bool, counts.values())) == 1 and which in {"", *whole},
        expected=f"{f'gang {which}' if which else 'one gang'} bound with its minimum, the others not at all",
        observed=stated(counted, counts),
    )


@fact("either gang {gang:gang} or pod {pod:name} is bound")
def gang_or_pod_bound(seen: Observed, *, gang: str, pod: str) -> Finding:
    """The gang has its minimum, or the pod a node; not both, and no gang in part."""
    count = len(bound_since_ever(seen, gang))
    alone = any(one.name == pod and one.node for one in seen.pods)
    return found(
        was_whole(seen, gang) if not alone else count == 0,
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
    """No gang of the scenario has had a pod bound, and yet at no time as many in all as its minimum was then.

    A gang whose pods another client has deleted is left out, as in the requirement.
    """
    gone = seen.arrivals.fold(_Gone).gangs
    for gang, minimum in minimums(seen).items():
        bound = bound_since_ever(seen, gang)
        if gang not in gone and bound and not was_whole(seen, gang):
            return found(
                holds=False,
                expected=f"0 or at least {counted(minimum, 'pod')} of gang {gang} bound",
                observed=said("{bound} bound", bound=len(bound)),
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
