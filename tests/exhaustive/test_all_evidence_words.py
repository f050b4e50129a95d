"""A fact says in words what it saw in any history that differs from its examples; unit tests look at some."""

from __future__ import annotations

import pytest
from test_evidence_words import SAYING_WORDS, python_in, said_by


@pytest.mark.parametrize("name", SAYING_WORDS)
def test_a_fact_says_what_it_saw_in_words_in_all_histories(name: str) -> None:
    assert not python_in(said_by(name, 1))
