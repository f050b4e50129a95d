"""Profiles: what is certified as a whole. A package each; nothing else lists them.

``profiles/NAME/`` has all that belongs to one: ``record`` (the ``PROFILE`` with its collections, witness and
smoke test), ``objects``, ``facts``, ``invariants``, ``verbs`` with their sentences, ``phrases`` for what
these describe with the ``specs`` that they mean, ``steps`` of other kinds, and, if it can be explored, a
``model`` for random programs. ``shared`` has what several of them need. To add one: such a package, a folder
in ``features/``, and its requirements in ``features/requirements/``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from batchproof.ground.errors import UserError
from batchproof.profiles.records import Profile

__all__ = ["profile", "profiles", "verbs"]


@cache
def profiles() -> dict[str, Profile]:
    """All profiles by name; that of Jobs, which is meant where none is named, is the first."""
    packages = [f"{__name__}.{package.name}" for package in iter_modules(__path__) if package.ispkg]
    records = [f"{package}.record" for package in packages if find_spec(f"{package}.record")]
    found: list[Profile] = [import_module(record).PROFILE for record in records]
    return {one.name: one for one in sorted(found, key=lambda one: (one.name != "job", one.name))}


def profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        UserError: there is none.
    """
    if name not in profiles():
        raise UserError(f"there is no profile {name!r}; there is {', '.join(profiles())}")
    return profiles()[name]


@cache
def verbs() -> dict[str, type]:
    """What the steps of all profiles ask for beside the World, by the name of the argument: classes of verbs.

    Raises:
        ValueError: two profiles use one name.
    """
    found: dict[str, type] = {}
    for one in profiles().values():
        if taken := found.keys() & one.verbs.keys():
            raise ValueError(f"two profiles have verbs of the name {min(taken)!r}")
        found |= one.verbs
    return found
