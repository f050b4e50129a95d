"""The Job controller on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.job.objects import CONTROLLER_NAME, TRACKING_FINALIZER
from reference_controller.runtime.command import Command
from reference_controller.runtime.runtime import Runtime

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _options(parser: ArgumentParser) -> None:
    parser.add_argument("--concurrent-syncs", type=int, default=5, help="Jobs worked on at once")
    parser.add_argument(
        "--managed-by",
        default=CONTROLLER_NAME,
        metavar="NAME",
        help="handle only Jobs whose spec.managedBy is this name, such as example.com/controller",
    )
    parser.add_argument(
        "--finalizer",
        default=TRACKING_FINALIZER,
        metavar="NAME",
        help="track pods by this finalizer; with --managed-by one of its own: the default is reserved",
    )


def _start(runtime: Runtime, options: Namespace) -> object:
    from reference_controller.runtime.job.controller import JobController  # noqa: PLC0415

    return JobController(runtime, options.concurrent_syncs, options.managed_by, options.finalizer)


JOB = Command("job", "the Job controller, batch/v1", _options, _start)
