"""What happens to a Volcano Job at random: users, pods, the scheduler and faults; when, and what follows.

While the implementation can act, the pods are waited for before anything happens to one. While a fault keeps
it from acting (a *block*), pods may end or the user may change or command something once, but not both; and
a pod from whose end something follows is the last that ends. The scheduler lets PodGroups in from some moment
on; before it, there is no pod.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from batchproof.exploration.program import ModelAction, Sentence
from batchproof.exploration.rules import ActionRule, Model, ModelState, Said, epilogue, fault_rules, nothing
from batchproof.exploration.troubles import MOST_FAULTS, UNBLOCK, kills
from batchproof.exploration.wording import listed, some_pods
from batchproof.profiles.volcano_job import sentences
from batchproof.profiles.volcano_job.model.counts import (
    ABORTED,
    CODES,
    GONE,
    TaskModel,
    VolcanoCounts,
)
from batchproof.profiles.volcano_job.model.ending import conclusion, settle, waiting
from batchproof.profiles.volcano_job.model.faults import FAULTS, MOST_JOB_ERRORS
from batchproof.profiles.volcano_job.model.following import acted, followed_up
from batchproof.profiles.volcano_job.model.policies import (
    POD_EVICTED,
    POD_FAILED,
    POLICIES,
    PS,
    RESTART,
    RESTART_TASK,
    TASK_COMPLETED,
    WORKER,
    Policy,
    following,
)
from batchproof.profiles.volcano_job.specs import TaskSpec, VolcanoJobSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MOST_PODS = 4
"""Of one task."""
_MOST_WIPED = 2
_RESTARTS = "killed"
"""Stands in an epilogue that kills the implementation and starts it again."""


# -- the Job is made


def _can_be_created(job: VolcanoCounts, action: ModelAction) -> bool:
    ps, workers, spared, tries, enough = action.numbers
    return (
        not job.there
        and action.words in POLICIES
        and 0 <= ps <= 1
        and 0 <= spared < workers <= _MOST_PODS
        and tries >= 0
        and 0 <= enough <= ps + workers
        and not (enough and spared)
        and not (enough and any(one.speaks_of([TASK_COMPLETED]) for one in POLICIES[action.words]))
    )


def _created(job: VolcanoCounts, action: ModelAction) -> Said[VolcanoCounts]:
    """The user makes the Job."""
    ps, workers, spared, tries, enough = action.numbers
    tasks = (*([TaskModel(PS, ps, ps)] if ps else []), TaskModel(WORKER, workers, workers - spared))
    policies = POLICIES[action.words]
    state = replace(job, tasks=tasks, policies=policies, most=tries or job.most, enough=enough)
    wanted = tuple(
        TaskSpec(count=one.pods, name=one.name, must=one.must if one.must < one.pods else None)
        for one in tasks
    )
    settings = [f"minAvailable {state.minimum}"]
    settings += [f"maxRetry {tries}"] if tries else []
    settings += [f"minSuccess {enough}"] if enough else []
    settings += [one.text for one in policies]
    spec = VolcanoJobSpec(tasks=wanted, settings=tuple(settings))
    return [Sentence(sentences.JOB_IS.write({"job": spec}), given=True)], state


def _shape(_: VolcanoCounts, action: ModelAction) -> Sequence[str]:
    ps, _workers, spared, tries, enough = action.numbers
    said = {"two tasks": ps, "not all must succeed": spared, "minSuccess": enough}
    found = [one.text for one in POLICIES[action.words]]
    return (*found, f"maxRetry {tries}", *(name for name, holds in said.items() if holds))


# -- pods end, or are deleted


def _can_end(job: VolcanoCounts, action: ModelAction) -> bool:
    """Whether this can happen to the given number of pods of a task, and leaves one end only."""
    kind, task, number = action.kind, job.task(action.words), action.number
    if job.outcome or not job.admitted or not 0 < number <= task.live:
        return False
    if job.block and (job.changed or job.unseen == "last" or not job.ran):
        return False  # the model does not know which pods it would happen to, or what is done already
    after = task.pod_outcome(kind, number)
    policy = job.followed(kind, after)
    if policy and policy.action == RESTART and job.may_be_over:
        return False
    if kind == "evict":
        return _evictable(job, task, policy)
    if job.enough and sum(one.succeeded for one in job.with_task(after).tasks) > job.enough:
        return False  # which of them are seen before the others are deleted?
    return policy is None or (number == 1 and _follows(job, policy, task, after))


def _follows(job: VolcanoCounts, policy: Policy, task: TaskModel, after: TaskModel) -> bool:
    """Whether nothing but the action of the policy can follow when a pod of the task ends."""
    if policy.action == RESTART_TASK:  # whether what has succeeded is run again is said nowhere
        return not (task.ended or job.held)
    return not (job.block and job.with_task(after).by_pods)


def _evictable(job: VolcanoCounts, task: TaskModel, policy: Policy | None) -> bool:
    """Whether one end follows when a pod is deleted, which may be seen to fail before it is gone."""
    failing = following(job.policies, task.name, POD_FAILED)
    if failing and (policy is None or failing.action != policy.action):
        return False
    # That a pod was deleted has to be seen by a process that goes on, and may be so when it is gone.
    return policy is None or not (job.block or job.revived or job.held)


def _ended(job: VolcanoCounts, action: ModelAction) -> Said[VolcanoCounts]:
    """Something happens to the given number of pods of a task."""
    kind, name, number = action.kind, action.words, action.number
    said = {"evict": sentences.PODS_DELETED, "succeed": sentences.PODS_SUCCEED}
    them = {"count": number, "task": name, "exit_code": CODES.get(kind)}
    text = said.get(kind, sentences.PODS_FAIL).write(them)
    task = job.task(name).pod_outcome(kind, number)
    state = replace(job.with_task(task), counted=False, unseen="some" if job.block else "")
    return [Sentence(text)], followed_up(state, kind, task)


def _what_follows(job: VolcanoCounts, action: ModelAction) -> Sequence[str]:
    policy = job.followed(action.kind, job.task(action.words).pod_outcome(action.kind, action.number))
    return (f"{action.kind} {policy.action if policy else ''}{_when(job)}",)


# -- the user changes or commands something, or the scheduler lets PodGroups in


def _changeable(
    may: Callable[[VolcanoCounts, ModelAction], bool],
) -> Callable[[VolcanoCounts, ModelAction], bool]:
    """Whether the user or the scheduler may do this: once in a block, and not if something is unseen."""

    def possible(job: VolcanoCounts, action: ModelAction) -> bool:
        unseen = job.block and (job.unseen or job.changed)
        return not (job.outcome == GONE or unseen) and may(job, action)

    return possible


def _can_be_admitted(job: VolcanoCounts, _: ModelAction) -> bool:
    return not (job.admitted or job.outcome)


def _admitted(job: VolcanoCounts, _: ModelAction) -> Said[VolcanoCounts]:
    state = replace(job, admitted=True, changed=bool(job.block), settled=False)
    return [Sentence(sentences.ALL_LET_IN.write({}))], state


def _can_scale(job: VolcanoCounts, action: ModelAction) -> bool:
    """Whether a task may be changed to the given number of pods."""
    task, count = job.task(action.words), action.number
    if job.outcome or task.ended or not task.pods or not 0 < count <= _MOST_PODS or count == task.pods:
        return False
    if job.block and not (job.ran or not job.admitted):
        return False
    if count < task.pods:  # whether a pod that is too many is one that was evicted is said nowhere
        speaks = any(following(job.policies, task.name, it) for it in (POD_EVICTED, POD_FAILED))
        return not speaks and job.enough <= sum(one.pods for one in job.tasks) - task.pods + count
    return True


def _scaled(job: VolcanoCounts, action: ModelAction) -> Said[VolcanoCounts]:
    """A task is changed to the given number of pods, all of which have to succeed."""
    job = replace(job, changed=bool(job.block), settled=False)
    task, count = job.task(action.words), action.number
    state = job.with_task(TaskModel(task.name, count, count))
    asked = {"task": task.name, "count": count, "minimum": state.minimum}
    text = sentences.TASK_CHANGED.write(asked)
    indexes = listed([str(index) for index in range(count)])
    have = Sentence(f"eventually the pods of task {task.name} have the indexes {indexes}", "VOL-046")
    dying = max(0, task.pods - count) if job.held and job.ran else 0
    due = (have,) if job.admitted else ()
    state = replace(state, due=due, dying=dying, by="VOL-046", owes="VOL-046")
    return [Sentence(text)], replace(state, ran=job.ran and count < task.pods, grouped=False)


def _more_or_fewer(job: VolcanoCounts, action: ModelAction) -> Sequence[str]:
    more = action.number > job.task(action.words).pods
    return (f"{'more' if more else 'fewer'} pods{_when(job)}",)


def _can_command(job: VolcanoCounts, action: ModelAction) -> bool:
    """Whether a Command may come, and leads to one end."""
    if job.revived or (job.block and job.held and not job.ran):
        return False
    if not job.counted and (job.block or any(one.wiped for one in job.tasks)):
        return False  # a pod that has ended may look as if it ran
    if action.words == "ResumeJob":
        return job.outcome == ABORTED
    return not (job.outcome or (action.words == RESTART and job.may_be_over))


def _commanded(job: VolcanoCounts, action: ModelAction) -> Said[VolcanoCounts]:
    by = "VOL-022" if action.words == "ResumeJob" else ""
    state = acted(replace(job, changed=bool(job.block), settled=False), action.words, by)
    return [Sentence(sentences.COMMANDED.write({"action": action.words}))], replace(state, quick=True)


def _command_theme(action: ModelAction) -> str:
    ends = action.words in {"TerminateJob", "CompleteJob"}
    return "an end is commanded" if ends else action.words


def _can_be_removed(job: VolcanoCounts, _: ModelAction) -> bool:
    return job.outcome in {"", ABORTED} and not (job.held and job.live)


def _removed(job: VolcanoCounts, _: ModelAction) -> Said[VolcanoCounts]:
    gone = replace(job, changed=bool(job.block), settled=False, outcome=GONE, by="VOL-049", keeps="", dying=0)
    return [Sentence(sentences.JOB_DELETED.write({}))], gone


# -- what happens besides


def _can_be_held(job: VolcanoCounts, _: ModelAction) -> bool:
    return not (job.held or job.outcome or job.block)


def _held(job: VolcanoCounts, _: ModelAction) -> Said[VolcanoCounts]:
    return [Sentence("deleted pods stay terminating")], replace(job, held=True)


def _can_be_wiped(job: VolcanoCounts, _: ModelAction) -> bool:
    """Whether it is known whose a succeeded pod is, and nothing follows when it goes."""
    kept = [one for one in job.tasks if one.succeeded > one.wiped]
    if job.outcome or job.block or len(kept) != 1 or kept[0].wiped == _MOST_WIPED:
        return False
    if kept[0].wiped and not job.counted:
        return False
    return not any(one.speaks_of([POD_EVICTED, POD_FAILED, TASK_COMPLETED]) for one in job.policies)


def _wiped(job: VolcanoCounts, _: ModelAction) -> Said[VolcanoCounts]:
    """A pod that has succeeded goes, and is not run again (VOL-050)."""
    kept = next(one for one in job.tasks if one.succeeded > one.wiped)
    left = f"for 2 seconds the Volcano Job has {some_pods(job.live, 'unfinished')}"
    said = [
        Sentence(sentences.ENDED_VANISHES.write({"outcome": "succeeded"})),
        Sentence(left, "VOL-050"),
    ]
    return said, job.with_task(replace(kept, wiped=kept.wiped + 1))


# -- faults


def _can_go_wrong(job: VolcanoCounts, action: ModelAction) -> bool:
    """Whether this fault can come, and leaves one end only."""
    bears = job.bears(action, FAULTS.errors, MOST_JOB_ERRORS)
    if not job.there:
        return "creation" in action.words and bears
    # A Command that was taken away is remembered by that process alone (VOL-036).
    forgets = kills(action) and job.block and job.changed
    once = job.epilogue and action.kind in {"crash", "block"}
    return not (once or forgets) and bears and job.can_come(action)


def _goes_wrong(job: VolcanoCounts, action: ModelAction) -> Said[VolcanoCounts]:
    state = replace(job.disturbed(action), settled=job.settled and action.kind != "restart")
    return [Sentence(FAULTS.said(action), given=not job.there)], state


def _unblocked(job: VolcanoCounts, _: ModelAction) -> Said[VolcanoCounts]:
    state = replace(job, block="", unseen="", changed=False, settled=False)
    return [Sentence(FAULTS.blocks[job.block].ends)], state


# -- what may matter together


def _when(job: VolcanoCounts) -> str:
    when = " again" * bool(job.retries) + " unseen" * bool(job.block)
    when += " beside what has ended" * any(one.ended for one in job.tasks)
    return when + " and is gone" * any(one.wiped for one in job.tasks)


# -- the end


def _can_follow_the_end(job: VolcanoCounts, action: ModelAction) -> bool:
    fits = job.outcome not in {"", GONE} and not (job.epilogue or job.block)
    resumes = job.outcome == ABORTED and _RESTARTS not in action.words
    again = _RESTARTS in action.words and job.revived
    return fits and not (resumes or again)


def _is_over(job: VolcanoCounts) -> bool:
    return bool(job.outcome) and (bool(job.epilogue) or job.faults >= MOST_FAULTS)


def next_to_close(job: VolcanoCounts) -> ModelAction | None:
    """What is still to happen so that the Job comes to its end by itself."""
    if not job.there:
        return ModelAction("create", (0, 1, 0, 0, 0))
    if job.block:
        return UNBLOCK
    if job.outcome:
        return None
    if not job.admitted:
        return ModelAction("admit")
    task = next(one for one in job.tasks if one.live)
    lacking = task.must - task.succeeded  # first as many as must, so that this may not end it
    together = ModelAction("succeed", (lacking if 0 < lacking < task.live else task.live,), task.name)
    return together if _can_end(job, together) else ModelAction("succeed", (1,), task.name)


def _of_tasks(kind: str, *numbers: int) -> tuple[ModelAction, ...]:
    return tuple(ModelAction(kind, (number,), task) for number in numbers for task in (PS, WORKER))


_OUTCOME = waiting(run=True, count=True)

MODEL: Model[VolcanoCounts] = Model(
    ActionRule(
        tuple(
            # Of each task its pods, how many Workers need not succeed, maxRetry and minSuccess (0: not said).
            ModelAction("create", (ps, workers, spared, tries, enough), words)
            for words, policies in POLICIES.items()
            for ps, workers, spared, tries, enough in product(
                (0, 1), (1, 2, 3, 4), (0, 1), (0, 1, 2), (0, 1, 2)
            )
            if spared < workers
            and not (spared and enough)
            and enough <= ps + workers
            and not (enough and any(one.speaks_of([TASK_COMPLETED]) for one in policies))
            and (policies or not tries)
        ),
        _can_be_created,
        _created,
        begins=True,
        theme=lambda action: "create with policies" if action.words else "create",
        traits=_shape,
    ),
    ActionRule(
        (ModelAction("admit"),),
        _changeable(_can_be_admitted),
        _admitted,
        waiting(run_if_held=True),
    ),
    ActionRule(_of_tasks("succeed", 1, 2), _can_end, _ended, _OUTCOME, traits=_what_follows),
    ActionRule(_of_tasks("fail", 1, 2), _can_end, _ended, _OUTCOME, traits=_what_follows),
    ActionRule(
        _of_tasks("break", 1), _can_end, _ended, _OUTCOME, theme=lambda _: "fail", traits=_what_follows
    ),  # it is rarely possible
    ActionRule(_of_tasks("evict", 1), _can_end, _ended, _OUTCOME, traits=_what_follows),
    ActionRule(
        ModelAction.each("command", ("AbortJob", "ResumeJob", "TerminateJob", "CompleteJob", "RestartJob")),
        _changeable(_can_command),
        _commanded,
        waiting(run_if_held=True, count=True),
        theme=_command_theme,
    ),
    ActionRule(
        tuple(
            ModelAction("scale", (count,), task)
            for task in (PS, WORKER)
            for count in range(1, _MOST_PODS + 1)
        ),
        _changeable(_can_scale),
        _scaled,
        waiting(run_if_held=True, count=True),
        traits=_more_or_fewer,
    ),
    ActionRule(
        (ModelAction("wipe"),),
        _can_be_wiped,
        _wiped,
        waiting(count=True),
        theme=lambda _: "evict",  # it is rarely possible
    ),
    ActionRule((ModelAction("hold"),), _can_be_held, _held, waiting(run=True)),
    ActionRule(
        (ModelAction("remove"),),
        _changeable(_can_be_removed),
        _removed,
        waiting(run_if_held=True),
    ),
    *fault_rules(
        FAULTS,
        writes=10,
        possible=_can_go_wrong,
        happens=_goes_wrong,
        waits={"block": _OUTCOME},
    ),
    ActionRule((UNBLOCK,), lambda job, _: bool(job.block), _unblocked),
    epilogue(
        "the implementation is killed and started again",
        "the user commands RestartJob",
        "the user commands ResumeJob",
        f"the user changes task {WORKER} to {_MOST_PODS + 1} pods",
        possible=_can_follow_the_end,
    ),
    suffix=_when,
    always=(
        "create",
        "create with policies",
        "admit",
        "succeed",
        "fail",
        "evict",
        "ResumeJob",
        "unblock",
    ),
    errors=FAULTS.errors,
    there=lambda job: job.there,
    acts=lambda job: job.there and not (job.block or job.outcome == GONE),
    over=_is_over,
    next_to_close=next_to_close,
    conclusion=conclusion,
    afterwards=lambda job: settle(job) if job.quick and not job.block else nothing(job),
)


def begin(_: frozenset[str]) -> ModelState[VolcanoCounts]:
    """The state before anything: there is no Job."""
    return ModelState(MODEL, VolcanoCounts())
