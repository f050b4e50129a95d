"""A history folded record by record is judged like each of its beginnings: in many histories at random."""

from __future__ import annotations

from hypothesis import given, settings
from test_folding import AT_RANDOM, check_at_random


@given(verbs=AT_RANDOM)
@settings(max_examples=60)
def test_a_fact_finds_the_same_in_many_histories_whether_it_was_asked_at_each_record_or_once(
    verbs: list[str],
) -> None:
    check_at_random(verbs)
