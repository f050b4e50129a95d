"""What users ask for, as far as it is decided about."""

from __future__ import annotations

from dataclasses import dataclass

from reference_controller.volcano.objects import Policy


@dataclass(frozen=True, slots=True)
class AskedTask:
    """A task as a user asks for it; `images` are those of its containers, "" for none."""

    name: str
    replicas: int
    minimum: int
    policies: tuple[Policy, ...] = ()
    depends_on: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedJob:
    """A Job as a user asks for it, with what was filled in."""

    minimum: int
    queue: str
    tasks: tuple[AskedTask, ...]
    policies: tuple[Policy, ...] = ()
    plugins: tuple[str, ...] = ()

    @property
    def replicas(self) -> int:
        """How many pods it has when all are there."""
        return sum(task.replicas for task in self.tasks)
