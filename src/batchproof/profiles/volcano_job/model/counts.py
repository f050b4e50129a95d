"""What the model of a Volcano Job knows of its pods, and what follows from their ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from batchproof.exploration.program import Sentence
from batchproof.exploration.troubles import FaultBudget
from batchproof.profiles.volcano_job.model.policies import (
    POD_EVICTED,
    POD_FAILED,
    TASK_COMPLETED,
    Policy,
    following,
)

CODES = {"fail": 1, "break": 3}
"""The exit codes of pods that end badly."""
ABORTED, DONE, FAILED, TERMINATED, GONE = "Aborted", "Completed", "Failed", "Terminated", "gone"


@dataclass(frozen=True, slots=True)
class TaskModel:
    """What a model knows of a task of the Job.

    Attributes:
        pods: how many it has to have.
        must: how many of them have to succeed.
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
    def anew(self) -> TaskModel:
        """The task once its pods are recreated."""
        return TaskModel(self.name, self.pods, self.must)

    def pod_outcome(self, kind: str, number: int) -> TaskModel:
        """The task once that many of its pods have ended so; one that is evicted is created again."""
        if kind == "succeed":
            return replace(self, succeeded=self.succeeded + number)
        return replace(self, failed=self.failed + number) if kind in CODES else self


@dataclass(frozen=True, slots=True, kw_only=True)
class VolcanoCounts(FaultBudget):
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
        retries: how often it was restarted.
        resumes: how often it was resumed, which may count as a retry or not (VOL-022).
        outcome: how it has ended, or Aborted; empty: neither.
        unseen: in the block pods have ended: ``some``, or, with what follows from it, the ``last``.
        changed: in the block the user has changed the Job, or commanded something.
        held: deleted pods stay terminating.
        quick: what was asked of this process has to be waited for: the next one would not know of it.
        counted: that all that ended was counted was claimed.
        by: the requirement that its end speaks of.
        keeps: the requirement that says that what has ended is kept; empty: none does.
        way: the phase in which it waits for pods that are being deleted; empty: it waits in none.
        dying: how many pods stay terminating.
        due: what has to be claimed of what happened, before all else.
        owes: the requirement that the next claim about its pods speaks of.
    """

    tasks: tuple[TaskModel, ...] = ()
    policies: tuple[Policy, ...] = ()
    most: int = 3
    enough: int = 0
    admitted: bool = False
    ran: bool = False
    settled: bool = False
    grouped: bool = False
    retries: int = 0
    resumes: int = 0
    outcome: str = ""
    unseen: str = ""
    changed: bool = False
    held: bool = False
    quick: bool = False
    counted: bool = True
    by: str = ""
    keeps: str = ""
    way: str = ""
    dying: int = 0
    due: tuple[Sentence, ...] = ()
    owes: str = "VOL-004"

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

    def task(self, name: str) -> TaskModel:
        """The task of this name; without pods, if there is none."""
        return next((one for one in self.tasks if one.name == name), TaskModel(name, 0, 0))

    def with_task(self, changed: TaskModel) -> Self:
        """The state with a task as it is now."""
        tasks = tuple(changed if one.name == changed.name else one for one in self.tasks)
        return replace(self, tasks=tasks)

    @property
    def may_be_over(self) -> bool:
        """Whether one more restart is the last one depends on how resumes are counted."""
        return self.retries + 1 < self.most <= self.retries + self.resumes + 1

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

    def followed(self, kind: str, task: TaskModel) -> Policy | None:
        """The policy that is followed when this becomes of a pod; the task is as it is then."""
        match kind:
            case "succeed":
                done = task.succeeded == task.pods
                return following(self.policies, task.name, TASK_COMPLETED) if done else None
            case "evict":
                return following(self.policies, task.name, POD_EVICTED)
            case _:
                return following(self.policies, task.name, POD_FAILED, str(CODES[kind]))
