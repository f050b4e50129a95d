"""Profiles: what is certified as a whole. One module and one record each; nothing else lists them.

To add one: a module here with a ``PROFILE``, a folder in ``features/``, its requirements in
``features/requirements/``, its steps, its facts, and what it needs of ``judgement/things`` and
``judgement/invariants``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from batchproof.control_plane.rights import Needs
from batchproof.errors import UserError
from batchproof.profiles.profile import Profile

if TYPE_CHECKING:
    from batchproof.descriptor.implementation import Implementation

__all__ = ["Profile", "needs_of", "profile", "profiles"]


@cache
def profiles() -> dict[str, Profile]:
    """All profiles by name; that of Jobs, which is meant where none is named, is the first."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    found: list[Profile] = [module.PROFILE for module in modules if hasattr(module, "PROFILE")]
    return {one.name: one for one in sorted(found, key=lambda one: (one.name != "job", one.name))}


def profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        UserError: there is none.
    """
    if name not in profiles():
        raise UserError(f"there is no profile {name!r}; there is {', '.join(profiles())}")
    return profiles()[name]


def needs_of(implementation: Implementation) -> Needs:
    """What an implementation is judged with, in all its profiles, in a cluster that is not ours."""
    kept = (each for name in implementation.profiles for each in profile(name).collections(implementation))
    return Needs(tuple(dict.fromkeys(kept)), implementation.dialect)
