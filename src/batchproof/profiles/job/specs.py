"""What the phrase of a Job means: a Job as its user asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from batchproof.profiles.shared.names import JOB

Value: TypeAlias = int | str | bool
Setting: TypeAlias = tuple[str, Value]
"""A field of a Job's spec and its value, or what a sentence says in place of one: ``selector shared``."""
Manager: TypeAlias = Literal[
    "", "another controller", "no controller", "the built-in controller", "the implementation as its manager"
]
"""Whom spec.managedBy names; empty: whom the implementation needs there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSpec:
    """A Job.

    Attributes:
        name: its name.
        kinds: ``suspended``, ``Indexed``, ``work-queue``.
        settings: what it sets, in the words of the API.
        rules: its policies, as ``policies`` reads them.
        manager: whom it names as its manager.
        much: its pod template says more than it must.
        pods_have: what its pods have besides, such as ``an init container``.
        gang: its pods are a gang of that many; 0: of its parallelism; None: they are none.
        grouped: its pod template names a PodGroup.
        parent: what controls it, an object without a controller: ``JobSet``, ``CronJob``; empty: nothing.
        delegated: it is to make a PodGroup from a template of that parent's Workload.
    """

    name: str = JOB
    kinds: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    rules: str = ""
    manager: Manager = ""
    much: bool = False
    pods_have: str = ""
    gang: int | None = None
    grouped: bool = False
    parent: Literal["", "JobSet", "CronJob"] = ""
    delegated: bool = False

    @classmethod
    def of(cls, name: str = JOB, **settings: Value) -> JobSpec:
        """A Job with these settings."""
        return cls(name=name, settings=tuple(settings.items()))
