"""How a scenario ends: what is stored once everything is at rest, as far as the API determines it.

Two plays of one scenario, one with faults that a correct API server, network and node may have and one
without, come to the same end. Each profile says it of its own objects, in ``profiles/NAME/ending``; the end
of a scenario is all of that together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchproof.judgement.objects import ApiObject
from batchproof.judgement.observed import Observed
from batchproof.judgement.parts import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

End = dict[str, str]
"""What is compared, by what it is: ``job/a: failed`` is ``2``."""


@dataclass(frozen=True, slots=True)
class Ends:
    """How the objects of a profile end.

    Attributes:
        objects: those whose end it is, as they are now.
        unrest: what still has to happen before they are at rest, in words; empty if nothing has.
        lacks_pods: one of them has fewer active pods than it wants.
        ending: how they stand now.
        determined: the same, without what may be otherwise at the end of another play.
        undetermined: why the API does not determine how they end; empty if it does.
        due: the names of facts that come about sooner or later, whatever faults there were.
    """

    objects: Callable[[Observed], Sequence[ApiObject]]
    unrest: Callable[[Observed], str]
    lacks_pods: Callable[[Observed], bool]
    ending: Callable[[Observed], End]
    determined: Callable[[Observed], End]
    undetermined: Callable[[Observed], str]
    due: frozenset[str]


_ENDS: list[Ends] = []


def register(ends: Ends) -> None:
    """Let this be a part of how scenarios end."""
    _ENDS.append(ends)


def _all() -> list[Ends]:
    load("ending")
    return _ENDS


def unrest(seen: Observed) -> str:
    """What still has to happen before everything is at rest; empty if nothing has."""
    return next((why for each in _all() if (why := each.unrest(seen))), "")


def lacks_pods(seen: Observed) -> bool:
    """Something has fewer active pods than it wants."""
    return any(each.lacks_pods(seen) for each in _all())


def ending(seen: Observed) -> End:
    """How everything stands now."""
    return {what: how for each in _all() for what, how in each.ending(seen).items()}


def determined(seen: Observed) -> End:
    """How everything stands now, without what may be otherwise at the end of another play."""
    return {what: how for each in _all() for what, how in each.determined(seen).items()}


def undetermined(seen: Observed) -> str:
    """Why the API does not determine how this history ends; empty if it does."""
    return next((why for each in _all() if (why := each.undetermined(seen))), "")


def due() -> frozenset[str]:
    """The names of facts that come about sooner or later, even under faults: they are never broken."""
    return frozenset().union(*(each.due for each in _all()))


def compared(seen: Observed) -> list[ApiObject]:
    """The objects whose end is compared, as they are now."""
    return [it for each in _all() for it in each.objects(seen)]


def differences(expected: Mapping[str, str], end: Mapping[str, str]) -> str:
    """What is not as it is expected, in words; empty if all is."""
    return "; ".join(
        f"{what} is {end.get(what, 'not there')}, not {how}"
        for what, how in expected.items()
        if end.get(what) != how
    )
