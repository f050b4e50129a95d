"""The gangs of one scenario, and their pods as they are seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from batchproof.ground.errors import HarnessError
from batchproof.judgement.history import Json
from batchproof.judgement.objects.core import Pod
from batchproof.profiles.gang.specs import GangSpec
from batchproof.profiles.shared.objects.pods import gang_of
from batchproof.world import World


@dataclass(slots=True)
class Gang:
    """A gang of the scenario.

    Attributes:
        spec: what its user asked for.
        minimum: how many of its pods must be bound at once, by now.
        queue: the full name of its queue; None for what the implementation takes by default.
        priority: the full name of its PriorityClass; None for none.
        pods: the names of its pods so far.
        bodies: what each of them was created with, by its name.
        refused: those that admission has refused, because the group or the queue does not exist.
        group: the name of its object where that is another; the client that creates a Job's group names it.
        asked: what stands for the minimum in each object as it was made, by the object's name.
    """

    spec: GangSpec
    minimum: int
    queue: str | None = None
    priority: str | None = None
    pods: list[str] = field(default_factory=list)
    bodies: dict[str, Json] = field(default_factory=dict)
    refused: list[Json] = field(default_factory=list)
    group: str = ""
    asked: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name, and that of its object."""
        return self.spec.name


class KnownGangs:
    """The gangs of one scenario, by name.

    Attributes:
        all: each of them.
        made: the names of those whose object was made, and not deleted.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.all: dict[str, Gang] = {}
        self.made: set[str] = set()

    def __getitem__(self, name: str) -> Gang:
        """The gang of that name.

        Raises:
            HarnessError: there is none: a step of the scenario is missing.
        """
        if name not in self.all:
            raise HarnessError(f"the scenario has no gang {name}")
        return self.all[name]

    def waiting(self, name: str) -> list[Pod]:
        """The pods of a gang that are not bound, oldest first.

        Raises:
            HarnessError: there is no such gang.
            Inconclusive: none of its pods waits.
        """
        order = self[name].pods
        waiting = [pod for pod in self._world.seen.pods if gang_of(pod) == name and not pod.node]
        if not waiting:
            self._world.lack(f"a pod of gang {name} that waits")
        return sorted(waiting, key=lambda pod: order.index(pod.name))

    def running(self, name: str) -> list[Pod]:
        """The pods of a gang that are bound and have not finished."""
        return [
            pod for pod in self._world.seen.pods if gang_of(pod) == name and pod.node and not pod.finished
        ]
