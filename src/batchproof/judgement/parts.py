"""Where the kernel finds what each profile knows: by the folder, so that a profile is nowhere listed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

PACKAGES = ("batchproof.judgement", "batchproof.profiles")
"""The kernel's own vocabulary, and the packages that hold that of one profile or of several each."""
PARTS = (
    "causes",
    "delays",
    "ending",
    "facts",
    "invariants",
    "kinds",
    "objects",
    "phrases",
    "picture",
    "steps",
)
"""What a profile may know, each a module or a package of that name in the package of the profile."""


@cache
def load(part: str) -> tuple[ModuleType, ...]:
    """Import a part of all packages: as it is imported, what it has registers.

    Args:
        part: one of ``PARTS``.

    Returns:
        The modules that were imported.
    """
    kernel, profiles = PACKAGES
    owners = [package.name for package in iter_modules(import_module(profiles).__path__) if package.ispkg]
    names = [f"{kernel}.{part}", *(f"{profiles}.{owner}.{part}" for owner in owners)]
    return tuple(module for name in names for module in _load(name))


def _load(name: str) -> list[ModuleType]:
    """Import a module, and where it is a package all modules of it; what is not there is nothing wrong."""
    if find_spec(name) is None:
        return []
    whole = import_module(name)
    inside = iter_modules(getattr(whole, "__path__", ()))
    return [whole, *(import_module(f"{name}.{module.name}") for module in inside)]
