"""What a Volcano Job in a random program has to come to, now and in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from batchproof.exploration.program import Sentence
from batchproof.exploration.rules import Said
from batchproof.exploration.wording import be, some_pods
from batchproof.profiles.volcano_job import sentences
from batchproof.profiles.volcano_job.model.counts import ABORTED, GONE, VolcanoCounts

if TYPE_CHECKING:
    from collections.abc import Callable


def waiting(
    *, run: bool = False, run_if_held: bool = False, count: bool = False
) -> Callable[[VolcanoCounts], Said[VolcanoCounts]]:
    """What is waited for before an action: first that there is what has to be.

    Args:
        run: then that its pods run.
        run_if_held: the same, where deleted pods stay terminating.
        count: then that what has ended is counted.
    """

    def wait(job: VolcanoCounts) -> Said[VolcanoCounts]:
        said, state = settle(job)
        if job.outcome or not job.admitted:
            return said, state
        ran, state = _run(state) if run or (run_if_held and job.held) else ([], state)
        told, state = _count(state) if count else ([], state)
        return [*said, *ran, *told], state

    return wait


def settle(job: VolcanoCounts) -> Said[VolcanoCounts]:
    """The implementation comes to what is wanted of it."""
    if job.settled:
        return [], job
    said = list[Sentence]()
    if job.dying:
        dying = f"eventually {some_pods(job.dying)} of the Volcano Job {be(job.dying)} terminating"
        said.append(Sentence(dying, job.by or job.owes))
        said += [Sentence(f"eventually the Volcano Job is {job.way}", job.by)] if job.way else []
        said.append(Sentence("the terminating pods end"))
    state = replace(job, settled=True, quick=False, dying=0, way="", due=(), owes="VOL-004")
    state = replace(state, held=job.held and not job.dying)
    if job.outcome:
        return [*said, *_ended(job)], state
    said += job.due
    if not job.grouped:
        group = f"a PodGroup of the Volcano Job needs {some_pods(job.minimum)} in its queue"
        by = "VOL-046" if job.owes == "VOL-046" else "VOL-002"
        said.append(Sentence(f"eventually {group}", by))
    if job.admitted:
        there = sum(one.pods - one.wiped for one in job.tasks)
        said.append(Sentence(f"eventually the Volcano Job has {some_pods(there)}", job.owes))
    return said, replace(state, grouped=True)


def _run(job: VolcanoCounts) -> Said[VolcanoCounts]:
    """The kubelet runs the pods that have not ended."""
    if job.ran:
        return [], job
    said = [
        Sentence(sentences.PODS_RUN.write({"count": job.live, "task": ""})),
        Sentence("eventually the Volcano Job is Running", "VOL-014"),
        Sentence(f"eventually the Volcano Job reports running {job.live}", "VOL-025"),
    ]
    return said, replace(job, ran=True)


def _count(job: VolcanoCounts) -> Said[VolcanoCounts]:
    """What has ended is counted, and nothing follows; of what is gone since no count is prescribed."""
    if job.counted or any(one.wiped for one in job.tasks):
        return [], job
    counts = {
        "succeeded": sum(one.succeeded for one in job.tasks),
        "failed": sum(one.failed for one in job.tasks),
    }
    said = [
        Sentence(f"eventually the Volcano Job reports {name} {count}", "VOL-025")
        for name, count in counts.items()
        if count
    ]
    if job.ran:  # else it waits for its pods
        by = "VOL-028" if job.policies else "VOL-017" if job.enough else "VOL-016"
        said.append(Sentence("eventually the Volcano Job is Running", by))
    return said, replace(job, counted=True)


def _ended(job: VolcanoCounts) -> list[Sentence]:
    """The claims about the end."""
    if job.outcome == GONE:
        return [Sentence("eventually the Volcano Job is gone, with its pods and its PodGroup", job.by)]
    said = [Sentence(f"eventually the Volcano Job is {job.outcome}", job.by)]
    if job.keeps:
        kept = {
            "succeeded": sum(one.succeeded - one.wiped for one in job.tasks),
            "failed": sum(one.failed for one in job.tasks),
        }
        said += [
            Sentence(f"eventually the Volcano Job keeps {ended_so(count, how)}", job.keeps)
            for how, count in kept.items()
        ]
    left = Sentence("eventually the Volcano Job has 0 unfinished pods", _leaves(job))
    gone = Sentence("eventually the PodGroup of the Volcano Job is gone", "VOL-021")
    return [*said, left, *([gone] if job.outcome == ABORTED else [])]


def _leaves(job: VolcanoCounts) -> str:
    """The requirement that says that nothing runs any more."""
    return "VOL-021" if job.outcome == ABORTED else "VOL-024"


def conclusion(job: VolcanoCounts) -> list[Sentence]:
    """The claims about the end; then what happens after it, and that it stays so."""
    said, job = settle(job)
    if not job.epilogue:
        return said
    none = f"for 2 seconds 0 pods of the Volcano Job were made since it became {job.outcome}"
    return [
        *said,
        Sentence(job.epilogue),
        Sentence(f"for 2 seconds the Volcano Job is {job.outcome}", _leaves(job)),
        Sentence(none, _leaves(job)),
    ]


def ended_so(count: int, how: str) -> str:
    """The given number of pods that have ended in this way."""
    return f"{some_pods(count)} that {'has' if count == 1 else 'have'} {how}"
