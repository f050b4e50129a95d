"""Facts about the pods of a Job: how many there are, and how many there ever were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.things.batch import Job
from batchproof.judgement.things.core import Pod
from batchproof.resources import JOBS, PODS

if TYPE_CHECKING:
    from batchproof.judgement.observed import Observed


@fact("{job:job} has at least {at_least:d} active [pod|pods]")
def active_pods(seen: Observed, *, job: str, at_least: int) -> Finding:
    """At least so many pods of the Job are neither finished nor being deleted."""
    pods = [pod for pod in seen.pods_of(seen.job(job)) if pod.active]
    return found(
        len(pods) >= at_least,
        expected=f"at least {at_least} active pods",
        observed=f"{len(pods)} active pods",
    )


@fact("{count:d} [pod|pods]{job:of_job} [is|are] active")
def active_pods_exactly(seen: Observed, *, job: str, count: int) -> Finding:
    """Exactly so many pods of the Job are neither finished nor being deleted."""
    pods = [pod for pod in seen.pods_of(seen.job(job)) if pod.active]
    return found(len(pods) == count, expected=f"{count} active pods", observed=f"{len(pods)} active pods")


@fact("{job:job} has counted and released {succeeded:d} succeeded [pod|pods]")
def counted_and_released(seen: Observed, *, job: str, succeeded: int) -> Finding:
    """status.succeeded has this value, and no finished pod that is there carries the tracking finalizer."""
    it = seen.job(job)
    held = [pod for pod in seen.pods_of(it) if pod.finished and pod.tracked]
    return found(
        it is not None and it.count("succeeded") == succeeded and not held,
        expected=f"succeeded={succeeded} and no finalizer on finished pods",
        observed=f"{it.summary if it else 'no such Job'}; with finalizer: {[pod.name for pod in held]}",
        decisive=[pod.record for pod in held],
    )


@fact("<a|no> pod changes its controller")
def controller_changed(seen: Observed) -> Finding:
    """Two versions of a pod have different controllers; having none at first is no change."""
    first: dict[str, str] = {}
    for _, thing in seen.versions(PODS):
        owner = thing.controller if isinstance(thing, Pod) else None
        uid = str(owner["uid"]) if owner else first.get(thing.uid, "")
        if uid != first.setdefault(thing.uid, uid) and first[thing.uid]:
            return found(
                holds=True, expected="a change of controller", observed=thing.name, decisive=[thing.record]
            )
        first[thing.uid] = uid
    return found(holds=False, expected="a change of controller", observed="none")


@fact("<a|no> pod is created above what {job:job} allows")
def surplus_created(seen: Observed, *, job: str) -> Finding:
    """By the order of revisions, a pod was created while no more were wanted.

    Wanted are as many active pods as the smaller of parallelism and completions - status.succeeded, by the
    spec and status that were stored when the pod was created.
    """
    it: Job | None = None
    pods: dict[str, Pod] = {}
    for change, thing in seen.in_order(JOBS, PODS):
        match thing:
            case Job(name=name) if name == job:
                it = thing
            case Pod() if change.type == "DELETED":
                pods.pop(thing.uid, None)
            case Pod() if it and thing.owned_by(it):
                pods[thing.uid] = thing
                active = sum(pod.active for pod in pods.values())
                if change.type == "ADDED" and active > (allowed := _allowed(it)):
                    return found(
                        holds=True,
                        expected=f"a pod created above {allowed} active ones",
                        observed=f"{active} active with {thing.name}",
                        decisive=[thing.record],
                    )
            case _:
                pass
    return found(holds=False, expected="a pod created above what the Job allows", observed="none")


def _allowed(job: Job) -> int:
    if job.completions is None:
        return job.parallelism
    return max(0, min(job.parallelism, job.completions - job.count("succeeded")))


def pods_made(seen: Observed, job: str) -> dict[str, int]:
    """UID of every pod that was ever created for a Job of that name, with the record that shows it."""
    jobs = {thing.uid for _, thing in seen.versions(JOBS) if thing.name == job}
    made: dict[str, int] = {}
    for number, change in seen.changes:
        owners = change.object["metadata"].get("ownerReferences") or []
        if change.resource == PODS and any(o.get("controller") and o["uid"] in jobs for o in owners):
            made.setdefault(change.object["metadata"]["uid"], number)
    return made


@fact("{count:d} [pod|pods]{job:of_job} [has|have] been created in all")
def created_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """So many pods were created for the Job since the scenario began, whatever became of them."""
    made = pods_made(seen, job)
    return found(
        len(made) == count,
        expected=f"{count} pods created in all",
        observed=f"{len(made)} pods created",
        decisive=list(made.values())[count : count + 1],
    )


@fact("<|no >more than {count:d} [pod|pods]{job:of_job} [is|are] created in all")
def more_created_pods(seen: Observed, *, job: str, count: int) -> Finding:
    """More pods than that were created for the Job since the scenario began."""
    made = pods_made(seen, job)
    return found(
        len(made) > count,
        expected=f"more than {count} pods created in all",
        observed=f"{len(made)} pods created",
        decisive=list(made.values())[count : count + 1],
    )
