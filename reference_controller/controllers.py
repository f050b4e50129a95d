"""The controllers that `python -m reference_controller` can start; a new one is one line here.

What a controller is made of is loaded only when it is started: a process has to be quick to begin.
"""

from __future__ import annotations

from importlib import import_module

from reference_controller.runtime.command import Command

_COMMANDS = {
    "job": "job.command:JOB",
    "jobset": "jobset.command:JOBSET",
    "jobset-admission": "jobset.admission_command:JOBSET_ADMISSION",
    "scheduler": "scheduler.command:SCHEDULER",
    "tfjob": "tfjob.command:TFJOB",
    "tfjob-admission": "tfjob.admission_command:TFJOB_ADMISSION",
    "volcano": "volcano.command:VOLCANO",
    "volcano-admission": "volcano.admission_command:VOLCANO_ADMISSION",
}
"""Where in `reference_controller.runtime` the command of each name is."""


def commands(asked: str | None = None) -> list[Command]:
    """The command of that name; all of them if there is none."""
    found = []
    for place in [_COMMANDS[asked]] if asked in _COMMANDS else _COMMANDS.values():
        module, _, name = place.partition(":")
        found.append(getattr(import_module(f"reference_controller.runtime.{module}"), name))
    return found
