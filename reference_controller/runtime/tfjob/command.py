"""The controller of TFJobs on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.runtime.command import Command
from reference_controller.runtime.runtime import Runtime
from reference_controller.tfjob.objects import GANG_SCHEDULERS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--gang-scheduler-name",
        choices=[*GANG_SCHEDULERS],
        help="give the pods of a TFJob to this scheduler, in a PodGroup",
    )


def _start(runtime: Runtime, options: Namespace) -> object:
    from reference_controller.runtime.tfjob.controller import TFJobController  # noqa: PLC0415

    return TFJobController(runtime, GANG_SCHEDULERS.get(options.gang_scheduler_name))


TFJOB = Command("tfjob", "TFJobs, kubeflow.org", _options, _start)
