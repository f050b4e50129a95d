"""What the plugins of a Volcano Job add to it: objects beside its pods, and parts of the pods; one file each.

A plugin is defined by the JSON that it makes, so the words of the API stand in all of them.
"""

from __future__ import annotations

from reference_controller.objects.api_json import Json
from reference_controller.volcano.objects import Job
from reference_controller.volcano.plugins import env, ssh, svc
from reference_controller.volcano.plugins.extra import Extra

_PLUGINS = {"env": env, "ssh": ssh, "svc": svc}
NAMES = frozenset(_PLUGINS)
"""All plugins that there are."""


def plugins_of(job: Job) -> dict[str, list[str]]:
    """The plugins of the Job that are known, with their arguments."""
    named = job.raw["spec"].get("plugins") or {}
    return {name: list(arguments or ()) for name, arguments in named.items() if name in _PLUGINS}


def extras_of(job: Job) -> tuple[Extra, ...]:
    """VOL-043, VOL-044: the objects that have to be there before the first pod (VOL-045)."""
    return tuple(
        extra for name, said in plugins_of(job).items() for extra in _PLUGINS[name].extras(job, said)
    )


def equipped(spec: Json, job: Job, name: str, index: int) -> Json:
    """The spec of a pod of this name and index with what all plugins add to it."""
    for plugin in plugins_of(job):
        spec = _PLUGINS[plugin].equipped(spec, job, name, index)
    return spec
