"""The plugin env: every container gets its index."""

from __future__ import annotations

from reference_controller.objects.api_json import Json
from reference_controller.volcano.objects import Job
from reference_controller.volcano.plugins.extra import Extra, with_variables

NAMES = ("VK_TASK_INDEX", "VC_TASK_INDEX")


def extras(job: Job, said: list[str]) -> tuple[Extra, ...]:  # noqa: ARG001 - as all plugins are called
    """There are none."""
    return ()


def equipped(spec: Json, job: Job, name: str, index: int) -> Json:  # noqa: ARG001 - as all plugins are called
    """VOL-042: the index of the pod in its task."""
    return with_variables(spec, [{"name": variable, "value": str(index)} for variable in NAMES])
