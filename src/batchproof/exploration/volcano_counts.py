"""What the model of a Volcano Job knows of its pods, and what is possible by that."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from batchproof.exploration.troubles import FAULTY, MOST_FAULTS, Troubled, kills
from batchproof.exploration.volcano_actions import CODES, ERRORS, GOING_ON, MAKING, MOST_PODS, theme
from batchproof.exploration.volcano_policies import (
    POD_EVICTED,
    POD_FAILED,
    POLICIES,
    RESTART_TASK,
    TASK_COMPLETED,
    following,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from batchproof.exploration.program import Action
    from batchproof.exploration.volcano_policies import Policy

FATEFUL = {"succeed", *CODES, "evict"}
CHANGING = {"admit", "scale", "command", "remove"}
ABORTED, DONE, FAILED, TERMINATED, GONE = "Aborted", "Completed", "Failed", "Terminated", "gone"
MOST_JOB_ERRORS = 2
"""After more in a row the Job itself may be terminated (VOL-013)."""
_MOST_WIPED = 2
_RESTARTS = "killed"
"""Stands in an epilogue that kills the implementation and starts it again."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a model knows of a task of the Job.

    Attributes:
        pods: how many it has to have.
        must: so many of them have to succeed.
        succeeded: how many have, in this try.
        failed: how many have, in this try.
        wiped: how many of those that have succeeded are there no more.
    """

    name: str
    pods: int
    must: int
    succeeded: int = 0
    failed: int = 0
    wiped: int = 0

    @property
    def ended(self) -> int:
        """How many of its pods have ended."""
        return self.succeeded + self.failed

    @property
    def live(self) -> int:
        """How many of its pods have not ended."""
        return self.pods - self.ended

    @property
    def anew(self) -> Task:
        """The task once its pods are made anew."""
        return Task(self.name, self.pods, self.must)

    def befallen(self, kind: str, number: int) -> Task:
        """The task once so many of its pods have ended so; one that is evicted is made again."""
        if kind == "succeed":
            return replace(self, succeeded=self.succeeded + number)
        return replace(self, failed=self.failed + number) if kind in CODES else self


@dataclass(frozen=True, slots=True, kw_only=True)
class VolcanoCounts(Troubled):
    """What is known after some actions.

    Attributes:
        tasks: none: there is no Job yet.
        policies: what follows from events.
        most: its maxRetry.
        enough: its minSuccess; 0: it has none.
        admitted: the scheduler lets its PodGroups in.
        ran: all pods that have not ended run.
        settled: that there is what has to be was claimed.
        grouped: that its PodGroup asks for its minimum was claimed.
        retries: how often it was begun anew.
        outcome: how it has ended, or Aborted; empty: neither.
        unseen: in the block pods have ended: ``some``, or, with what follows from it, the ``last``.
        changed: in the block the user has changed the Job, or commanded something.
        held: deleted pods stay terminating.
        hasty: what was asked of this process has to be waited for: the next one would not know of it.
        counted: that all that ended was counted was claimed.
        epilogue: what happens after the end; empty: nothing.
    """

    tasks: tuple[Task, ...] = ()
    policies: tuple[Policy, ...] = ()
    most: int = 3
    enough: int = 0
    admitted: bool = False
    ran: bool = False
    settled: bool = False
    grouped: bool = False
    retries: int = 0
    outcome: str = ""
    unseen: str = ""
    changed: bool = False
    held: bool = False
    hasty: bool = False
    counted: bool = True
    epilogue: str = ""

    # -- what the counts come to

    @property
    def there(self) -> bool:
        """There is a Job."""
        return bool(self.tasks)

    @property
    def live(self) -> int:
        """How many pods have not ended."""
        return sum(one.live for one in self.tasks) if self.admitted else 0

    @property
    def minimum(self) -> int:
        """Its minAvailable: what its tasks need together, so that it asks for nothing else than they do."""
        return sum(one.must for one in self.tasks)

    def task(self, name: str) -> Task:
        """The task of this name; without pods, if there is none."""
        return next((one for one in self.tasks if one.name == name), Task(name, 0, 0))

    def with_task(self, changed: Task) -> Self:
        """The state with a task as it is now."""
        tasks = tuple(changed if one.name == changed.name else one for one in self.tasks)
        return replace(self, tasks=tasks)

    @property
    def by_pods(self) -> str:
        """How it ends by what became of its pods (VOL-016, VOL-017); empty: it goes on."""
        succeeded = sum(one.succeeded for one in self.tasks)
        if self.enough and succeeded >= self.enough:
            return DONE
        if self.live:
            return ""
        met = not self.enough and all(one.succeeded >= one.must for one in self.tasks)
        return DONE if met else FAILED

    def followed(self, kind: str, task: Task) -> Policy | None:
        """The policy that is followed when this becomes of a pod; the task is as it is then."""
        match kind:
            case "succeed":
                done = task.succeeded == task.pods
                return following(self.policies, task.name, TASK_COMPLETED) if done else None
            case "evict":
                return following(self.policies, task.name, POD_EVICTED)
            case _:
                return following(self.policies, task.name, POD_FAILED, str(CODES[kind]))

    # -- what is possible

    def offers(self) -> Mapping[str, Sequence[Action]]:
        """The actions that are possible now, by theme."""
        found: defaultdict[str, list[Action]] = defaultdict(list)
        if self.outcome and (self.epilogue or self.faults >= MOST_FAULTS):
            return found
        for action in GOING_ON if self.there else MAKING:
            if self.allows(action):
                found[theme(action)].append(action)
        return found

    def allows(self, action: Action) -> bool:
        """Whether this action is possible now."""
        if not self.there:
            return self._begins(action)
        if action.kind in FAULTY:
            return self._strikes(action)
        if action.kind in FATEFUL:
            return self._befalls(action.kind, self.task(action.words), action.numbers[0])
        if action.kind in CHANGING:
            return self._changeable(action)
        return self._besides(action)

    def _begins(self, action: Action) -> bool:
        """Whether it can happen before there is a Job."""
        if action.kind == "fault":
            return "creation" in action.words and self.bears(action, ERRORS, MOST_JOB_ERRORS)
        if action.kind != "create" or action.words not in POLICIES:
            return False
        ps, workers, spared, tries, enough = action.numbers
        return (
            0 <= ps <= 1
            and 0 <= spared < workers <= MOST_PODS
            and tries >= 0
            and 0 <= enough <= ps + workers
            and not (enough and spared)
            and not (enough and any(one.speaks_of([TASK_COMPLETED]) for one in POLICIES[action.words]))
        )

    def _strikes(self, action: Action) -> bool:
        """Whether this fault can come, and leaves one end only."""
        # A Command that was taken away is remembered by that process alone (VOL-036).
        forgets = kills(action) and self.block and self.changed
        once = self.epilogue and action.kind in {"crash", "block"}
        return not (once or forgets) and self.bears(action, ERRORS, MOST_JOB_ERRORS) and self.can_come(action)

    def _befalls(self, kind: str, task: Task, number: int) -> bool:
        """Whether this can happen to so many pods of a task, and leaves one end only."""
        if self.outcome or not self.admitted or not 0 < number <= task.live:
            return False
        if self.block and (self.changed or self.unseen == "last" or not self.ran):
            return False  # nobody knows which pods it would happen to, or what is done already
        after = task.befallen(kind, number)
        policy = self.followed(kind, after)
        if kind == "evict":
            return self._evictable(task, policy)
        if self.enough and sum(one.succeeded for one in self.with_task(after).tasks) > self.enough:
            return False  # which of them are seen before the others are deleted?
        return policy is None or (number == 1 and self._follows(policy, task, after))

    def _follows(self, policy: Policy, task: Task, after: Task) -> bool:
        """Whether nothing but the action of the policy can follow when a pod of the task ends."""
        if policy.action == RESTART_TASK:  # whether what has succeeded is run again is said nowhere
            return not (task.ended or self.held)
        return not (self.block and self.with_task(after).by_pods)

    def _evictable(self, task: Task, policy: Policy | None) -> bool:
        """Whether one end follows when a pod is deleted, which may be seen to fail before it is gone."""
        failing = following(self.policies, task.name, POD_FAILED)
        if failing and (policy is None or failing.action != policy.action):
            return False
        # That a pod was deleted has to be seen by a process that goes on, and may be so when it is gone.
        return policy is None or not (self.block or self.revived or self.held)

    def _changeable(self, action: Action) -> bool:
        """Whether the user or the scheduler may do this: once in a block, and not if something is unseen."""
        if self.outcome == GONE or (self.block and (self.unseen or self.changed)):
            return False
        match action.kind:
            case "admit":
                return not (self.admitted or self.outcome)
            case "scale":
                return self._scalable(self.task(action.words), action.numbers[0])
            case "remove":
                return self.outcome in {"", ABORTED} and not (self.held and self.live)
            case _:
                return self._commanded(action.words)

    def _scalable(self, task: Task, count: int) -> bool:
        """Whether a task may be changed to so many pods."""
        if self.outcome or task.ended or not task.pods or not 0 < count <= MOST_PODS or count == task.pods:
            return False
        if self.block and not (self.ran or not self.admitted):
            return False
        if count < task.pods:  # whether a pod that is too many is one that was evicted is said nowhere
            speaks = any(following(self.policies, task.name, it) for it in (POD_EVICTED, POD_FAILED))
            return not speaks and self.enough <= sum(one.pods for one in self.tasks) - task.pods + count
        return True

    def _commanded(self, action: str) -> bool:
        """Whether a Command may come, and leads to one end."""
        if self.revived or (self.block and self.held and not self.ran):
            return False
        if not self.counted and (self.block or any(one.wiped for one in self.tasks)):
            return False  # a pod that has ended may look as if it ran
        if action == "ResumeJob":
            return self.outcome == ABORTED and self.retries + 1 < self.most
        return not self.outcome

    def _besides(self, action: Action) -> bool:
        """Whether this can happen besides."""
        match action.kind:
            case "unblock":
                return bool(self.block)
            case "hold":
                return not (self.held or self.outcome or self.block)
            case "wipe":
                return self._wipeable
            case kind:
                fits = self.outcome not in {"", GONE} and not (self.epilogue or self.block)
                resumes = self.outcome == ABORTED and _RESTARTS not in action.words
                again = _RESTARTS in action.words and self.revived
                return kind == "epilogue" and fits and not (resumes or again)

    @property
    def _wipeable(self) -> bool:
        """Whether it is known whose a succeeded pod is, and nothing follows when it goes."""
        kept = [one for one in self.tasks if one.succeeded > one.wiped]
        if self.outcome or self.block or len(kept) != 1 or kept[0].wiped == _MOST_WIPED:
            return False
        if kept[0].wiped and not self.counted:
            return False
        return not any(one.speaks_of([POD_EVICTED, POD_FAILED, TASK_COMPLETED]) for one in self.policies)
