"""What is wrong with the policies of a Job or of a task."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reference_controller.volcano.objects import Policy
from reference_controller.volcano.policies import ANY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EVENTS = {ANY, "PodFailed", "PodEvicted", "Unknown", "TaskCompleted", "TaskFailed", "JobUpdated"}
ACTIONS = {"AbortJob", "RestartJob", "RestartTask", "TerminateJob", "CompleteJob", "ResumeJob"}


def wrong_policies(policies: Sequence[Policy]) -> Iterator[str]:
    """VOL-010: each policy by itself, and then all of them together."""
    for policy in policies:
        yield from _wrong(policy)
    events = Counter(event for policy in policies for event in policy.events)
    codes = Counter(policy.exit_code for policy in policies if policy.exit_code is not None)
    yield from (f"several policies for the event {event}" for event, count in events.items() if count > 1)
    yield from (f"several policies for the exit code {code}" for code, count in codes.items() if count > 1)
    if ANY in events and len(events) > 1:
        yield f"no other event beside {ANY}, which is any"


def _wrong(policy: Policy) -> Iterator[str]:
    if policy.events and policy.exit_code is not None:
        yield "a policy has either events or an exit code"
    if not policy.events and policy.exit_code is None:
        yield "a policy needs an event or an exit code"
    if policy.exit_code == 0:
        yield "0 is the exit code of success, which no policy is for"
    yield from (f"there is no event {event}" for event in sorted(policy.events - EVENTS))
    if policy.action not in ACTIONS:
        yield f"there is no action {policy.action}"
