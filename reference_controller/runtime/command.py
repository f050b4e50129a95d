"""A controller as the command line knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_controller.runtime.runtime import Runtime

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Command:
    """`python -m reference_controller NAME`.

    Attributes:
        name: of the controller.
        help: what it is, in a few words.
        options: adds its options to the command line; all have --kubeconfig.
        start: makes it part of a runtime that is about to run.
    """

    name: str
    help: str
    options: Callable[[ArgumentParser], None]
    start: Callable[[Runtime, Namespace], object]
