"""The order of the rules: what is to be done next for one Job.

One stage per decision. After each one the Job is looked at again, with what the stage has written, until
nothing is left to do; so a crash between any two stages loses nothing that the next process cannot see.
"""

from __future__ import annotations

from reference_controller.decision import NOTHING, Decision
from reference_controller.job.actions import (
    Action,
    RecordEvent,
    RemoveFinalizers,
    WriteStatus,
)
from reference_controller.job.backoff import Backoff, after, remembered
from reference_controller.job.conditions import events, next_status
from reference_controller.job.counting import releasable
from reference_controller.job.ending import announced_ending, deadline_in_s, ending
from reference_controller.job.objects import INDEXED, NON_INDEXED, Job
from reference_controller.job.observed import Observed, Tally, tally
from reference_controller.job.outcome import Ending
from reference_controller.job.ownership import claim
from reference_controller.job.scale import Move, creation_delay_s, remove_rest, scale

BATCH_PERIOD_S = 1.0
"""ROB-030: changes that come within this many seconds are reconciled together."""

MOST_STATUS_WRITES = 3
"""How many in one sync: others come first, and what changes meanwhile is recorded in one write."""


def reconcile(observed: Observed, now: float) -> Decision[Action]:
    """Decide what to do next; nothing for a Job that is not ours."""
    job = observed.job
    if not ours(job):
        return NOTHING
    if job.completion_mode not in {NON_INDEXED, INDEXED}:
        return Decision((_UNKNOWN_MODE,), final=True)
    if claims := claim(observed):
        return Decision(claims)
    return next_stage(observed, now)


def next_stage(observed: Observed, now: float) -> Decision[Action]:
    """Scale, record, remove finalizers, or wait."""
    job, seen = observed.job, tally(observed)
    backoff = known_backoff(observed)
    end = ending(observed, seen, now)
    if move := next_move(observed, seen, end, backoff, now):
        return Decision((move,))
    recorded = next_status(observed, seen, end, now)
    if recorded.status != job.status:
        if observed.status_writes >= MOST_STATUS_WRITES:
            return Decision(requeue_after_s=BATCH_PERIOD_S)
        write = WriteStatus(recorded.status, after(backoff, recorded.succeeded, recorded.failed))
        return Decision((write, *events(job, recorded.status)))
    if pods := releasable(observed, seen):
        # FAIL-023: a failure that does not count is in no status, but delays what replaces it.
        released = {pod.uid for pod in pods}
        ignored = [pod for pod in seen.ignored if pod.uid in released]
        return Decision((RemoveFinalizers(pods, after(backoff, (), ignored) if ignored else None),))
    return Decision(requeue_after_s=next_look_s(observed, seen, end, backoff, now))


def ours(job: Job) -> bool:
    """BAS-060: a finished Job is left alone for ever. FAIL-057: so is one managed by another controller."""
    return not job.foreign and not job.finished


def known_backoff(observed: Observed) -> Backoff:
    """FAIL-016: the failures remembered, or else those that can still be seen."""
    if observed.backoff is not None:
        return observed.backoff
    status = observed.job.status
    return remembered(observed.pods, frozenset((*status.uncounted_succeeded, *status.uncounted_failed)))


def next_move(
    observed: Observed, seen: Tally, end: Ending | None, backoff: Backoff, now: float
) -> Move | None:
    """Create or delete pods. An end must be announced in the status before pods are deleted for it."""
    if end is None:
        failures = (*seen.new_failed, *seen.ignored)
        return scale(observed, seen, after(backoff, seen.new_succeeded, failures), now)
    return remove_rest(observed, seen) if announced_ending(observed.job) else None


def next_look_s(
    observed: Observed, seen: Tally, end: Ending | None, backoff: Backoff, now: float
) -> float | None:
    """BAS-040, FAIL-008: seconds until time alone changes the decision."""
    if end is not None:
        return None
    delays = (deadline_in_s(observed.job, now), creation_delay_s(observed, seen, backoff, now))
    return min((delay for delay in delays if delay is not None), default=None)


_UNKNOWN_MODE = RecordEvent(
    "Warning", "UnknownCompletionMode", "Skipped Job sync because completion mode is unknown"
)
