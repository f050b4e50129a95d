"""Invariants of TFJobs: what their status never says."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from batchproof.judgement.facts import state_of
from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import about_histories, against
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words, said, stated
from batchproof.profiles.shared.changes import ObjectChange, Past, about
from batchproof.profiles.shared.expiry import deleted_too_early
from batchproof.profiles.shared.tally import DELETING
from batchproof.profiles.tfjob.facts.status import contradiction
from batchproof.profiles.tfjob.objects import TFJob

if TYPE_CHECKING:
    from datetime import datetime

_GOING = ("Running", "Restarting", "Succeeded")


@about("TFJ-032", TFJob)
def conditions_agree(_: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-032: at most one of Running, Restarting, Succeeded and Failed is True, and no type is twice."""
    why = contradiction(change.now.status.get("conditions") or [])
    return against(change.now, expected="conditions that agree", observed=why) if why else None


@about("TFJ-054", TFJob)
def reasons_name_conditions(_: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-054: the reason of a condition that is True is TFJob and its type."""
    for it in change.now.status.get("conditions") or []:
        if it["status"] == "True" and it.get("reason") != f"TFJob{it['type']}":
            observed = f"{it['type']} for the reason {in_words(it.get('reason'))}"
            return against(change.now, expected=f"the reason TFJob{it['type']}", observed=observed)
    return None


@about("TFJ-030", TFJob)
def failed_for_good(_: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-030: Failed is never withdrawn, and nothing that goes on is True beside it."""
    job, before = change.now, change.before
    going = [kind for kind in _GOING if job.condition(kind)]
    if not before or not before.condition("Failed") or (job.condition("Failed") and not going):
        return None
    return against(job, expected="Failed, once it is set", observed=state_of(job, "", "no condition"))


@about("TFJ-037", TFJob)
def times_kept(past: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-037: no time changes once it is set, and a TFJob that has succeeded has a completionTime.

    A TFJob that was suspended at some time may get another startTime (TFJ-052).
    """
    job, before = change.now, change.before
    if job.condition("Succeeded") and not job.status.get("completionTime"):
        return against(
            job, expected="a completionTime", observed=stated(f"none; {' '.join(job.words)}", job.values)
        )
    suspended = any(it.suspended for it in (*past.specs(job), job))
    for key in ("completionTime",) if suspended else ("startTime", "completionTime"):
        had, has = (it.status.get(key) if it else None for it in (before, job))
        if had and had != has:
            return against(
                job, expected=f"{key} {had}", observed=stated(f"{key} {in_words(has)}", {key: has})
            )
    return None


@about("TFJ-031", TFJob)
def failure_timed(_: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-031: a TFJob that is Failed has a completionTime."""
    job = change.now
    if not job.condition("Failed") or job.status.get("completionTime"):
        return None
    return against(
        job, expected="a completionTime", observed=stated(f"none; {' '.join(job.words)}", job.values)
    )


@about("TFJ-036", TFJob)
def counts_existed(past: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-036: no more replicas of a type are counted than pods of it ever were in that state.

    Pods that are being deleted may be counted as failed. After the end nothing is judged.
    """
    job = change.now
    if job.condition("Succeeded") or job.condition("Failed"):
        return None
    for kind in job.status.get("replicaStatuses") or {}:
        for name, states in _STATES.items():
            ever = sum(past.count(job, state, kind.lower()) for state in states)
            if (told := job.counts(kind)[name]) > ever:
                expected = f"at most {ever} {name} replicas of type {kind}"
                return against(job, expected=expected, observed=said("{replicas}", replicas=told))
    return None


_STATES = {"active": ("Pending", "Running"), "succeeded": ("Succeeded",), "failed": ("Failed", DELETING)}
"""The states in which a pod may be counted."""


@about("TFJ-034", TFJob)
def chief_succeeded(past: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-034: with a Chief, a TFJob is not Succeeded before the pod of the Chief is."""
    job = change.now
    led = all("chief" in it.replicas for it in (*past.specs(job), job))
    if not led or not _succeeds(change) or past.count(job, "Succeeded", "chief"):
        return None
    return against(
        job,
        expected="a Chief that has succeeded",
        observed=stated(f"none; {' '.join(job.words)}", job.values),
    )


@about("TFJ-035", TFJob)
def workers_succeeded(past: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-035: without a Chief, a TFJob is not Succeeded before its Worker 0, or all Workers, are."""
    job = change.now
    workers = job.replicas.get("worker", 0)
    if not workers or {"chief", "master"} & job.replicas.keys() or not _succeeds(change):
        return None
    every = all(it.spec.get("successPolicy") == "AllWorkers" for it in (*past.specs(job), job))
    succeeded = past.count(job, "Succeeded", "worker")
    least = min(it.replicas.get("worker", 0) for it in (*past.specs(job), job)) if every else 1
    if succeeded >= least:
        return None
    return against(
        job,
        expected=f"{least} succeeded Workers",
        observed=stated(f"{succeeded}; {' '.join(job.words)}", job.values),
    )


def _succeeds(change: ObjectChange[TFJob]) -> bool:
    """The TFJob becomes Succeeded."""
    before = change.before is not None and change.before.condition("Succeeded") is not None
    return not before and change.now.condition("Succeeded") is not None


@about("TFJ-042", TFJob)
def not_running_while_suspended(_: Past, change: ObjectChange[TFJob]) -> Finding | None:
    """TFJ-042: when Suspended is set, Running is cleared and no replica is active."""
    job, before = change.now, change.before
    if not job.condition("Suspended") or (before and before.condition("Suspended")):
        return None
    active = {kind: job.counts(kind)["active"] for kind in job.status.get("replicaStatuses") or {}}
    if not job.condition("Running") and not any(active.values()):
        return None
    return against(job, expected="not Running, with 0 active replicas", observed=state_of(job, "", ""))


@about_histories("TFJ-040")
def expired_in_time(seen: Observed) -> Finding | None:
    """TFJ-040: no TFJob is deleted before its time to live has passed since its completionTime."""
    return deleted_too_early(seen, TFJob, _due)


def _due(job: TFJob) -> datetime | None:
    ttl, ended = (
        (job.spec.get("runPolicy") or {}).get("ttlSecondsAfterFinished"),
        job.status.get("completionTime"),
    )
    return None if ttl is None or not ended else timestamp(ended) + timedelta(seconds=int(ttl))
