"""That nothing is deleted by an implementation before its time to live has passed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from batchproof.judgement.finding import Finding
from batchproof.judgement.invariants.rule import against
from batchproof.judgement.objects.api_object import ApiObject
from batchproof.judgement.observed import Observed, Write
from batchproof.judgement.values import stated
from batchproof.profiles.shared.facts.in_force import REACTION_S, in_force

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

T = TypeVar("T", bound=ApiObject)
_TOLERANCE = timedelta(seconds=1)
"""The time of day is that of the harness, which may be ahead of that of the implementation."""


def deleted_too_early(seen: Observed, kind: type[T], due: Callable[[T], datetime | None]) -> Finding | None:
    """The first deletion by the implementation of an object that was not due.

    Args:
        seen: what the whole history shows.
        kind: the class of the objects.
        due: from when on an object may be deleted; None: never. The implementation may still act on a state
            that has just been replaced.
    """
    for write in seen.writes_to(kind.served_as, "delete"):
        if (it := _removed_by(seen, kind, write)) is None:
            continue
        states = [one for _, one in seen.versions_of(kind, it.name) if one.uid == it.uid]
        dues = filter(None, map(due, (it, *in_force(states, it, REACTION_S * seen.time_scale))))
        since = min(dues, default=None)
        if since is None or seen.clock(write.number) + _TOLERANCE < since:
            expected = f"no deletion before {since:%H:%M:%S}" if since else "no deletion"
            return against(
                write.number,
                expected=expected,
                observed=stated(f"{it.name} deleted; {' '.join(it.words)}", {"name": it.name, **it.values}),
            )
    return None


def _removed_by(seen: Observed, kind: type[T], write: Write) -> T | None:
    """The state of an object as its deletion by a write began; None: the write deleted nothing.

    It comes after the request in the history, and has what had been stored until then, however late a watch
    may have shown that.
    """
    if not write.applied:
        return None
    for what, it in seen.versions_of(kind, write.request.name):
        if it.record > write.number and (what == "DELETED" or it.deleting):
            return it
    return None
