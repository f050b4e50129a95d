"""Invariants of queues: what their status never says, and which Jobs they admit."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.objects import ApiObject
from batchproof.judgement.objects.api_object import quantity
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words, said
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.objects.volcano import PODGROUPS, QUEUES, PodGroup, Queue
from batchproof.profiles.volcano_job.objects import COMMANDS, Command, VolcanoJob

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

_STATES = {"", "Open", "Closing", "Closed", "Unknown"}
_SHUT = {"Closing", "Closed"}


@about("VOL-054", Queue)
def counts_existed(past: Past, change: ObjectChange[Queue]) -> Finding | None:
    """VOL-054: a queue begins Open, and counts no more PodGroups in a phase than ever were in it there."""
    queue, before = change.now, change.before
    if queue.state not in _STATES or (queue.state != "Open" and before and not before.state and queue.state):
        return against(
            queue,
            expected="Open at first, Closing or Closed later",
            observed=said("{state}", state=queue.state),
        )
    for phase, count in queue.groups.items():
        ever = past.seen.versions(PODGROUPS).fold(_Phases).count(queue, phase)
        if not 0 <= count <= ever:
            return against(
                queue, expected=f"0 to {ever} PodGroups {phase}", observed=said("{groups}", groups=count)
            )
    return None


@about("VOL-055", Queue)
def closed_by_commands(past: Past, change: ObjectChange[Queue]) -> Finding | None:
    """VOL-055: an Open queue is closed, and another one opened, only after a Command that says so."""
    queue, before = change.now, change.before
    was, is_ = before.state if before else "", queue.state
    if not was or was == is_ or {was, is_} <= {"Closing", "Closed"}:
        return None
    action = "OpenQueue" if is_ == "Open" else "CloseQueue"
    commands = (it for _, it in past.seen.versions(COMMANDS) if it.revision < queue.revision)
    if any(isinstance(it, Command) and (it.action, it.target) == (action, queue.name) for it in commands):
        return None
    return against(queue, expected=f"{was} without a Command {action}", observed=is_ or "no state")


class _Phases:
    """At which revisions PodGroups first had each phase in each queue."""

    def __init__(self) -> None:
        self._known: set[tuple[str, str, str]] = set()
        self._since: defaultdict[tuple[str, str], list[int]] = defaultdict(list)

    def take(self, _: str, group: ApiObject) -> None:
        """Take in a state of a PodGroup."""
        if not isinstance(group, PodGroup):
            return
        where = (_queue_of(group), group.phase.lower())
        if (group.uid, *where) not in self._known:
            self._known.add((group.uid, *where))
            self._since[where].append(group.revision)

    def count(self, queue: Queue, phase: str) -> int:
        """How many PodGroups of a queue had had a phase when the queue became as it is."""
        return bisect_left(self._since[queue.name, phase], queue.revision)


@about("VOL-077", Queue)
def not_closed_with_groups(past: Past, change: ObjectChange[Queue]) -> Finding | None:
    """VOL-077: no queue is set to Closed in which a PodGroup that goes on was seen, for a second.

    Nothing is judged once another client has written Closed.
    """
    queue, before = change.now, change.before
    if queue.state != "Closed" or before is None or before.state == "Closed":
        return None
    if any(it.get("state") == "Closed" for it in _of_others(past, queue)):
        return None
    known_s = past.seen.known_since_s(PODGROUPS, change.at_s, past.seen.time_scale)
    left = [it.name for it in past.all(PodGroup) if _goes_on(it, queue) and _since_s(past, it) <= known_s]
    if not left:
        return None
    return against(
        queue, expected="not Closed before it is empty", observed=said("Closed with {groups}", groups=left)
    )


def _goes_on(group: PodGroup, queue: Queue) -> bool:
    return _queue_of(group) == queue.name and group.phase != "Completed" and not group.deleting


def _since_s(past: Past, group: PodGroup) -> float:
    """Since when a PodGroup goes on in the queue in which it is."""
    since_s = group.at_s
    for _, it in reversed(list(past.seen.versions(PODGROUPS))):
        if it.uid != group.uid or it.revision > group.revision:
            continue
        if not isinstance(it, PodGroup) or _queue_of(it) != _queue_of(group) or it.phase == "Completed":
            break
        since_s = it.at_s
    return since_s


def _queue_of(group: PodGroup) -> str:
    return str(group.spec.get("queue") or "default")


@about("VOL-078", Queue)
def allocated_kept(past: Past, change: ObjectChange[Queue]) -> Finding | None:
    """VOL-078: what the scheduler has reported last as allocated in a queue stays reported."""
    queue, before = change.now, change.before
    told = [str(it["allocated"]) for it in _of_others(past, queue) if "allocated" in it]
    if (
        not told
        or before is None
        or before.allocated != _cpus(told[-1])
        or queue.allocated == _cpus(told[-1])
    ):
        return None
    observed = in_words({name: f"{float(it):g}" for name, it in queue.allocated.items()})
    return against(queue, expected=f"allocated cpu={told[-1]}, as the scheduler wrote", observed=observed)


def _cpus(amount: str) -> dict[str, Fraction]:
    cpus = quantity(amount)
    return {"cpu": cpus} if cpus else {}


def _of_others(past: Past, queue: Queue) -> list[Mapping[str, Any]]:
    """What other clients have written into the status of the queue before it became as it is."""
    return [
        it.about
        for number, it in past.seen.actions
        if number < queue.record and it.about.get("queue") == queue.name
    ]


@about("VOL-056", VolcanoJob)
def none_let_into_a_closed_queue(past: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-056: no Job is stored whose queue was seen not to be Open, for a second."""
    if not change.created:
        return None
    job = change.now
    queue = next((it for it in past.all(Queue) if it.name == job.queue), None)
    if queue is None or queue.state not in _SHUT:
        return None
    known_s = past.seen.known_since_s(QUEUES, change.at_s, past.seen.time_scale)
    if queue.at_s > known_s:
        return None
    return against(
        job,
        expected="no Job while its queue is not Open",
        observed=said("{job}; {state}", job=job.name, state=queue.state),
    )


@about_histories("VOL-057")
def queues_as_admitted(seen: Observed) -> Finding | None:
    """VOL-057: the queue default is never deleted, and no weight is negative, or becomes less than 1."""
    weights: dict[str, int] = {}
    for kind, queue in seen.versions(QUEUES):
        weight = int(queue.spec.get("weight") or 0)
        before = weights.get(queue.uid)
        if kind == "DELETED" and queue.name == "default":
            return against(queue, expected="the queue default", observed="deleted")
        if weight < 0 or (before not in {None, weight} and weight < 1):
            observed = f"{in_words(before)}, then {weight}"
            return against(queue, expected="a weight of at least 1", observed=observed)
        weights[queue.uid] = weight
    return None
