"""Volcano's controllers on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_controller.runtime.command import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from reference_controller.runtime.runtime import Runtime


def _options(parser: ArgumentParser) -> None:
    """There are none."""


def _start(runtime: Runtime, options: Namespace) -> object:  # noqa: ARG001 - there are none
    from reference_controller.runtime.volcano.controller import VolcanoController  # noqa: PLC0415

    return VolcanoController(runtime)


VOLCANO = Command("volcano", "Volcano's Jobs and queues, batch.volcano.sh", _options, _start)
