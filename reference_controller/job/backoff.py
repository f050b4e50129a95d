"""Replacing failed pods later and later: 10 s after the first failure, doubling up to 10 minutes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.job.objects import Pod

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST_DELAY_S = 10.0
LONGEST_DELAY_S = 600.0


@dataclass(frozen=True, slots=True)
class Backoff:
    """Failures since the last success, and when the last of them happened."""

    failures: int = 0
    last_failure: float = 0.0


def delay_s(failures: int) -> float:
    """FAIL-008, FAIL-009: 10 s doubling with each consecutive failure, at most 10 minutes."""
    if failures == 0:
        return 0.0
    return min(FIRST_DELAY_S * 2.0 ** min(failures - 1, 16), LONGEST_DELAY_S)


def remaining_s(backoff: Backoff, now: float) -> float:
    """FAIL-008: how long a replacement must still wait."""
    return max(0.0, backoff.last_failure + delay_s(backoff.failures) - now)


def after(backoff: Backoff, succeeded: Iterable[Pod], failed: Iterable[Pod]) -> Backoff:
    """FAIL-010, FAIL-011: pods failing together count each; a success resets the count of failures."""
    failures = [finish(pod) for pod in failed]
    last_success = max((finish(pod) for pod in succeeded), default=None)
    if last_success is not None:
        backoff = Backoff()
        failures = [at for at in failures if at > last_success]
    if not failures:
        return backoff
    return Backoff(backoff.failures + len(failures), max(failures))


def finish(pod: Pod) -> float:
    """When the pod ended, as far as is known."""
    return pod.created if pod.finish_time is None else pod.finish_time


def remembered(pods: Iterable[Pod], uncounted: frozenset[str]) -> Backoff:
    """FAIL-016: the failures that were counted before a restart, by the pods that are left."""
    counted = [pod for pod in pods if pod.finished and (not pod.tracked or pod.uid in uncounted)]
    return after(
        Backoff(),
        [pod for pod in counted if pod.phase == "Succeeded"],
        [pod for pod in counted if pod.phase == "Failed"],
    )
