"""Facts about activeDeadlineSeconds: that it took effect, not before it was over, and not much later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from batchproof.ground.resources import JOBS, PODS
from batchproof.judgement.facts import Finding, because, fact, found, record_of
from batchproof.judgement.history import Json
from batchproof.judgement.objects.api_object import after, timestamp
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import stated
from batchproof.profiles.shared.facts.made import First
from batchproof.profiles.shared.objects.batch import DEADLINE_EXCEEDED, Job, status_of

if TYPE_CHECKING:
    from datetime import datetime

_WHOLE_SECOND = timedelta(seconds=1)  # startTime is written without what is behind the point
_AN_END = f"FailureTarget=True or Failed=True because of {DEADLINE_EXCEEDED}"


@fact("{job:job} fails by its deadline", within="settle")
def failed_by_deadline(seen: Observed, *, job: str) -> Finding:
    """Failed=True with the reason that the API promises."""
    it = seen.find(Job, job)
    failed = it.condition("Failed") if it else None
    holds = failed is not None and failed.get("reason") == DEADLINE_EXCEEDED
    return found(
        holds,
        expected=f"Failed=True, {DEADLINE_EXCEEDED}",
        observed=stated(f"Failed=True, {because(failed)}", {"reason": failed.get("reason")})
        if failed
        else status_of(it),
        decisive=record_of(it, tells=failed),
    )


@fact("the deadline of {job:job} <takes|does not take> effect")
def deadline_took_effect(seen: Observed, *, job: str) -> Finding:
    """The end by the deadline is decided: FailureTarget or Failed is True with reason DeadlineExceeded."""
    decided = seen.versions_of(Job, job).fold(_Decisions).first
    return found(
        decided is not None,
        expected=_AN_END,
        observed=status_of(seen.find(Job, job)),
        decisive=[decided.record] if decided else [],
    )


@fact("the deadline of {job:job} did not take effect before it was due", within="now")
def deadline_not_early(seen: Observed, *, job: str) -> Finding:
    """By the implementation's own clock, activeDeadlineSeconds lie between startTime and the decision."""
    decided = seen.versions_of(Job, job).fold(_Decisions).first
    if decided is None:
        return found(holds=False, expected=_AN_END, observed=status_of(seen.find(Job, job)))
    at = timestamp(decided.condition["lastTransitionTime"])
    return found(
        at >= decided.due,
        expected=f"an end by the deadline at {decided.due:%H:%M:%S} or later",
        observed=stated(f"an end at {at:%H:%M:%S}", {"end": at}),
        decisive=[decided.record],
    )


@fact(
    "the deadline of {job:job} took effect no more than {slack:seconds} [second|seconds] after it was due",
    within="now",
    beside=("scale",),
)
def deadline_punctual(seen: Observed, *, job: str, slack: float, scale: float) -> Finding:
    """By the harness's clock, it was acted on in time; a process that was down has the slack again.

    How long the API server takes to store it is not the implementation's doing.

    Args:
        seen: what was observed.
        job: the Job's name.
        slack: how many seconds it may be late.
        scale: the factor of all deadlines of the implementation.
    """
    decided = seen.versions_of(Job, job).fold(_Decisions).first
    if decided is None:
        return found(holds=False, expected=_AN_END, observed=status_of(seen.find(Job, job)))
    due = max([decided.due + _WHOLE_SECOND, *_readiness(seen)])
    acted = _acted(seen, job, decided)
    late_s = (seen.clock(acted) - due).total_seconds()
    return found(
        late_s <= slack * scale,
        expected=f"the end by the deadline asked for within {slack * scale:g} s after it was due",
        observed=stated(f"{late_s:.1f} s after it was due", {"late_s": round(late_s, 1)}),
        decisive=[acted],
    )


def _acted(seen: Observed, job: str, decided: _Decided) -> int:
    """The record of the first request that came of it: to delete a pod, or to report it in the status."""
    names = {pod.name for pod in seen.versions_of_pods(Job, job).fold(First).pods.values()}
    deletions = [
        write.number
        for write in seen.writes_to(PODS, "delete")
        if write.request.name in names and seen.clock(write.number) >= decided.due
    ]
    told = [
        write.number
        for write in seen.writes_to(JOBS, subresource="status")
        if write.request.name == job and write.number < decided.record
    ]
    return min([*deletions, *told[-1:], decided.record])


@dataclass(frozen=True, slots=True)
class _Decided:
    """The first version of a Job that reports its end by the deadline.

    Attributes:
        record: the number of the record that shows it.
        condition: FailureTarget or Failed, whichever came first.
        due: when activeDeadlineSeconds were over, counted from startTime.
    """

    record: int
    condition: Json
    due: datetime


class _Decisions:
    """The first version of a Job that reports its end by the deadline."""

    def __init__(self) -> None:
        self.first: _Decided | None = None
        self._over = False

    def take(self, _: str, it: Job) -> None:
        if self._over or not it.start_time or not (condition := it.ended_by_deadline):
            return
        self._over = True  # a deadline that is set later decided nothing
        if it.active_deadline_s is not None:
            due = after(it.start_time, it.active_deadline_s)
            self.first = _Decided(it.record, condition, due)


def _readiness(seen: Observed) -> list[datetime]:
    """When each process that was started in this scenario became ready."""
    started = {process.instance for _, process in seen.processes if process.what == "started"}
    return [
        seen.clock(number)
        for number, process in seen.processes
        if process.what == "ready" and process.instance in started
    ]
