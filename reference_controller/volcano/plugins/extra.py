"""What plugins have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

from reference_controller.objects.api_json import Json, with_variable
from reference_controller.objects.resources import Resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True)
class Extra:
    """An object that a plugin has made for a Job.

    Attributes:
        kind: as the API names it.
        parts: what it has beside metadata.
        has_keys: a pair of keys belongs into it, which the process that creates it makes up.
    """

    resource: Resource
    kind: str
    name: str
    parts: Json = field(default_factory=dict)
    has_keys: bool = False


def in_all_containers(spec: Json, change: Callable[[Json], Json]) -> Json:
    """The spec of a pod with every container changed, also those that run first."""
    kinds = [kind for kind in ("containers", "initContainers") if spec.get(kind)]
    return {**spec, **{kind: [change(container) for container in spec[kind]] for kind in kinds}}


def with_variables(spec: Json, variables: Iterable[Json]) -> Json:
    """The spec of a pod with these variables in the environment of all its containers."""
    return in_all_containers(spec, lambda it: reduce(with_variable, variables, it))


def mounted(spec: Json, volume: Json, mount: Json) -> Json:
    """The spec of a pod with a volume that all its containers mount."""
    whole = in_all_containers(
        spec, lambda it: {**it, "volumeMounts": [*(it.get("volumeMounts") or ()), mount]}
    )
    return {**whole, "volumes": [*(spec.get("volumes") or ()), volume]}
