"""What a decisive record shows of a Job and its pods, and what they were when a wait in vain was over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.ground.resources import JOBS
from batchproof.judgement.history import Change, Record, Reply, Request
from batchproof.judgement.objects.core import Pod
from batchproof.judgement.observed import Observed
from batchproof.profiles.shared.causes import changed, conditions_turned, pods_in_words, stood
from batchproof.profiles.shared.objects.batch import Job, indexes_of
from batchproof.profiles.shared.objects.pods import completion_index
from batchproof.report.cause_and_effect import Shown, cause, standing
from batchproof.report.records import UnmetClaim
from batchproof.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@cause
def released(seen: Observed, shown: Shown) -> str:
    """The finalizer of a pod was removed: when its UID was recorded."""
    pod, before = shown.thing, shown.before
    if not isinstance(pod, Pod) or before is None:
        return ""
    if seen.finalizer not in before.finalizers or seen.finalizer in pod.finalizers:
        return ""
    if not pod.finished:
        return f"The finalizer of {pod.name} was removed while it was {pod.phase}"
    recorded = next(_recorded(shown.records, pod), None)
    if recorded is None:
        told = f"The finalizer of {pod.name} was removed, and its UID is recorded nowhere in the history"
        return told + _refused(shown, pod)
    at_s, revision = recorded
    if revision < pod.revision or at_s < shown.record.at_s:
        return ""
    ahead_s = at_s - shown.record.at_s
    return f"The finalizer of {pod.name} was removed {ahead_s:.3f} s before its UID was recorded"


@cause
def created(seen: Observed, shown: Shown) -> str:
    """A pod too many was created: how many were active then, and how many there may be.

    Of any other creation this would name what was right about it.
    """
    pod = shown.thing
    if not isinstance(pod, Pod) or shown.kind != "ADDED" or shown.before:
        return ""
    job = next((one for one in seen.all(Job) if pod.owned_by(one)), None)
    if job is None:
        return ""
    active = len(seen.owned(job).active)
    if active < job.parallelism and not (job.suspended or job.finished):
        return ""
    state = " and it was suspended" if job.suspended else " and it had finished" if job.finished else ""
    are = "was" if active == 1 else "were"
    return (
        f"{pod.name} was created while {count(active, 'pod')} of Job {job.name} {are} active, its "
        f"parallelism was {job.parallelism}{state}"
    )


@cause
def turned(seen: Observed, shown: Shown) -> str:
    """The Job got another condition, or was deleted: which pods it had, and how many have to succeed.

    Why a Job is deleted that another object controls is not known here.
    """
    job = shown.thing
    if not isinstance(job, Job) or (job.controller and (job.deleting or shown.kind == "DELETED")):
        return ""
    wanted = f", with completions {job.completions}" if job.completions is not None else ""
    had = f"it had {pods_in_words(seen.owned(job).pods.values())}{wanted}"
    return changed(shown, f"Job {job.name}", conditions_turned(shown), had)


@standing
def stands(seen: Observed, unmet: UnmetClaim) -> str:
    """Which pods a Job had, how many it may and must have, and its status."""

    def state(job: Job) -> str:
        wanted = f"parallelism {job.parallelism}" + f", completions {job.completions}" * bool(job.completions)
        pods = pods_in_words(seen.owned(job).pods.values())
        status = " ".join(filter(None, job.words))
        return f"({wanted}) had {pods} and {f'the status {status}' if status else 'an empty status'}"

    return stood(seen, unmet, Job, "Job", state)


def _refused(shown: Shown, pod: Pod) -> str:
    """What became of the first write of a status that has the UID of a pod, if it had no success."""
    wanted = None
    for record in shown.records[shown.record.number :]:
        match record.entry:
            case Request(resource=resource, call=call, subresource="status", body=body) if resource == JOBS:
                if wanted is None and _has(Job({"metadata": {}, **(body or {})}), pod):
                    wanted = call
            case Reply(call=call, status=status) as reply if call == wanted and (
                not status or reply.rejected
            ):
                after_s = record.at_s - shown.record.at_s
                answer = f"was answered with {status}" if status else "had no reply"
                return f"; the write that records it {answer}, {after_s:.3f} s later"
            case _:
                pass
    return ""


def _recorded(records: Sequence[Record], pod: Pod) -> Iterator[tuple[float, int]]:
    """When the status of a Job had the UID of a pod, or its index: the time and the revision of each."""
    for record in records:
        match record.entry:
            case Change(resource=resource) as change if resource == JOBS:
                job = Job(change.object, record.number)
                if _has(job, pod):
                    yield record.at_s, job.revision
            case _:
                pass


def _has(job: Job, pod: Pod) -> bool:
    uncounted = job.uncounted
    indexes = indexes_of(str(job.status.get("completedIndexes") or ""))
    return pod.uid in {*uncounted["succeeded"], *uncounted["failed"]} or completion_index(pod) in indexes
