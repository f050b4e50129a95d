"""backoffLimitPerIndex: each index of an Indexed Job fails by itself, and the others go on (KEP-3850).

How often an index has failed stands in its pods alone: each new pod carries the count in annotations. So the
last failed pod of an index is kept until the next one exists, or until it is decided that there is no next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.job import indexed
from reference_controller.job.backoff import Backoff, finish, remaining_s
from reference_controller.job.failure_policy import fails_index, ignored
from reference_controller.job.objects import FAILURE_TARGET, SUCCESS_CRITERIA_MET, Job, Pod
from reference_controller.job.outcome import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

TOO_MANY_FAILED = Ending(
    FAILURE_TARGET,
    "MaxFailedIndexesExceeded",
    "Job has exceeded the specified maximal number of failed indexes",
)
SOME_FAILED = Ending(FAILURE_TARGET, "FailedIndexes", "Job has failed indexes")


@dataclass(frozen=True, slots=True)
class Failures:
    """How often an index has failed: so that it counts, and so that a rule says to ignore it."""

    counted: int = 0
    ignored: int = 0

    @property
    def all(self) -> int:
        """How many failures in a row there were: a success would have ended the index."""
        return self.counted + self.ignored


def failures(pod: Pod, job: Job) -> Failures:
    """FAIL-036: the failures of the pod's index with that of the pod itself."""
    if ignored(job, pod):
        return Failures(pod.index_failures, pod.index_ignored_failures + 1)
    return Failures(pod.index_failures + 1, pod.index_ignored_failures)


def failed_for_good(pod: Pod, job: Job) -> bool:
    """FAIL-035: one failure more than backoffLimitPerIndex. FAIL-025: or a rule that says so."""
    if job.backoff_limit_per_index is None or ignored(job, pod):
        return False
    return fails_index(job, pod) or failures(pod, job).counted > job.backoff_limit_per_index


def failed_indexes(job: Job, failed: Iterable[Pod], succeeded: AbstractSet[int]) -> frozenset[int]:
    """FAIL-035: those recorded as failed, and those that fail by these pods.

    FAIL-042: an index that has succeeded does not fail any more.
    """
    if job.backoff_limit_per_index is None:
        return indexed.NONE
    new = indexed.indexes(pod for pod in failed if failed_for_good(pod, job))
    return recorded(job) | (new - succeeded)


def recorded(job: Job) -> frozenset[int]:
    """The indexes that the status lists as failed, without those beyond completions."""
    return indexed.listed(job.status.failed_indexes or "", job)


def awaiting(job: Job, failed: Iterable[Pod], settled: AbstractSet[int]) -> dict[int, Pod]:
    """FAIL-037: the last failed pod of each index that is neither decided nor has an active pod.

    It keeps its finalizer and is not counted yet: its annotations are all that is known of its index. When
    the Job ends or is being deleted, there is nothing more to be known.
    """
    last: dict[int, Pod] = {}
    if job.backoff_limit_per_index is None or job.deleting or ends(job):
        return last
    for pod in failed:
        index = pod.completion_index
        if index is None or index in settled:
            continue
        if index not in last or _place(last[index], job) < _place(pod, job):
            last[index] = pod
    return last


def ends(job: Job) -> bool:
    """Whether it is stored how the Job ends."""
    return job.status.has(FAILURE_TARGET) or job.status.has(SUCCESS_CRITERIA_MET)


def _place(pod: Pod, job: Job) -> tuple[int, float]:
    return failures(pod, job).all, finish(pod)


def next_failures(job: Job, indexes: Iterable[int], last: Mapping[int, Pod]) -> tuple[Failures, ...]:
    """FAIL-036: what the next pods of these indexes are to carry; nothing without backoffLimitPerIndex."""
    if job.backoff_limit_per_index is None:
        return ()
    return tuple(failures(last[index], job) if index in last else Failures() for index in indexes)


def delays_s(job: Job, last: Mapping[int, Pod], now: float) -> dict[int, float]:
    """FAIL-038: how long each index must still wait for its next pod, by its own failures alone."""
    waits = {
        index: remaining_s(Backoff(failures(pod, job).all, finish(pod)), now) for index, pod in last.items()
    }
    return {index: delay for index, delay in waits.items() if delay > 0}


def failed_by_indexes(job: Job, failed: int, succeeded: int) -> Ending | None:
    """FAIL-040: more indexes have failed than may. FAIL-039: each index is decided, and some have failed."""
    if job.max_failed_indexes is not None and failed > job.max_failed_indexes:
        return TOO_MANY_FAILED
    return SOME_FAILED if failed and failed + succeeded >= (job.completions or 0) else None
