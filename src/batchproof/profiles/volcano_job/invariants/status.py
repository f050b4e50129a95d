"""Invariants of Volcano Jobs: what their status never says."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, said, stated
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.expiry import deleted_too_early
from batchproof.profiles.shared.tally import MADE, STARTED
from batchproof.profiles.volcano_job.facts.jobs import FINAL, LIVE
from batchproof.profiles.volcano_job.objects import VolcanoJob

if TYPE_CHECKING:
    from datetime import datetime

_NEXT = {
    "Aborting": {"Aborted", "Restarting"},
    "Aborted": {"Restarting"},
    "Terminating": {"Terminated"},
    "Completing": {"Completed"},
    "Restarting": {"Pending", "Failed"},
}
"""What each phase in which an action is executed may be followed by."""
_CAUSES = {"Aborted": {"Aborting"}, "Terminated": {"Terminating"}}
"""The phase that comes before one that only an action leads to."""
_EVER = {
    "pending": ("Pending",),
    "running": ("Running",),
    "succeeded": ("Succeeded",),
    "failed": ("Failed",),
    "terminating": (MADE,),
}
"""The states in one of which a pod was that a number of the status counts."""


def _moved(change: ObjectChange[VolcanoJob]) -> tuple[str, str] | None:
    """The phase before and after a change, where they differ."""
    before = change.before.phase if change.before else ""
    return None if before == change.now.phase else (before, change.now.phase)


def _astray(change: ObjectChange[VolcanoJob], left: set[str], come: set[str]) -> Finding | None:
    """A phase is left for one that never follows it, or one is set that never follows the phase before."""
    if not (moved := _moved(change)):
        return None
    was, is_ = moved
    follows = _NEXT.get(was) if was in left else None
    causes = _CAUSES.get(is_) if is_ in come else None
    if (follows is None or is_ in follows) and (causes is None or was in causes):
        return None
    expected = f"{was} and then {in_words(follows)}" if follows else f"{in_words(causes)} and then {is_}"
    return against(
        change.now,
        expected=expected,
        observed=said("{before}, then {phase}", before=was or "no phase", phase=is_ or "no phase"),
    )


@about("VOL-001", VolcanoJob)
def begins_pending(past: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-001: the first phase is Pending, with version 0, a minimum that the Job had, and a condition."""
    moved, job = _moved(change), change.now
    if not moved or moved[0]:
        return None
    statuses = [it.get("status") for it in job.status.get("conditions") or []]
    minimum = job.status.get("minAvailable")
    minimums = {it.min_available for it in (*past.specs(job), job)}
    told = (job.phase, job.number("version"), statuses)
    if told == ("Pending", 0, ["Pending"]) and minimum in minimums:
        return None
    observed = f"{job.phase}, version {told[1]}, conditions {in_words(statuses)}, minAvailable {minimum}"
    expected = f"Pending, version 0, a condition Pending, minAvailable {job.min_available}"
    return against(job, expected=expected, observed=observed)


@about("VOL-014", VolcanoJob)
def runs_with_its_minimum(past: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-014: a Job is not Running before as many pods as its minimum have run or ended."""
    job = change.now
    if _moved(change) != ("Pending", "Running"):
        return None
    went = past.count(job, STARTED)
    least = min(it.min_available for it in (*past.specs(job), job))
    if went >= least:
        return None
    return against(
        job,
        expected=f"{counted(least, 'pod')} that ran or ended",
        observed=stated(f"{went}; {' '.join(job.words)}", {"ran": went, **job.values}),
    )


@about("VOL-019", VolcanoJob)
def retries_counted(_: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-019: retryCount rises by one as Restarting is set, never else, and never falls.

    Whether it rises when an aborted Job is resumed is not prescribed (VOL-022). Restarting is followed by
    Pending or Failed.
    """
    job, before = change.now, change.before
    rise = job.number("retryCount") - (before.number("retryCount") if before else 0)
    came = _moved(change) is not None and job.phase == "Restarting"
    resumed = came and before is not None and before.phase in {"Aborting", "Aborted"}
    if rise != (1 if came else 0) and not (resumed and rise == 0):
        observed = f"{rise:+d} as it is {job.phase or 'without a phase'}"
        return against(job, expected=f"retryCount {'+1' if came else 'kept'}", observed=observed)
    return _astray(change, {"Restarting"}, set())


@about("VOL-021", VolcanoJob)
def aborted_in_order(_: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-021: Aborted follows Aborting, which is left for Aborted, or for Restarting on ResumeJob."""
    return _astray(change, {"Aborting"}, {"Aborted"})


@about("VOL-022", VolcanoJob)
def resumed_by_a_restart(_: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-022: an Aborted Job is left for Restarting alone."""
    return _astray(change, {"Aborted"}, set())


@about("VOL-023", VolcanoJob)
def ended_in_order(_: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-023: Terminating is left for Terminated, which nothing else leads to; Completing for Completed."""
    return _astray(change, {"Terminating", "Completing"}, {"Terminated"})


@about("VOL-024", VolcanoJob)
def final_for_good(_: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-024: a Job that is Completed, Failed or Terminated keeps that phase."""
    moved = _moved(change)
    if not moved or moved[0] not in FINAL:
        return None
    return against(
        change.now,
        expected=f"{moved[0]} for ever",
        observed=said("{phase} after it", phase=moved[1] or "no phase"),
    )


@about("VOL-025", VolcanoJob)
def counts_existed(past: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-025: no more pods are counted, in all and of a task, than ever were in that state."""
    job = change.now
    told = [(name, job.number(name), "", states) for name, states in _EVER.items()]
    for task, it in (job.status.get("taskStatusCount") or {}).items():
        counts = (it.get("phase") or {}).items()
        told += [(f"{phase} of {task}", int(count), task, (phase,)) for phase, count in counts]
    for name, count, value, states in told:
        if not 0 <= count <= (ever := sum(past.count(job, state, value) for state in states)):
            return against(
                job, expected=f"0 to {counted(ever, 'pod')} {name}", observed=said("{pods}", pods=count)
            )
    return None


@about("VOL-026", VolcanoJob)
def version_rises_when_left(_: Past, change: ObjectChange[VolcanoJob]) -> Finding | None:
    """VOL-026: status.version never falls, and never rises while the Job stays Pending or Running."""
    job, before = change.now, change.before
    if before is None:
        return None
    rise = job.number("version") - before.number("version")
    if rise == 0 or (rise > 0 and not (before.phase in LIVE and job.phase in LIVE)):
        return None
    observed = f"{before.number('version')} to {job.number('version')}, {before.phase} to {job.phase}"
    return against(job, expected="another version only as an action takes the Job away", observed=observed)


@about_histories("VOL-048")
def expired_in_time(seen: Observed) -> Finding | None:
    """VOL-048: no Job is deleted before its time to live has passed since its end."""
    return deleted_too_early(seen, VolcanoJob, _due)


def _due(job: VolcanoJob) -> datetime | None:
    ttl, ended = job.spec.get("ttlSecondsAfterFinished"), job.state.get("lastTransitionTime")
    if ttl is None or not ended or job.phase not in FINAL:
        return None
    return timestamp(str(ended)) + timedelta(seconds=int(ttl))
