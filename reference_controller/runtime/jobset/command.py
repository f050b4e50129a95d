"""The controller of JobSets on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.runtime.command import Command
from reference_controller.runtime.runtime import Runtime

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _options(_: ArgumentParser) -> None:
    """It has none of its own."""


def _start(runtime: Runtime, _: Namespace) -> object:
    from reference_controller.runtime.jobset.controller import JobSetController  # noqa: PLC0415 - see controllers

    return JobSetController(runtime)


JOBSET = Command("jobset", "JobSets, jobset.x-k8s.io", _options, _start)
