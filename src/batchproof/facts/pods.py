"""Facts about the pods of a Job: how many there are, and how many there ever were."""

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
        len(pods) >= at_least,
        expected=f"at least {at_least} active pods",
        observed=f"{len(pods)} active pods",
    )


@fact("Job {job} has exactly {count} active pods")
def active_pods_exactly(seen: Observed, *, job: str, count: int) -> Finding:
    """Exactly so many pods of the Job are neither finished nor being deleted."""
    pods = [pod for pod in seen.pods_of(seen.job(job)) if pod.active]
    return found(len(pods) == count, expected=f"{count} active pods", observed=f"{len(pods)} active pods")


def pods_made(seen: Observed, job: str) -> dict[str, int]:
    """UID of every pod that was ever created for a Job of that name, with the record that shows it."""
    jobs = {thing.uid for _, thing in seen.versions("jobs") if thing.name == job}
    made: dict[str, int] = {}
    for number, change in seen.changes:
        owners = change.object["metadata"].get("ownerReferences") or []
        if change.resource == "pods" and any(o.get("controller") and o["uid"] in jobs for o in owners):
            made.setdefault(change.object["metadata"]["uid"], number)
    return made


@fact("{count} pods have been created for Job {job} in all")
def created_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """So many pods were created for the Job since the scenario began, whatever became of them."""
    made = pods_made(seen, job)
    return found(
        len(made) == count,
        expected=f"{count} pods created in all",
        observed=f"{len(made)} pods created",
        decisive=list(made.values())[count : count + 1],
    )


@fact("more than {count} pods have been created for Job {job} in all")
def more_created_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """More pods than that were created for the Job since the scenario began."""
    made = pods_made(seen, job)
    return found(
        len(made) > count,
        expected=f"more than {count} pods created in all",
        observed=f"{len(made)} pods created",
        decisive=list(made.values())[count : count + 1],
    )
