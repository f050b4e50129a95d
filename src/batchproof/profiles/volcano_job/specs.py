"""What the phrases of a Volcano Job mean: a Job and its tasks as their user asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TASK = "work"
"""The name of the task where a sentence names none."""

Containers: TypeAlias = Literal["", "without a container", "of two containers and an init container"]
"""The containers of pods that have not the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """A task.

    Attributes:
        count: how many pods it has.
        name: its name.
        priority: the priority of its pods; empty: none.
        cpus: what each of its pods asks for; 0: nothing.
        containers: the containers of its pods.
        must: how many of its pods must succeed; None: it does not say that.
        foreign: its template has the annotations of a pod of another Job.
        after: the tasks that it comes after, all of them (``ps and worker``) or one (``ps or worker``).
    """

    count: int
    name: str = TASK
    priority: Literal["", "high", "low"] = ""
    cpus: int = 0
    containers: Containers = ""
    foreign: bool = False
    must: int | None = None
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VolcanoJobSpec:
    """A Volcano Job.

    Attributes:
        tasks: its tasks.
        settings: what else its spec says, each as ``words`` reads it: ``minAvailable 2``, ``the plugin svc``.
    """

    tasks: tuple[TaskSpec, ...]
    settings: tuple[str, ...] = ()
