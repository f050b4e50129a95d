"""A fact is judged as if it were asked at every record, in all examples, and in many histories at random."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from test_inputs import AT_RANDOM, BY_FACT, interleaved, same, same_at_random


@pytest.mark.parametrize("name", BY_FACT)
def test_a_fact_is_judged_as_if_it_were_asked_at_every_record_of_all_its_examples(name: str) -> None:
    for it, history, _ in BY_FACT[name]:
        same(it, history.records)
        for seed in range(3):
            same(it, interleaved(history, seed).records)


@given(**AT_RANDOM)
@settings(max_examples=200)
def test_many_facts_at_random_are_judged_as_if_they_were_asked_at_every_record(
    verbs: list[str], trees: list[Any]
) -> None:
    same_at_random(verbs, trees)
