"""What happens to a Job at random: users, pods and faults; when it may, what it says and changes.

Only what is legal happens: what a real API server, kubelet or user does (docs/explanation/faults.md). While
the implementation can act, its pods are waited for before anything else happens to them. While a fault keeps
it from acting (a *block*), pods that are there may end or the user may change the Job, but not both: which of
them it sees first would decide. What could end in both ways is not played.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from batchproof.exploration.program import ModelAction, Sentence
from batchproof.exploration.rules import ActionRule, Model, ModelState, Said, epilogue, fault_rules
from batchproof.exploration.troubles import KILLED, MOST_FAULTS, UNBLOCK, kills
from batchproof.exploration.wording import be, some_pods
from batchproof.profiles.job import sentences
from batchproof.profiles.job.model.counts import WORK_QUEUE, JobCounts
from batchproof.profiles.job.model.ending import conclusion, counted, first_claim, next_to_close, settle
from batchproof.profiles.job.model.faults import CREATION_FAULTS, CREATION_LOST, FAULTS
from batchproof.profiles.job.specs import JobSpec
from batchproof.profiles.shared.names import JOB

if TYPE_CHECKING:
    from collections.abc import Callable

_RESTARTS = "killed"
"""Stands in an epilogue that kills the implementation and starts it again."""
_SLOW_FAILURES = 2
"""How many failures there may be where a pod was deleted: it ends now, and delays the next for longer."""
_ONE_BATCH = 2
"""More pods than this are created in batches, and each batch waits for the one before it (EXP-012)."""


def _count_and_settle(job: JobCounts) -> Said[JobCounts]:
    """What ended is counted, so that a pod which is deleted now is none of them."""
    said, state = settle(job)
    return (said, state) if job.counted else ([*said, counted(job)], replace(state, counted=True))


# -- the Job is made


def _can_be_created(job: JobCounts, action: ModelAction) -> bool:
    """Whether there is such a Job, and something to do for it."""
    completions, parallelism, _ = action.numbers
    return not job.kind and parallelism > 0 and (action.words == WORK_QUEUE) == (completions == 0)


def _created(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    completions, parallelism, limit = action.numbers
    queue = action.words == WORK_QUEUE
    kinds = (action.words,) if action.words in {"Indexed", WORK_QUEUE} else ()
    wanted = [("parallelism", parallelism), ("backoffLimit", limit)]
    settings = wanted if queue else [("completions", completions), *wanted]
    owes = "BAS-024" if queue else "BAS-016" if parallelism > completions else "BAS-015"
    text = sentences.JOB_IS.write({"job": JobSpec(kinds=kinds, settings=tuple(settings))})
    return [Sentence(text, given=True)], replace(
        job, kind=action.words, completions=completions, parallelism=parallelism, limit=limit, owes=owes
    )


def _shape(_: JobCounts, action: ModelAction) -> tuple[str, ...]:
    completions, parallelism, limit = action.numbers
    found = [action.words]
    if completions and parallelism < completions:
        found.append("fewer pods at a time than in all")
    if parallelism > _ONE_BATCH:
        found.append("pods in batches")
    if not limit:
        found.append("no failure allowed")
    return tuple(found)


# -- something happens to its pods


def _pods(
    may: Callable[[JobCounts, int], bool] = lambda *_: True,
) -> Callable[[JobCounts, ModelAction], bool]:
    """Whether something may happen to the given number of pods of those that it can happen to."""
    return lambda job, action: 0 < action.number <= job.reach and may(job, action.number)


def _can_succeed(job: JobCounts, _: int) -> bool:
    """What replaces a pod that failed unseen may be there or not: the last one is not known."""
    return not (job.queue and "fail" in job.unseen)


def _can_fail(job: JobCounts, number: int) -> bool:
    """The next pod must not be delayed for too long, and the Job must end in one way only (BAS-059)."""
    slow = "delete" in job.done and job.failed + number > _SLOW_FAILURES
    either = job.queue and job.succeeded and job.failed + number > job.limit
    return not (slow or either)


def _can_be_deleted(job: JobCounts, _: int) -> bool:
    """Active pods may be deleted, once; from then on a failure delays what replaces it."""
    return _none_lingers(job) and not (job.failed or (job.queue and job.succeeded))


def _can_be_lost(job: JobCounts, _: int) -> bool:
    return "lose" not in job.done and not (job.queue and job.block)


def _none_lingers(job: JobCounts) -> bool:
    """No pod has been deleted, and none would stay terminating."""
    return not (job.held or "delete" in job.done)


def _running(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    return [Sentence(f"{some_pods(action.number)} {be(action.number)} running and ready")], job


def _lost(job: JobCounts, _: ModelAction) -> Said[JobCounts]:
    return [Sentence("the node of 1 pod is lost")], job.once("lose")


def _ended(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    """Pods succeed, fail, or are deleted, which counts as a failure."""
    kind, number = action.kind, action.number
    says = f"{some_pods(number)} {kind}{'s' if number == 1 else ''}"
    success = kind == "succeed"
    state = replace(
        job,
        succeeded=job.succeeded + number * success,
        failed=job.failed + number * (not success),
        active=job.active - number,
        settled=False,
        counted=False,
        unseen=job.unseen | {"succeed" if success else "fail"} if job.block else job.unseen,
        owes=_owed_after(job, kind),
    )
    said = [Sentence("the user deletes 1 pod" if kind == "delete" else says)]
    if job.held and not job.block and state.doomed and state.active:
        running = f"{some_pods(job.active)} are running and ready"  # one without a node does not linger
        said, state = [Sentence(running), *said], replace(state, lingering=True)
    return said, state.once("delete") if kind == "delete" else state


def _owed_after(job: JobCounts, kind: str) -> str:
    """The requirement that says how many pods there are in the end, once this has happened to some."""
    if kind == "delete":
        return "BAS-022"
    if job.kind != WORK_QUEUE:
        return "BAS-015"
    return "BAS-025" if job.succeeded or kind == "succeed" else "BAS-024"


def _how_ended(job: JobCounts, action: ModelAction) -> tuple[str]:
    return (f"{action.kind}{' together' * (action.number > 1)}{' unseen' * bool(job.block)}",)


# -- the user changes the Job


def _changeable(
    may: Callable[[JobCounts, int], bool],
) -> Callable[[JobCounts, ModelAction], bool]:
    """Whether the user may change the Job: not while what happened to its pods was not seen."""

    def possible(job: JobCounts, action: ModelAction) -> bool:
        decided = job.over or job.unseen or (job.queue and (job.succeeded or job.block))
        return not (decided or _would_turn(job, action)) and may(job, action.number)

    return possible


def _would_turn(job: JobCounts, action: ModelAction) -> bool:
    """Whether a change takes back, in part, what the implementation may be about to do.

    As many pods may be there as are wanted in the end while it is still removing some of them: nothing
    knows whether what happens to these then counts. A dead process is about to do nothing.
    """
    alive = job.block != KILLED
    return alive and job.heading * job.changed_to(action.kind, action.number).heading < 0


def _can_limit(job: JobCounts, number: int) -> bool:
    return not job.block and number != job.limit and "limit" not in job.done


def _limited(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    said = [Sentence(_changed(action))]
    return said, job.changed_to(action.kind, action.number).once("limit")


def _changed(action: ModelAction) -> str:
    return sentences.JOB_CHANGED.write({"name": JOB, "settings": [(action.kind, action.number)]})


def _respecified(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    match action.kind:
        case "parallelism":
            text, owes = _changed(action), "BAS-019" if action.number else "BAS-017"
        case "suspend":
            text, owes = sentences.JOB_SUSPENDED.write({"job": JOB}), "BAS-029"
        case _:
            text, owes = sentences.JOB_RESUMED.write({"job": JOB}), "BAS-031"
    changed = replace(job.changed_to(action.kind, action.number), settled=False, changed=True, owes=owes)
    return [Sentence(text)], changed.once("change")


def _how_many(job: JobCounts, action: ModelAction) -> tuple[str]:
    if not action.number:
        return (MODEL.theme(action),)
    more = job.changed_to(action.kind, action.number).wanted > job.wanted
    return ("more pods" if more else "fewer pods",)


def _which_limit(job: JobCounts, action: ModelAction) -> tuple[str]:
    return ("a limit that was reached" if action.number < job.failed else action.kind,)


# -- what the user does besides


def _can_be_labeled(job: JobCounts, _: ModelAction) -> bool:
    return not (job.over or "label" in job.done)


def _labeled(job: JobCounts, _: ModelAction) -> Said[JobCounts]:
    return [Sentence(sentences.JOB_LABELED.write({"name": JOB}))], job.once("label")


def _can_be_cleared(job: JobCounts, _: ModelAction) -> bool:
    """There are ended pods that the user may delete, once."""
    return not job.over and job.done.isdisjoint({"clear", "delete"}) and job.succeeded + job.failed > 0


def _cleared(job: JobCounts, _: ModelAction) -> Said[JobCounts]:
    return [Sentence("the user deletes the finished pod")], job.once("clear")


def _can_be_held(job: JobCounts, _: ModelAction) -> bool:
    return not job.over and _none_lingers(job)


def _held(job: JobCounts, _: ModelAction) -> Said[JobCounts]:
    return [Sentence("deleted pods stay terminating")], replace(job, held=True)


def _can_be_removed(job: JobCounts, _: ModelAction) -> bool:
    return not (job.over or job.held or job.unseen)


def _removed(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    how = {"name": JOB, "propagation": action.words.capitalize()}
    return [Sentence(sentences.JOB_DELETED.write(how))], replace(job, removed=action.words)


# -- faults


def _can_go_wrong(job: JobCounts, action: ModelAction) -> bool:
    """Whether this fault can come, and leaves one end only."""
    if not (job.bears(action, FAULTS.errors) and job.can_come(action)):
        return False
    about_creations = action.words in CREATION_FAULTS
    if not job.kind:
        return about_creations and action.words != CREATION_LOST
    match action.kind:
        case "fault":  # a work queue has no second chance to learn how many pods there are
            return not (job.queue and about_creations)
        case "block":
            return not job.removed
        case _:
            return not (action.kind == "crash" and _RESTARTS in job.epilogue)


def _goes_wrong(job: JobCounts, action: ModelAction) -> Said[JobCounts]:
    state = replace(job.disturbed(action), died=job.died or kills(action))
    if action.words == CREATION_LOST:
        state = state.once("lost")
    if action.kind == "restart":
        state = replace(state, settled=False, owes=job.owes if job.owes != "BAS-015" else "EXP-007")
    return [Sentence(FAULTS.said(action), given=not job.kind)], state


def _unblocked(job: JobCounts, _: ModelAction) -> Said[JobCounts]:
    """The implementation can act again; where only a claim can say so, what it has to come to."""
    state = replace(job, block="", heading=0, unseen=frozenset(), settled=job.settled and not job.unseen)
    if ends := FAULTS.blocks[job.block].ends:
        return [Sentence(ends)], state
    claim, state = first_claim(state)
    return [replace(claim, text=f"once the faults end {claim.text.removeprefix('eventually ')}")], state


def _which_fault(_: JobCounts, action: ModelAction) -> tuple[str]:
    return (action.words if action.kind == "block" else MODEL.theme(action),)


# -- after the end


def _can_follow_the_end(job: JobCounts, action: ModelAction) -> bool:
    """Whether this may happen after the end: one thing does, and a process restarts once."""
    return not (job.epilogue or job.removed or (_RESTARTS in action.words and job.revived))


def _is_over(job: JobCounts) -> bool:
    return job.over and (bool(job.epilogue) or job.faults >= MOST_FAULTS)


def _numbered(kind: str, *numbers: int) -> tuple[ModelAction, ...]:
    return tuple(ModelAction(kind, (number,)) for number in numbers)


MODEL: Model[JobCounts] = Model(
    ActionRule(
        tuple(
            ModelAction("create", (completions if kind != WORK_QUEUE else 0, parallelism, limit), kind)
            for kind, completions, parallelism, limit in product(
                ("Job", "Indexed", WORK_QUEUE), (1, 2, 3, 4, 8), (1, 2, 4, 7), (0, 1, 2, 3, 6)
            )
        ),
        _can_be_created,
        _created,
        begins=True,
        traits=_shape,
    ),
    ActionRule(_numbered("succeed", 1, 2, 3, 4), _pods(_can_succeed), _ended, settle, traits=_how_ended),
    ActionRule(_numbered("fail", 1, 2, 3, 4), _pods(_can_fail), _ended, settle, traits=_how_ended),
    ActionRule(_numbered("run", 1, 2, 3, 4), _pods(), _running, settle),
    ActionRule((ModelAction("delete"),), _pods(_can_be_deleted), _ended, settle),
    ActionRule((ModelAction("lose"),), _pods(_can_be_lost), _lost, settle),
    ActionRule(
        _numbered("parallelism", *range(6)),
        _changeable(lambda job, number: number != job.parallelism),
        _respecified,
        _count_and_settle,
        theme=lambda action: "parallelism" if action.number else "no pods",
        traits=_how_many,
    ),
    ActionRule(
        _numbered("backoffLimit", *range(4)),
        _changeable(_can_limit),
        _limited,
        _count_and_settle,
        traits=_which_limit,
    ),
    ActionRule(
        (ModelAction("suspend"),),
        _changeable(lambda job, _: not job.suspended),
        _respecified,
        _count_and_settle,
    ),
    ActionRule(
        (ModelAction("resume"),), _changeable(lambda job, _: job.suspended), _respecified, _count_and_settle
    ),
    ActionRule((ModelAction("label"),), _can_be_labeled, _labeled),
    ActionRule((ModelAction("clear"),), _can_be_cleared, _cleared),
    ActionRule((ModelAction("hold"),), _can_be_held, _held),
    ActionRule(
        ModelAction.each("remove", ("background", "foreground")),
        _can_be_removed,
        _removed,
        _count_and_settle,
        theme=lambda action: f"{action.words} deletion",
    ),
    *fault_rules(
        FAULTS,
        writes=12,
        possible=_can_go_wrong,
        happens=_goes_wrong,
        traits=_which_fault,
        waits={"block": settle},  # so that there are pods to which something can happen meanwhile
    ),
    ActionRule((UNBLOCK,), lambda job, _: bool(job.block), _unblocked),
    epilogue(
        "the implementation is killed and started again",
        "the user deletes the pods of the Job",
        "the Job is changed to parallelism 5",
        "another client labels the Job",
        possible=_can_follow_the_end,
        traits=lambda _, action: (action.words,),
    ),
    always=("create", "succeed", "fail", "unblock", "resume"),
    errors=FAULTS.errors,
    there=lambda job: bool(job.kind),
    acts=lambda job: bool(job.kind) and not (job.block or job.over),
    over=_is_over,
    next_to_close=next_to_close,
    conclusion=conclusion,
)


def begin(_: frozenset[str]) -> ModelState[JobCounts]:
    """The state before anything: there is no Job."""
    return ModelState(MODEL, JobCounts())
