"""What was in force when something happened: a later value of a field says nothing of what was right then."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from batchproof.judgement.objects.api_object import ApiObject

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T", bound=ApiObject)
REACTION_S = 2.0
"""Scaled: an implementation may still act on what was stored so short a time ago."""


def in_force(states: Sequence[T], when: ApiObject, reaction_s: float = 0.0) -> list[T]:
    """The states of an object that an implementation may have acted on when it stored another, newest last.

    Args:
        states: all states of the object, in the order of their revisions.
        when: the other object as it was stored.
        reaction_s: how long it may still act on a state that was replaced.
    """
    end = bisect_left(states, when.revision, key=attrgetter("revision"))
    first = max(end - 1, 0)
    while reaction_s and first and states[first].at_s > when.at_s - reaction_s:
        first -= 1
    return list(states[first:end])
