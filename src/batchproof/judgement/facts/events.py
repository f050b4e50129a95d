"""Facts about the Events that tell of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.core import Pod
from batchproof.resources import PODS

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.judgement.observed import Observed


@fact('exactly one {kind:event} event {reason:word}{job:of_job} says "{message:text}"')
def event_once(seen: Observed, *, job: str, kind: str, reason: str, message: str) -> Finding:
    """The Events about the Job of that type and reason were told once in all, with this message."""
    told = _told(seen, job, kind, reason)
    messages = sorted({str(event.get("message")) for event in told})
    count = sum(event.get("count") or 1 for event in told)
    return found(
        count == 1 and messages == [message],
        expected=f"one {kind} event {reason}: {message}",
        observed=f"{count}: {'; '.join(messages)}" if told else "none",
    )


@fact("<a|no> second {kind:event} event {reason:word}{job:of_job} follows")
def event_repeated(seen: Observed, *, job: str, kind: str, reason: str) -> Finding:
    """The Events about the Job of that type and reason were told more than once in all."""
    count = sum(event.get("count") or 1 for event in _told(seen, job, kind, reason))
    return found(count > 1, expected=f"a second {kind} event {reason}", observed=f"{count} in all")


@fact("one {kind:event} event {reason:word}{job:of_job} names each pod that was {what:made}")
def pods_told(seen: Observed, *, job: str, kind: str, reason: str, what: str) -> Finding:
    """Each pod that was ``created`` or ``deleted`` is named by one Event, and no other pod is."""
    names = _created(seen, job) if what == "created" else _deleted(seen)
    expected = sorted(f"{what.capitalize()} pod: {name}" for name in names)
    told = sorted(str(event.get("message")) for event in _told(seen, job, kind, reason))
    return found(
        expected and told == expected,
        expected="; ".join(expected) or f"pods that are {what}",
        observed="; ".join(told) or "none",
    )


@fact('a {kind:event} event {reason:word}{job:of_job} says "{start:text}" and the error')
def event_starts(seen: Observed, *, job: str, kind: str, reason: str, start: str) -> Finding:
    """There is an Event of that type and reason whose message goes on after these words."""
    messages = [str(event.get("message")) for event in _told(seen, job, kind, reason)]
    holds = any(message.startswith(start) and len(message) > len(start) for message in messages)
    return found(holds, expected=f"{kind} event {reason}: {start}...", observed="; ".join(messages) or "none")


def _created(seen: Observed, job: str) -> set[str]:
    jobs = {it.uid for it in seen.jobs if it.name == job}
    pods = (thing for _, thing in seen.versions(PODS) if isinstance(thing, Pod))
    return {pod.name for pod in pods if pod.controller and pod.controller["uid"] in jobs}


def _deleted(seen: Observed) -> set[str]:
    return {write.request.name for write in seen.writes_to(PODS, "delete") if write.applied}


def _told(seen: Observed, job: str, kind: str, reason: str) -> list[Json]:
    """The Events of one type and reason whose subject is a Job of that name."""
    return [
        event
        for event in seen.events
        if (event.get("type"), event.get("reason")) == (kind, reason)
        and event["involvedObject"].get("kind") == "Job"
        and event["involvedObject"].get("name") == job
    ]
