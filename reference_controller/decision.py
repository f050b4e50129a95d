"""What every controller's `reconcile` answers: what to do next, and when to look again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Never, TypeVar

A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Decision(Generic[A_co]):
    """One stage: do these actions in order; then the same key is looked at again, until there are none.

    Attributes:
        actions: each is one kind of write, as a value.
        requeue_after_s: look again after that many seconds, if nothing changes before.
        final: do not look again after these actions before something changes.
    """

    actions: tuple[A_co, ...] = ()
    requeue_after_s: float | None = None
    final: bool = False


NOTHING: Decision[Never] = Decision()
