"""No invariant accuses for what others do, and each is broken as much beside others that break nothing."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from foreign import foreign, mixed, untrue

from batchproof.judgement.history import FaultChange, Header, ProcessChange
from batchproof.judgement.invariants import breaches
from batchproof.judgement.observed import observe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from histories import Story

    from batchproof.judgement.history import Record

TABLES = [import_module(path.stem) for path in sorted(Path(__file__).parent.glob("test_invariants_*.py"))]
BLAMELESS = [case for table in TABLES for case in table.BLAMELESS]
BROKEN = [pytest.param(case.values[1], id=case.id) for table in TABLES for case in table.BREAKS]
OTHERS = [
    case.values[0]
    for case in BLAMELESS
    if not any(isinstance(it.entry, Header | FaultChange | ProcessChange) for it in case.values[0].records)
    and not any(write.unheard for write in case.values[0].seen.writes)
]
"""What breaks nothing, though nothing happens to the implementation that would be an excuse."""


def found(records: Sequence[Record]) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.requirement, one.decisive) for one in breaches(observe(records))]


@pytest.mark.parametrize("told", [*BROKEN, *BLAMELESS])
@pytest.mark.parametrize("ahead", [False, True], ids=["beside", "behind"])
def test_what_others_do_breaks_nothing_and_hides_nothing(told: Story, *, ahead: bool) -> None:
    alone = found(told.records)
    for other in OTHERS:
        records, numbers = mixed(told.records, foreign(other.records), ahead=ahead)

        assert found(records) == [(one, tuple(numbers[each] for each in where)) for one, where in alone], (
            records
        )


@pytest.mark.parametrize("told", [*BROKEN, *BLAMELESS])
def test_a_condition_that_is_not_true_breaks_nothing_and_hides_nothing(told: Story) -> None:
    every = [case.values[0].records for case in [*BROKEN, *BLAMELESS]]

    assert found(untrue(told.records, every)) == found(told.records)
