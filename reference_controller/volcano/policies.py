"""Which policy of a Volcano Job an event is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.volcano.events import Event
from reference_controller.volcano.objects import Job, Policy

if TYPE_CHECKING:
    from collections.abc import Iterable

ANY = "*"


def policy_for(job: Job, event: Event) -> Policy | None:
    """VOL-028: the first policy that matches; None: there is none (VOL-032).

    VOL-029: the policies of a task come before those of the Job.
    """
    of_task = (policy for task in job.tasks if task.name == event.task for policy in task.policies)
    return _first(of_task, event) or _first(job.policies, event)


def _first(policies: Iterable[Policy], event: Event) -> Policy | None:
    return next((policy for policy in policies if _matches(policy, event)), None)


def _matches(policy: Policy, event: Event) -> bool:
    """VOL-030: by the exit code where the policy names one. VOL-031: else by any of its events."""
    if policy.exit_code is not None:
        return policy.exit_code == event.exit_code
    return event.name in policy.events or ANY in policy.events
