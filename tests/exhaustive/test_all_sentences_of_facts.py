"""The sentence of each fact, with any arguments, is read as it was written; unit tests try some of them."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_facts_all import EVERY, calls, check_claim, check_sentence

from batchproof.judgement.facts import Fact
from batchproof.judgement.forms import DEADLINES_S, Quantifier

TEN = settings(max_examples=10)


@pytest.mark.parametrize("it", EVERY)
@TEN
@given(data=st.data())
def test_any_sentence_of_a_fact_is_read_as_it_was_written(it: Fact, data: st.DataObject) -> None:
    check_sentence(it, data.draw(calls(it)))


@pytest.mark.parametrize("it", EVERY)
@TEN
@given(data=st.data(), quantifier=st.sampled_from(Quantifier), limit=st.sampled_from([*DEADLINES_S]))
def test_any_claim_is_read_as_it_was_written(
    it: Fact, data: st.DataObject, quantifier: Quantifier, limit: str
) -> None:
    assume((quantifier is Quantifier.NOW) == (limit == "now"))
    check_claim(it, data.draw(calls(it)), quantifier, limit)
