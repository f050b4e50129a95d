"""Facts about the status of a Job, as it is now and as it has been."""

from __future__ import annotations

import re

from batchproof.judgement.facts import Finding, fact, found
from batchproof.judgement.observed import Observed
from batchproof.judgement.values import counted, in_words, named, stated
from batchproof.profiles.shared.objects.batch import Job, status_of


def _deciding(job: Job | None) -> list[int]:
    return [job.record] if job else []


@fact(
    "{job:job} completes with {succeeded:d} succeeded [pod|pods]",
    within="settle",
    judged_by=("BAS-013", "BAS-018"),
)
def job_complete(seen: Observed, *, job: str, succeeded: int) -> Finding:
    """The Job has Complete=True and counts exactly the given number of succeeded pods."""
    it = seen.find(Job, job)
    holds = it is not None and it.condition("Complete") is not None and it.count("succeeded") == succeeded
    return found(
        holds,
        observed=status_of(it),
        decisive=_deciding(it) if it and it.finished else [],
    )


@fact("{job:job} fails with reason {reason:word}", within="settle", judged_by=("FAIL-002", "BAS-039"))
def job_failed(seen: Observed, *, job: str, reason: str) -> Finding:
    """The Job has Failed=True for this reason."""
    it = seen.find(Job, job)
    failed = it.condition("Failed") if it else None
    holds = failed is not None and failed.get("reason") == reason
    because = f" because of {in_words(failed.get('reason'))}" if failed else ""
    status = status_of(it, because)
    return found(
        holds,
        observed=stated(status, {**named(status), "reason": failed.get("reason") if failed else None}),
        decisive=_deciding(it) if it and it.finished else [],
    )


@fact("{job:job} <finishes|does not finish>", within="settle", judged_by=("BAS-013", "BAS-018", "BAS-059"))
def job_finished(seen: Observed, *, job: str) -> Finding:
    """The Job has Complete=True or Failed=True."""
    it = seen.find(Job, job)
    holds = it is not None and it.finished
    return found(
        holds,
        observed=status_of(it),
        decisive=_deciding(it) if holds else [],
    )


@fact("{job:job} is gone", within="settle")
def job_gone(seen: Observed, *, job: str) -> Finding:
    """There is no Job of that name now."""
    it = seen.find(Job, job)
    return found(it is None, observed=status_of(it))


@fact("{job:job} reports <|no >more active pods than there are")
def active_overstated(seen: Observed, *, job: str) -> Finding:
    """status.active is more than the number of the Job's active pods."""
    it = seen.find(Job, job)
    there = len(seen.owned(it).active)
    return found(
        it is not None and it.count("active") > there,
        observed=stated(
            f"{counted(it.count('active') if it else 0, 'active pod')} reported, {there} there",
            {"reported": it.count("active") if it else 0, "there": there},
        ),
        decisive=_deciding(it),
    )


@fact("{job:job} reports at least {count:d} {outcome:outcome} [pod|pods]")
def job_reports_at_least(seen: Observed, *, job: str, outcome: str, count: int) -> Finding:
    """What was counted as ``succeeded`` or ``failed`` is in the counter; more may have come to it."""
    it = seen.find(Job, job)
    return found(
        it is not None and it.count(outcome) >= count,
        expected=f"at least {counted(count, f'{outcome} pod')} counted",
        observed=status_of(it),
        decisive=_deciding(it),
    )


@fact("{job:job} reports {counts:counts} [pod|pods]", judged_by=("BAS-050",))
def job_reports(seen: Observed, *, job: str, counts: str) -> Finding:
    """Counters of the status have these values; an unset one is 0.

    Args:
        seen: what was observed.
        job: the Job's name.
        counts: what is reported, as it is said: ``2 active, 1 terminating and 0 failed``.
    """
    wanted = {counter: int(count) for count, counter in re.findall(r"(\d+) ([a-z]+)", counts)}
    it = seen.find(Job, job)
    reported = {counter: it.count(counter) if it else None for counter in wanted}
    short = {counter for counter, count in reported.items() if count is not None and count < wanted[counter]}
    wrong = {counter for counter, count in reported.items() if count != wanted[counter]}
    return found(
        reported == wanted,
        observed=stated(f"{in_words(reported)} ({it.summary})", {**it.values, **reported})
        if it
        else "no such Job",
        decisive=_deciding(it),
        awaits_pods=wrong == short == {"active"},
    )
