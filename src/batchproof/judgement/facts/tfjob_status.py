"""Facts about the status of a TFJob: its conditions, its counts, its times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.facts.events import about
from batchproof.judgement.facts.suspension import resumed_since
from batchproof.judgement.facts.tfjob import tfjob
from batchproof.judgement.things.tfjob import TFJOBS, TFJob
from batchproof.judgement.things.thing import timestamp

if TYPE_CHECKING:
    from batchproof.judgement.history import Json
    from batchproof.judgement.observed import Observed

_TIMES = ("startTime", "completionTime")


@fact("the TFJob is <|not >{condition:word}", within="settle")
def tfjob_condition(seen: Observed, *, condition: str) -> Finding:
    """Its status has this condition, and it is True."""
    job = tfjob(seen)
    observed = " ".join(job.words) or "no status yet" if job else "no such TFJob"
    return found(job and job.condition(condition), observed=observed, decisive=[job.record] if job else [])


class _Conditions:
    """The first version of a TFJob in which each condition was True, by type and reason."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, str], int] = {}

    def take(self, _: str, job: TFJob) -> None:
        for it in job.status.get("conditions") or []:
            if it["status"] == "True":
                self.first.setdefault((it["type"], it.get("reason", "")), job.record)


@fact("the TFJob has been {condition:word} for the reason {reason:word}", within="settle")
def tfjob_has_been(seen: Observed, *, condition: str, reason: str) -> Finding:
    """Some version of it had this condition, True and with this reason."""
    first = seen.versions(TFJOBS).fold(_Conditions).first
    record = first.get((condition, reason))
    observed = ", ".join(f"{kind} ({why})" for kind, why in first) or "no condition"
    return found(record is not None, observed=observed, decisive=[] if record is None else [record])


@fact("the conditions of the TFJob have never contradicted each other", within="now")
def tfjob_conditions_sound(seen: Observed) -> Finding:
    """In no version were both Running and Restarting True, or one of them beside Succeeded or Failed.

    And each condition had its type as the end of its reason, as in TFJobRunning.
    """
    wrong = seen.versions(TFJOBS).fold(_Contradictions)
    return found(wrong.versions and not wrong.why, observed=wrong.why or "sound", decisive=wrong.record)


class _Contradictions:
    """The first version of a TFJob whose conditions contradict each other."""

    def __init__(self) -> None:
        self.versions = 0
        self.why = ""
        self.record: list[int] = []

    def take(self, _: str, job: TFJob) -> None:
        conditions = job.status.get("conditions") or []
        self.versions += bool(conditions)
        if conditions and not self.why and (why := _contradiction(conditions)):
            self.why, self.record = why, [job.record]


def _contradiction(conditions: list[Json]) -> str:
    true = {it["type"] for it in conditions if it["status"] == "True"}
    ended, going = true & {"Succeeded", "Failed"}, true & {"Running", "Restarting"}
    if len(ended) + len(going) > 1:
        return " and ".join(sorted(ended | going))
    names = [it["type"] for it in conditions]
    return f"two of {names}" if len(names) != len(set(names)) else ""


@fact(
    "the TFJob reports {active:d} active, {succeeded:d} succeeded and {failed:d} failed "
    "replicas of type {kind:word}",
)
def tfjob_reports(seen: Observed, *, active: int, succeeded: int, failed: int, kind: str) -> Finding:
    """Its status has these counts for that type, spelled so; an unset one is 0."""
    job = tfjob(seen)
    counts = job.counts(kind) if job else {}
    wanted = {"active": active, "succeeded": succeeded, "failed": failed}
    return found(counts == wanted, observed=str(counts or "nothing"), decisive=[job.record] if job else [])


@fact("the TFJob has a startTime and a completionTime")
def tfjob_times(seen: Observed) -> Finding:
    """Both times are set."""
    job = tfjob(seen)
    times = {key: job.status.get(key) for key in _TIMES} if job else {}
    return found(times and all(times.values()), observed=str(times), decisive=[job.record] if job else [])


