"""Every planted defect of the suite can be planted."""

from __future__ import annotations

from batchproof import suite
from batchproof.specification.mutants import changed, load_mutants


def test_all_bundled_defects_can_be_planted() -> None:
    assert all(changed(one, suite.reference().parent) for one in load_mutants())
