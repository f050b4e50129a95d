"""What follows from failed child Jobs: the JobSet fails, or all of them are replaced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reference_controller.jobset.actions import RecordEvent
from reference_controller.jobset.conditions import fail
from reference_controller.jobset.objects import ChildJob, FailureRule, JobSet, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_DEFAULT = FailureRule("RestartJobSet")
"""What is done about a failed Job that no rule is about."""

_IGNORES_LIMIT = "RestartJobSetAndIgnoreMaxRestarts"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is done, because of which Job."""

    action: str
    because: ChildJob


def after_failure(
    jobset: JobSet, jobs: Sequence[ChildJob], now: float
) -> tuple[Status, tuple[RecordEvent, ...]]:
    """The status after child Jobs have failed, and events beside those of its conditions.

    JST-023: however many have failed, it is one restart.

    Args:
        jobset: whose failure policy it is.
        jobs: the failed child Jobs of the current attempt, at least one.
        now: in seconds since the epoch.
    """
    policy, status = jobset.failure_policy, jobset.status
    if policy is None:
        message = _naming("jobset failed due to one or more job failures", _first(jobs))
        return fail(status, "FailedJobs", message, now), ()  # JST-019
    verdict = _verdict(policy.rules, jobs)
    applying = _naming(f"applying {verdict.action} failure policy action", verdict.because)
    reason = f"{verdict.action}FailurePolicyAction"
    if verdict.action == "FailJobSet":
        return fail(status, reason, applying, now), ()  # JST-024
    if verdict.action != _IGNORES_LIMIT and status.counted_restarts >= policy.max_restarts:
        message = _naming("jobset failed due to reaching max number of restarts", verdict.because)
        return fail(status, "ReachedMaxRestarts", message, now), ()  # JST-021
    counts = verdict.action != _IGNORES_LIMIT  # JST-022
    restarted = replace(
        status, restarts=status.restarts + 1, counted_restarts=status.counted_restarts + counts
    )
    return restarted, (RecordEvent("Warning", reason, applying),)


def _verdict(rules: Iterable[FailureRule], jobs: Sequence[ChildJob]) -> Verdict:
    """JST-025: that of the first rule that is about a failed Job; of several such Jobs, of the first."""
    for rule in rules:
        if matching := [job for job in jobs if _is_about(rule, job)]:
            return Verdict(rule.action, _first(matching))
    return Verdict(_DEFAULT.action, _first(jobs))


def _is_about(rule: FailureRule, job: ChildJob) -> bool:
    failure = job.failure
    if failure is None or (rule.reasons and failure.reason not in rule.reasons):
        return False
    return not rule.targets or job.replicated_job in rule.targets


def _first(jobs: Sequence[ChildJob]) -> ChildJob:
    return min(jobs, key=lambda job: (job.failure.at if job.failure else 0.0, job.name))


def _naming(message: str, job: ChildJob) -> str:
    return f"{message} (first failed job: {job.name})"
