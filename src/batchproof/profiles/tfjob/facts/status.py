"""Facts about the status of a TFJob: its conditions, its counts, its times."""

from __future__ import annotations

from batchproof.judgement.facts import Finding, fact, found, state_of
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import timestamp
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import in_words, said, stated
from batchproof.profiles.shared.facts.events import about
from batchproof.profiles.shared.facts.suspension import start_at_resume
from batchproof.profiles.shared.facts.transitions import times_of_changes
from batchproof.profiles.tfjob.facts.tfjobs import tfjob
from batchproof.profiles.tfjob.objects import TFJOBS, TFJob

_TIMES = ("startTime", "completionTime")


@fact("the TFJob is <|not >{condition:word}", within="settle", judged_by=("TFJ-026", "TFJ-034", "TFJ-035"))
def tfjob_condition(seen: Observed, *, condition: str) -> Finding:
    """Its status has this condition, and it is True."""
    job = tfjob(seen)
    observed = state_of(job, "no such TFJob")
    return found(job and job.condition(condition), observed=observed, decisive=[job.record] if job else [])


class _Conditions:
    """The first version of a TFJob in which each condition was True, by type and reason.

    Attributes:
        first: the number of the record.
        failed: the first version that is Failed.
        ended: the first completionTime that is reported.
        deleted: the first version that is being deleted, or is gone.
    """

    def __init__(self) -> None:
        self.first: dict[tuple[str, str], int] = {}
        self.failed: TFJob | None = None
        self.ended: str | None = None
        self.deleted: TFJob | None = None

    def take(self, kind: str, job: TFJob) -> None:
        for it in job.status.get("conditions") or []:
            if it["status"] == "True":
                self.first.setdefault((it["type"], it.get("reason", "")), job.record)
        if job.condition("Failed"):
            self.failed = self.failed or job
        self.ended = self.ended or job.status.get("completionTime")
        if kind == "DELETED" or job.deleting:
            self.deleted = self.deleted or job


@fact("the TFJob has been {condition:word} for the reason {reason:word}", within="settle")
def tfjob_has_been(seen: Observed, *, condition: str, reason: str) -> Finding:
    """Some version of it had this condition, True and with this reason."""
    first = seen.versions(TFJOBS).fold(_Conditions).first
    record = first.get((condition, reason))
    text = ", ".join(f"{kind} ({in_words(why or None)})" for kind, why in first) or "no condition"
    observed = stated(text, {"conditions": [kind for kind, _ in first], "reasons": [why for _, why in first]})
    return found(record is not None, observed=observed, decisive=[] if record is None else [record])


@fact("the conditions of the TFJob have never contradicted each other", within="now")
def tfjob_conditions_sound(seen: Observed) -> Finding:
    """In no version were two of Running, Restarting, Succeeded and Failed True, or two of one type."""
    wrong = seen.versions(TFJOBS).fold(_Contradictions)
    return found(wrong.versions and not wrong.why, observed=wrong.why or "sound", decisive=wrong.record)


class _Contradictions:
    """The first version of a TFJob whose conditions contradict each other."""

    def __init__(self) -> None:
        self.versions = 0
        self.why: str | None = None
        self.record: list[int] = []

    def take(self, _: str, job: TFJob) -> None:
        conditions = job.status.get("conditions") or []
        self.versions += bool(conditions)
        if not self.why and (why := contradiction(conditions)):
            self.why, self.record = why, [job.record]


def contradiction(conditions: list[Json]) -> str | None:
    """How conditions contradict each other; None: they do not."""
    true = {it["type"] for it in conditions if it["status"] == "True"}
    ended, going = true & {"Succeeded", "Failed"}, true & {"Running", "Restarting"}
    if len(ended) + len(going) > 1:
        return stated(" and ".join(sorted(ended | going)), {"conditions": sorted(ended | going)})
    names = [it["type"] for it in conditions]
    return said("two of {conditions}", conditions=names) if len(names) != len(set(names)) else None


@fact(
    "the TFJob reports {active:d} active, {succeeded:d} succeeded and {failed:d} failed "
    "replicas of type {kind:word}",
)
def tfjob_reports(seen: Observed, *, active: int, succeeded: int, failed: int, kind: str) -> Finding:
    """Its status has these counts for that type, spelled so; an unset one is 0."""
    job = tfjob(seen)
    counts = job.counts(kind) if job else {}
    wanted = {"active": active, "succeeded": succeeded, "failed": failed}
    return found(counts == wanted, observed=counts or "nothing", decisive=[job.record] if job else [])


