"""Facts about the pods of a Job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.facts import Finding, fact, found

if TYPE_CHECKING:
    from batchproof.observed import Observed


@fact("Job {job} has at least {at_least} active pods")
def active_pods(seen: Observed, *, job: str, at_least: int) -> Finding:
    """At least so many pods of the Job are neither finished nor being deleted."""
    pods = [pod for pod in seen.pods_of(seen.job(job)) if pod.active]
    return found(
        len(pods) >= at_least, expected=f"at least {at_least} active pods", observed=f"{len(pods)} active pods"
    )


@fact("Job {job} has exactly {count} active pods")
def active_pods_exactly(seen: Observed, *, job: str, count: int) -> Finding:
    """Exactly so many pods of the Job are neither finished nor being deleted."""
    pods = [pod for pod in seen.pods_of(seen.job(job)) if pod.active]
    return found(len(pods) == count, expected=f"{count} active pods", observed=f"{len(pods)} active pods")
