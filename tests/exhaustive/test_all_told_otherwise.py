"""Each history of ``tests/unit/test_told_otherwise.py`` is judged as before; the unit tests look at some."""

from __future__ import annotations

import pytest
from test_told_otherwise import SUBJECTS, check


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_is_found_where_one_thing_is_another_is_what_was_found_before_in_all(subject: str) -> None:
    check(subject)
