"""The providers of clusters: a module each, with its ``PROVIDER``; nothing else lists them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from batchproof.control_plane.plane import Traits
from batchproof.control_plane.provider import Provider
from batchproof.ground.errors import UserError

DEFAULT: Final = "embedded"
"""The provider that is meant where none is named."""


@cache
def providers() -> dict[str, Provider]:
    """All providers by name, the default one first."""
    found: list[Provider] = [
        import_module(f"{__name__}.{module.name}").PROVIDER for module in iter_modules(__path__)
    ]
    return {one.name: one for one in sorted(found, key=lambda one: (one.name != DEFAULT, one.name))}


def traits(name: str) -> Traits:
    """What the clusters of a provider are like; of one that is not known, what is true of any cluster."""
    known = providers().get(name)
    return known.traits if known else Traits(name, disposable=False, controlled=True)


def provider(name: str) -> Provider:
    """The provider of that name.

    Raises:
        UserError: there is none.
    """
    if name not in providers():
        raise UserError(f"there is no cluster {name!r}; there is {', '.join(providers())}")
    return providers()[name]
