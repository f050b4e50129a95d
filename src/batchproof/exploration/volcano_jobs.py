"""The model of a Volcano Job: what is said of what happens, and how it has to end.

It knows how many pods of each task run and have ended, and by the policies what follows from an end. While
the implementation can act, the pods are waited for before anything happens to one. While a fault keeps it
from acting (a *block*), pods may end or the user may change or command something once, but not both; and a
pod from whose end something follows is the last that ends. The scheduler lets PodGroups in from some moment
on; before it, there is no pod.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from batchproof.exploration.program import Action, Sentence, brought_to_end
from batchproof.exploration.troubles import FAULTY, KILLED, UNBLOCK, said_of
from batchproof.exploration.volcano_actions import BLOCKS, CODES, ERRORS, THEMES, theme
from batchproof.exploration.volcano_counts import (
    ABORTED,
    CHANGING,
    DONE,
    FAILED,
    FATEFUL,
    GONE,
    TERMINATED,
    Task,
    VolcanoCounts,
)
from batchproof.exploration.volcano_policies import (
    ABORT,
    COMPLETE,
    POLICIES,
    PS,
    RESTART,
    RESTART_TASK,
    TERMINATE,
    WORKER,
)
from batchproof.exploration.wording import be, listed, some_pods

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST = Action("create", (0, 1, 0, 0, 0))
_LEFT = {
    ABORT: ("Aborting", ABORTED, "VOL-021"),
    TERMINATE: ("Terminating", TERMINATED, "VOL-023"),
    COMPLETE: ("Completing", DONE, "VOL-023"),
}
"""By which phase, and to which, an action leads, and the requirement that says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VolcanoState(VolcanoCounts):
    """The model after some actions: what an action says, and what is so after it.

    Attributes:
        by: the requirement that its end speaks of.
        keeps: the requirement that says that what has ended is kept; empty: none does.
        way: the phase in which it waits for pods that are being deleted; empty: it waits in none.
        dying: how many pods stay terminating.
        due: what has to be claimed of what happened, before all else.
        owes: the requirement that the next claim about its pods speaks of.
    """

    by: str = ""
    keeps: str = ""
    way: str = ""
    dying: int = 0
    due: tuple[Sentence, ...] = ()
    owes: str = "VOL-004"

    @property
    def themes(self) -> tuple[str, ...]:
        """What not every program is about."""
        return THEMES

    def traits(self, action: Action) -> Sequence[str]:
        """What about this action, where it stands, may matter together with something else."""
        when = " again" * bool(self.retries) + " unseen" * bool(self.block)
        when += " beside what has ended" * any(one.ended for one in self.tasks)
        when += " and is gone" * any(one.wiped for one in self.tasks)
        match action.kind:
            case "create":
                ps, _, spared, tries, enough = action.numbers
                said = {"two tasks": ps, "not all must succeed": spared, "minSuccess": enough}
                found = [one.text for one in POLICIES[action.words]]
                return (*found, f"maxRetry {tries}", *(name for name, holds in said.items() if holds))
            case "crash":
                return (f"killed {action.words} a write",)
            case kind if kind in FATEFUL:
                policy = self.followed(kind, self.task(action.words).befallen(kind, action.numbers[0]))
                return (f"{kind} {policy.action if policy else ''}{when}",)
            case "scale":
                more = action.numbers[0] > self.task(action.words).pods
                return (f"{'more' if more else 'fewer'} pods{when}",)
            case _:
                return (theme(action) + when,)

    def after(self, action: Action) -> tuple[list[Sentence], VolcanoState]:
        """What an action says, with what has to be waited for first, and the state after it."""
        said, state = self._ready_for(action)
        if action.kind in FAULTY:
            state = state.struck(action, ERRORS)
        if action.kind in FATEFUL:
            more, state = state.befallen(action.kind, action.words, action.numbers[0])
        elif action.kind in CHANGING:
            more, state = state.changed_by(action)
        else:
            more, state = state.besides(action)
        claims, state = state.settle() if state.hasty and not state.block else ([], state)
        return [*said, *more, *claims], state

    def besides(self, action: Action) -> tuple[list[Sentence], VolcanoState]:
        """What happens to neither the pods that run nor the spec."""
        match action.kind:
            case "create":
                return self.created(action)
            case "hold":
                return [Sentence("deleted pods stay terminating")], replace(self, held=True)
            case "wipe":
                return self.wiped()
            case "epilogue":
                return [], replace(self, epilogue=action.words)
            case "unblock":
                state = replace(self, block="", unseen="", changed=False, settled=False)
                return [Sentence(BLOCKS[self.block].ends)], state
            case kind:
                state = replace(self.disturbed(action), settled=self.settled and kind != "restart")
                return [Sentence(said_of(action, BLOCKS), given=not self.there)], state

    def created(self, action: Action) -> tuple[list[Sentence], VolcanoState]:
        """The user makes the Job."""
        ps, workers, spared, tries, enough = action.numbers
        tasks = (*([Task(PS, ps, ps)] if ps else []), Task(WORKER, workers, workers - spared))
        policies = POLICIES[action.words]
        state = replace(self, tasks=tasks, policies=policies, most=tries or self.most, enough=enough)
        said = [
            f"{some_pods(one.pods)} of task {one.name}"
            + (f" of which {one.must} must succeed" if one.must < one.pods else "")
            for one in tasks
        ]
        settings = [f"minAvailable {state.minimum}"]
        settings += [f"maxRetry {tries}"] if tries else []
        settings += [f"minSuccess {enough}"] if enough else []
        settings += [one.text for one in policies]
        return [Sentence(f"a Volcano Job of {listed(said)} with {listed(settings)}", given=True)], state

    def wiped(self) -> tuple[list[Sentence], VolcanoState]:
        """A pod that has succeeded goes, and is not run again (VOL-050)."""
        kept = next(one for one in self.tasks if one.succeeded > one.wiped)
        left = f"for 2 seconds the Volcano Job has {some_pods(self.live, 'unfinished')}"
        said = [
            Sentence("the user makes a pod of the Volcano Job vanish that has succeeded"),
            Sentence(left, "VOL-050"),
        ]
        return said, self.with_task(replace(kept, wiped=kept.wiped + 1))

    # -- what is waited for

    def _ready_for(self, action: Action) -> tuple[list[Sentence], VolcanoState]:
        if self.block or not self.there or self.outcome == GONE:
            return [], self
        waits = action.kind in FATEFUL | CHANGING | {"block", "hold", "wipe"}
        said, state = self.settle() if waits else ([], self)
        if self.outcome or not self.admitted:
            return said, state
        runs = action.kind in FATEFUL | {"block", "hold"} or (self.held and action.kind in CHANGING)
        ran, state = state.run() if runs else ([], state)
        counts = action.kind in FATEFUL | {"command", "scale", "wipe", "block"}
        told, state = state.count() if counts else ([], state)
        return [*said, *ran, *told], state

    def settle(self) -> tuple[list[Sentence], VolcanoState]:
        """The implementation comes to what is wanted of it."""
        if self.settled:
            return [], self
        said = list[Sentence]()
        if self.dying:
            dying = f"in the end {some_pods(self.dying)} of the Volcano Job {be(self.dying)} terminating"
            said.append(Sentence(dying, self.by or self.owes))
            said += [Sentence(f"in the end the Volcano Job is {self.way}", self.by)] if self.way else []
            said.append(Sentence("the terminating pods end"))
        state = replace(self, settled=True, hasty=False, dying=0, way="", due=(), owes="VOL-004")
        state = replace(state, held=self.held and not self.dying)
        if self.outcome:
            return [*said, *self.ended()], state
        said += self.due
        if not self.grouped:
            group = f"a PodGroup of the Volcano Job asks for {some_pods(self.minimum)} in its queue"
            by = "VOL-046" if self.owes == "VOL-046" else "VOL-002"
            said.append(Sentence(f"in the end {group}", by))
        if self.admitted:
            there = sum(one.pods - one.wiped for one in self.tasks)
            said.append(Sentence(f"in the end the Volcano Job has {some_pods(there)}", self.owes))
        return said, replace(state, grouped=True)

    def run(self) -> tuple[list[Sentence], VolcanoState]:
        """The kubelet runs the pods that have not ended."""
        if self.ran:
            return [], self
        said = [
            Sentence(f"{some_pods(self.live)} of the Volcano Job run{'s' if self.live == 1 else ''}"),
            Sentence("in the end the Volcano Job is Running", "VOL-014"),
            Sentence(f"in the end the Volcano Job reports running {self.live}", "VOL-025"),
        ]
        return said, replace(self, ran=True)

    def count(self) -> tuple[list[Sentence], VolcanoState]:
        """What has ended is counted, and nothing follows; of what is gone since no count is prescribed."""
        if self.counted or any(one.wiped for one in self.tasks):
            return [], self
        counts = {
            "succeeded": sum(one.succeeded for one in self.tasks),
            "failed": sum(one.failed for one in self.tasks),
        }
        said = [
            Sentence(f"in the end the Volcano Job reports {name} {count}", "VOL-025")
            for name, count in counts.items()
            if count
        ]
        if self.ran:  # else it waits for its pods
            by = "VOL-028" if self.policies else "VOL-017" if self.enough else "VOL-016"
            said.append(Sentence("in the end the Volcano Job is Running", by))
        return said, replace(self, counted=True)

    # -- what becomes of pods

    def befallen(self, kind: str, name: str, number: int) -> tuple[list[Sentence], VolcanoState]:
        """Something becomes of so many pods of a task."""
        pods = f"{some_pods(number)} of its task {name}"
        if kind == "evict":
            text = f"the user deletes {pods}"
        else:
            code = f" with exit code {CODES[kind]}" if kind in CODES else ""
            text = f"{pods} {'succeed' if kind == 'succeed' else 'fail'}{'s' if number == 1 else ''}{code}"
        task = self.task(name).befallen(kind, number)
        state = replace(self.with_task(task), counted=False, unseen="some" if self.block else "")
        return [Sentence(text)], state.followed_up(kind, task)

    def followed_up(self, kind: str, task: Task) -> VolcanoState:
        """The state with what follows from what became of a pod of a task, which is as it is now."""
        last = "last" if self.block else ""
        if policy := self.followed(kind, task):
            by = "VOL-035" if self.block == KILLED and kind in CODES else policy.judges
            state = replace(self, unseen=last, hasty=kind == "evict")
            return state.acted(policy.action, by, policy.task)
        if kind == "evict":
            dying = 1 if self.held else 0
            state = replace(self, ran=False, settled=False, dying=dying, unseen=last)
            return replace(state, by="VOL-032", owes="VOL-032")
        if outcome := self.by_pods:
            by = "VOL-017" if self.enough else "VOL-016"
            return self._over(outcome, by, keeps="", way="")
        return self

    def acted(self, action: str, by: str, task: str = "") -> VolcanoState:
        """The state once an action is carried out that somebody, or a requirement, asks for."""
        if action == RESTART_TASK:
            return self._task_anew(self.task(task), by)
        if action in _LEFT:
            way, outcome, says = _LEFT[action]
            return self._over(outcome, by or says, keeps=says, way=way)
        if self.retries + 1 >= self.most and action == RESTART:
            state = self._over(FAILED, "VOL-019", keeps="VOL-020", way="Restarting")
            return replace(state, retries=self.retries + 1)
        return self._anew(by or "VOL-019")

    def _over(self, outcome: str, by: str, *, keeps: str, way: str) -> VolcanoState:
        """It has ended, or is Aborted: what runs is deleted."""
        dying = self.live if self.held and self.ran else 0
        over = replace(self, outcome=outcome, by=by, keeps=keeps, way=way, dying=dying)
        return replace(over, settled=False, unseen="last" if self.block else "")

    def _anew(self, by: str) -> VolcanoState:
        """It is restarted, or resumed."""
        retries = self.retries + 1
        dying = self.live if self.held and self.ran and not self.outcome else 0
        state = replace(self, tasks=tuple(one.anew for one in self.tasks), retries=retries, outcome="")
        due = [Sentence(f"in the end the Volcano Job reports retryCount {retries}", by)]
        if self.admitted:
            count = state.live
            made = f"{some_pods(count)} of the Volcano Job {'was' if count == 1 else 'were'} made"
            due.append(Sentence(f"in the end {made} since it became Restarting", "VOL-019"))
        way = "Restarting" if dying else ""
        state = replace(state, by=by, way=way, dying=dying, due=tuple(due), owes="VOL-019")
        return replace(state, ran=False, settled=False, counted=True, grouped=False)

    def _task_anew(self, task: Task, by: str) -> VolcanoState:
        """One task is begun anew, of which one pod has failed and the others run."""
        dying = task.live if self.held else 0
        state = self.with_task(task.anew)
        failed = sum(one.failed for one in state.tasks)
        kept = f"in the end the Volcano Job keeps {_ended_so(failed, 'failed')}"
        state = replace(state, by=by, dying=dying, due=(Sentence(kept, by),), owes="VOL-033")
        return replace(state, ran=False, settled=False)

    # -- what the user does, and the scheduler

    def changed_by(self, action: Action) -> tuple[list[Sentence], VolcanoState]:
        """The user changes, commands or deletes something, or the scheduler begins to let PodGroups in."""
        state = replace(self, changed=bool(self.block), settled=False)
        match action.kind:
            case "admit":
                return [Sentence("the scheduler lets every PodGroup in")], replace(state, admitted=True)
            case "scale":
                return state.scaled(state.task(action.words), action.numbers[0])
            case "remove":
                gone = replace(state, outcome=GONE, by="VOL-049", keeps="", dying=0)
                return [Sentence("the user deletes the Volcano Job")], gone
            case _:
                by = "VOL-022" if action.words == "ResumeJob" else ""
                return [Sentence(f"the user commands {action.words}")], replace(
                    state.acted(action.words, by), hasty=True
                )

    def scaled(self, task: Task, count: int) -> tuple[list[Sentence], VolcanoState]:
        """A task is changed to so many pods, all of which have to succeed."""
        state = self.with_task(Task(task.name, count, count))
        text = f"the user changes task {task.name} to {some_pods(count)} and minAvailable to {state.minimum}"
        indexes = listed([str(index) for index in range(count)])
        have = Sentence(f"in the end the pods of task {task.name} have the indexes {indexes}", "VOL-046")
        dying = max(0, task.pods - count) if self.held and self.ran else 0
        due = (have,) if self.admitted else ()
        state = replace(state, due=due, dying=dying, by="VOL-046", owes="VOL-046")
        return [Sentence(text)], replace(state, ran=self.ran and count < task.pods, grouped=False)

    # -- the end

    def closing(self) -> list[Sentence]:
        """What lets everything come to its end, and claims that end."""
        said, state = brought_to_end(self)
        last, state = state.settle()
        return [*said, *last, *state.afterwards()]

    @property
    def next_to_close(self) -> Action | None:
        """What is still to happen so that the Job comes to its end by itself."""
        if not self.there:
            return _FIRST
        if self.block:
            return UNBLOCK
        if self.outcome:
            return None
        if not self.admitted:
            return Action("admit")
        task = next(one for one in self.tasks if one.live)
        lacking = task.must - task.succeeded  # first as many as must, so that this may not end it
        together = Action("succeed", (lacking if 0 < lacking < task.live else task.live,), task.name)
        return together if self.allows(together) else Action("succeed", (1,), task.name)

    def ended(self) -> list[Sentence]:
        """The claims about the end."""
        if self.outcome == GONE:
            return [Sentence("in the end the Volcano Job is gone, with its pods and its PodGroup", self.by)]
        said = [Sentence(f"in the end the Volcano Job is {self.outcome}", self.by)]
        if self.keeps:
            kept = {
                "succeeded": sum(one.succeeded - one.wiped for one in self.tasks),
                "failed": sum(one.failed for one in self.tasks),
            }
            said += [
                Sentence(f"in the end the Volcano Job keeps {_ended_so(count, how)}", self.keeps)
                for how, count in kept.items()
            ]
        left = Sentence("in the end the Volcano Job has 0 unfinished pods", self._leaves)
        gone = Sentence("in the end the PodGroup of the Volcano Job is gone", "VOL-021")
        return [*said, left, *([gone] if self.outcome == ABORTED else [])]

    @property
    def _leaves(self) -> str:
        """The requirement that says that nothing runs any more."""
        return "VOL-021" if self.outcome == ABORTED else "VOL-024"

    def afterwards(self) -> list[Sentence]:
        """What happens after the end, and that it stays so."""
        if not self.epilogue:
            return []
        none = f"for 2 seconds 0 pods of the Volcano Job were made since it became {self.outcome}"
        return [
            Sentence(self.epilogue),
            Sentence(f"for 2 seconds the Volcano Job is {self.outcome}", self._leaves),
            Sentence(none, self._leaves),
        ]


def _ended_so(count: int, how: str) -> str:
    return f"{some_pods(count)} that {'has' if count == 1 else 'have'} {how}"


def begin(_: frozenset[str]) -> VolcanoState:
    """The state before anything: there is no Job."""
    return VolcanoState()
