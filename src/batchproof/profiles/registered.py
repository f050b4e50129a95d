"""What a profile knows of itself, for the table of kinds: its objects, and its fault profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from batchproof.descriptor.dialect import Dialect, Spelling
from batchproof.descriptor.implementation import bundled, load
from batchproof.profiles import profiles
from batchproof.specification.kinds_grid import Registered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def registered() -> Mapping[str, Registered]:
    """What each profile knows of itself, by its name.

    Its objects are those that are recorded for any bundled implementation, and those that the dialect of one
    makes beside them.
    """
    implementations = [load(path) for path in bundled().values()]
    found = {}
    for name, profile in profiles().items():
        of_it = [one for one in implementations if name in one.profiles]
        recorded = [each for one in of_it for each in profile.collections(one)]
        beside = [each for one in of_it for each in _of_dialect(one.dialect)]
        found[name] = Registered(
            frozenset([*(it.resource for it in recorded), *(it.resource for it in beside)]),
            frozenset(
                [
                    *(it.resource for it in recorded if not it.namespaced),
                    *(it.resource for it in beside if not it.namespaced),
                ]
            ),
            profile.fault_profiles,
        )
    return found


def _of_dialect(dialect: Dialect | None) -> Iterator[Spelling]:
    """What users make beside gangs, so that there is room for them."""
    if dialect:
        yield from (it for it in (dialect.queue, *(each.spelling for each in dialect.setting)) if it)
