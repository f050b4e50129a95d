"""Over the results of ``batchproof mutants``: a killed mutant is shown by an object that it touched.

``BATCHPROOF_MUTANTS`` names the folder of the results. A kill by a wait in vain is shown by no record.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from batchproof.report.matrix import MutantResult, load

FOLDER = os.environ.get("BATCHPROOF_MUTANTS", "")
KILLED = load(Path(FOLDER)).of("caught") if FOLDER else ()
SHOWN = [row for row in KILLED if row.catch and row.catch.marks]


def test_there_are_results() -> None:
    assert SHOWN, f"BATCHPROOF_MUTANTS={FOLDER!r} has no killed mutant: run `batchproof mutants` first"


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: row.defect)
def test_a_killed_mutant_is_shown_by_an_object_that_it_touched(row: MutantResult) -> None:
    assert row.catch
    astray = [f"record {one.record}, {one.subject}" for one in row.catch.marks if not one.touched]
    assert not astray, f"{row.requirement}: {row.catch.observed} ({row.catch.history})"
