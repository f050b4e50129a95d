"""What follows in a random program from the end of a pod or from a command: a restart, an end, or nothing."""

from __future__ import annotations

from dataclasses import replace

from batchproof.exploration.program import Sentence
from batchproof.exploration.troubles import KILLED
from batchproof.exploration.wording import some_pods
from batchproof.profiles.volcano_job.model.counts import (
    ABORTED,
    CODES,
    DONE,
    FAILED,
    TERMINATED,
    TaskModel,
    VolcanoCounts,
)
from batchproof.profiles.volcano_job.model.ending import ended_so
from batchproof.profiles.volcano_job.model.policies import ABORT, COMPLETE, RESTART, RESTART_TASK, TERMINATE


def followed_up(job: VolcanoCounts, kind: str, task: TaskModel) -> VolcanoCounts:
    """The state with what follows from what became of a pod of a task, which is as it is now."""
    last = "last" if job.block else ""
    if policy := job.followed(kind, task):
        by = "VOL-035" if job.block == KILLED and kind in CODES else policy.judges
        state = replace(job, unseen=last, quick=kind == "evict")
        return acted(state, policy.action, by, policy.task)
    if kind == "evict":
        dying = 1 if job.held else 0
        state = replace(job, ran=False, settled=False, dying=dying, unseen=last)
        return replace(state, by="VOL-032", owes="VOL-032")
    if outcome := job.by_pods:
        by = "VOL-017" if job.enough else "VOL-016"
        return _over(job, outcome, by, keeps="", way="")
    return job


_LEFT = {
    ABORT: ("Aborting", ABORTED, "VOL-021"),
    TERMINATE: ("Terminating", TERMINATED, "VOL-023"),
    COMPLETE: ("Completing", DONE, "VOL-023"),
}
"""By which phase, and to which, an action leads, and the requirement that says so."""


def acted(job: VolcanoCounts, action: str, by: str, task: str = "") -> VolcanoCounts:
    """The state once an action is carried out that a user, or a requirement, wants."""
    if action == RESTART_TASK:
        return _task_anew(job, job.task(task), by)
    if action in _LEFT:
        way, outcome, says = _LEFT[action]
        return _over(job, outcome, by or says, keeps=says, way=way)
    if job.retries + 1 >= job.most and action == RESTART:
        state = _over(job, FAILED, "VOL-019", keeps="VOL-020", way="Restarting")
        return replace(state, retries=job.retries + 1)
    return _anew(job, by or "VOL-019")


def _over(job: VolcanoCounts, outcome: str, by: str, *, keeps: str, way: str) -> VolcanoCounts:
    """It has ended, or is Aborted: what runs is deleted."""
    dying = job.live if job.held and job.ran else 0
    over = replace(job, outcome=outcome, by=by, keeps=keeps, way=way, dying=dying)
    return replace(over, settled=False, unseen="last" if job.block else "")


def _anew(job: VolcanoCounts, by: str) -> VolcanoCounts:
    """It is restarted, or resumed."""
    resumed = job.outcome == ABORTED
    retries, resumes = job.retries + (not resumed), job.resumes + resumed
    dying = job.live if job.held and job.ran and not job.outcome else 0
    state = replace(job, tasks=tuple(one.anew for one in job.tasks), retries=retries, resumes=resumes)
    state = replace(state, outcome="")
    came, says = ("Aborted", "VOL-022") if resumed else ("Restarting", "VOL-019")
    path = "Aborted, Restarting and Pending" if resumed else "Restarting and Pending"
    told = (
        f"the last phases of the Volcano Job are {path}"
        if resumes
        else f"the Volcano Job reports retryCount {retries}"
    )
    due = [Sentence(f"eventually {told}", by)]
    if job.admitted:
        count = state.live
        made = f"{some_pods(count)} of the Volcano Job {'was' if count == 1 else 'were'} made"
        due.append(Sentence(f"eventually {made} since it became {came}", says))
    way = "Restarting" if dying else ""
    state = replace(state, by=by, way=way, dying=dying, due=tuple(due), owes=says)
    return replace(state, ran=False, settled=False, counted=True, grouped=False)


def _task_anew(job: VolcanoCounts, task: TaskModel, by: str) -> VolcanoCounts:
    """One task is restarted, of which one pod has failed and the others run."""
    dying = task.live if job.held else 0
    state = job.with_task(task.anew)
    failed = sum(one.failed for one in state.tasks)
    kept = f"eventually the Volcano Job keeps {ended_so(failed, 'failed')}"
    state = replace(state, by=by, dying=dying, due=(Sentence(kept, by),), owes="VOL-033")
    return replace(state, ran=False, settled=False)
