"""What the phrase of a JobSet means: a JobSet as its user asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Replicas: TypeAlias = tuple[tuple[str, int], ...]
"""ReplicatedJobs, with how many Jobs each has."""
Labels: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Dependency:
    """A ReplicatedJob that waits for another.

    Attributes:
        name: the one that waits.
        on: the one that it waits for.
        status: until that is ``Ready`` or ``Complete``.
    """

    name: str
    on: str
    status: str


@dataclass(frozen=True, slots=True)
class FailureRule:
    """A rule of a failure policy.

    Attributes:
        action: what happens, such as FailJobSet.
        reason: for which reason a Job must have failed; empty: for any.
        name: of which ReplicatedJob it must be; empty: of any.
    """

    action: str
    reason: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Coordinator:
    """The pod that coordinates the others.

    Attributes:
        name: of which ReplicatedJob it is.
        job: the index of its Job.
        pod: its own index.
    """

    name: str
    job: int
    pod: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSetSpec:
    """A JobSet.

    Attributes:
        replicas: how many Jobs of each ReplicatedJob, in their order.
        suspended: it is suspended from the beginning.
        pods: how many pods each Job has.
        first_pod: a Job has succeeded once one of its pods has.
        patient: a Job does not count a failed pod that was disrupted.
        in_order: its ReplicatedJobs start one after another.
        waits: which of them wait for another.
        success: how many of its Jobs must complete; empty: it does not say that.
        target: of which ReplicatedJob these are; empty: of any.
        max_restarts: how often it may restart; None: it does not say that.
        blocking: it restarts only when all its Jobs are gone.
        rules: those of its failure policy.
        coordinator: the pod that coordinates the others; None: it does not say that.
        subdomain: the subdomain of its pods; empty: the usual one.
        host_names: its pods have host names.
        ready_only: its service publishes the addresses of ready pods only.
        kept_s: how many seconds it is kept after it has finished; None: it does not say that.
        manager: whom spec.managedBy names; empty: none.
        nodes: the labels of the nodes that its pods may run on.
        much: its Job templates say more than they must.
    """

    replicas: Replicas
    suspended: bool = False
    pods: int = 1
    first_pod: bool = False
    patient: bool = False
    in_order: bool = False
    waits: tuple[Dependency, ...] = ()
    success: Literal["", "any", "all"] = ""
    target: str = ""
    max_restarts: int | None = None
    blocking: bool = False
    rules: tuple[FailureRule, ...] = ()
    coordinator: Coordinator | None = None
    subdomain: str = ""
    host_names: bool = True
    ready_only: bool = False
    kept_s: int | None = None
    manager: str = ""
    nodes: Labels = ()
    much: bool = False

    @property
    def jobs(self) -> list[str]:
        """The names of its child Jobs, without that of the JobSet."""
        return [f"{name}-{i}" for name, count in self.replicas for i in range(count)]
