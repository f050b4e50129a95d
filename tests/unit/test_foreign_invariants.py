"""No invariant accuses for what others do, and each is broken as much beside others that break nothing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from foreign import foreign, mixed, untrue
from invariant_examples import every_case

from batchproof.judgement.history import FaultChange, HistoryHeader, ProcessChange, Record
from batchproof.judgement.invariants import breaches, invariants
from batchproof.judgement.observed import observe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from histories import Story

CASES = [case for cases in every_case().values() for case in cases]
"""Each with the area of requirements that its history is judged by, as a run judges those of one profile."""
EVERY = [pytest.param(case.area, case.told, id=case.name) for case in CASES]
_PLACES = {id(case.told): place for place, case in enumerate(CASES)}
STORIES = [case.told for case in CASES]
OTHERS = [
    (case.area, case.told)
    for case in CASES
    if not case.decisive
    and not any(isinstance(it.entry, HistoryHeader | FaultChange | ProcessChange) for it in case.told.records)
    and not any(write.unheard for write in case.told.seen.writes)
]
"""What breaks nothing, though nothing happens to the implementation that would be an excuse."""


def found(records: Sequence[Record], area: str) -> list[tuple[str, tuple[int, ...]]]:
    in_force = {id_: "" for id_ in invariants() if id_.startswith(area)} if area else None
    return [(one.requirement, one.decisive) for one in breaches(observe(records), in_force)]


@cache
def others(area: str) -> list[list[Record]]:
    """What others do that breaks nothing, in an area."""
    return [foreign(story.records) for its, story in OTHERS if its == area]


def check(area: str, told: Story, some: Sequence[Sequence[Record]], *, ahead: bool) -> None:
    """See that the same is found whatever of these happens besides."""
    alone = found(told.records, area)
    for other in some:
        records, numbers = mixed(told.records, other, ahead=ahead)

        assert found(records, area) == [
            (one, tuple(numbers[each] for each in where)) for one, where in alone
        ], records


@pytest.mark.parametrize(("area", "told"), EVERY)
def test_what_others_do_breaks_nothing_and_hides_nothing(area: str, told: Story) -> None:
    """One story of others besides; tests/exhaustive takes all of them, beside and behind."""
    some, place = others(area), _PLACES[id(told)]
    check(area, told, some[place % len(some) :][:1], ahead=bool(place % 2))


@pytest.mark.parametrize(("area", "told"), EVERY)
def test_a_condition_that_is_not_true_breaks_nothing_and_hides_nothing(area: str, told: Story) -> None:
    every = [story.records for story in STORIES]

    assert found(untrue(told.records, every), area) == found(told.records, area)
