"""How long a finished TFJob is kept."""

from __future__ import annotations

from reference_controller.tfjob.objects import TFJob


def time_left_s(job: TFJob, now: float) -> float | None:
    """TFJ-040: after how many seconds the finished TFJob is deleted; None: never."""
    if job.ttl_s is None or job.status.completed is None:
        return None
    return job.status.completed + job.ttl_s - now
