"""What a decisive record shows of a pod of a gang: that it was bound; and what gangs were after a wait."""

from __future__ import annotations

from fractions import Fraction

from batchproof.ground.resources import NODES, PODS, QUEUE_LABEL
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.gang.amounts import taken
from batchproof.profiles.gang.cluster import NOTHING, ObservedCluster, cpus_in_words
from batchproof.profiles.gang.facts.gangs import minimums
from batchproof.profiles.gang.facts.shares import allocated
from batchproof.profiles.shared.causes import amount, names_in
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.report.cause_and_effect import Shown, cause, standing
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count, short

_MOST_GANGS = 3
_MOST_MEMBERS = 32  # to place more in every way takes too long


@cause
def bound(seen: Observed, shown: Shown) -> str:
    """A pod was bound: what its queue may have and uses, or how many pods its gang had, with which room."""
    pod, before = shown.thing, shown.before
    if not isinstance(pod, Pod) or not isinstance(before, Pod) or not pod.node or before.node:
        return ""
    told = _used(seen, pod)
    if not told and (had := _had(seen, before)):
        room = _room(seen, gang_of(before))
        told = f"{had}, with room for {room} of those not bound" if room else had
    return f"{pod.name} was bound to {short(pod.node)} when {told}" if told else ""


@cause
def deleted(seen: Observed, shown: Shown) -> str:
    """A pod of a gang that was bound began to be deleted: how many pods of the gang there were."""
    pod, before = shown.thing, shown.before
    if not isinstance(pod, Pod) or not isinstance(before, Pod) or not before.node or before.deleting:
        return ""
    had = _had(seen, before) if pod.deleting or shown.kind == "DELETED" else ""
    on = f"{before.phase} on {short(before.node)}"
    return f"{pod.name} was deleted while it was {on} and {had}" if had else ""


def _used(seen: Observed, pod: Pod) -> str:
    """What the bound pods of a pod's queue request with it, where that is more than its capability."""
    queue = pod.labels.get(QUEUE_LABEL)
    asked = [action.about for _, action in seen.actions if action.about.get("queue") == queue]
    most = asked[-1].get("capability") if queue and asked else None
    with_it = allocated(seen).get(str(queue), NOTHING) + taken(pod).get("cpu", NOTHING)
    if most is None or with_it <= Fraction(most):
        return ""
    limit = cpus_in_words(Fraction(most))
    given = f"requested {cpus_in_words(with_it)} with it"
    return f"the bound pods of queue {queue} {given}, of a capability of {limit}"


def _had(seen: Observed, pod: Pod) -> str:
    """How many pods the gang of a pod had, how many of them bound, and its minimum; empty if it has none."""
    gang = gang_of(pod)
    minimum = minimums(seen).get(gang)
    if not gang or minimum is None:
        return ""
    members = [one for one in seen.pods if gang_of(one) == gang]
    placed = sum(bool(one.node) for one in members)
    return (
        f"gang {gang} had {count(len(members), 'pod')}, {placed} of them bound, and its minimum was {minimum}"
    )


@standing
def stands(seen: Observed, unmet: UnmetClaim) -> str:
    """What the pods of each queue request that a claim names, and which pods each of its gangs had."""
    least, names = minimums(seen), names_in(unmet)
    queues = sorted(names & {str(action.about.get("queue")) for _, action in seen.actions})
    gangs = [gang for gang in least if gang in names] or [*least][: 0 if queues else len(least)]
    given = allocated(seen)
    told = [
        f"the bound pods of queue {queue} requested {cpus_in_words(given.get(queue, NOTHING))}"
        for queue in queues
    ]
    told += [_gang(seen, gang, least[gang]) for gang in gangs[:_MOST_GANGS]]
    return "; ".join(told)


def _gang(seen: Observed, gang: str, minimum: int) -> str:
    """How many pods a gang had, and for how many of those that wait there was room at the same time."""
    members = [pod for pod in seen.pods if gang_of(pod) == gang]
    told = f"gang {gang} had {amount([_state(pod) for pod in members], 'pod')} and the minimum {minimum}"
    room = _room(seen, gang)
    return f"{told}, with room for {room} of those not bound" if room else told


def _room(seen: Observed, gang: str) -> str:
    """For how many pods of a gang that wait there was room at the same time; empty if that is not known."""
    cluster = _cluster(seen)
    waiting = [*cluster.waiting.get(gang, {}).values()]
    if not waiting or len(waiting) > _MOST_MEMBERS or not cluster.nodes:
        return ""
    return str(cluster.room(waiting)[0])


def _state(pod: Pod) -> str:
    """How far a pod of a gang has come."""
    if pod.terminating or pod.finished:
        return "terminating" if pod.terminating else pod.phase
    return "bound" if pod.node else "gated" if pod.gates else "not bound"


def _cluster(seen: Observed) -> ObservedCluster:
    """The nodes and the pods on them."""
    cluster = ObservedCluster()
    for _, action in seen.actions:
        if holders := action.about.get("holders"):
            cluster.holders = tuple((place, key, value) for place, key, value in holders)
    for kind, thing in seen.in_order(NODES, PODS):
        cluster.take(kind, thing)
    return cluster
