"""Every planted defect of the suite can be planted."""

from __future__ import annotations

from test_defects import plantable


def test_all_bundled_defects_can_be_planted() -> None:
    assert plantable()
