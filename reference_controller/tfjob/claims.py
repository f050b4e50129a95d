"""Which pods and services a TFJob adopts, and which it releases, by their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_controller.tfjob.names import selector
from reference_controller.tfjob.objects import ReplicaPod, Service, TFJob

if TYPE_CHECKING:
    from collections.abc import Sequence

C = TypeVar("C", "ReplicaPod", "Service")


def adoptable(job: TFJob, loose: Sequence[C]) -> tuple[C, ...]:
    """TFJ-020: those without a controller that carry the labels of the TFJob."""
    return tuple(it for it in loose if not it.deleting and _matches(job, it))


def strays(job: TFJob, owned: Sequence[C]) -> tuple[C, ...]:
    """TFJ-020: those that it controls and that do not carry its labels any more."""
    return tuple(it for it in owned if not it.deleting and not _matches(job, it))


def _matches(job: TFJob, child: ReplicaPod | Service) -> bool:
    return selector(job.name).items() <= child.labels.items()