@fact("the TFJob has a startTime and a completionTime")
def tfjob_times(seen: Observed) -> Finding:
    """Both times are set."""
    job = tfjob(seen)
    times = {key: job.status.get(key) for key in _TIMES} if job else {}
    return found(times and all(times.values()), observed=times, decisive=[job.record] if job else [])


@fact("no time in the status of the TFJob has been changed once it was set", within="now")
def tfjob_times_kept(seen: Observed) -> Finding:
    """In all versions that have a startTime it is the same, and so the completionTime."""
    first = seen.versions(TFJOBS).fold(_Times)
    return found(first.known and not first.changed, observed=[*first.changed, first.known][0])


class _Times:
    """The first value of each time of a TFJob, and which of them became another."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.changed: list[str] = []

    def take(self, _: str, job: TFJob) -> None:
        for key in _TIMES:
            value = job.status.get(key)
            if value and self.known.setdefault(key, value) != value:
                self.changed.append(f"{key}: {self.known[key]}, then {value}")


@fact("lastTransitionTime of each condition of the TFJob is the time of its last change", within="now")
def tfjob_transitions(seen: Observed) -> Finding:
    """It changed with the status of the condition, and only then."""
    return times_of_changes(tfjob(seen), seen.versions(TFJOBS))


@fact("the startTime of the TFJob is the time of its resume")
def tfjob_started_at_resume(seen: Observed) -> Finding:
    """status.startTime is not before the user resumed it, and not after it was written."""
    return start_at_resume(seen, tfjob(seen), seen.versions(TFJOBS))


@fact("the TFJob is Suspended no more", within="settle")
def tfjob_resumed(seen: Observed) -> Finding:
    """It was Suspended by its status, and is not now: the condition is False, or is not there."""
    job = tfjob(seen)
    was = any(kind == "Suspended" for kind, _ in seen.versions(TFJOBS).fold(_Conditions).first)
    holds = was and job is not None and not job.condition("Suspended")
    return found(
        holds,
        observed=state_of(job, "no such TFJob", ""),
        decisive=[job.record] if job else [],
    )


@fact("the TFJob <does not exist any more|still exists>", within="settle")
def tfjob_gone(seen: Observed) -> Finding:
    """There is no TFJob now, and there was one."""
    job = tfjob(seen)
    had = next(iter(seen.versions(TFJOBS)), None)
    return found(had and job is None, observed=state_of(job, "no TFJob", ""))


@fact("the TFJob is Failed no earlier than {least_s:d} [second|seconds] after its startTime", within="now")
def tfjob_failed_no_sooner(seen: Observed, *, least_s: int) -> Finding:
    """The first version in which it is Failed came at least this long after the startTime in it.

    That time is cut to a second, and a write takes its time: from outside it can only be later.
    """
    failed = seen.versions(TFJOBS).fold(_Conditions).failed
    return _no_sooner(seen, failed, failed.status.get("startTime") if failed else None, least_s)


@fact(
    "the TFJob was deleted no earlier than {least_s:d} [second|seconds] after its completionTime",
    within="now",
)
def tfjob_deleted_no_sooner(seen: Observed, *, least_s: int) -> Finding:
    """It was gone, or began to go, so long after the completionTime of its status."""
    told = seen.versions(TFJOBS).fold(_Conditions)
    return _no_sooner(seen, told.deleted, told.ended, least_s)


def _no_sooner(seen: Observed, it: TFJob | None, told: str | None, least_s: int) -> Finding:
    """The version was stored at least the given number of seconds after the time that it reports."""
    if it is None or not told:
        return found(holds=False, observed="not so yet" if it is None else "no time is set")
    after_s = (seen.clock(it.record) - timestamp(told)).total_seconds()
    return found(
        after_s >= least_s,
        observed=stated(f"{after_s:.1f} s after it", {"after_s": round(after_s, 1)}),
        decisive=[it.record],
    )


@fact("<a|no> {kind:event} event {reason:word} of the TFJob is recorded")
def tfjob_event(seen: Observed, *, kind: str, reason: str) -> Finding:
    """There is an Event about the TFJob of that type and reason."""
    job = tfjob(seen)
    events = about(seen, "TFJob", job.name if job else "", kind, reason)
    return found(events.count, observed=said("{events} in all", events=events.count), decisive=events.newest)


@fact("<a|no> second {kind:event} event {reason:word} of the TFJob follows")
def tfjob_event_repeated(seen: Observed, *, kind: str, reason: str) -> Finding:
    """The Events about the TFJob of that type and reason were written more than once in all."""
    job = tfjob(seen)
    count = about(seen, "TFJob", job.name if job else "", kind, reason).count
    return found(count > 1, observed=said("{events} in all", events=count))
