"""Each example is judged again with another value of each field that may change; unit tests take some."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from changeable_page import CHANGES, PAGE, following, judged_by, page
from test_changeable import judged_by_later, judged_by_unseen
from test_foreign_invariants import EVERY

if TYPE_CHECKING:
    from histories import Story


@pytest.mark.parametrize(("area", "told"), EVERY)
def test_no_invariant_judges_the_past_by_a_later_value(area: str, told: Story) -> None:
    assert judged_by_later(area, told) == []


@pytest.mark.parametrize(("area", "told"), EVERY)
def test_no_invariant_judges_by_a_value_that_could_not_be_seen_yet(area: str, told: Story) -> None:
    assert judged_by_unseen(area, told) == []


def test_the_facts_that_follow_a_later_value_are_known_and_each_has_a_reason() -> None:
    assert set(following()) == set(CHANGES.facts_of_now)


def test_the_page_of_changeable_fields_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(judged_by()), "run `python tests/unit/changeable_page.py`"