@fact("no time in the status of the TFJob has been changed once it was set", within="now")
def tfjob_times_kept(seen: Observed) -> Finding:
    """In all versions that have a startTime it is the same, and so the completionTime."""
    first = seen.versions(TFJOBS).fold(_Times)
    return found(first.known and not first.changed, observed=first.changed or str(first.known))


class _Times:
    """The first value of each time of a TFJob, and which of them became another."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.changed = ""

    def take(self, _: str, job: TFJob) -> None:
        for key in _TIMES:
            value = job.status.get(key)
            if value and self.known.setdefault(key, value) != value:
                self.changed = self.changed or f"{key}: {self.known[key]}, then {value}"


@fact("the startTime of the TFJob is not before it was resumed")
def tfjob_started_at_resume(seen: Observed) -> Finding:
    """status.startTime is not before the user resumed it; it has whole seconds."""
    job, resumed = tfjob(seen), resumed_since(seen, seen.versions(TFJOBS))
    start = job.start_time if job else None
    holds = resumed is not None and start is not None and start >= resumed.replace(microsecond=0)
    return found(
        holds,
        expected=f"a startTime not before the resume at {resumed:%H:%M:%S.%f}" if resumed else "a resume",
        observed=f"startTime {start:%H:%M:%S}" if start else "no startTime",
        decisive=[job.record] if job and start else [],
    )


@fact("the TFJob is Suspended no more", within="settle")
def tfjob_resumed(seen: Observed) -> Finding:
    """It was Suspended by its status, and is not now: the condition is False, or is not there."""
    job = tfjob(seen)
    was = any(isinstance(it, TFJob) and it.condition("Suspended") for _, it in seen.versions(TFJOBS))
    holds = was and job is not None and not job.condition("Suspended")
    return found(
        holds,
        observed=" ".join(job.words) if job else "no such TFJob",
        decisive=[job.record] if job else [],
    )


@fact("the TFJob <does not exist any more|still exists>", within="settle")
def tfjob_gone(seen: Observed) -> Finding:
    """There is no TFJob now, and there was one."""
    job = tfjob(seen)
    holds = job is None and bool(seen.versions(TFJOBS))
    return found(holds, observed=" ".join(job.words) if job else "no TFJob")


@fact("the TFJob is Failed not sooner than {least_s:d} [second|seconds] after its startTime", within="now")
def tfjob_failed_no_sooner(seen: Observed, *, least_s: int) -> Finding:
    """The first version in which it is Failed came so long after the startTime in it.

    That time is cut to a second, and a write takes its time: from outside it can only be later.
    """
    versions = (it for _, it in seen.versions(TFJOBS) if isinstance(it, TFJob))
    failed = next((it for it in versions if it.condition("Failed")), None)
    return _no_sooner(seen, failed, failed.status.get("startTime") if failed else None, least_s)


@fact(
    "the TFJob was deleted not sooner than {least_s:d} [second|seconds] after its completionTime",
    within="now",
)
def tfjob_deleted_no_sooner(seen: Observed, *, least_s: int) -> Finding:
    """It was gone, or began to go, so long after the completionTime of its status."""
    deleted, told = None, None
    for kind, job in seen.versions(TFJOBS):
        if isinstance(job, TFJob):
            told = told or job.status.get("completionTime")
            deleted = deleted or (job if kind == "DELETED" or job.deleting else None)
    return _no_sooner(seen, deleted, told, least_s)


def _no_sooner(seen: Observed, it: TFJob | None, told: str | None, least_s: int) -> Finding:
    """The version came at least so many seconds after the time that is told."""
    if it is None or not told:
        return found(holds=False, observed="not so yet" if it is None else "no time is told")
    after_s = (seen.clock(it.record) - timestamp(told)).total_seconds()
    return found(after_s >= least_s, observed=f"{after_s:.1f} s after it", decisive=[it.record])


@fact("<a|no> second {kind:event} event {reason:word} of the TFJob follows")
def tfjob_event_repeated(seen: Observed, *, kind: str, reason: str) -> Finding:
    """The Events about the TFJob of that type and reason were written more than once in all."""
    job = tfjob(seen)
    count = about(seen, "TFJob", job.name if job else "", kind, reason).count
    return found(count > 1, observed=f"{count} in all")
