"""Over the results of ``batchproof defects``: a caught defect is shown by an object that it touched.

``BATCHPROOF_DEFECTS`` names the folder of the results. A catch by a wait in vain is shown by no record.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from batchproof.report.matrix import Row, load

FOLDER = os.environ.get("BATCHPROOF_DEFECTS", "")
CAUGHT = load(Path(FOLDER)).of("caught") if FOLDER else ()
SHOWN = [row for row in CAUGHT if row.catch and row.catch.marks]


def test_there_are_results() -> None:
    assert SHOWN, f"BATCHPROOF_DEFECTS={FOLDER!r} has no caught defect: run `batchproof defects` first"


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: row.defect)
def test_a_caught_defect_is_shown_by_an_object_that_it_touched(row: Row) -> None:
    assert row.catch
    astray = [f"record {one.record}, {one.subject}" for one in row.catch.marks if not one.touched]
    assert not astray, f"{row.requirement}: {row.catch.observed} ({row.catch.history})"
