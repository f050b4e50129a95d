"""How the Jobs of a scenario end: what is stored once everything is at rest, as far as the API determines it.

Two plays of one scenario, one with faults that a correct API server, network and node may have and one
without, come to the same end. What is compared is only what the API determines whatever happens on the way:

- whether a Job is there, and is complete, failed (and why), suspended or under way;
- ``succeeded``, ``failed`` and the indexes, but not where the controller itself ends pods that still run: how
  many there were at that moment is chance;
- how many pods are active under way, but not of a work queue that has begun to end;
- that no finished pod is held by the tracking finalizer, and nothing waits to be counted.

Not compared are names, times, messages, events, how many pods there were in between, how many writes it took,
``ready`` and which of several equal pods or indexes a step took for its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.ends import End, Ends, register
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted
from batchproof.profiles.shared.objects.batch import Job

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TARGETS = ("FailureTarget", "SuccessCriteriaMet")
_EVERYTHING = "jobs"


def unrest(seen: Observed) -> str:
    """What still has to happen before the Jobs are at rest; empty if nothing has."""
    for job in seen.all(Job):
        if why := _unrest(seen, job):
            return f"Job {job.name} {why}"
    uids = {job.uid for job in seen.all(Job)}
    held = [pod for pod in seen.pods if pod.tracked and pod.controller and pod.controller["uid"] not in uids]
    return f"pod {held[0].name} is held, and its Job is gone" if held else ""


def lacks_pods(seen: Observed) -> bool:
    """Some Job has fewer active pods than it wants."""
    goes_on = (it for it in seen.all(Job) if not (it.finished or it.suspended or it.deleting))
    wanted = ((_wanted(it), len(seen.owned(it).active)) for it in goes_on)
    return any(want is not None and have < want for want, have in wanted)


def _unrest(seen: Observed, job: Job) -> str:
    owned = seen.owned(job)
    active = len(owned.active)
    terminating = sum(pod.terminating for pod in owned.pods.values())
    if job.deleting:
        return "is being deleted"
    if _left_alone(seen, job):
        return ""
    reported = counted(job.count("active"), "active pod")
    pending = {
        f"has {counted(len(owned.held), 'finished pod')} with the tracking finalizer": owned.held,
        "has pods that are not counted yet": any(job.uncounted.values()),
        f"has {counted(terminating, 'terminating pod')}": terminating,
        f"reports {reported} and has {active}": job.count("active") != active,
        "has still to release or to adopt a pod": not job.finished and _misplaced(seen, job),
    }
    return next((why for why, so in pending.items() if so), "") or _unfinished(job, active)


def _misplaced(seen: Observed, job: Job) -> bool:
    """It controls a pod that its selector does not match, or one that this matches has no controller."""
    wanted = job.wanted_labels.items()
    strays = [pod for pod in seen.owned(job).pods.values() if not wanted <= pod.labels.items()]
    free = [pod for pod in seen.pods if not pod.controller and not pod.deleting and _near(pod, job)]
    return bool(strays) or any(wanted and wanted <= pod.labels.items() for pod in free)


def _near(pod: Pod, job: Job) -> bool:
    return bool(pod.metadata.get("namespace") == job.metadata.get("namespace"))


def _unfinished(job: Job, active: int) -> str:
    """What a Job still has to do, given its number of active pods, if all its pods are counted."""
    wanted = 0 if job.finished or job.suspended else _wanted(job)
    met = [kind for kind in _TARGETS if job.condition(kind)]
    if met and not job.finished:
        return f"has {met[0]} and is not finished"
    if job.suspended and not job.finished and not job.condition("Suspended"):
        return "is not suspended yet"
    if wanted is None:
        return "" if active else "has no pods left and is not finished"
    if active != wanted:
        return f"has {counted(active, 'active pod')}, not {wanted}"
    idle = not wanted and job.parallelism and not job.finished and not job.suspended
    return "has nothing more to do and is not finished" if idle else ""


def _left_alone(seen: Observed, job: Job) -> bool:
    """Another controller manages it, and no client has changed it."""
    return job.manager != seen.manager and not job.status


def _wanted(job: Job) -> int | None:
    """How many pods are active at rest; None: all that have not ended, for the work queue is running dry."""
    if job.completions is None:
        return None if job.count("succeeded") else job.parallelism
    if not job.indexed:
        return max(0, min(job.parallelism, job.completions - job.count("succeeded")))
    done = job.completed_indexes | (job.failed_indexes or frozenset())
    return min(job.parallelism, job.completions - sum(index < job.completions for index in done))


def ending(seen: Observed) -> End:
    """How all Jobs stand now."""
    end = {_EVERYTHING: ", ".join(sorted(job.name for job in seen.all(Job))) or "none"}
    for job in seen.all(Job):
        end |= {f"job/{job.name}: {what}": how for what, how in _of(seen, job)}
    return end


def _of(seen: Observed, job: Job) -> Iterator[tuple[str, str]]:
    complete, failed = job.condition("Complete"), job.condition("Failed")
    if _left_alone(seen, job):
        yield "state", "left alone"
        return
    if complete:
        yield "state", "Complete"
    elif failed:
        yield "state", f"Failed, {failed.get('reason')}"
    else:
        yield "state", "suspended" if job.suspended else "under way"
        if _wanted(job) is not None:
            yield "active", str(job.count("active"))
    yield "succeeded", str(job.count("succeeded"))
    yield "failed", str(job.count("failed"))
    if job.indexed:
        yield "completed indexes", str(len(job.completed_indexes))
        yield "failed indexes", str(len(job.failed_indexes or ()))
    held, waiting = len(seen.owned(job).held), sum(map(len, job.uncounted.values()))
    yield "held or uncounted pods", str(max(held, waiting))


def determined(seen: Observed) -> End:
    """How all Jobs stand now, without what may be otherwise at the end of another play.

    Where a Job ends while pods of it run, the controller deletes them: how many there were, and how they
    ended, is chance.
    """
    end = ending(seen)
    for job in seen.all(Job):
        if job.finished and _cut_short(seen, job):
            for what in ("succeeded", "failed", "completed indexes", "failed indexes"):
                end.pop(f"job/{job.name}: {what}", None)
    return end


def _cut_short(seen: Observed, job: Job) -> bool:
    """Pods of the Job were deleted, or it may end before all that it wants has ended."""
    early = job.condition("Failed") is not None or "successPolicy" in job.spec
    deleted = any(
        pod.deleting and pod.owned_by(job) for _, pod in seen.versions(PODS) if isinstance(pod, Pod)
    )
    return deleted or (early and job.parallelism > 1)


def undetermined(seen: Observed) -> str:
    """Why the API does not determine how the Jobs of this history end; empty if it does."""
    for kind, job in seen.versions(JOBS):
        if not isinstance(job, Job) or kind == "DELETED":
            continue
        if job.active_deadline_s is not None or job.ttl_s is not None:
            return f"time decides how Job {job.name} ends"
    found = (_open(job, _phases(seen, job)) for job in seen.all(Job))
    return next(filter(None, found), "")


def _open(job: Job, phases: Mapping[str, int]) -> str:
    """Why a Job with these numbers of succeeded and failed pods could have ended in another way as well."""
    failed, complete = job.condition("Failed"), job.condition("Complete")
    too_many = phases["Failed"] > job.spec.get("backoffLimit", 6)
    enough = job.completions is not None and phases["Succeeded"] >= job.completions
    by_rule = "successPolicy" in job.spec and phases["Succeeded"]
    if failed and (enough or by_rule):
        return f"Job {job.name} has enough successes and fails: it depends on what is seen first"
    if failed and too_many and failed.get("reason") != "BackoffLimitExceeded":
        return f"Job {job.name} fails for one of several reasons: it depends on what is seen first"
    if complete and (too_many or ("podFailurePolicy" in job.spec and by_rule and phases["Failed"])):
        return f"Job {job.name} has too many failures and completes: it depends on what is seen first"
    return ""


def _phases(seen: Observed, job: Job) -> dict[str, int]:
    last = {
        pod.uid: pod.phase for _, pod in seen.versions(PODS) if isinstance(pod, Pod) and pod.owned_by(job)
    }
    return {phase: list(last.values()).count(phase) for phase in ("Succeeded", "Failed")}


register(
    Ends(
        lambda seen: seen.all(Job),
        unrest,
        lacks_pods,
        ending,
        determined,
        undetermined,
        due=frozenset(
            {
                "active_among",
                "active_pods",
                "active_pods_exactly",
                "job_complete",
                "job_counts",
                "job_failed",
                "job_finished",
                "job_reports",
                "job_started",
                "job_suspended",
            }
        ),
    )
)
