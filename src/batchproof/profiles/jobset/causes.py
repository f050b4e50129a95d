"""What a decisive record shows of a JobSet and its child Jobs, and what they were after a wait in vain."""

from __future__ import annotations

from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.profiles.jobset.facts.jobs import REPLICATED, labels_of
from batchproof.profiles.jobset.objects import JobSet
from batchproof.profiles.shared.causes import (
    amount,
    changed,
    conditions_in_words,
    conditions_turned,
    stood,
    was,
)
from batchproof.profiles.shared.objects.batch import Job
from batchproof.report.cause_and_effect import Shown, cause, standing
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count, joined


@cause
def turned(seen: Observed, shown: Shown) -> str:
    """The JobSet got another condition, restarts or counts, or was deleted: which child Jobs it had."""
    it = shown.thing
    if not isinstance(it, JobSet):
        return ""
    return changed(shown, f"JobSet {it.name}", conditions_turned(shown), f"it had {_jobs_of(seen, it)}")


@cause
def created(seen: Observed, shown: Shown) -> str:
    """A child Job was created that the JobSet should not get: what the JobSet was then.

    Of any other creation this would name what was right about it.
    """
    job = shown.thing
    it = _owner(seen, job) if shown.kind == "ADDED" and not shown.before else None
    if it is None or not isinstance(job, Job):
        return ""
    if it.end:
        return f"Job {job.name} was created when JobSet {it.name} was {it.end['type']} already"
    if it.spec.get("suspend") and not job.suspended:
        return f"Job {job.name} was created, and not suspended, while JobSet {it.name} was suspended"
    if early := _early(seen, it, job):
        return f"Job {job.name} was created when {early}"
    name = _replicated(job)
    there = [one for one in _children(seen, it) if _replicated(one) == name]
    replicas = it.replicas.get(name, 0)
    if job.name in it.indexes and len(there) < replicas:
        return ""
    had = amount([_state(one) for one in there], "Job", name)
    asks = f"which asks for {count(replicas, 'Job')} of it"
    return f"Job {job.name} was created when there were {had} of JobSet {it.name}, {asks}"


@cause
def resumed(seen: Observed, shown: Shown) -> str:
    """A child Job was resumed before those that it has to wait for were as far as that: how far they were."""
    job, before = shown.thing, shown.before
    it = _owner(seen, job)
    if it is None or not isinstance(job, Job) or not isinstance(before, Job) or not before.suspended:
        return ""
    early = _early(seen, it, job)
    return f"Job {job.name} was resumed when {early}" if early else ""


@cause
def deleted(seen: Observed, shown: Shown) -> str:
    """A child Job was deleted while the JobSet stayed: what both were then."""
    job, before = shown.thing, shown.before
    it = _owner(seen, job)
    goes = shown.kind == "DELETED" or job.deleting
    if it is None or it.deleting or not isinstance(before, Job) or before.deleting or not goes:
        return ""
    told = conditions_in_words(it)
    return (
        f"Job {job.name} was deleted while it was {_state(before)} and JobSet {it.name} was {told}, "
        f"with {count(it.restarts, 'restart')}"
    )


@standing
def stands(seen: Observed, unmet: UnmetClaim) -> str:
    """The conditions, the restarts and the counts of a JobSet, and its child Jobs of each ReplicatedJob."""
    return stood(
        seen, unmet, JobSet, "JobSet", lambda it: was(it, conditions_in_words(it), _jobs_of(seen, it))
    )


def _owner(seen: Observed, thing: ApiObject) -> JobSet | None:
    """The JobSet that a Job is a child of; None if it is of none."""
    return next((it for it in seen.all(JobSet) if isinstance(thing, Job) and thing.owned_by(it)), None)


def _children(seen: Observed, it: JobSet) -> list[Job]:
    return [job for job in seen.all(Job) if job.owned_by(it)]


def _early(seen: Observed, it: JobSet, job: Job) -> str:
    """How far the Jobs are that a child Job has to wait for; nothing if it is suspended or need not wait."""
    found = []
    for name, state in it.waits_for(_replicated(job)).items() if not job.suspended else ():
        there = sum(_is(one, state) for one in _children(seen, it) if _replicated(one) == name)
        if there < (wanted := it.replicas.get(name, 0)):
            found.append(
                f"{there} of {count(wanted, 'Job')} of {name} {'was' if there == 1 else 'were'} {state}"
            )
    return f"{joined(found)}, and it has to wait for {'them' if len(found) > 1 else 'that'}" if found else ""


def _is(job: Job, state: str) -> bool:
    """It is Complete, or Ready: as many of its pods as may run at once are ready or have succeeded."""
    if state == "Complete":
        return job.condition("Complete") is not None
    wanted = min(job.parallelism, job.completions or job.parallelism)
    return job.count("ready") + job.count("succeeded") >= wanted


def _replicated(job: Job) -> str:
    """The ReplicatedJob that a child Job is of."""
    return labels_of(job.metadata).get(REPLICATED) or "no ReplicatedJob"


def _state(job: Job) -> str:
    """What a child Job is, by its own status: as a JobSet counts it."""
    ended = next((kind for kind in ("Complete", "Failed") if job.condition(kind)), "")
    going = "active" if job.count("active") else "without active pods"
    return ended or ("terminating" if job.deleting else "suspended" if job.suspended else going)


def _jobs_of(seen: Observed, it: JobSet) -> str:
    """How many child Jobs of each ReplicatedJob there are, and what they are."""
    of: dict[str, list[str]] = {name: [] for name in it.replicas}
    for job in _children(seen, it):
        of.setdefault(_replicated(job), []).append(_state(job))
    return (
        joined([amount(states, "Job", name) for name, states in of.items()])
        if any(of.values())
        else "no Jobs"
    )
