"""Which of the broken requirements are causes, and which stand in the wake of those.

A bug seldom breaks one requirement: a pod that is released too early is lost, then counted wrongly, then
replaced; and where no Job ever completes, whatever scenario ends with a Job that completes fails. What is in
the wake of a cause is failed all the same, but named after it, for it may well be gone with it. A requirement
is in the wake of others if each history that breaks it, but for one in ten of those that are no scenarios of
its own,

- has broken another before, or by the same record, where that is judged in all histories and it is not, or
  where it is broken in far fewer of them; or
- lacks what another speaks of, which the other's own scenarios lack too. That is only supposed: the same may
  be missing for another reason.

What is broken in nearly every history of a run comes before most of what fails, related or not: what is in
the wake of nothing else is only supposed to follow from it.

It is a cause for all that if the other is broken by few histories but those of its own scenarios, or if the
registry says that it ``explains`` the other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from batchproof.report.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_GOOD_PART = 0.5
"""From this share of the histories that break another one on, a requirement is no mere effect of it."""
_EVERYWHERE, _MANY = 0.8, 20
"""From this share of the histories of a run on a requirement is broken everywhere, if there are that many."""
_FEW = 0.1
"""Up to this share of the histories that break it, a requirement may be broken by something else."""


@dataclass(frozen=True, slots=True)
class BrokenRequirement:
    """A requirement that is not met.

    Attributes:
        must: the run fails with it.
        evidence: the histories that show it, none of them waived.
        explains: the requirements whose breach is how a breach of this one shows.
    """

    id: str
    must: bool
    evidence: tuple[Evidence, ...]
    explains: tuple[str, ...] = ()

    @property
    def lacks(self) -> frozenset[str]:
        """What its own scenarios have waited for in vain, as the requirements that speak of that."""
        return frozenset(id_ for one in self.evidence if one.own for id_ in one.unmet.speaks_of)


def broken_at_s(one: Evidence) -> float:
    """When a history shows that a requirement is broken: at the last marked moment, or never."""
    moments = one.unmet.timeline
    marked = [moment.at_s for moment in moments if moment.here]
    return max(marked, default=moments[-1].at_s if moments else inf)


def wake(broken: Iterable[BrokenRequirement]) -> Mapping[str, tuple[str, ...]]:
    """The requirements that are no causes, each with those in whose wake it is.

    A MUST is in the wake of a MUST only: nothing that does not fail the run may hide what does. Those that
    would only hide each other are all causes.
    """
    all_ = {one.id: one for one in broken}
    history = _by_history(all_.values())
    found = {one.id: _always_after(one, all_, history) for one in all_.values()}
    followers = _led_by_causes({id_: after for id_, after in found.items() if after}, all_)
    return {id_: found[id_] for id_ in all_ if id_ in followers}


def supposed(
    after: Mapping[str, tuple[str, ...]], broken: Iterable[BrokenRequirement], *, judged: int
) -> frozenset[str]:
    """Of the requirements in the wake of others, those of which no history shows that.

    They only lack what the others lack too, or come after what is broken everywhere: they may be bugs of
    their own.

    Args:
        after: what ``wake`` has found.
        broken: what it has found it of.
        judged: how many histories the run has.
    """
    all_ = {one.id: one for one in broken}
    history = _by_history(all_.values())
    everywhere = {id_ for id_, one in all_.items() if len(one.evidence) >= max(_MANY, _EVERYWHERE * judged)}

    def shown(id_: str) -> bool:
        one = all_[id_]
        earlier = (_earlier(one, evidence, history[evidence.scenario.id]) for evidence in one.evidence)
        return any({*found} & {*after[id_]} - everywhere for found in earlier)

    return frozenset(id_ for id_ in after if not shown(id_))


def _by_history(broken: Iterable[BrokenRequirement]) -> dict[str, list[tuple[BrokenRequirement, Evidence]]]:
    """What each history shows, by the id of its scenario."""
    found: dict[str, list[tuple[BrokenRequirement, Evidence]]] = {}
    for one in broken:
        for evidence in one.evidence:
            found.setdefault(evidence.scenario.id, []).append((one, evidence))
    return found


def _always_after(
    one: BrokenRequirement,
    all_: Mapping[str, BrokenRequirement],
    history: Mapping[str, list[tuple[BrokenRequirement, Evidence]]],
) -> tuple[str, ...]:
    """In the wake of what it is, the most frequent first, if the histories that break it say so."""
    before: Counter[str] = Counter()
    alone = 0
    for evidence in one.evidence:
        earlier = {*_earlier(one, evidence, history[evidence.scenario.id]), *_lacking(evidence, all_)}
        leading = {id_ for id_ in earlier if _leads(all_[id_], one)}
        if not leading and evidence.own:
            return ()
        alone += not leading
        before.update(leading)
    by_frequency = sorted(before, key=lambda id_: (-before[id_], id_))  # sets have no order of their own
    return tuple(by_frequency) if alone <= _FEW * len(one.evidence) else ()


def _earlier(
    one: BrokenRequirement, evidence: Evidence, there: Iterable[tuple[BrokenRequirement, Evidence]]
) -> Iterator[str]:
    """What its history has broken before, or by the same record as the wider of the two."""
    at_s = broken_at_s(evidence)
    for other, of_other in there:
        other_s = broken_at_s(of_other)
        wider = evidence.own or len(one.evidence) < _GOOD_PART * len(other.evidence)
        if other_s < at_s or (other_s == at_s and wider and not of_other.own):
            yield other.id


def _lacking(evidence: Evidence, all_: Mapping[str, BrokenRequirement]) -> Iterator[str]:
    """The broken requirements that speak of what a claim of it has waited for, and lack it themselves."""
    speaks_of = evidence.unmet.speaks_of
    if evidence.unmet.requirement not in speaks_of:
        yield from (id_ for id_ in speaks_of if id_ in all_ and id_ in all_[id_].lacks)


def _leads(other: BrokenRequirement, one: BrokenRequirement) -> bool:
    """Whether a requirement may stand in the wake of another at all."""
    if other.id == one.id or other.id in one.explains or (one.must and not other.must):
        return False
    own = {evidence.scenario.id for evidence in one.evidence if evidence.own}
    shared = sum(evidence.scenario.id in own for evidence in other.evidence)
    return shared < _GOOD_PART * len(other.evidence)


def _led_by_causes(after: Mapping[str, tuple[str, ...]], all_: Mapping[str, BrokenRequirement]) -> set[str]:
    """Those that come, by one or more steps, after something that comes after nothing."""
    led: set[str] = set()
    causes = all_.keys() - after.keys()
    while more := {id_ for id_, before in after.items() if id_ not in led and {*before} & (causes | led)}:
        led |= more
    return led
