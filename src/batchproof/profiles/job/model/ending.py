"""What a Job in a random program has to come to, now and in the end.

The end is the one that the counts leave: a Job whose pods have succeeded as often as it asks for is Complete,
one of which more have failed than backoffLimit says is Failed.
"""

from __future__ import annotations

from dataclasses import replace

from batchproof.exploration.program import ModelAction, Sentence
from batchproof.exploration.rules import Said
from batchproof.exploration.troubles import UNBLOCK
from batchproof.exploration.wording import be, some_pods
from batchproof.profiles.job.model.counts import WORK_QUEUE, JobCounts

_DELETED_BY = {"background": "FIN-026", "foreground": "FIN-027"}
"""The requirement that says that a deleted Job is gone, by the propagation of the deletion."""


def settle(job: JobCounts) -> Said[JobCounts]:
    """The implementation comes to what is wanted of it."""
    if job.settled:
        return [], job
    wanted = job.wanted
    text = f"{_patiently(job)}{some_pods(wanted)} {be(wanted)} active"
    state = replace(job, settled=True, changed=False, active=wanted, owes="BAS-015")
    return [Sentence(text, job.owes)], state


def counted(job: JobCounts) -> Sentence:
    """The claim that all that ended is counted."""
    text = f"{_patiently(job)}the Job counts {job.succeeded} succeeded and {job.failed} failed pods"
    return Sentence(text, "FIN-036" if job.died else "FIN-003")


def _patiently(job: JobCounts) -> str:
    """What was disturbed needs the time of a recovery."""
    return "eventually " if job.faults or "delete" in job.done else ""


def first_claim(job: JobCounts) -> tuple[Sentence, JobCounts]:
    """What can be claimed first when the faults have ended."""
    if job.removed:
        return Sentence("the Job is gone", _DELETED_BY[job.removed]), job
    if job.doomed:
        return Sentence("0 pods are active", "FAIL-004"), job
    if job.complete:
        return Sentence(f"the Job reports {some_pods(job.succeeded, 'succeeded')}", "FIN-003"), job
    claims, state = settle(replace(job, settled=False))
    return claims[0], state


def next_to_close(job: JobCounts) -> ModelAction | None:
    """What is still to happen so that the Job comes to its end by itself."""
    if not job.kind:
        return ModelAction("create", (1, 1, 1), "Job")
    if job.block:
        return UNBLOCK
    if job.over:
        return None
    if job.suspended:
        return ModelAction("resume")
    return ModelAction("succeed", (job.reach,)) if job.reach else ModelAction("parallelism", (1,))


def conclusion(job: JobCounts) -> list[Sentence]:
    """The claims about the end."""
    said = [Sentence("for 2 seconds the Job does not finish", "BAS-057")] if job.lingering else []
    said += [Sentence("the terminating pods end")] if job.held else []
    if job.removed:
        by = _DELETED_BY[job.removed]
        gone = Sentence("eventually the Job is gone", by)
        return [*said, gone, Sentence("eventually no pod of the Job is left", by)]
    if job.doomed:
        by = "FAIL-001" if job.limit else "FAIL-002"
        said.append(Sentence("eventually the Job fails with reason BackoffLimitExceeded", by))
    else:
        said += _completed(job)
    said.append(Sentence("no finished pod of the Job has the tracking finalizer", "FIN-021"))
    if job.epilogue:
        said.append(Sentence(job.epilogue))
        said.append(Sentence("for 2 seconds the Job keeps its one terminal condition", "BAS-059"))
    return said


def _completed(job: JobCounts) -> list[Sentence]:
    by = {"Indexed": "IDX-005", WORK_QUEUE: "BAS-026"}.get(job.kind, "BAS-013")
    completes = f"eventually the Job completes with {some_pods(job.succeeded, 'succeeded')}"
    said = [Sentence(completes, by), counted(job)]
    if not (job.failed or job.faults or job.done - {"label", "limit"} or job.kind == WORK_QUEUE):
        count, have = some_pods(job.succeeded), "has" if job.succeeded == 1 else "have"
        said.append(Sentence(f"{count} {have} been created in all", "EXP-002"))
    return said
