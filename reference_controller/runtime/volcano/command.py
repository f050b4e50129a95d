"""Volcano's controllers on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.runtime.command import Command
from reference_controller.runtime.runtime import Runtime

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def _options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--max-requeue-num",
        type=int,
        default=15,
        help="how often a request of a Job may fail before the Job is terminated; -1: for ever",
    )


def _start(runtime: Runtime, options: Namespace) -> object:
    from reference_controller.runtime.volcano.controller import VolcanoController  # noqa: PLC0415

    return VolcanoController(runtime, options.max_requeue_num)


VOLCANO = Command("volcano", "Volcano's Jobs and queues, batch.volcano.sh", _options, _start)
