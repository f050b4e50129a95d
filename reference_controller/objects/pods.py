"""A pod, as every controller sees it; each adds what else it needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from reference_controller.objects.identity import Controller

if TYPE_CHECKING:
    from collections.abc import Mapping


class Container(NamedTuple):
    """What the kubelet reports of a container; a sidecar is an init container that restarts always.

    `exit_code` and `finished_at` (seconds since the epoch) are None while it has not ended.
    """

    name: str
    role: Literal["main", "init", "sidecar"]
    restarts: int = 0
    exit_code: int | None = None
    finished_at: float | None = None


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod. Times are seconds since the epoch.

    Attributes:
        controller: the owner that has controller=true.
        reason: why it failed, such as Evicted, where the kubelet says so.
        node: the name of its node, or "".
        conditions: the type and the status of each.
        ready_since: when the Ready condition last changed, or 0.
    """

    api_version: ClassVar[str] = "v1"
    kind: ClassVar[str] = "Pod"

    namespace: str
    name: str
    uid: str
    version: int
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    controller: Controller | None = None
    node: str = ""
    phase: str = "Pending"
    reason: str = ""
    deleting: bool = False
    ready: bool = False
    ready_since: float = 0.0
    conditions: tuple[tuple[str, str], ...] = ()
    created: float = 0.0
    containers: tuple[Container, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the kubelet has reported a terminal phase. BAS-023: Unknown is not one."""
        return self.phase in {"Succeeded", "Failed"}

    @property
    def active(self) -> bool:
        """BAS-050: neither terminal nor being deleted."""
        return not self.deleting and self.phase not in {"Succeeded", "Failed"}

    @property
    def terminating(self) -> bool:
        """BAS-052: being deleted and not yet terminal."""
        return self.deleting and self.phase not in {"Succeeded", "Failed"}

    @property
    def assigned(self) -> bool:
        """Whether it has a node."""
        return self.node != ""

    def exit_code(self, container: str) -> int | None:
        """The exit code of the main container of this name; None while it has not ended."""
        codes = (c.exit_code for c in self.containers if c.role == "main" and c.name == container)
        return next(codes, None)
