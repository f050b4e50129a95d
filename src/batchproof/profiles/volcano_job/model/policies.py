"""The policies of Volcano Jobs in random programs: their sentences, and what follows from what happens.

None of them leaves it open what follows: an exit code stands beside no other policy of the same tasks that
speaks of failures, and a task restarts only when a pod of it has failed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

POD_FAILED, POD_EVICTED, TASK_COMPLETED, ANY = "PodFailed", "PodEvicted", "TaskCompleted", "*"
RESTART, ABORT, TERMINATE, COMPLETE, RESTART_TASK = (
    "RestartJob",
    "AbortJob",
    "TerminateJob",
    "CompleteJob",
    "RestartTask",
)
WORKER, PS = "worker", "ps"
CODE = 3
"""The exit code that policies speak of."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What follows from an event.

    Attributes:
        events: each of them leads to the action; an exit code is one too.
        task: of which it speaks alone; empty: it is the Job's.
    """

    events: tuple[str, ...]
    action: str
    task: str = ""

    @property
    def text(self) -> str:
        """As a sentence says it."""
        of = f" of task {self.task}" if self.task else ""
        return f"the policy {' or '.join(self.events)} {self.action}{of}"

    @property
    def judges(self) -> str:
        """The requirement that it is about."""
        if self.task:
            return "VOL-029"
        if self.events == (str(CODE),):
            return "VOL-030"
        if len(self.events) > 1:
            return "VOL-031"
        return "VOL-034" if self.events == (TASK_COMPLETED,) else "VOL-028"

    def speaks_of(self, events: Iterable[str]) -> bool:
        """Whether one of these events leads to its action."""
        return ANY in self.events or not set(self.events).isdisjoint(events)


def following(policies: Iterable[Policy], task: str, *events: str) -> Policy | None:
    """The policy that is followed when this happens to a task: its own come first (VOL-029)."""
    fit = [one for one in policies if one.task in {"", task} and one.speaks_of(events)]
    return next((one for one in fit if one.task), next(iter(fit), None))


_ACTIONS = (RESTART, ABORT, TERMINATE, COMPLETE)
_EVENTS = (
    (POD_FAILED,),
    (POD_EVICTED,),
    (POD_EVICTED, POD_FAILED),
    (TASK_COMPLETED,),
    (str(CODE),),
    (ANY,),
)
_ALONE = (
    *(Policy(events, action) for events, action in product(_EVENTS, _ACTIONS)),
    *(
        Policy((event,), action, WORKER)
        for event, action in product((POD_FAILED, POD_EVICTED, TASK_COMPLETED), _ACTIONS)
    ),
    Policy((POD_FAILED,), RESTART_TASK, WORKER),
)
_TOGETHER = (
    (Policy((POD_FAILED,), RESTART), Policy((TASK_COMPLETED,), COMPLETE, WORKER)),
    (Policy((POD_FAILED,), RESTART), Policy((POD_FAILED,), TERMINATE, WORKER)),
    (Policy((POD_FAILED,), RESTART), Policy((str(CODE),), ABORT, WORKER)),
    (Policy((POD_FAILED,), ABORT), Policy((POD_EVICTED,), RESTART)),
    (Policy((POD_FAILED,), RESTART), Policy((POD_EVICTED,), ABORT)),
    (Policy((str(CODE),), RESTART), Policy((POD_EVICTED,), TERMINATE)),
    (Policy((POD_FAILED,), RESTART_TASK, WORKER), Policy((TASK_COMPLETED,), COMPLETE, WORKER)),
    (Policy((POD_FAILED,), RESTART_TASK, WORKER), Policy((POD_FAILED,), RESTART)),
)
POLICIES = {
    " and ".join(one.text for one in them): them for them in ((), *((one,) for one in _ALONE), *_TOGETHER)
}
"""What a Job may say of them, in its words."""
