"""Facts about the Events that tell of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.facts import Finding, fact, found

if TYPE_CHECKING:
    from batchproof.history import Json
    from batchproof.observed import Observed


@fact('exactly one {kind} event {reason} tells of Job {job}: "{message}"')
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


def _told(seen: Observed, job: str, kind: str, reason: str) -> list[Json]:
    """The Events of one type and reason whose subject is a Job of that name."""
    return [
        event
        for event in seen.events
        if (event.get("type"), event.get("reason")) == (kind, reason)
        and event["involvedObject"].get("kind") == "Job"
        and event["involvedObject"].get("name") == job
    ]
