"""How long a finished JobSet is kept."""

from __future__ import annotations

from reference_controller.jobset.objects import JobSet


def time_left_s(jobset: JobSet, now: float) -> float | None:
    """JST-034: after how many seconds the finished JobSet is deleted; None: never, or not finished.

    The time counts from the transition of the condition that says that it is finished.
    """
    end = jobset.status.end
    if jobset.ttl_s is None or end is None or jobset.deleting:
        return None
    return end.since + jobset.ttl_s - now
