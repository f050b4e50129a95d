"""Invariants of gang schedulers: what is never bound in a queue."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from batchproof.ground.resources import NODES, PODS, QUEUE_LABEL
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.core import Node, Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import stated
from batchproof.profiles.gang.amounts import taken
from batchproof.profiles.shared.facts.in_force import REACTION_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def _asked(seen: Observed, what: str, until: int, lenient: Callable[[int, int], int]) -> dict[str, int]:
    """A number of each queue for which it was asked for before a record.

    Args:
        seen: what was observed.
        what: which number.
        until: the record.
        lenient: which of two numbers allows more: the scheduler may still act on either for a while.
    """
    reaction_s = REACTION_S * seen.time_scale
    numbers: dict[str, int] = {}
    for record, action in seen.actions:
        queue, number = action.about.get("queue"), action.about.get(what)
        if record >= until or queue is None or number is None:
            continue
        new = seen.at_s(until) - seen.at_s(record) < reaction_s
        numbers[queue] = lenient(numbers.get(queue, int(number)), int(number)) if new else int(number)
    return numbers


class _Bound:
    """The CPUs that the bound, unfinished pods of each queue request, and the most that nodes ever had."""

    def __init__(self) -> None:
        self.total = Fraction(0)
        self.given: dict[str, Fraction] = {}
        self._pods: dict[str, tuple[str, Fraction]] = {}
        self._nodes: dict[str, Fraction] = {}

    def take(self, kind: str, thing: ApiObject) -> bool:
        """Take in a change; whether it is the binding of a pod of a queue."""
        if isinstance(thing, Node):
            self._nodes[thing.uid] = thing.allocatable.get("cpu", Fraction(0))
            if kind == "DELETED":
                del self._nodes[thing.uid]
            self.total = max(self.total, sum(self._nodes.values(), Fraction(0)))
        if not isinstance(thing, Pod):
            return False
        before = self._pods.pop(thing.uid, None)
        if before:
            self.given[before[0]] -= before[1]
        queue = thing.labels.get(QUEUE_LABEL)
        if not queue or not thing.node or thing.finished or kind == "DELETED":
            return False
        cpus = taken(thing).get("cpu", Fraction(0))
        self._pods[thing.uid] = queue, cpus
        self.given[queue] = self.given.get(queue, Fraction(0)) + cpus
        return before is None


def _bindings(seen: Observed) -> Iterator[tuple[Pod, str, _Bound]]:
    """Each binding of a pod of a queue, and what is bound with it."""
    bound = _Bound()
    for kind, thing in seen.in_order(NODES, PODS):
        if bound.take(kind, thing) and isinstance(thing, Pod):
            yield thing, thing.labels[QUEUE_LABEL], bound


@about_histories("GNG-023")
def bound_in_a_queue_that_exists(seen: Observed) -> Finding | None:
    """GNG-023: no pod of a gang is bound whose queue does not exist."""
    for pod, queue, _ in _bindings(seen):
        if queue not in _asked(seen, "weight", pod.record, max):
            return against(pod, expected=f"no binding without queue {queue}", observed=f"{pod.name} bound")
    return None


@about_histories("GNG-034")
def within_the_capability(seen: Observed) -> Finding | None:
    """GNG-034: the pods of a queue that are bound never request more than its capability."""
    for pod, queue, bound in _bindings(seen):
        most = _asked(seen, "capability", pod.record, max).get(queue)
        if most is not None and bound.given[queue] > most:
            observed = f"{float(bound.given[queue]):g} with {pod.name}"
            return against(pod, expected=f"at most {most} CPUs of queue {queue}", observed=observed)
    return None


@about_histories("GNG-089")
def guarantees_kept(seen: Observed) -> Finding | None:
    """GNG-089: the other queues are never given what is guaranteed to one."""
    for pod, queue, bound in _bindings(seen):
        guaranteed = _asked(seen, "guarantee", pod.record, min)
        if kept := _kept(guaranteed, queue):
            most = bound.total - sum(max(Fraction(it), _given(bound, name)) for name, it in kept.items())
            others = sum(_given(bound, name) for name in bound.given if name not in kept)
            if others > most:
                observed = stated(f"{float(others):g} with {pod.name}", {"cpus": others, "pod": pod.name})
                return against(pod, expected=f"at most {float(most):g} CPUs of others", observed=observed)
    return None


def _kept(guaranteed: Mapping[str, int], queue: str) -> dict[str, int]:
    """What is guaranteed to other queues than one."""
    return {name: it for name, it in guaranteed.items() if name != queue and it > 0}


def _given(bound: _Bound, queue: str) -> Fraction:
    return bound.given.get(queue, Fraction(0))
