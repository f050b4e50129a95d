"""Facts about queues: the share of each, by an independent solver, and what was given to it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from batchproof.ground.resources import PODS, QUEUE_LABEL
from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import stated
from batchproof.profiles.gang.amounts import taken

if TYPE_CHECKING:
    from collections.abc import Mapping


def deserved(
    total: Fraction, weights: Mapping[str, int], wanted: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """The weighted max-min share of each queue: none gets more than it wants, the rest is shared again.

    Found by the level of water: at level ``l`` a queue has ``min(wanted, weight * l)``. At which level each
    queue is full is known; between two of them the sum grows in proportion.
    """
    if sum(wanted.values()) <= total:
        return dict(wanted)
    level, given = Fraction(0), Fraction(0)
    for queue in sorted(weights, key=lambda name: wanted[name] / weights[name]):
        rising = sum(weight for name, weight in weights.items() if wanted[name] / weight > level)
        full_at = wanted[queue] / weights[queue]
        if given + rising * (full_at - level) >= total:
            level += (total - given) / rising
            break
        given += rising * (full_at - level)
        level = full_at
    return {name: min(wanted[name], weights[name] * level) for name in weights}


def allocated(seen: Observed) -> dict[str, Fraction]:
    """The CPUs that the running pods of each queue ask for."""
    return seen.versions(PODS).fold(_Allocated).given


class _Allocated:
    """The CPUs that the running pods of each queue ask for."""

    def __init__(self) -> None:
        self.given: dict[str, Fraction] = {}
        self._of: dict[str, tuple[str, Fraction]] = {}

    def take(self, kind: str, pod: Pod) -> None:
        if before := self._of.pop(pod.uid, None):
            self._add(before[0], -before[1])
        queue = pod.labels.get(QUEUE_LABEL)
        if queue and pod.node and not pod.finished and kind != "DELETED":
            given = self._of[pod.uid] = (queue, taken(pod).get("cpu", Fraction(0)))
            self._add(*given)

    def _add(self, queue: str, cpus: Fraction) -> None:
        self.given[queue] = self.given.get(queue, Fraction(0)) + cpus


@fact("each queue is given its share", within="settle", beside=("total", "weights", "wanted", "pod"))
def shares_given(
    seen: Observed, *, total: str, weights: Mapping[str, int], wanted: Mapping[str, str], pod: str
) -> Finding:
    """What each queue has differs by less than a pod from its share, and no room for a pod is left."""
    asked = {name: Fraction(cpus) for name, cpus in wanted.items()}
    shares = deserved(Fraction(total), weights, asked)
    given = {name: allocated(seen).get(name, Fraction(0)) for name in weights}
    idle = Fraction(total) - sum(given.values())
    fair = all(abs(given[name] - shares[name]) < Fraction(pod) for name in weights)
    return found(
        fair and (idle < Fraction(pod) or given == asked),
        expected=", ".join(f"{name} {float(share):g}" for name, share in shares.items()) + " CPUs",
        observed=stated(
            ", ".join(f"{name} {float(cpus):g}" for name, cpus in given.items()) + " CPUs", given
        ),
    )


@fact("queue {queue:word} has {cpus:digits} [CPU|CPUs]", within="settle")
def queue_has(seen: Observed, *, queue: str, cpus: str) -> Finding:
    """The running pods of the queue request the given number of CPUs together."""
    given = allocated(seen).get(queue, Fraction(0))
    return found(
        given == Fraction(cpus),
        observed=stated(f"{float(given):g} CPUs", {"cpus": given}),
    )


@fact("<a|no> pod of queue {queue:word} has been bound since room appeared", beside=("since",))
def queue_got_more(seen: Observed, *, queue: str, since: int) -> Finding:
    """A pod of the queue was bound after that record."""
    pod = seen.versions(PODS).fold(_BoundSince, queue, since).first
    return found(
        pod,
        observed=pod.name if pod else "none",
        decisive=[pod.record] if pod else [],
    )


class _BoundSince:
    """The first pod of a queue that was bound after a record."""

    def __init__(self, queue: str, since: int) -> None:
        self.first: Pod | None = None
        self._queue = queue
        self._since = since
        self._before: set[str] = set()

    def take(self, _: str, pod: Pod) -> None:
        if not pod.node or self.first:
            return
        if pod.record <= self._since:
            self._before.add(pod.uid)
        elif pod.labels.get(QUEUE_LABEL) == self._queue and pod.uid not in self._before:
            self.first = pod
