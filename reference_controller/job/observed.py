"""What one decision is made from, and what is counted in it."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.job import failure_policy, index_failures, indexed
from reference_controller.job.backoff import Backoff
from reference_controller.job.objects import Job, Pod


@dataclass(frozen=True, slots=True)
class Observed:
    """One Job and its pods as this process sees them, and its own writes that it does not see yet.

    Attributes:
        job: the newest version known, from the watch or from the reply to an own write.
        pods: pods that the Job controls and whose labels match.
        strayed: pods that the Job controls and whose labels do not match.
        adoptable: pods without a controller whose labels match.
        backoff: failures remembered so far; None if this process has recorded nothing for this Job.
        expectations_met: every pod created or deleted by this process has been seen so in the watch.
        unseen_creations: UIDs of pods created and not yet seen.
        unseen_deletions: UIDs of pods whose deletion was accepted and is not yet seen.
        released: UIDs of pods whose finalizer was removed and that may still be seen with it.
        moves_failed: a creation or deletion has failed in this sync: no further one before the next.
        stuck: UIDs of pods whose finalizer could not be removed in this sync.
        status_writes: how often the status has been written in this sync.
    """

    job: Job
    pods: tuple[Pod, ...] = ()
    strayed: tuple[Pod, ...] = ()
    adoptable: tuple[Pod, ...] = ()
    backoff: Backoff | None = None
    expectations_met: bool = True
    unseen_creations: frozenset[str] = frozenset()
    unseen_deletions: frozenset[str] = frozenset()
    released: frozenset[str] = frozenset()
    moves_failed: bool = False
    stuck: frozenset[str] = frozenset()
    status_writes: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The pods of a Job, sorted by what is still to be done with them.

    Attributes:
        active: seen active, with no own deletion pending.
        active_count: active ones and those created but not yet seen.
        ready: active ones that are ready.
        terminating: being deleted, as seen or by own deletion, and not terminal.
        tracked: still carrying the finalizer.
        new_succeeded: tracked, succeeded, and recorded nowhere.
        new_failed: tracked, failed, and recorded nowhere.
        ignored: tracked, and failed in a way that does not count.
        awaiting: with backoffLimitPerIndex, the failed pods that wait for the next pod of their index.
        succeeded_indexes: recorded and new ones.
        failed_indexes: recorded and new ones.
        succeeded: recorded and new successes.
        failed: recorded and new failures.
    """

    active: tuple[Pod, ...]
    active_count: int
    ready: int
    terminating: int
    tracked: tuple[Pod, ...]
    new_succeeded: tuple[Pod, ...]
    new_failed: tuple[Pod, ...]
    ignored: tuple[Pod, ...]
    awaiting: dict[int, Pod]
    succeeded_indexes: frozenset[int]
    failed_indexes: frozenset[int]
    succeeded: int
    failed: int


def failed(pod: Pod, job: Job) -> bool:
    """FAIL-018: a pod being deleted has failed at once, or with policy Failed only when it is terminal."""
    if pod.phase == "Failed":
        return True
    return pod.deleting and pod.phase != "Succeeded" and not job.replace_only_failed


def tally(observed: Observed) -> Tally:
    """Sort the pods in one pass."""
    job, status = observed.job, observed.job.status
    recorded = {*status.uncounted_succeeded, *status.uncounted_failed}
    completed = indexed.completed(job)
    decided = completed | index_failures.recorded(job)
    active: list[Pod] = []
    tracked: list[Pod] = []
    succeeded: list[Pod] = []
    failures: list[Pod] = []
    ignored: list[Pod] = []
    ready = terminating = 0
    for pod in observed.pods:
        if pod.active and pod.uid not in observed.unseen_deletions:
            active.append(pod)
            ready += pod.ready
        elif not pod.finished:
            terminating += 1
        if not pod.tracked or pod.uid in observed.released:
            continue
        tracked.append(pod)
        if pod.uid in recorded or not indexed.countable(pod, job, decided):
            continue
        if pod.phase == "Succeeded":
            succeeded.append(pod)
        elif failed(pod, job):
            (ignored if failure_policy.ignored(job, pod) else failures).append(pod)
    done = completed | indexed.indexes(succeeded)
    failed_indexes = index_failures.failed_indexes(job, failures, done)
    settled = done | failed_indexes | indexed.indexes(active)
    return Tally(
        active=tuple(active),
        active_count=len(active) + len(observed.unseen_creations),
        ready=ready,
        terminating=terminating,
        tracked=tuple(tracked),
        new_succeeded=tuple(succeeded),
        new_failed=tuple(failures),
        ignored=tuple(ignored),
        awaiting=index_failures.awaiting(job, (*failures, *ignored), settled),
        succeeded_indexes=done,
        failed_indexes=failed_indexes,
        succeeded=_successes(job, completed, succeeded),
        failed=status.failed + len(status.uncounted_failed) + len(failures),
    )


def _successes(job: Job, completed: frozenset[int], new: list[Pod]) -> int:
    """IDX-004, FIN-016: an index succeeds once, however many of its pods do."""
    if job.indexed:
        return len(completed.union(indexed.indexes(new)))
    return job.status.succeeded + len(job.status.uncounted_succeeded) + len(new)
