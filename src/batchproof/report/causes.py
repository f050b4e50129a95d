"""Which of the broken requirements are causes, and which were only ever broken after one of those.

A bug seldom breaks one requirement: a pod that is released too early is lost, then counted wrongly, then
replaced. Time tells them apart. A requirement is a *cause* if it is the first that is broken in some history.
What is broken only where another was broken before stands in its wake: it is failed all the same, but named
after the causes, for it may well be gone with them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from batchproof.report.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Broken:
    """A requirement that is not met.

    Attributes:
        must: the run fails with it.
        evidence: the histories that show it, none of them waived.
    """

    id: str
    must: bool
    evidence: tuple[Evidence, ...]


def broken_at_s(one: Evidence) -> float:
    """When a history shows that a requirement is broken: at the last marked moment, or never."""
    moments = one.unmet.timeline
    marked = [moment.at_s for moment in moments if moment.here]
    return max(marked, default=moments[-1].at_s if moments else inf)


def wake(broken: Iterable[Broken]) -> Mapping[str, tuple[str, ...]]:
    """The requirements that are no causes, each with those that were broken before it.

    A MUST is in the wake of a MUST only: nothing that does not fail the run may hide what does.
    """
    all_ = tuple(broken)
    history: dict[str, list[tuple[float, Broken]]] = {}
    for one in all_:
        for evidence in one.evidence:
            history.setdefault(evidence.scenario.id, []).append((broken_at_s(evidence), one))
    found = {one.id: _always_after(one, history) for one in all_}
    return {id_: after for id_, after in found.items() if after}


def _always_after(one: Broken, history: Mapping[str, list[tuple[float, Broken]]]) -> tuple[str, ...]:
    """What was broken before it, if something was in every history that shows it."""
    before: Counter[str] = Counter()
    for evidence in one.evidence:
        at_s = broken_at_s(evidence)
        earlier = {
            other.id
            for time_s, other in history[evidence.scenario.id]
            if time_s < at_s and other.id != one.id and (other.must or not one.must)
        }
        if not earlier:
            return ()
        before.update(earlier)
    return tuple(id_ for id_, _ in before.most_common())
