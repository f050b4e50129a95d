"""When a TFJob has had its chance: it ran too long, or was restarted too often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.tfjob.objects import ReplicaPod, TFJob

if TYPE_CHECKING:
    from collections.abc import Sequence


def exceeded(job: TFJob, pods: Sequence[ReplicaPod], restarts: int, now: float) -> bool:
    """Whether the TFJob fails, whatever else its pods do; `restarts` is how many of them were replaced."""
    left_s = wake_after_s(job, now)
    return _restarted_too_often(job, pods, restarts) or (left_s is not None and left_s <= 0)


def wake_after_s(job: TFJob, now: float) -> float | None:
    """TFJ-029: when the deadline is due, though nothing happens until then; None without a deadline."""
    if job.active_deadline_s is None or job.status.started is None:
        return None
    return job.status.started + job.active_deadline_s - now


def _restarted_too_often(job: TFJob, pods: Sequence[ReplicaPod], restarts: int) -> bool:
    """TFJ-027, TFJ-028, TFJ-076: containers that were started again and pods that were replaced count."""
    if job.backoff_limit is None:
        return False
    restartable = {spec.kind for spec in job.specs if spec.restarts}
    counted = (pod for pod in pods if pod.type in restartable and pod.phase in {"Pending", "Running"})
    in_place = sum(container.restarts for pod in counted for container in pod.containers)
    return in_place + restarts > job.backoff_limit
