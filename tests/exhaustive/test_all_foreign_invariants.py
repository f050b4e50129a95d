"""No invariant accuses for what any others do, nor overlooks anything beside them; unit tests take one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_foreign_invariants import EVERY, check, others

if TYPE_CHECKING:
    from histories import Story


@pytest.mark.parametrize(("area", "told"), EVERY)
@pytest.mark.parametrize("ahead", [False, True], ids=["beside", "behind"])
def test_what_any_others_do_breaks_nothing_and_hides_nothing(area: str, told: Story, *, ahead: bool) -> None:
    check(area, told, others(area), ahead=ahead)
